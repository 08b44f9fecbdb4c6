"""The batch client against a server that speaks the real form: good answers, and every way to fail."""

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.census_server import WEB_PAGE, Batch, Census, Fault, Reply, Row, quoted
from warehouse.fetch.settings import FetchSettings
from warehouse.geocoder.answers import Address, Answer, as_sent
from warehouse.geocoder.client import MAX_ROWS, CensusBatchClient, GeocoderSettings

FETCH = FetchSettings(
    connect_timeout_seconds=10,
    read_timeout_seconds=10,
    attempts=3,
    wait_initial_seconds=0.01,
    wait_max_seconds=0.02,
    wait_jitter_seconds=0.005,
    max_page_bytes=2_000_000,
    allow_private=True,
)
ONE, TWO, THREE, FOUR = (as_sent(f"{n} Invented Way", "Salem", "MA", "01970") for n in range(1, 5))
FOUND = Answer(
    match="match",
    is_exact=True,
    matched_address="1 INVENTED WAY, SALEM, MA, 01970",
    lat=42.517876491,
    lng=-70.893356,
    tiger_line="59653655",
    side="R",
    tract="25009204200",
    block="1002",
)


def client_of(census: Census, **changes: object) -> CensusBatchClient:
    settings = GeocoderSettings(url=census.url, fetch=FETCH)
    return CensusBatchClient(replace(settings, **changes))  # type: ignore[arg-type]


def ask(client: CensusBatchClient, *addresses: Address) -> tuple[dict[Address, Answer], list[str]]:
    lines: list[str] = []
    found: dict[Address, Answer] = {}
    for answers in client.ask(addresses, lines.append):
        found |= answers
    return found, lines


def test_a_batch_is_sent_and_read_as_documented(census: Census) -> None:
    found, lines = ask(client_of(census), ONE, TWO, THREE, FOUR, ONE)
    batch = census.batches[0]
    assert len(census.batches) == 1
    assert batch.path == "/geocoder/geographies/addressbatch"
    assert batch.fields == {"benchmark": "Public_AR_Current", "vintage": "Census2020_Current"}
    assert (batch.file_name, batch.file_type) == ("batch.csv", "text/csv")
    assert batch.content.startswith(b"1,1 INVENTED WAY,SALEM,MA,01970\n2,2 INVENTED")
    assert [len(row) for row in batch.rows] == [5, 5, 5, 5]
    assert found[ONE] == FOUND
    assert found[TWO].is_exact is False
    assert found[THREE] == Answer(match="tie")
    assert found[FOUR] == Answer(match="no_match")
    assert census.listed == ["/geocoder/benchmarks", "/geocoder/vintages?benchmark=4"]
    assert lines == []


def test_leading_zeros_and_a_match_without_geographies(census: Census) -> None:
    census.match(
        "4 INVENTED WAY",
        "4 INVENTED WAY, ATHENS, AL, 35611",
        "-86.9,34.8",
        "01",
        "083",
        "020100",
        "0007",
    )
    census.match("3 INVENTED WAY", "3 INVENTED WAY, SALEM, MA, 01970", "-70.89,42.52")
    found, _ = ask(client_of(census), THREE, FOUR)
    assert (found[FOUR].tract, found[FOUR].block) == ("01083020100", "0007")
    assert (found[THREE].lat, found[THREE].tract) == (42.52, None)


def test_batches_hold_no_more_rows_than_set(census: Census) -> None:
    addresses = [as_sent(f"{n} Other Rd", "Salem", "MA", "") for n in range(25)]
    found, _ = ask(client_of(census, batch_rows=10), *addresses)
    assert [len(batch.rows) for batch in census.batches] == [10, 10, 5]
    assert set(found) == set(addresses)
    with pytest.raises(ValueError, match="takes 1 to 10000"):
        GeocoderSettings(batch_rows=MAX_ROWS + 1)


# ------------------------------------------------------------------ faults that pass


def rows_changed(change: Callable[[list[Row]], list[Row]]) -> Fault:
    return lambda batch, rows: Reply(quoted(change(rows)))


def cut(count: int, *, is_announced: bool) -> Fault:
    return lambda batch, rows: Reply(
        quoted(rows), cut_at=len(quoted(rows)) - count, is_cut_unannounced=not is_announced
    )


FAULTS: list[tuple[str, Fault]] = [
    (
        "web_page_under_200",
        lambda batch, rows: Reply(WEB_PAGE, headers={"Content-Type": "text/html"}),
    ),
    ("web_page_as_text", lambda batch, rows: Reply(WEB_PAGE)),
    ("json_error_under_200", lambda batch, rows: Reply(b'{"errors":["busy"]}')),
    ("empty", lambda batch, rows: Reply(b"")),
    ("status_500", lambda batch, rows: Reply(WEB_PAGE, 500)),
    ("status_502", lambda batch, rows: Reply(b"", 502)),
    ("status_503_with_wait", lambda batch, rows: Reply(b"", 503, {"Retry-After": "0"})),
    ("reset", lambda batch, rows: Reply(resets=True)),
    ("cut_announced", cut(30, is_announced=True)),
    ("cut_in_a_row", cut(30, is_announced=False)),
    (
        "cut_between_fields",
        lambda batch, rows: Reply(quoted(rows)[: quoted(rows).rindex(b',"25","009"')]),
    ),
    ("id_missing", rows_changed(lambda rows: rows[1:])),
    ("id_doubled", rows_changed(lambda rows: [*rows, rows[0]])),
    ("id_foreign", rows_changed(lambda rows: [*rows, ["99", *rows[0][1:]]])),
    ("id_swallowed", rows_changed(lambda rows: [["", *rows[0][1:]], *rows[1:]])),
    ("status_word_unknown", rows_changed(lambda rows: [[*rows[0][:2], "Maybe"], *rows[1:]])),
    ("match_without_point", rows_changed(lambda rows: [*rows[:-1], rows[-1][:5]])),
    (
        "point_no_number",
        rows_changed(lambda rows: [*rows[:-1], [*rows[-1][:5], "nan,nan", *rows[-1][6:]]]),
    ),
    (
        "point_off_the_earth",
        rows_changed(lambda rows: [*rows[:-1], [*rows[-1][:5], "42.5,-170.9", *rows[-1][6:]]]),
    ),
    ("two_fields", rows_changed(lambda rows: [rows[0][:2], *rows[1:]])),
    ("tie_with_point", rows_changed(lambda rows: [[*rows[0], "Exact", "x", "-70,42"], *rows[1:]])),
]


@pytest.mark.parametrize("fault", [f for _, f in FAULTS], ids=[name for name, _ in FAULTS])
def test_a_fault_that_passes_costs_nothing_but_a_second_request(
    census: Census, fault: Fault
) -> None:
    census.faults = [fault]
    found, lines = ask(client_of(census), ONE, TWO, THREE, FOUR)
    assert [answer.match for answer in found.values()].count("match") == 2
    assert len(found) == 4
    assert found[ONE] == FOUND
    assert [len(batch.rows) for batch in census.batches] == [4, 4]
    assert lines == ["geocoder, 4 addresses: attempt 2 of 3"]


def test_a_silent_server_is_asked_again(census: Census) -> None:
    census.faults = [lambda batch, rows: Reply(quoted(rows), silent_seconds=1.5)]
    impatient = replace(FETCH, read_timeout_seconds=0.3)
    found, _ = ask(client_of(census, fetch=impatient), ONE)
    assert found == {ONE: FOUND}
    assert len(census.batches) == 2


def test_latin_1_in_the_answer_is_read(census: Census) -> None:
    accented = rows_changed(
        lambda rows: [[*rows[0][:4], "1 INVENTED WAY, PEÑA, MA, 01970", *rows[0][5:]]]
    )
    census.always = lambda batch, rows: (
        replace(reply, body=reply.body.decode().encode("latin-1"))
        if (reply := accented(batch, rows))
        else None
    )
    found, _ = ask(client_of(census), ONE)
    assert found[ONE].matched_address == "1 INVENTED WAY, PEÑA, MA, 01970"


# ------------------------------------------------------------------ faults that stay


@pytest.mark.parametrize("fault", [f for _, f in FAULTS], ids=[name for name, _ in FAULTS])
def test_an_odd_row_spoils_nothing_but_itself(census: Census, fault: Fault) -> None:
    odd = as_sent("7 Odd Rd", "Salem", "MA", "01970")
    others = [as_sent(f"{n} Other Rd", "Salem", "MA", "01970") for n in range(10)]
    census.match("7 ODD RD", "7 ODD RD, SALEM, MA, 01970", "-70.8,42.5", "25", "009", "204200", "1")

    def spoiled(batch: Batch, rows: list[Row]) -> Reply | None:
        # The odd row to the end: what a fault does to a match, it does to this one.
        rows.sort(key=lambda row: row[2] == "Match")
        return fault(batch, rows) if any(row[1] == odd.street for row in batch.rows) else None

    census.always = spoiled
    found, lines = ask(
        client_of(census, fetch=replace(FETCH, attempts=2)), *others[:4], odd, *others[4:]
    )
    assert set(found) == set(others)
    assert lines[-1].startswith("geocoder: 1 addresses without answer: ")


def test_a_row_answered_for_another_address_is_not_used(census: Census) -> None:
    census.always = rows_changed(
        lambda rows: [
            [row[0], row[1].replace("1 INVENTED", "9 INVENTED"), *row[2:]] for row in rows
        ]
    )
    found, lines = ask(client_of(census), ONE, FOUR)
    assert set(found) == {FOUR}
    assert lines == ["geocoder: 1 rows answered for other addresses, not used"]


def test_a_service_that_is_down_is_left_alone(census: Census) -> None:
    census.always = lambda batch, rows: Reply(WEB_PAGE)
    addresses = [as_sent(f"{n} Other Rd", "Salem", "MA", "") for n in range(100)]
    client = client_of(census, batch_rows=10, max_failures_in_a_row=3)
    found, lines = ask(client, *addresses)
    assert found == {}
    assert len(census.batches) == 3 * FETCH.attempts
    assert lines[-1] == "geocoder: gave up for this build: a web page or text instead of rows"
    census.always = None
    again, lines = ask(client, ONE)
    assert again == {}
    assert lines == ["geocoder: skipped, a web page or text instead of rows"]
    assert len(census.batches) == 3 * FETCH.attempts


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"", 400),
        Reply(b"", 404),
        Reply(b"", 307, {"Location": "http://elsewhere.example/geocoder"}),
    ],
    ids=["400", "404", "redirect"],
)
def test_a_refusal_is_not_repeated(census: Census, reply: Reply) -> None:
    census.always = lambda batch, rows: reply
    found, lines = ask(client_of(census, batch_rows=1), ONE, TWO)
    assert found == {}
    assert len(census.batches) == 1
    assert f"status {reply.status}" in lines[-1]


def test_time_runs_out(census: Census) -> None:
    ticks = iter([0.0, 1.0, 11.0])
    settings = GeocoderSettings(url=census.url, fetch=FETCH, batch_rows=1, max_seconds=10)
    found, lines = ask(CensusBatchClient(settings, clock=lambda: next(ticks)), ONE, FOUR)
    assert set(found) == {ONE}
    assert lines == ["geocoder: gave up for this build: it took more than 10 seconds"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"benchmark": "Public_AR_ACS2019"}, "the service has no benchmark Public_AR_ACS2019"),
        ({"vintage": "ACS2019_Current"}, "Public_AR_Current has no vintage ACS2019_Current"),
    ],
)
def test_data_the_service_does_not_have_are_not_asked_for(
    census: Census, names: dict[str, str], message: str
) -> None:
    found, lines = ask(client_of(census, **names), ONE)
    assert (found, census.batches) == ({}, [])
    assert lines == [f"geocoder: gave up for this build: {message}"]


@pytest.mark.parametrize("reply", [Reply(WEB_PAGE), Reply(b"", 404), Reply(b"[]")])
def test_unreadable_lists_do_not_stop_the_batches(census: Census, reply: Reply) -> None:
    census.lists["/geocoder/benchmarks"] = reply
    found, lines = ask(client_of(census), ONE)
    assert found == {ONE: FOUND}
    assert lines[0].startswith("geocoder: list of benchmarks not read")


def test_no_more_than_one_answer_of_the_allowed_size(census: Census) -> None:
    census.always = lambda batch, rows: Reply(b'"1"' + b"x" * 3_000_000)
    found, lines = ask(client_of(census), ONE)
    assert found == {}
    assert "more than 2000000 bytes" in lines[-1]


def test_private_addresses_are_refused_unless_allowed(census: Census) -> None:
    started = time.monotonic()
    found, lines = ask(client_of(census, fetch=replace(FETCH, allow_private=False)), ONE)
    assert found == {}
    assert "127.0.0.1 is 127.0.0.1, not a public address" in lines[-1]
    assert time.monotonic() - started < 5
