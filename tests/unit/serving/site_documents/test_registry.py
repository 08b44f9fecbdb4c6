"""The registry: refused rows, and documents of one row and one file per language."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from litestar.testing import TestClient

from serving.app import make_app
from serving.documents.registry import Library, RegistryError
from serving.documents.renderer import open_library
from serving.documents.routes import handlers_of
from serving.http.openapi import openapi_config
from serving.settings import Settings
from tests.support.clients import Client

SECTIONS = "sections:\n  learn: {en: Learn, es: Aprender}\ndocuments:\n"
ROW = "- {id: tea, section: learn, json: /api/v1/tea.json, json_es: /api/v1/tea-es.json, page: /tea, page_es: /es/tea}\n"
OTHER = "- {id: salt, section: learn, page: /salt}\n"
TEXT = """
title: '{title}'
description: How we make it.
lead: 'Boil water. We list {{{{ live.total_resources | number }}}} places, {{{{ organization.common_name }}}} says.'
updated: 2026-11-22
page:
- id: steps
  heading: Steps
  steps: {{from: steps, title: name}}
  paragraphs: ['See <b>the</b> [way]({link}) and **wait**. Call {{{{ fact("hotline.local") | phone }}}}.']
data:
  steps: [{{name: Boil}}, {{name: Pour & wait}}]
  most: '{{{{ figure("snap.max_allotment", "contiguous", 1) }}}}'
  minutes: 4
"""


def _folder(tmp_path: Path, rows: str = ROW, documents: tuple[str, ...] = ("tea",)) -> Path:
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "registry.yaml").write_text(SECTIONS + rows)
    for name in documents:
        (tmp_path / "documents" / name).mkdir(parents=True)
        for language, title in (("en", f"Making {name}"), ("es", f"Cómo hacer {name}")):
            text = TEXT.format(title=title, link=f"/{name}")
            (tmp_path / "documents" / name / f"{language}.yaml").write_text(text)
    return tmp_path


@pytest.fixture
def opened(town: Path, tmp_path: Path) -> Iterator[Client]:
    """A service of one document, on the release of the town."""
    settings = Settings(
        data_dir=town,
        operations_file=str(tmp_path / "o.sqlite"),
        log_level="error",
        base_url="https://food.example",
    )
    room = SimpleNamespace(HANDLERS=handlers_of(open_library(_folder(tmp_path / "content"))))
    with TestClient(make_app(settings, (room,), openapi_config(settings))) as client:
        yield client


def test_a_document_needs_one_row_and_a_file_per_language(opened: Client) -> None:
    english, spanish = (opened.get(f"/api/v1/tea{end}.json") for end in ("", "-es"))
    assert english.headers["cache-control"] == "public, max-age=3600"
    actual, dicho = english.json(), spanish.json()
    assert actual.keys() == dicho.keys()
    assert (actual["language"], dicho["language"]) == ("en-US", "es-US")
    assert (actual["title"], dicho["title"]) == ("Making tea", "Cómo hacer tea")
    assert actual["minutes"] == 4
    assert actual["links"]["twin"] == "https://food.example/api/v1/tea-es.json"
    assert actual["sections"][0]["shows"] == ["steps"], "what a member holds is not repeated"
    assert actual["sections"][0]["paragraphs"] == [
        "See <b>the</b> way (https://food.example/tea) and wait. Call 211."
    ]
    most = actual["most"]
    assert most["value"] > 0
    assert most["source_url"].startswith("https://")
    assert most["effective"]["from"] < most["effective"]["to"]
    assert {f for s in actual["sources"] for f in s["facts"]} == {
        "snap.max_allotment",
        "hotline.local",
    }


def test_its_pages_are_twins_with_escaped_text(opened: Client) -> None:
    english, spanish = opened.get("/tea"), opened.get("/es/tea")
    assert '<link rel="alternate" hreflang="es" href="https://food.example/es/tea">' in english.text
    assert '<html lang="es">' in spanish.text
    assert '&lt;b&gt;the&lt;/b&gt; <a href="/tea">way</a> and <strong>wait</strong>' in english.text
    assert '<a href="/es/tea">way</a>' in spanish.text, "links lead to the twin"
    assert '<a href="tel:211">211</a>' in english.text
    assert "<strong>Pour &amp; wait</strong>" in english.text
    assert "132 places" in english.text, "live figures are those of the release"


WRONG = {
    "an unknown section": (ROW.replace("learn", "teach"), "there is no section 'teach'"),
    "an unknown field": (ROW.replace("id: tea,", "id: tea, colour: red,"), "colour"),
    "an id with a space": (ROW.replace("id: tea", "id: green tea"), "id"),
    "an id twice": (
        ROW + ROW.replace("/tea", "/t").replace("tea.json", "t.json").replace("tea-es", "t-es"),
        "twice",
    ),
    "no address": ("- {id: tea, section: learn}\n", "has no address"),
    "an address twice": (ROW + OTHER.replace("/salt", "/tea, planned: true"), "/tea belongs to"),
    "a path without a slash": (ROW.replace("page: /tea", "page: tea"), "page"),
    "Spanish without English": (
        "- {id: tea, section: learn, page_es: /es/tea}\n",
        "without the English one",
    ),
    "a state in one path only": (ROW.replace("page: /tea", "page: '/tea/{state}'"), "{state}"),
    "an unknown function": (
        ROW.replace("section", "computed: {leaves: count_leaves}, section"),
        "count_leaves",
    ),
    "an unknown template": (ROW.replace("section", "template: cup.html, section"), "cup.html"),
    "an unknown cache time": (ROW.replace("section", "max_age: year, section"), "max_age"),
    "no text": (ROW + OTHER, "there is no documents/salt/en.yaml"),
    "a redirect without a JSON": (
        OTHER.replace("section", "planned: true, redirects: [/s.json], section"),
        "of a JSON that is not there",
    ),
}


@pytest.mark.parametrize(("rows", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_row_is_refused_and_named(tmp_path: Path, rows: str, message: str) -> None:
    with pytest.raises(RegistryError, match=r"registry\.yaml") as error:
        open_library(_folder(tmp_path / "content", rows))
    assert message in str(error.value)


def test_a_damaged_text_is_named(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "content")
    (folder / "documents" / "tea" / "es.yaml").write_text("title: x\ntitel: y\n")
    library: Library = open_library(folder)
    with pytest.raises(RegistryError, match=r"tea.es\.yaml.*titel"):
        library.text(library.rows["tea"], "es")
