"""Documents on finding food: every state by its code, numbers from the facts."""

import pytest

from schemas.vocab.states import FIFTY_ONE, STATE_CODES
from serving.documents.render_context import today
from serving.documents.renderer import library
from serving.reference.policy import FactsOn, fact_lines
from tests.support.clients import Client


@pytest.mark.parametrize("path", ["/api/v1/states.json", "/api/v1/states-es.json"])
def test_every_state_and_territory_is_found_by_its_code(client: Client, path: str) -> None:
    facts = FactsOn(today())
    rows = {row["state"]: row for row in client.get(path).json()["states"]}
    assert set(rows) == set(STATE_CODES)
    for code in FIFTY_ONE:
        assert rows[code]["phone"] == facts.value(f"state.phone.{code}")
        assert rows[code]["portal_url"] == facts.value(f"state.portal.{code}", "url")
        assert rows[code]["checked_on"] <= today().isoformat()
    assert {code for code, row in rows.items() if not row["is_snap"]} == {"PR", "AS", "MP"}
    assert rows["MP"]["portal_url"] is rows["MP"]["phone"] is None, "nothing is made up"


def test_names_are_those_of_the_language(client: Client) -> None:
    names = [
        {
            row["state"]: row["name"]
            for row in client.get(f"/api/v1/states{end}.json").json()["states"]
        }
        for end in ("", "-es")
    ]
    assert (names[0]["NY"], names[1]["NY"]) == ("New York", "Nueva York")


def test_lines_that_no_source_confirms_are_not_published(client: Client) -> None:
    body = {line["number"] for line in client.get("/api/v1/help-near-me.json").json()["hotlines"]}
    assert body <= {stated.value for stated in FactsOn(today()).under("hotline").values()}
    hidden = {
        period.value
        for fact_id, fact in fact_lines()
        for period in fact.periods
        if fact_id.startswith("hotline.") and period.unverified
    }
    assert hidden
    assert not body & hidden


@pytest.mark.parametrize(("name", "least"), [("glossary", 60), ("qa", 40)])
@pytest.mark.parametrize("end", ["", "-es"])
def test_entries_have_ids_of_their_own(client: Client, name: str, least: int, end: str) -> None:
    body = client.get(f"/api/v1/{name}{end}.json").json()
    entries = body["terms" if name == "glossary" else "questions"]
    assert len({entry["id"] for entry in entries}) == len(entries) >= least


def test_answers_link_pages_in_their_language(client: Client) -> None:
    for end, start in (("", "/"), ("-es", "/es/")):
        body = client.get(f"/api/v1/qa{end}.json").json()
        base = body["links"]["self"].removesuffix(f"/api/v1/qa{end}.json")
        for entry in body["questions"]:
            path = entry["link"].removeprefix(base)
            assert path.startswith(start), entry
            assert client.head(path).status_code < 400 or client.head(path).status_code == 503, path


@pytest.mark.parametrize(
    ("path", "spanish"),
    [
        ("/search?mode=wic", "/es/search?mode=wic"),
        ("/states#list", "/es/states#list"),
        ("https://example.org/?a=b", "https://example.org/?a=b"),
    ],
)
def test_a_link_has_its_query_and_anchor(path: str, spanish: str) -> None:
    assert library().link(path, "es") == spanish
