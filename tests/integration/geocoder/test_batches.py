"""Test the batch client against a server of the real wire form, with every kind of failure."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.census_server import WEB_PAGE, Batch, Census, Fault, Reply, Row, quote_rows
from warehouse.fetch.settings import FetchSettings
from warehouse.geocoder.cache import Address, Answer, as_sent
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
MATCH = Answer(
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
    results: dict[Address, Answer] = {}
    for answers in client.ask(addresses, lines.append):
        results |= answers
    return results, lines


def test_a_batch_is_sent_and_read_as_documented(census: Census) -> None:
    results, lines = ask(client_of(census), ONE, TWO, THREE, FOUR, ONE)
    batch = census.batches[0]
    assert len(census.batches) == 1
    assert batch.path == "/geocoder/geographies/addressbatch"
    assert batch.fields == {"benchmark": "Public_AR_Current", "vintage": "Census2020_Current"}
    assert (batch.file_name, batch.file_type) == ("batch.csv", "text/csv")
    assert batch.content.startswith(b"1,1 INVENTED WAY,SALEM,MA,01970\n2,2 INVENTED")
    assert [len(row) for row in batch.rows] == [5, 5, 5, 5]
    assert results[ONE] == MATCH
    assert results[TWO].is_exact is False
    assert results[THREE] == Answer(match="tie")
    assert results[FOUR] == Answer(match="no_match")
    assert census.list_requests == ["/geocoder/benchmarks", "/geocoder/vintages?benchmark=4"]
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
    results, _ = ask(client_of(census), THREE, FOUR)
    assert (results[FOUR].tract, results[FOUR].block) == ("01083020100", "0007")
    assert (results[THREE].lat, results[THREE].tract) == (42.52, None)


def test_batches_hold_no_more_rows_than_set(census: Census) -> None:
    addresses = [as_sent(f"{n} Other Rd", "Salem", "MA", "") for n in range(25)]
    results, _ = ask(client_of(census, batch_rows=10), *addresses)
    assert [len(batch.rows) for batch in census.batches] == [10, 10, 5]
    assert set(results) == set(addresses)
    with pytest.raises(ValueError, match="takes 1 to 10000"):
        GeocoderSettings(batch_rows=MAX_ROWS + 1)


# ------------------------------------------------------------------ temporary faults


def change_rows(change: Callable[[list[Row]], list[Row]]) -> Fault:
    return lambda batch, rows: Reply(quote_rows(change(rows)))


def cut(count: int, *, is_announced: bool) -> Fault:
    return lambda batch, rows: Reply(
        quote_rows(rows), cut_at=len(quote_rows(rows)) - count, is_cut_unannounced=not is_announced
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
        lambda batch, rows: Reply(quote_rows(rows)[: quote_rows(rows).rindex(b',"25","009"')]),
    ),
    ("id_missing", change_rows(lambda rows: rows[1:])),
    ("id_doubled", change_rows(lambda rows: [*rows, rows[0]])),
    ("id_foreign", change_rows(lambda rows: [*rows, ["99", *rows[0][1:]]])),
    ("id_swallowed", change_rows(lambda rows: [["", *rows[0][1:]], *rows[1:]])),
    ("status_word_unknown", change_rows(lambda rows: [[*rows[0][:2], "Maybe"], *rows[1:]])),
    ("match_without_point", change_rows(lambda rows: [*rows[:-1], rows[-1][:5]])),
    (
        "point_no_number",
        change_rows(lambda rows: [*rows[:-1], [*rows[-1][:5], "nan,nan", *rows[-1][6:]]]),
    ),
    (
        "point_off_the_earth",
        change_rows(lambda rows: [*rows[:-1], [*rows[-1][:5], "42.5,-170.9", *rows[-1][6:]]]),
    ),
    ("two_fields", change_rows(lambda rows: [rows[0][:2], *rows[1:]])),
    ("tie_with_point", change_rows(lambda rows: [[*rows[0], "Exact", "x", "-70,42"], *rows[1:]])),
]


@pytest.mark.parametrize("fault", [f for _, f in FAULTS], ids=[name for name, _ in FAULTS])
def test_a_temporary_fault_costs_one_more_request(census: Census, fault: Fault) -> None:
    census.faults = [fault]
    results, lines = ask(client_of(census), ONE, TWO, THREE, FOUR)
    assert [answer.match for answer in results.values()].count("match") == 2
    assert len(results) == 4
    assert results[ONE] == MATCH
    assert [len(batch.rows) for batch in census.batches] == [4, 4]
    assert lines == ["geocoder, 4 addresses: attempt 2 of 3"]


def test_a_silent_server_is_retried(census: Census) -> None:
    census.faults = [lambda batch, rows: Reply(quote_rows(rows), silent_seconds=6)]
    impatient = replace(FETCH, read_timeout_seconds=1.5)
    results, _ = ask(client_of(census, fetch=impatient), ONE)
    assert results == {ONE: MATCH}
    assert len(census.batches) == 2


def test_an_answer_in_latin_1_is_read(census: Census) -> None:
    add_accent = change_rows(
        lambda rows: [[*rows[0][:4], "1 INVENTED WAY, PEÑA, MA, 01970", *rows[0][5:]]]
    )
    census.always = lambda batch, rows: (
        replace(reply, body=reply.body.decode().encode("latin-1"))
        if (reply := add_accent(batch, rows))
        else None
    )
    results, _ = ask(client_of(census), ONE)
    assert results[ONE].matched_address == "1 INVENTED WAY, PEÑA, MA, 01970"


# ------------------------------------------------------------------ permanent faults


# A fault of each kind: of the connection, of the whole answer, of the ids, of the row.
KINDS = {
    name: fault
    for name, fault in FAULTS
    if name in {"reset", "empty", "id_missing", "point_no_number"}
}


@pytest.mark.parametrize("fault", KINDS.values(), ids=KINDS)
def test_an_invalid_row_loses_only_itself(census: Census, fault: Fault) -> None:
    invalid = as_sent("7 Odd Rd", "Salem", "MA", "01970")
    others = [as_sent(f"{n} Other Rd", "Salem", "MA", "01970") for n in range(10)]
    census.match("7 ODD RD", "7 ODD RD, SALEM, MA, 01970", "-70.8,42.5", "25", "009", "204200", "1")

    def spoil(batch: Batch, rows: list[Row]) -> Reply | None:
        # The odd row last, where faults change the match.
        rows.sort(key=lambda row: row[2] == "Match")
        return fault(batch, rows) if any(row[1] == invalid.street for row in batch.rows) else None

    census.always = spoil
    results, lines = ask(
        client_of(census, fetch=replace(FETCH, attempts=2)), *others[:4], invalid, *others[4:]
    )
    assert set(results) == set(others)
    assert lines[-1].startswith("geocoder: 1 addresses without answer: ")


def test_a_row_answered_for_another_address_is_not_used(census: Census) -> None:
    census.always = change_rows(
        lambda rows: [
            [row[0], row[1].replace("1 INVENTED", "9 INVENTED"), *row[2:]] for row in rows
        ]
    )
    results, lines = ask(client_of(census), ONE, FOUR)
    assert set(results) == {FOUR}
    assert lines == ["geocoder: 1 rows answered for other addresses, not used"]


def test_a_failing_service_is_abandoned_for_the_build(census: Census) -> None:
    census.always = lambda batch, rows: Reply(WEB_PAGE)
    addresses = [as_sent(f"{n} Other Rd", "Salem", "MA", "") for n in range(100)]
    client = client_of(census, batch_rows=10, max_failures_in_a_row=3)
    results, lines = ask(client, *addresses)
    assert results == {}
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
    results, lines = ask(client_of(census, batch_rows=1), ONE, TWO)
    assert results == {}
    assert len(census.batches) == 1
    assert f"status {reply.status}" in lines[-1]


def test_the_time_limit_ends_the_batches(census: Census) -> None:
    ticks = iter([0.0, 1.0, 11.0])
    settings = GeocoderSettings(url=census.url, fetch=FETCH, batch_rows=1, max_seconds=10)
    results, lines = ask(CensusBatchClient(settings, clock=lambda: next(ticks)), ONE, FOUR)
    assert set(results) == {ONE}
    assert lines == ["geocoder: gave up for this build: it took more than 10 seconds"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"benchmark": "Public_AR_ACS2019"}, "the service has no benchmark Public_AR_ACS2019"),
        ({"vintage": "ACS2019_Current"}, "Public_AR_Current has no vintage ACS2019_Current"),
    ],
)
def test_an_unknown_benchmark_or_vintage_is_not_requested(
    census: Census, names: dict[str, str], message: str
) -> None:
    results, lines = ask(client_of(census, **names), ONE)
    assert (results, census.batches) == ({}, [])
    assert lines == [f"geocoder: gave up for this build: {message}"]


@pytest.mark.parametrize("reply", [Reply(WEB_PAGE), Reply(b"", 404), Reply(b"[]")])
def test_unreadable_lists_do_not_stop_the_batches(census: Census, reply: Reply) -> None:
    census.lists["/geocoder/benchmarks"] = reply
    results, lines = ask(client_of(census), ONE)
    assert results == {ONE: MATCH}
    assert lines[0].startswith("geocoder: list of benchmarks not read")


def test_an_oversized_answer_is_refused(census: Census) -> None:
    census.always = lambda batch, rows: Reply(b'"1"' + b"x" * 3_000_000)
    results, lines = ask(client_of(census), ONE)
    assert results == {}
    assert "more than 2000000 bytes" in lines[-1]


def test_private_addresses_are_refused_unless_allowed(census: Census) -> None:
    results, lines = ask(client_of(census, fetch=replace(FETCH, allow_private=False)), ONE)
    assert results == {}
    assert "127.0.0.1 is 127.0.0.1, not a public address" in lines[-1]
    assert not [line for line in lines if "attempt" in line]
