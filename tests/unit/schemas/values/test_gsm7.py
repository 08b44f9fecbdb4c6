"""The alphabet of text messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.values.gsm7 import as_gsm7, cut, segments, units
from tests.support.cases import labelled


@labelled("text, message")
def test_replacements_of_characters(text: str, message: str) -> None:
    assert as_gsm7(text) == message


@pytest.mark.parametrize(
    ("text", "cost", "parts"),
    [
        ("", 0, 1),
        ("a" * 160, 160, 1),
        ("a" * 161, 161, 2),
        ("[" * 80, 160, 1),
        ("[" * 81, 162, 2),
        ("a" * 306, 306, 2),
        ("a" * 307, 307, 3),
        ("a" * 459, 459, 3),
        ("a" * 460, 460, 4),
        # The escape and its code stay together: one unit of each of the first two parts is lost.
        ("a" * 152 + "[" + "a" * 151 + "[" + "a" * 151, 458, 4 - 1),
    ],
)
def test_segments_of_a_message(text: str, cost: int, parts: int) -> None:
    assert units(text) == cost
    assert segments(text) == parts


def test_a_character_outside_is_refused() -> None:
    with pytest.raises(ValueError, match="á"):
        units("más")


@given(st.text(), st.integers(0, 200))
def test_any_text_is_encoded_and_cut_to_length(text: str, most: int) -> None:
    plain = as_gsm7(text)
    assert as_gsm7(plain) == plain
    assert units(cut(plain, most)) <= most
    assert segments(plain) >= -(-units(plain) // 153) if units(plain) > 160 else True
