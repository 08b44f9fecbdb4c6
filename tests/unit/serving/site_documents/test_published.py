"""Every document as it is answered: valid pages below 50 KB, JSON with its head, links that lead
somewhere, each fact once.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import msgspec
import pytest

from schemas.languages import PUBLISHED
from schemas.vocab.states import STATES
from serving.documents.registry import MAX_AGES, STATE, Row
from serving.documents.render_context import RenderContext, today
from serving.documents.renderer import library, render_document
from serving.documents.shapes import document_json, list_expired_figures
from serving.reference import policy as loader
from serving.settings import Settings
from tests.support.clients import Client, open_client
from tests.support.pages import list_page_faults, read_page
from warehouse.index.reader import OpenRelease

ROWS = list(library().list_answered())
HEAD = [
    "id",
    "version",
    "language",
    "title",
    "description",
    "updated",
    "figures_on",
    "generated_at",
    "release_id",
    "license",
    "organization",
    "links",
    "summary",
    "sections",
    "sources",
]
per_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
MAIN = re.compile(r"<main.*?</main>", re.DOTALL)


def _path(path: str) -> str:
    return path.replace(STATE, "NY")


@per_row
def test_the_json_has_its_head_and_cache_time(row: Row, client: Client) -> None:
    actual = {}
    for language, path in (("en", row.json), ("es", row.json_es)):
        if path is None:
            continue
        answer = client.get(_path(path))
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == f"public, max-age={MAX_AGES[row.max_age]}"
        actual[language] = answer.json()
        assert not set(HEAD) - set(actual[language])
        assert actual[language]["language"] == f"{language}-US"
        assert not re.search(r"\{\{|\{%|\]\(", answer.text), "no template and no mark is left"
    keys = [_shape(document) for document in actual.values()]
    assert all(shape == keys[0] for shape in keys), "other keys in the other language"


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _shape(inner) for name, inner in value.items()}
    # A list may be sorted by the language.
    return sorted(map(_shape, value), key=repr) if isinstance(value, list) else None


@per_row
def test_the_page_is_valid_and_small(row: Row, client: Client) -> None:
    for language, path in (("en", row.page), ("es", row.page_es)):
        if path is None:
            continue
        answer = client.get(_path(path))
        assert answer.status_code == 200, answer.text
        root = read_page(answer)
        assert (root.get("lang"), list_page_faults(root)) == (language, [])
        assert len(answer.content) < 50_000
        assert not re.search(r"\{\{|\{%|\]\(/|\*\*", MAIN.findall(answer.text)[0]), (
            "no template and no mark is left"
        )


def test_aliases_and_redirects(client: Client) -> None:
    for row in ROWS:
        for path in row.aliases:
            assert client.get(path).content == client.get(row.json or "").content
        for path in row.redirects:
            answer = client.get(path, follow_redirects=False)
            assert (answer.status_code, answer.headers["location"]) == (301, row.json)


# ---------------------------------------------------------------- facts


def _contexts(release: OpenRelease) -> Iterator[RenderContext]:
    for row in ROWS:
        state = STATES["NY"] if row.is_per_state else None
        for language in PUBLISHED:
            yield RenderContext(library(), row, language, Settings(), release, today(), state)


@pytest.mark.slow
def test_a_changed_fact_changes_every_document_that_shows_it(
    release: OpenRelease, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every figure that is a number is changed, one after the other; each document that used it is
    other.
    """
    before: dict[tuple[str, str], tuple[set[str], bytes]] = {}
    for context in _contexts(release):
        document = render_document(context)
        facts_shown = {u.fact.id for u in document.used if _changed(u.fact.value) != u.fact.value}
        before[context.row.id, context.language] = facts_shown, document_json(document)
    everything = loader._everything()
    for fact_id in sorted(
        {fact_id for facts_shown, _ in before.values() for fact_id in facts_shown}
    ):
        fact = everything[fact_id]
        other = replace(fact, fact=_with_other_values(fact.fact))
        monkeypatch.setattr(loader, "_everything", lambda o=other, i=fact_id: {**everything, i: o})
        for context in _contexts(release):
            facts_shown, body = before[context.row.id, context.language]
            if fact_id in facts_shown:
                assert document_json(render_document(context)) != body, (
                    f"{context.row.id} does not show the new {fact_id}"
                )


def _with_other_values(fact: loader.Fact) -> loader.Fact:
    return msgspec.structs.replace(
        fact, periods=[msgspec.structs.replace(p, value=_changed(p.value)) for p in fact.periods]
    )


def _changed(value: Any) -> Any:
    """Return the value with other numbers and telephones, and the same names, keys and dates."""
    if isinstance(value, dict):
        return {k: v if k in {"first"} else _changed(v) for k, v in value.items()}
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return value + 7
    if (
        isinstance(value, str)
        and re.fullmatch(r"[\d-]{3,}", value)
        and not re.fullmatch(r"\d{4}-\d\d-\d\d", value)
    ):
        return value[:-1] + ("1" if value[-1] != "1" else "2")
    return value


def test_a_figure_whose_time_is_over_stays_and_is_marked(release: OpenRelease) -> None:
    row = library().rows["donor-rights"]
    context = RenderContext(library(), row, "en", Settings(), release, date(2031, 1, 1))
    use = context.facts.find("giving.qcd_cap")
    assert not use.is_current
    assert use.fact.value == context.facts.figure("giving.qcd_cap")["value"]
    assert context.facts.figure("giving.qcd_cap")["is_current"] is False


def test_a_document_names_its_expired_figures(release: OpenRelease) -> None:
    """The last known figure stays; it is named, with its last day, and the source is marked."""
    context = RenderContext(
        library(), library().rows["major-gifts"], "es", Settings(), release, date(2031, 1, 1)
    )
    document = render_document(context)
    old = {entry["id"]: entry["to"] for entry in list_expired_figures(document)}
    assert old["giving.qcd_cap"] == "2026-12-31"
    body = msgspec.json.decode(document_json(document))
    assert body["cash_rules"]["qcd_cap"]["is_current"] is False
    marked = {
        fact for source in body["sources"] if not source["is_current"] for fact in source["facts"]
    }
    assert "giving.qcd_cap" in marked


def test_every_document_outlives_the_days_to_look_again(release: OpenRelease) -> None:
    """Facts without a timely confirmation are absent from pages and null in the JSON."""
    late = date(2029, 1, 1)
    for context in _contexts(release):
        document = render_document(replace(context, day=late))
        for use in document.used:
            last = use.fact.effective_to
            assert not use.is_current or last is None or last >= late
        assert msgspec.json.decode(document_json(document))["title"]


def test_a_sentence_of_an_expired_fact_is_dropped(release: OpenRelease) -> None:
    def sections(day: date) -> str:
        row = library().rows["emergency-food-assistance"]
        facts_shown = render_document(RenderContext(library(), row, "en", Settings(), release, day))
        return msgspec.json.encode(facts_shown.sections).decode()

    assert "treatment" in sections(date(2027, 5, 31))
    assert "treatment" not in sections(date(2027, 6, 1))


def test_documents_without_live_figures_need_no_release(tmp_path) -> None:
    """Nobody waits for data to learn a telephone number or a right."""
    with open_client(tmp_path) as empty:
        assert empty.get("/api/v1/donor-rights.json").json()["release_id"] is None
        assert empty.get("/contacts").status_code == 200
        assert empty.get("/es/about").status_code == 200
        assert empty.get("/api/v1/grants/NY.json").status_code == 503
