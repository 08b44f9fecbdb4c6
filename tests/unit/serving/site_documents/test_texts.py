"""Every document of the site in both languages: the same keys, no figure by hand, nothing
half-translated.
"""

import re
from collections.abc import Iterator
from importlib import resources
from typing import Any

import msgspec
import pytest

from serving.documents.registry import Row, Text
from serving.documents.renderer import library

ROWS = list(library().list_answered())
TERMS: dict[str, Any] = msgspec.yaml.decode(
    (resources.files("content") / "language" / "glossary_terms.yaml").read_bytes()
)
ENGLISH = "the and of with your you for is are this that from have will can must who what when"
SPANISH = "que para con usted las una por del los pero como está son puede sus"
TEMPLATE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
ADDRESS = re.compile(r"\]\([^)]*\)|https?://\S+|\S+@\S+|(?<!\S)/\S+")
BY_HAND = re.compile(r"\$\s?\d|\b\d{3}[-.) ]\s?\d{3}[-. ]\d{4}\b")
# Keys whose values are no sentences: they are the same in both languages.
NEUTRAL = {
    "id",
    "link",
    "url",
    "path",
    "kind",
    "format",
    "member",
    "from",
    "when",
    "is_number",
    "code",
    "href",
    "slug",
}


def _tree(text: Text) -> dict[str, Any]:
    tree: dict[str, Any] = msgspec.to_builtins(text)
    return tree


def _leaves(value: Any, at: str = "", key: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yield path, nearest key and value of every leaf of a tree."""
    if isinstance(value, dict):
        is_reference = "from" in value and "columns" not in value  # holds names of keys, no words
        for name, inner in value.items():
            yield from _leaves(inner, f"{at}.{name}", "from" if is_reference else name)
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from _leaves(inner, f"{at}[{n}]", key)
    else:
        yield at, key, value


def _pairs(row: Row) -> Iterator[tuple[str, str, Any, Any]]:
    english, spanish = (_tree(library().text(row, language)) for language in ("en", "es"))
    theirs = {at: value for at, _, value in _leaves(spanish)}
    for at, key, value in _leaves(english):
        yield at, key, value, theirs.get(at)


def _words(text: str) -> list[str]:
    """Return the words of a text without templates, addresses and names that stay in English."""
    bare = ADDRESS.sub("]", TEMPLATE.sub(" ", text))
    for name in TERMS["kept_in_spanish"]:
        bare = bare.replace(name, " ")
    return re.findall(r"[A-Za-zÁÉÍÓÚÜÑáéíóúüñ]+", bare)


def _faults_of_language(text: str, foreign: str) -> list[str]:
    """Return sentences with two or more words of the other language, or a fifth of their words."""
    faults = []
    for sentence in re.split(r"[.!?;:\n]\s", text):
        words = [w.lower() for w in _words(sentence)]
        strange = [w for w in words if w in foreign.split()]
        if len(strange) >= 2 or (strange and len(strange) * 5 >= len(words) > 2):
            faults.append(sentence)
    return faults


def test_both_languages_have_the_same_keys() -> None:
    for row in ROWS:
        english, spanish = (
            {at for at, *_ in _leaves(_tree(library().text(row, language)))}
            for language in ("en", "es")
        )
        assert english == spanish, row.id
        for language in ("en", "es"):
            empty = [
                at for at, _, value in _leaves(library().text(row, language).data) if value is None
            ]
            assert not empty, f"{empty}: a text with a comma needs quotes"


def test_numbers_ids_and_addresses_are_the_same_and_texts_are_not() -> None:
    for row in ROWS:
        for at, key, english, spanish in _pairs(row):
            if key in NEUTRAL or not isinstance(english, str):
                assert at == ".updated" or english == spanish or key == "link", at
            elif len(_words(english)) > 3 and english not in TERMS["same_in_both"]:
                assert english != spanish, f"{row.id}{at} is not translated: {english!r}"


def test_no_text_is_in_the_other_language() -> None:
    for row in ROWS:
        for at, key, english, spanish in _pairs(row):
            if key in NEUTRAL or not isinstance(english, str):
                continue
            assert not _faults_of_language(english, SPANISH), f"{row.id}{at}: {english!r}"
            assert not _faults_of_language(spanish, ENGLISH), f"{row.id}{at}: {spanish!r}"


def test_terms_follow_the_glossary() -> None:
    for row in ROWS:
        banned = [form for term in TERMS["terms"] for form in term.get("avoid_es", [])]
        for at, _, value in _leaves(_tree(library().text(row, "es"))):
            if isinstance(value, str):
                faults = [
                    form
                    for form in banned
                    if re.search(rf"\b{re.escape(form)}\b", ADDRESS.sub("]", value), re.IGNORECASE)
                ]
                assert not faults, (
                    f"{row.id}{at}: {faults}, see content/language/glossary_terms.yaml"
                )


def test_figures_and_telephones_are_not_written_by_hand() -> None:
    for row in ROWS:
        for language in ("en", "es"):
            for at, _, value in _leaves(_tree(library().text(row, language))):
                if isinstance(value, str):
                    figures = BY_HAND.findall(ADDRESS.sub("]", TEMPLATE.sub(" ", value)))
                    assert not figures, (
                        f"{row.id}/{language}{at}: {figures} belongs in content/facts"
                    )


def test_search_results_can_show_title_and_description() -> None:
    for row in ROWS:
        for language in ("en", "es"):
            text = library().text(row, language)
            assert 0 < len(text.title) <= 75, text.title
            assert 40 <= len(text.description) <= 220, text.description
            assert "{{" not in (text.short or text.title), (
                "navigation shows it without a template's values"
            )
            anchors = [section.id for section in text.page]
            assert len(set(anchors)) == len(anchors), anchors


HALF = {
    "English left behind": ("Usted puede pedir the food box at your pantry.", ENGLISH, True),
    "one short name": (
        "La Casa the Example ayuda a muchas familias cada semana del año.",
        ENGLISH,
        False,
    ),
    "a kept name": ("Busque en IRS Tax Exempt Organization Search con el EIN.", ENGLISH, False),
    "Spanish left behind": ("Ask for the caja que dan para las familias.", SPANISH, True),
    "plain English": ("Ask for the box.", SPANISH, False),
}


@pytest.mark.parametrize(("text", "foreign", "expected"), HALF.values(), ids=HALF)
def test_the_detector_finds_half_translated_sentences(
    text: str, foreign: set[str], expected: bool
) -> None:
    assert bool(_faults_of_language(text, foreign)) is expected
