"""The documents about the data: sources, versions, intents, tools, states."""

import re
from datetime import date
from pathlib import Path

import pytest

from schemas.sources.registry import feeds, sources
from schemas.vocab.states import FIFTY_ONE
from serving.documents.renderer import library
from serving.mcp.tools import TOOLS
from serving.reference.surfaces import SURFACES
from serving.releases.history import list_versions, versions_in
from serving.render.words import words
from tests.support.clients import Client

ROOT = Path(__file__).resolve().parents[4]
CHANGELOGS = {
    "nothing": ("", []),
    "not released yet": (
        "# Changelog\n\n## 0.1.0 (unreleased)\n\n### New\n\n- A\n",
        [("0.1.0", None, [("New", ["A"])])],
    ),
    "one": (
        "## 0.1.0 (2026-12-01)\n\n### New\n\n- A [b](c.md)\n  goes on\n- C\n",
        [("0.1.0", date(2026, 12, 1), [("New", ["A b goes on", "C"])])],
    ),
    "with a dash and brackets": (
        "## [1.2.3] - 2026-12-01\n\n- A\n",
        [("1.2.3", date(2026, 12, 1), [("Changes", ["A"])])],
    ),
    "an unreleased one above": (
        "## 0.2.0 (unreleased)\n### New\n- X\n## 0.1.0 (2026-12-01)\n### New\n- A\n",
        [("0.2.0", None, [("New", ["X"])]), ("0.1.0", date(2026, 12, 1), [("New", ["A"])])],
    ),
    "no version": ("## Not a version\n- A\n", []),
}


@pytest.mark.parametrize(("text", "expected"), CHANGELOGS.values(), ids=CHANGELOGS)
def test_versions_are_read_from_the_changelog(text: str, expected: list[object]) -> None:
    assert [
        (v.version, v.date, [(g.title, g.entries) for g in v.groups]) for v in versions_in(text)
    ] == expected


def test_the_changelog_that_is_carried_along_is_the_one_of_the_repository() -> None:
    assert (ROOT / "content" / "CHANGELOG.md").read_bytes() == (ROOT / "CHANGELOG.md").read_bytes()
    assert list_versions() == versions_in((ROOT / "CHANGELOG.md").read_text())


def test_the_changelog_lists_releases_of_the_data(client: Client) -> None:
    body = client.get("/api/v1/changelog.json").json()
    assert all(version["groups"] for version in body["versions"])
    assert (
        body["releases"][0]["release_id"]
        == client.get("/api/v1/quick-stats.json").json()["release_id"]
    )


def test_about_has_the_coverage_of_the_snapshot(client: Client) -> None:
    coverage = client.get("/about.json").json()["coverage"]
    assert coverage == client.get("/snapshot.json").json()["coverage"]
    assert coverage["total_resources"] > 0


def test_every_source_is_listed_with_its_licence(client: Client) -> None:
    body = client.get("/api/v1/data-sources.json").json()["data_sources"]
    assert {s["id"] for s in body} == set(sources()) - set(feeds())
    for source in body:
        assert source["license"]
        assert source["cadence"]
        assert source["publisher"]
        assert source["is_republished"] == sources()[source["id"]].license.is_republishable


# ---------------------------------------------------------------- intents

_FILLED = {"{zip}": "10002", "{city}": "Salem, OR", "{state}": "Oregon", "{id}": "101"}


def _phrasings():
    for language in ("en", "es"):
        rows = library().rows["intents"]
        for intent in library().text(rows, language).data["intents"]:
            for phrase in intent["phrasings"]:
                yield pytest.param(intent, phrase, id=f"{intent['id']}: {phrase}")


@pytest.mark.parametrize(("intent", "phrase"), list(_phrasings()))
def test_a_phrasing_is_understood_as_its_action(intent, phrase, client: Client) -> None:
    """Where the language reader answers with an action, it is the one that the intent names."""
    for mark, value in _FILLED.items():
        phrase = phrase.replace(mark, value)
    if "action" not in intent:
        assert "{" not in phrase
        return
    body = client.get("/api/llm-search", params={"q": phrase}).json()
    assert body["action"] == intent["action"]
    if intent["id"] == "find_open_now":
        assert body["intent"]["urgent"] is True
    mode = re.search(r"mode=(\w+)", intent["url"])
    if mode:
        assert body["intent"]["mode"] == mode[1]


def test_tools_and_surfaces_of_the_documents_exist(client: Client) -> None:
    names = {tool.name for tool in TOOLS}
    intents = client.get("/api/v1/intents.json").json()["intents"]
    assert {i["tool"] for i in intents if "tool" in i} <= names
    body = client.get("/api/v1/ai-tools.json").json()
    assert [t["name"] for t in body["mcp_tools"]] == [t.name for t in TOOLS]
    assert {s["mcp_tool"] for s in body["start_here"] if "mcp_tool" in s} <= names
    assert {a["id"] for a in body["addresses"]} == set(SURFACES) - {"county_map"}


# ---------------------------------------------------------------- states


@pytest.mark.parametrize("page", ["/atlas/{}", "/es/press/{}", "/grants/{}"])
def test_states_have_pages_and_unknown_codes_are_404(page: str, client: Client) -> None:
    for code in FIFTY_ONE:
        assert client.head(page.format(code)).status_code == 200, code
    for code in ("ZZ", "PR", "N", "NYC"):
        assert client.get(page.format(code)).status_code == 404, code


def test_a_state_page_shows_the_release_and_links_others(client: Client) -> None:
    text = client.get("/atlas/NY").text
    body = client.get("/atlas/NY.json").json()
    pantries = body["coverage"]["food_pantry_class"]["subtotal"]
    assert f"of {pantries} pantries" in text
    assert '<meta property="og:image" content="http://127.0.0.1:8000/og/atlas/NY.png">' in text
    assert '"Dataset"' in text
    assert '"BreadcrumbList"' in text
    for link in ("/grants/NY", "/press/NY", "/disasters/NY", "/search?q="):
        assert f'href="{link}' in text
    spanish = client.get("/es/atlas/NY").text
    for link in ("/es/grants/NY", "/es/press/NY", "/es/disasters/NY", "/es/search?q="):
        assert f'href="{link}' in spanish


def test_the_map_has_a_square_for_every_state(client: Client) -> None:
    text = client.get("/es/atlas").text
    assert set(re.findall(r'<a href="/es/atlas/([A-Z]{2})" aria-label', text)) == set(FIFTY_ONE)
    assert 'fill="None"' not in text


@pytest.mark.parametrize("path", ["/snapshot.json", "/api/v1/health.json"])
def test_addresses_of_discovery_answer_as_they_are_given(client: Client, path: str) -> None:
    """A required parameter is a placeholder of the address (RFC 6570)."""
    addresses = client.get(path).json()["discovery"].values()
    paths = [address.split("//", 1)[1].partition("/")[2] for address in addresses]
    refused = [p for p in paths if "{" not in p and client.get(f"/{p}").status_code == 400]
    assert refused == []
    assert any("{zip}" in p for p in paths)


@pytest.mark.parametrize(
    "path", ["/api/v1/sitemap.json", "/api/v1/glossary-es.json", "/api/v1/safety-net.json"]
)
def test_documents_have_full_addresses_only(client: Client, path: str) -> None:
    assert re.findall(r'"/[^" ]*"', client.get(path).text) == []


def test_units_of_figures_are_in_the_language_of_the_document(client: Client) -> None:
    units = {
        suffix: re.findall(
            r'"unit":"([^"]+)"', client.get(f"/api/v1/snap-eligibility{suffix}.json").text
        )
        for suffix in ("", "-es")
    }
    assert {"USD a month", "days"} <= set(units[""])
    assert {"USD al mes", "días"} <= set(units["-es"])
    assert not {"USD a month", "days", "percent"} & set(units["-es"])


def test_every_unit_has_words_in_both_languages() -> None:
    used = {
        match
        for path in (ROOT / "content" / "facts").glob("*.yaml")
        for match in re.findall(r"^ +unit: (.+)$", path.read_text("utf-8"), re.MULTILINE)
    }
    assert all(
        words("documents", language).units[unit] for unit in used for language in ("en", "es")
    )
