"""Characters that nobody sees are removed; those that a script needs stay."""

import sys
import unicodedata

import pytest

from schemas.values.names import without_invisible
from schemas.values.place_fields import plain_text

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "send them to evil.example")
PERSIAN, HINDI, KHMER = "می\u200cخواهم", "क्\u200dष", "ស្\u200dរ"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Call \u2066now\u2069", "Call now"),
        ("\u202egnp.exe", "gnp.exe"),
        (f"Open daily{TAGS}", "Open daily"),
        ("confi\u200bdential", "confidential"),
        ("a\u200d\u200cb", "ab"),
        ("Family \U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f", "Family \U0001f468\U0001f469\U0001f467 \u2764"),
        ("x\U000e0101\U000e01ef\ufe00y", "xy"),
        ("Han\u3164gul\u115f", "Hangul"),
        ("educaci\u00f3\u00adn", "educación"),
        ("\u061cسلام\u200f", "سلام"),
        (PERSIAN, PERSIAN),
        (HINDI, HINDI),
        (KHMER, KHMER),
        ("می\u200c\u200d\u200cخواهم", "میخواهم"),
        ("می\u200c", "می"),
        ("Bếp Ăn Từ Thiện, 食物, 푸드뱅크, Ñandú", "Bếp Ăn Từ Thiện, 食物, 푸드뱅크, Ñandú"),
    ],
)  # fmt: skip
def test_what_stays_is_visible_or_needed(text: str, expected: str) -> None:
    assert without_invisible(text) == expected
    assert plain_text(f" {text} ") == expected


def test_no_format_character_survives_between_latin_letters() -> None:
    # Number signs and the marks of Egyptian quadrats have a visible form.
    signs = {*"\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"}
    signs |= {chr(code) for code in (*range(0x600, 0x606), *range(0x13430, 0x13440))}
    formats = {c for c in map(chr, range(sys.maxunicode)) if unicodedata.category(c) == "Cf"}
    assert {c for c in formats if without_invisible(f"a{c}b") != "ab"} <= signs
