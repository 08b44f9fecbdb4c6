"""The word lists of name matching are checked when they are read."""

from pathlib import Path

import pytest

import assets.matching.words
from assets.matching.words import read_words

CONTENT = Path(assets.matching.words.__file__).with_suffix(".yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "distinguishing_kinds: [wic,",
            "distinguishing_kinds: [wick,",
            r"no word is of the kinds \['wick'\]",
        ),
        ("  community_fridge: [", "  community_freezer: [", r"no types of places: \['community_fr"),
        ("weak: [", "feeble: [", "unknown field `feeble`"),
    ],
)
def test_fault_is_named(old: str, new: str, fault: str) -> None:
    assert old in CONTENT
    with pytest.raises(ValueError, match=fault):
        read_words(CONTENT.replace(old, new).encode())
