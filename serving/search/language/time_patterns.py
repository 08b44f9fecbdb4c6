"""Patterns for days and hours in a question (content/language/times.yaml)."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from serving.search.language.tables import (
    compile_phrases,
    number_words,
    read_words,
    with_parts,
)


class _Days(msgspec.Struct, forbid_unknown_fields=True):
    words: str
    days: list[int]


class _TimeOfDay(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    words: str
    after: int
    before: int


class _Minutes(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    is_before: bool = False


class _Words(msgspec.Struct, forbid_unknown_fields=True):
    days: list[_Days]
    short: dict[str, str]
    times_of_day: list[_TimeOfDay]
    words: dict[str, str]
    minutes: list[_Minutes]
    text: dict[str, str]
    parts: dict[str, str]


class PartOfDay(NamedTuple):
    name: str
    pattern: re.Pattern[str]
    after: int
    before: int


class TimePatterns(NamedTuple):
    """Patterns of days and parts of the day; `of` has the others by their name in the file."""

    days: tuple[tuple[re.Pattern[str], frozenset[int]], ...]
    # By days from today.
    ahead: Mapping[int, re.Pattern[str]]
    short: Mapping[str, str]
    parts: tuple[PartOfDay, ...]
    hours_in_words: Mapping[str, int]
    # For hours with minutes in words: whether the minutes precede the hour.
    minutes: tuple[tuple[re.Pattern[str], bool], ...]
    of: Mapping[str, re.Pattern[str]]


@lru_cache(maxsize=1)
def time_patterns() -> TimePatterns:
    words = read_words("times.yaml", _Words)
    numbers = number_words()
    hours = {word: n for word, n in numbers.numbers.items() if n <= 12}
    parts = words.parts | {
        "WORD": f"(?:{'|'.join(hours)})",
        "NUMBER": f"(?:{'|'.join(numbers.amounts)})",
        "SHORT": "|".join(words.short),
    }
    of = {name: compile_phrases(text) for name, text in words.words.items()}
    of |= {name: re.compile(with_parts(text, parts)) for name, text in words.text.items()}
    all_days = [one.words for one in words.days]
    of["named"] = compile_phrases(
        [parts["DAY"], *all_days, *(p.words for p in words.times_of_day)]
        + [words.words[name] for name in ("today", "tomorrow", "day_after_tomorrow")]
    )
    return TimePatterns(
        days=tuple((compile_phrases(one.words), frozenset(one.days)) for one in words.days),
        ahead={2: of["day_after_tomorrow"], 1: of["tomorrow"]},
        short=words.short,
        parts=tuple(
            PartOfDay(p.name, compile_phrases(p.words), p.after, p.before)
            for p in words.times_of_day
        ),
        hours_in_words=hours,
        minutes=tuple((re.compile(with_parts(m.text, parts)), m.is_before) for m in words.minutes),
        of=of,
    )
