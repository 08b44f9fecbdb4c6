"""The frame of pages: valid HTML, words in both languages, nothing that a value can break out of."""

from importlib import resources

import msgspec
import pytest

from schemas.languages import localize
from serving.render.assets import asset, static_files
from serving.render.formats import day, money, number, percent
from serving.render.templates import fill, phone_link
from serving.render.words import words

MESSAGES = sorted(
    f.name.removesuffix(".yaml")
    for f in (resources.files("content") / "messages").iterdir()
    if f.name.endswith(".yaml")
)


def _keys(tree: object, at: str = "") -> set[str]:
    if isinstance(tree, dict):
        return {k for name, inner in tree.items() for k in _keys(inner, f"{at}.{name}")}
    return {at}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages_have_the_same_keys_in_both_languages(name: str) -> None:
    tree = msgspec.yaml.decode(
        (resources.files("content") / "messages" / f"{name}.yaml").read_bytes()
    )
    assert _keys(tree["en"]) == _keys(tree["es"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (number(12345.6, "en"), "12,346"),
        (number(12345.65, "es", 1), "12,345.6"),
        (money(1234.5, "en"), "$1,234.50"),
        (money(298, "es"), "$298"),
        (percent(0.425, "en"), "42%"),
        (percent(0.425, "en", 1), "42.5%"),
        (day("2026-11-22", "en"), "November 22, 2026"),
        (day("2026-11-22T05:00:00Z", "es"), "22 de noviembre de 2026"),
        (localize("/grants", "es"), "/es/grants"),
        (localize("/es/grants", "es"), "/es/grants"),
    ],
)
def test_formats(text: str, expected: str) -> None:
    assert text.replace("\N{NO-BREAK SPACE}", " ") == expected


def test_filled_texts_are_escaped_and_marked_parts_are_not() -> None:
    text = fill("<Call> {who} at {phone}", who="<b>", phone=phone_link("202-555-0100"))
    assert text == '&lt;Call&gt; &lt;b&gt; at <a href="tel:+12025550100">202-555-0100</a>'


def test_a_missing_word_is_named() -> None:
    with pytest.raises(KeyError, match=r"layout\.en\.nav\.nowhere"):
        words("layout", "en").nav.nowhere  # noqa: B018


def test_static_files_have_names_that_change_with_their_bytes() -> None:
    style = static_files()["style.css"]
    assert asset("style.css") == style.path
    inlined = len(style.body) + len(static_files()["dark.css"].body)
    assert inlined <= 12 * 1024, "one style sheet of 12 KB at most, with both themes"
    assert b"http" not in style.body.replace(b"a[href^=http]", b""), "no request to elsewhere"
