"""Lists that we have and lack, by state and county, as documents and as pages."""

import re

import msgspec
import pytest

from schemas.api.coverage import Coverage, StateLists
from schemas.sources.registry import feeds, sources
from schemas.sources.rights import Right
from serving.render.words import words
from serving.statistics.coverage import describe_withheld, states_of
from tests.support.clients import open_client
from tests.support.town import food_banks, write_town, zips

BANK, SECOND = "Example Food Bank", "Second Food Bank"


def lists_of(client, code: str) -> StateLists:
    return msgspec.convert(client.get(f"/api/v1/coverage/{code}.json").json(), StateLists)


@pytest.mark.parametrize("code", ["NY", "WY", "GU", "ny"])
def test_a_state_or_territory_has_a_document_and_two_pages(client, code) -> None:
    lists = lists_of(client, code)
    assert lists.state == code.upper()
    for path in (f"/coverage/{code}", f"/es/coverage/{code}"):
        answer = client.get(path)
        assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/coverage/XX", "/es/coverage/XX", "/api/v1/coverage/XX.json"])
def test_an_unknown_state_is_404(client, path) -> None:
    assert client.get(path).status_code == 404


def test_counties_add_up_to_the_state(client) -> None:
    lists = lists_of(client, "NY")
    assert lists.free_food
    assert sum(c.free_food for c in lists.counties) + lists.free_food_without_county == (
        lists.free_food
    )
    assert lists.places == sum(e.places for e in lists.lists)
    (only,) = lists.lists
    assert only.newest_date
    assert only.oldest_date == "2020-01-01"
    assert only.title == sources()[only.source].title


def test_the_page_of_a_state_without_a_list(client) -> None:
    lists = lists_of(client, "OR")
    assert [lists.places, lists.lists] == [0, []]
    assert words("coverage", "en").no_lists in client.get("/coverage/OR").text
    assert words("coverage", "es").no_lists in client.get("/es/coverage/OR").text


def test_the_ranking_counts_lists_of_a_state(client) -> None:
    coverage = msgspec.convert(client.get("/api/v1/coverage.json").json(), Coverage)
    by_state = {state.state: state for state in coverage.states}
    york, oregon = by_state["NY"], by_state["OR"]
    assert [york.lists, york.free_food_lists] == [1, 1]
    assert york.newest_free_food_list_date == lists_of(client, "NY").lists[0].newest_date
    assert [oregon.lists, oregon.newest_free_food_list_date] == [0, None]
    assert client.get(york.lists_url).json()["state"] == "NY"


def test_the_page_of_a_state_names_the_food_banks_of_its_counties(tmp_path) -> None:
    counties = {"10002": "36061", "82401": "56043"}
    rows = [{**row, "county_fips": counties.get(row["zip"])} for row in zips()]
    write_town(tmp_path, zips=rows)
    with open_client(tmp_path) as client:
        text = client.get("/coverage/NY").text
    assert f'<a href="https://second.example.org/" rel="external">{SECOND}</a>' in text
    assert "Feeding America, May 12, 2026" in text
    assert BANK not in text


def test_a_state_names_211_and_where_to_apply_for_snap(client) -> None:
    text = client.get("/es/coverage/OR").text
    contacts = text[text.index('id="help"') : text.index('id="lists"')]
    assert 'href="tel:211"' in contacts
    assert "SNAP" in contacts
    assert "Oregón" in contacts


@pytest.mark.parametrize("path", ["/", "/es/", "/coverage/NY", "/sitemaps/site.xml"])
def test_the_pages_are_linked(client, path) -> None:
    assert re.search(r"/coverage\b(?!/)", client.get(path).text)


@pytest.mark.parametrize(
    ("use", "basis", "reason"),
    [
        ("withhold", "rule", "No licence stated"),
        ("match_only", "permission", "Permission of Ann, 2026-05-04: to compare"),
        ("withhold", "withdrawal", "Withdrawn on 2026-11-01: left out"),
        ("publish", "permission", "Permission of Ann, 2026-05-04: list us"),
    ],
)
def test_a_withheld_list_comes_with_the_reason_of_the_policy(use, basis, reason) -> None:
    text = describe_withheld(sources()["maine_pantries_2014"], Right(use, basis, reason), 12)
    # Where the list is permitted, other rows are held back.
    stated = (None, None, None) if use == "publish" else (use, basis, reason)
    assert (text.use, text.basis, text.reason, text.rows) == (*stated, 12)


def test_states_of_a_list_are_those_of_its_files() -> None:
    declared = {
        source.id: {file.known.get("state") for file in source.files}
        for source in sources().values()
    }
    for source_id, states in declared.items():
        assert states_of(source_id) == (set() if None in states else states)


def test_a_state_names_the_lists_that_wait(client) -> None:
    waiting = lists_of(client, "CA").waiting
    by_source = {one.source: one.status for one in waiting}
    assert by_source["feed_sacramento_ca"] == "permission_needed"
    assert by_source["feed_feeding_san_diego"] == "not_fetched"
    assert all("CA" in feeds()[source].states for source in by_source)
    text = client.get("/es/coverage/CA").text
    assert words("coverage", "es").waiting_for["permission_needed"] in text
    assert feeds()["feed_sacramento_ca"].homepage in text


def test_a_state_names_a_few_zip_codes_without_free_food_and_their_food_bank(tmp_path) -> None:
    codes = [f"824{n:02}" for n in range(1, 9)]
    (town_zip,) = [row for row in zips() if row["zip"] == "82401"]
    far = [{**town_zip, "zip": c, "population": 100 + int(c)} for c in codes]
    bank = {**food_banks()[0], "served_zips": codes}
    write_town(tmp_path, zips=far, food_banks=[bank])
    with open_client(tmp_path) as client:
        text = client.get("/coverage/WY").text
    gaps = text[text.index('id="gaps"') :]
    assert BANK in gaps
    quoted = re.findall(r'href="/zip/(\d+)"', gaps)
    assert quoted == codes[:-6:-1], "the largest first, and never the whole list"
