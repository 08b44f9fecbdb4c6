"""The table of patterns: each group is used by real texts, and writes what the grammar reads."""

from collections import Counter
from pathlib import Path

import pytest

import assets.hours.patterns
from assets.hours.normalise import plain_text
from assets.hours.patterns import PATTERNS, read_table, rewrite, words_of
from tests.support.source_files import shared_rows

SHARED_TEXTS = Path(__file__).parents[5] / "shared/corpora/hours_text.tsv"
CONTENT = Path(assets.hours.patterns.__file__).with_suffix(".yaml").read_text(encoding="utf-8")


@pytest.mark.shared
def test_each_group_that_is_no_guard_is_used_by_five_real_texts() -> None:
    if not SHARED_TEXTS.exists():
        pytest.skip("the corpora are not in ../shared")
    lines = SHARED_TEXTS.read_text(encoding="utf-8").splitlines()[1:]
    freshtrak = shared_rows("haarrrvest_2025", "haarrrvest_2025", "freshtrak.jsonl")
    texts = {line.split("\t")[0] for line in lines} | {*freshtrak["hours_text"].dropna()}
    uses: Counter[str] = Counter()
    for text in texts:
        words = assets.hours.patterns.split(plain_text(text))
        for pattern in PATTERNS:
            rewritten = [*rewrite(words, pattern)]
            uses[pattern.about] += rewritten != words
            words = rewritten
    groups = {pattern.about for pattern in PATTERNS if not pattern.is_guard}
    assert {group: uses[group] for group in groups if uses[group] < 5} == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("until all of the food is gone", "while supplies last"),
        ("call us for an appointment", "by appointment"),
        ("call for an appointment mon", "call for details mon"),
        ("clients may visit once every 30 days", "visitlimit"),
        ("the following tuesday", "some tuesday"),
        ("friday before the 4th saturday", "some friday"),
        ("doors open at 5pm", "; doorsbefore ;"),
        ("doors open at 5pm - 7", "doors open at 5pm - 7"),
        ("saturday , 1st saturday", "1st saturday"),
        ("saturday , 1st sunday", "saturday , 1st sunday"),
    ],
)
def test_patterns_write_words_of_the_lexicon(text: str, words: str) -> None:
    assert " ".join(word.text for word in words_of(text)) == words


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("  - about: ", "  - title: ", "unknown field `title`"),
        ("    rows:", "    lines:", "unknown field `lines`"),
    ],
)
def test_fault_is_named(old: str, new: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_table(CONTENT.replace(old, new, 1).encode())
