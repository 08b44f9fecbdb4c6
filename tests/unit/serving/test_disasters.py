"""Active disasters of a place, D-SNAP, and the hourly file."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serving.disasters import disasters
from serving.disasters.declarations import area_name, plain_title
from tests.support.clients import Client, open_client
from tests.support.declared import RETRIEVED, declaration
from tests.support.releases import resource, write_release
from warehouse.disaster_file import (
    SIDE_FILE,
    DamagedDeclarationsError,
    Declaration,
    Edition,
    cutoff_day,
    read_side_file,
    write_side_file,
)


def ago(days: int) -> date:
    return disasters.today() - timedelta(days=days)


def rows() -> list[dict[str, Any]]:
    helps = {"has_individual_assistance": True}
    return [
        # Florida: a storm with two counties, one of them with help for households.
        declaration("DR", 1, "FL", ago(10), title="HURRICANE EXAMPLE", **helps),
        declaration(
            "DR",
            1,
            "FL",
            ago(10),
            designated_area="Miami-Dade (County)",
            county_fips="12086",
            **helps,
        ),
        declaration("DR", 1, "FL", ago(10), designated_area="Monroe (County)", county_fips="12087"),
        declaration("EM", 2, "FL", ago(12), designated_area="Statewide"),
        # Texas: only the whole is known; long ago, but one may still file.
        declaration("DR", 3, "TX", ago(90), **helps),
        declaration(
            "DR",
            3,
            "TX",
            ago(90),
            designated_area="Harris (County)",
            county_fips="48201",
            last_ia_filing_date=ago(-5),
            **helps,
        ),
        declaration("DR", 4, "WA", ago(20), **helps),
        # A tribal area without county, and a disaster that was closed.
        declaration(
            "DR",
            5,
            "NM",
            ago(20),
            designated_area="Pueblo of Example",
            is_tribal_area=True,
            **helps,
        ),
        declaration("EM", 6, "NM", ago(30), closeout_date=ago(3)),
        declaration("DR", 7, "PR", ago(5), **helps),
        # No last day, and two years old.
        declaration("FM", 8, "CA", ago(730)),
    ]


def zips() -> list[dict[str, Any]]:
    def row(code: str, state: str, county: str | None, name: str | None) -> dict[str, Any]:
        return {
            "zip": code,
            "zip_kind": "standard",
            "place_name": "X",
            "state": state,
            "county_fips": county,
            "county_name": name,
            "lat": 30.0,
            "lng": -90.0,
            "population": 10,
            "is_quality_low": False,
        }

    return [
        row("33101", "FL", "12086", "Miami-Dade County"),
        row("33040", "FL", "12087", "Monroe County"),
        row("32301", "FL", "12073", "Leon County"),
        row("33999", "FL", None, None),
        row("77001", "TX", "48201", "Harris County"),
        row("75201", "TX", "48113", "Dallas County"),
        row("98101", "WA", "53033", "King County"),
        row("87101", "NM", "35001", "Bernalillo County"),
        row("00901", "PR", "72127", "San Juan Municipio"),
        row("09012", "AE", None, None),
    ]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("disasters")
    write_release(folder, [resource(1)], zips=zips(), declarations=rows())
    return folder


@pytest.fixture(scope="module")
def client(data_dir: Path) -> Iterator[Client]:

    with open_client(data_dir) as client:
        yield client


def ask(client: Client, query: str) -> dict[str, Any]:
    answer = client.get(f"/api/disasters/active?{query}")
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    return document


@pytest.mark.parametrize(
    ("query", "declared", "matches", "elsewhere", "reason"),
    [
        ("zip=33101", ["DR-1-FL", "EM-2-FL"], ["county", "statewide"], 0, "likely"),
        # Its county is declared, without help for households.
        ("zip=33040", ["DR-1-FL", "EM-2-FL"], ["county", "statewide"], 0, "not_this_area"),
        ("zip=32301", ["EM-2-FL"], ["statewide"], 1, "not_this_area"),
        # Its county is not known: everything in the state may touch it.
        ("zip=33999", ["DR-1-FL", "EM-2-FL"], ["state", "state"], 0, "likely"),
        ("state=fl", ["DR-1-FL", "EM-2-FL"], ["state", "state"], 0, "likely"),
        ("zip=33101-1234", ["DR-1-FL", "EM-2-FL"], ["county", "statewide"], 0, "likely"),
        ("zip=77001", ["DR-3-TX"], ["county"], 0, "too_long_ago"),
        ("zip=75201", [], [], 0, "no_active_disaster"),
        ("zip=98101", ["DR-4-WA"], ["areas_unknown"], 0, "likely"),
        ("zip=87101", ["DR-5-NM"], ["tribal_area"], 0, "not_this_area"),
        ("state=NM", ["DR-5-NM"], ["state"], 0, "likely"),
        ("state=PR", ["DR-7-PR"], ["state"], 0, "no_snap_here"),
        ("zip=00901", ["DR-7-PR"], ["areas_unknown"], 0, "no_snap_here"),
        ("state=CA", [], [], 0, "no_active_disaster"),
        ("state=VT", [], [], 0, "no_active_disaster"),
    ],
)
def test_disasters_of_a_place(
    client: Client, query: str, declared: list[str], matches: list[str], elsewhere: int, reason: str
) -> None:
    document = ask(client, query)
    assert [d["declaration_string"] for d in document["declarations"]] == declared
    assert [d["matched_by"] for d in document["declarations"]] == matches
    assert (document["elsewhere_in_state"], document["dsnap_reason"]) == (elsewhere, reason)
    assert document["has_dsnap_likely"] is (reason == "likely")
    assert document["total_active"] == len(declared)


REASONS = {
    "OR": ("DR", True, "likely"),
    "OH": ("DR", False, "no_individual_assistance"),
    "OK": ("DR", None, "individual_assistance_unknown"),
    "ME": ("EM", True, "not_a_major_disaster"),
    "MD": ("EM", False, "no_individual_assistance"),
    "MN": ("FM", None, "not_a_major_disaster"),
}


def test_the_reason_agrees_with_the_flags_of_the_declaration(tmp_path: Path) -> None:
    declared = [
        declaration(kind, number, state, ago(3), has_individual_assistance=flag)
        for number, (state, (kind, flag, _)) in enumerate(REASONS.items(), 20)
    ]
    write_release(tmp_path, [resource(1)], zips=zips(), declarations=declared)
    with open_client(tmp_path) as client:
        for state, (_, flag, reason) in REASONS.items():
            document = ask(client, f"state={state}")
            [record] = document["declarations"]
            assert (record["has_individual_assistance"], record["dsnap_reason"]) == (flag, reason)
            likely = {"likely": True, "individual_assistance_unknown": None}.get(reason, False)
            assert record["is_dsnap_likely"] is document["has_dsnap_likely"] is likely
            assert client.get(f"/disasters/{state}").status_code == 200


def test_a_record_has_areas_and_its_last_day(client: Client) -> None:
    storm = ask(client, "zip=33101")["declarations"][0]
    assert storm["title"] == "Hurricane Example"
    assert [a["name"] for a in storm["areas"]] == ["Miami-Dade County"]
    assert (storm["area_count"], storm["are_areas_known"]) == (2, True)
    assert storm["active_until"] == str(ago(10) + timedelta(days=60))
    assert storm["active_because"] == "no_end_yet"
    assert storm["url"] == "https://www.fema.gov/disaster/1"
    filing = ask(client, "zip=77001")["declarations"][0]
    assert (filing["active_because"], filing["last_ia_filing_date"]) == (
        "filing_open",
        str(ago(-5)),
    )


def test_on_an_earlier_day(client: Client) -> None:
    assert (
        ask(client, f"state=NM&on={ago(25)}")["declarations"][0]["declaration_string"] == "EM-6-NM"
    )
    assert ask(client, f"state=CA&on={ago(720)}")["total_active"] == 1


@pytest.mark.parametrize(
    ("query", "status", "parameter"),
    [
        ("", 400, "zip"),
        ("zip=12", 400, "zip"),
        ("zip=00000", 404, "zip"),
        ("zip=09012", 404, "zip"),
        ("state=ZZ", 400, "state"),
        ("state=FL&on=1999-01-01", 400, "on"),
        ("state=FL&on=2999-01-01", 400, "on"),
    ],
)
def test_wrong_input_is_named(client: Client, query: str, status: int, parameter: str) -> None:
    answer = client.get(f"/api/disasters/active?{query}")
    assert answer.status_code == status
    assert parameter in [fault["field"] for fault in answer.json()["errors"]]


def test_the_nation(client: Client) -> None:
    answer = client.get("/api/disasters/current")
    document = answer.json()
    assert [(s["state"], s["active_count"]) for s in document["states"]] == [
        ("FL", 2),
        ("NM", 1),
        ("PR", 1),
        ("TX", 1),
        ("WA", 1),
    ]
    assert document["total_active"] == len(document["declarations"]) == 6
    days = [d["declaration_date"] for d in document["declarations"]]
    assert days == sorted(days, reverse=True)


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        (
            "/disasters/FL",
            200,
            ["Disasters in Florida", "Hurricane Example", "Likely.", "Miami-Dade County"],
        ),
        ("/es/disasters/fl", 200, ["Desastres en Florida", "Probable.", "Desastre mayor"]),
        ("/disasters/VT", 200, ["no active federal disaster in Vermont"]),
        ("/disasters", 200, ["6 federal disaster declarations"]),
        ("/disasters/zz", 404, ["state"]),
    ],
)
def test_pages(client: Client, path: str, status: int, words: list[str]) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert all(word in answer.text for word in words), answer.text


def test_words() -> None:
    assert (
        plain_title("SEVERE STORMS, STRAIGHT-LINE WINDS, AND TORNADOES")
        == "Severe Storms, Straight-Line Winds, and Tornadoes"
    )
    assert plain_title("COVID-19 PANDEMIC") == "COVID-19 Pandemic"
    assert plain_title("Hurricane Milton") == "Hurricane Milton"
    assert area_name("Orleans (Parish)") == "Orleans Parish"
    assert (
        area_name("Pueblo of Example (Indian Reservation)")
        == "Pueblo of Example (Indian Reservation)"
    )


# ---------------------------------------------------------------- the hourly file


def edition(**values: Any) -> Edition:
    declaration: dict[str, Any] = {
        "as_of": ago(0),
        "newest_declaration_date": ago(0),
        "cutoff_day": cutoff_day(ago(0)),
        "retrieved_at": RETRIEVED + timedelta(hours=1),
        "checked_at": datetime(2026, 11, 22, 1, 15, tzinfo=UTC),
        "files": ["new.json"],
        "is_synthetic": True,
        **values,
    }
    return Edition(**declaration)


NEW = [Declaration(99, "DR", "NEW STORM", "VT", ago(1), has_individual_assistance=True)]


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[tuple[Path, Client]]:
    write_release(tmp_path, [resource(1)], zips=zips(), declarations=rows())
    with open_client(tmp_path) as client:
        yield tmp_path, client


def test_a_newer_file_is_loaded_while_the_service_runs(fresh: tuple[Path, Client]) -> None:
    folder, client = fresh
    assert ask(client, "state=VT")["freshness"]["came_with"] == "release"
    write_side_file(folder, edition(), NEW)
    document = ask(client, "state=VT")
    assert [d["title"] for d in document["declarations"]] == ["New Storm"]
    assert document["freshness"]["came_with"] == "refresh"
    assert document["freshness"]["last_refresh"] == "2026-11-22T01:15:00Z"
    assert not document["freshness"]["is_stale"]
    (folder / SIDE_FILE).unlink()
    assert ask(client, "state=VT")["total_active"] == 0


@pytest.mark.parametrize(
    "values", [{"retrieved_at": RETRIEVED - timedelta(days=1)}, {"is_synthetic": False}]
)
def test_an_older_or_foreign_file_is_not(
    fresh: tuple[Path, Client], values: dict[str, Any]
) -> None:
    folder, client = fresh
    write_side_file(folder, edition(**values), NEW)
    assert ask(client, "state=VT")["freshness"]["came_with"] == "release"


@pytest.mark.parametrize("damage", ["sum", "cut", "format", "rows", "nonsense", "empty"])
def test_a_damaged_file_is_refused_and_degrades_health(
    fresh: tuple[Path, Client], damage: str
) -> None:
    folder, client = fresh
    path = write_side_file(folder, edition(), NEW)
    whole = path.read_bytes()
    assert ask(client, "state=VT")["total_active"] == 1
    head, _, body = whole.partition(b"\n")
    broken = {
        "sum": whole.replace(b"NEW STORM", b"OLD STORM"),
        "cut": whole[:-20],
        "nonsense": b"\xff\x00 no",
        "empty": b"",
        "format": head.replace(b'"format":1', b'"format":9') + b"\n" + body,
        "rows": head.replace(b'"rows":1', b'"rows":2') + b"\n" + body,
    }[damage]
    path.write_bytes(broken)
    with pytest.raises(DamagedDeclarationsError):
        read_side_file(path)
    # The last good content stays; health names the fault.
    assert ask(client, "state=VT")["total_active"] == 1
    health = client.get("/api/health/deep")
    document = {c["name"]: c for c in health.json()["checks"]}["disasters"]
    assert (health.status_code, health.json()["status"]) == (200, "degraded")
    assert document["status"] == "degraded"
    assert "disasters.ndjson" in document["detail"]
    path.write_bytes(whole)
    assert client.get("/api/health/deep").json()["status"] == "ok"


def test_a_damaged_file_at_the_start_leaves_the_release(tmp_path: Path) -> None:
    write_release(tmp_path, [resource(1)], zips=zips(), declarations=rows())
    write_side_file(tmp_path, edition(), NEW).write_bytes(msgspec.json.encode({"format": 1}))
    with open_client(tmp_path) as client:
        assert ask(client, "state=FL")["total_active"] == 2


def test_a_release_without_declarations_is_503(tmp_path: Path) -> None:
    write_release(tmp_path, [resource(1)], zips=zips())
    with open_client(tmp_path) as client:
        assert client.get("/api/disasters/current").status_code == 503


def call_disaster_tool(client: Client, **arguments: str) -> dict[str, Any]:
    call = {"name": "get_active_disasters", "arguments": arguments}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    found: dict[str, Any] = client.post("/mcp/v1", json=request).json()["result"]
    return dict(found["structuredContent"])


@pytest.mark.parametrize("age", [8, 749, None])
def test_old_data_cannot_tell(fresh: tuple[Path, Client], age: int | None) -> None:
    """Every surface says so, how old the data is, and where to check."""
    folder, client = fresh
    write_side_file(folder, edition(as_of=None if age is None else ago(age)), NEW)
    for query in ("state=VT", "state=FL", "zip=33101"):
        document = ask(client, query)
        assert (document["has_dsnap_likely"], document["dsnap_reason"]) == (None, "data_too_old")
        assert document["freshness"]["is_too_old_for_dsnap"]
        assert all(d["is_dsnap_likely"] is None for d in document["declarations"])
        for language, words in (("en", "cannot tell"), ("es", "No podemos saber")):
            message = document["dsnap_message"][language]
            assert words in message
            assert f"{'' if age is None else age}" in message
            assert "disaster/current" in message
            assert "211" in message
    assert ask(client, "state=PR")["has_dsnap_likely"] is False  # it has no D-SNAP at any time
    [state] = client.get("/api/disasters/current").json()["states"]
    assert state["has_dsnap_likely"] is None
    english = ask(client, "state=VT")["dsnap_message"]["en"]
    for path, words in {
        "/disasters/VT": ["We cannot tell.", english],
        "/disasters/WA": ["We cannot tell.", "if a federal disaster is active in Washington"],
        "/es/disasters/WA": ["No podemos saberlo.", "si ahora hay un desastre federal activo"],
        "/disasters": ["We cannot tell which", "fema.gov/disaster/current"],
        "/es/disasters": ["No podemos saber qué", "fema.gov/es/disaster/current"],
    }.items():
        text = unescape(client.get(path).text)
        assert all(word in text for word in words), text
        assert "Not likely" not in text
        assert "No es probable" not in text
    answer = client.get("/api/llm-search", params={"q": "is there disaster snap in vermont"}).json()
    assert english in answer["answer"]
    news = client.get("/api/feed/news.atom").text
    assert "New Storm" in news
    assert "D-SNAP" not in news
    for arguments in ({"state": "VT"}, {"zip": "33101"}, {}):
        found = call_disaster_tool(client, **arguments)
        assert found["has_dsnap_likely"] is None
        assert "cannot tell" in found["summary"]
        assert "not likely" not in found["summary"]


@pytest.mark.parametrize("age", [0, 7])
def test_recent_data_can_tell(fresh: tuple[Path, Client], age: int) -> None:
    folder, client = fresh
    write_side_file(folder, edition(as_of=ago(age)), NEW)
    assert ask(client, "state=VT")["has_dsnap_likely"] is True
    assert ask(client, "state=WA")["has_dsnap_likely"] is False
    assert call_disaster_tool(client)["has_dsnap_likely"] is True


def test_old_data_can_tell_of_an_earlier_day(fresh: tuple[Path, Client]) -> None:
    folder, client = fresh
    write_side_file(folder, edition(as_of=ago(30)), NEW)
    assert ask(client, f"state=WA&on={ago(23)}")["has_dsnap_likely"] is False
    assert ask(client, f"state=WA&on={ago(22)}")["has_dsnap_likely"] is None


@pytest.mark.parametrize(("state", "name"), [("FL", "Florida"), ("HI", "Hawaii")])
def test_plain_language_answers_by_state(client: Client, state: str, name: str):
    message = ask(client, f"state={state}")["dsnap_message"]
    for question, language in (
        (f"is there disaster SNAP in {name}", "en"),
        (f"hay SNAP por desastre en {name}", "es"),
    ):
        document = client.get("/api/llm-search", params={"q": question}).json()
        assert message[language] in document["answer"]
        assert document["related_links"]["disasters"].endswith(f"/disasters/{state}")
