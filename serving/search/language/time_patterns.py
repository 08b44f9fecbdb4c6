"""The patterns by which days and hours of a question are found (content/language/times.yaml)."""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import msgspec

from serving.search.language.tables import compile_phrases

# "A family of 4, am I eligible" names no hour.
_HOUR = r"(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d))? ?(?P<half>[ap]m\b(?! i\b))?(?![\d:/-])"


class _Days(msgspec.Struct, forbid_unknown_fields=True):
    words: str
    days: list[int]


class _Part(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    words: str
    after: int
    before: int


class _Words(
    msgspec.Struct,
    forbid_unknown_fields=True,
    rename={"from_": "from", "and_": "and", "range_": "range"},
):
    days: list[_Days]
    any_day: str
    joined: str
    next_hours: str
    short: dict[str, str]
    short_after: str
    short_before: str
    today: str
    range_: str
    unclear: str
    tomorrow: str
    day_after_tomorrow: str
    other_day: str
    not_before: str
    excluding: str
    excluded_between: str
    between: str
    between_after: str
    not_after: str
    parts: list[_Part]
    after: str
    before: str
    at: str
    noon: str
    beside: str
    from_: str
    to: str
    and_: str
    no_hour: str
    hours_in_words: dict[str, int]
    before_words: str
    after_words: str


class PartOfDay(NamedTuple):
    name: str
    pattern: re.Pattern[str]
    after: int
    before: int


class TimePatterns(NamedTuple):
    days: tuple[tuple[re.Pattern[str], frozenset[int]], ...]
    ahead: Mapping[int, re.Pattern[str]]
    other_day: re.Pattern[str]
    short: Mapping[str, str]
    joined: re.Pattern[str]
    next_hours: re.Pattern[str]
    day: re.Pattern[str]
    short_before: re.Pattern[str]
    short_after: re.Pattern[str]
    today: re.Pattern[str]
    range: re.Pattern[str]
    unclear: re.Pattern[str]
    not_before: re.Pattern[str]
    exclusion: re.Pattern[str]
    excluding: re.Pattern[str]
    excluding_far: re.Pattern[str]
    not_after: re.Pattern[str]
    parts: tuple[PartOfDay, ...]
    after: re.Pattern[str]
    before: re.Pattern[str]
    at: re.Pattern[str]
    span: re.Pattern[str]
    hour: re.Pattern[str]
    noon: re.Pattern[str]
    in_words: re.Pattern[str]
    hour_word: re.Pattern[str]
    hours_in_words: Mapping[str, int]
    # Any day or part of a day.
    named: re.Pattern[str]


@lru_cache(maxsize=1)
def time_patterns() -> TimePatterns:
    file = resources.files("content") / "language" / "times.yaml"
    words = msgspec.yaml.decode(file.read_bytes(), type=_Words)
    day = words.any_day
    word = f"(?:{'|'.join(words.hours_in_words)})"
    short = rf"(?P<short>{'|'.join(words.short)})"
    return TimePatterns(
        days=tuple((compile_phrases(one.words), frozenset(one.days)) for one in words.days),
        ahead={2: compile_phrases(words.day_after_tomorrow), 1: compile_phrases(words.tomorrow)},
        other_day=compile_phrases(words.other_day),
        today=compile_phrases(words.today),
        range=re.compile(rf"\b(?:{words.range_.replace('DAY', day)})"),
        joined=re.compile(words.joined.replace("DAY", day)),
        next_hours=re.compile(words.next_hours),
        day=re.compile(rf"\b{day}"),
        short=words.short,
        short_before=re.compile(
            rf"(?<= )(?<! i )(?<! we )(?<! they )(?<! the ){short}(?= (?:{words.short_before}) )"
        ),
        short_after=re.compile(rf"(?<= )(?:{words.short_after.replace('DAY', day)}) {short}(?= )"),
        unclear=re.compile(rf"\b(?:{words.unclear.replace('DAY', day)})"),
        not_before=re.compile(
            rf"(?:^|(?<= ))(?:{words.not_before})(?: (?:{words.between.replace('DAY', day)}))*$"
        ),
        exclusion=re.compile(rf"(?:^|(?<= ))(?:{words.excluding})"),
        excluding=re.compile(
            rf"(?:^|(?<= ))(?:{words.excluding})"
            rf"(?: (?:{words.excluded_between.replace('DAY', day)}))*$"
        ),
        excluding_far=re.compile(
            rf"(?:^|(?<= ))(?:{words.excluding})(?: (?:{words.excluded_between.replace('DAY', day)}))*"
            rf"(?: {day} ?,?)+$"
        ),
        not_after=re.compile(
            rf"(?:(?:{words.between_after.replace('DAY', day)}) )*"
            rf"(?:{words.not_after.replace('DAY', day)})(?= )"
        ),
        parts=tuple(
            PartOfDay(p.name, compile_phrases(p.words), p.after, p.before) for p in words.parts
        ),
        after=_with_hour(words.after, words),
        before=_with_hour(words.before, words),
        at=_with_hour(words.at, words),
        span=_span_of(words),
        hour=re.compile(rf"{_HOUR}|{words.noon}"),
        noon=re.compile(rf"\b(?:{words.noon})\b"),
        in_words=re.compile(
            rf"\b(?:(?:{words.before_words}) |(?:{words.from_}) {word} (?:{words.to}|{words.and_}) )"
            rf"{word}\b(?= ?(?:{words.after_words}))"
        ),
        hour_word=re.compile(rf"\b{word}\b"),
        hours_in_words=words.hours_in_words,
        named=compile_phrases(
            [
                *(words.any_day, words.today, words.tomorrow, words.day_after_tomorrow),
                *(one.words for one in words.days),
                *(part.words for part in words.parts),
            ]
        ),
    )


def _with_hour(before: str, words: _Words) -> re.Pattern[str]:
    """Return a word of time and the hour, or noon, that follows it."""
    return re.compile(
        rf"\b(?:{before}) (?:{_HOUR}(?! ?(?:{words.no_hour})\b)|(?:el )?(?:{words.noon})\b)"
    )


def _span_of(words: _Words) -> re.Pattern[str]:
    """Return two hours as one span. "And" joins them only after "between" or the like."""
    first = rf"(?P<first>\d{{1,2}}(?::[0-5]\d)?(?: ?[ap]m)?|{words.noon})"
    return re.compile(
        rf"(?<![\w:$.,/-])(?:(?P<lead>{words.from_}) |(?P<beside>{words.beside}),? )?{first} ?"
        rf"(?:(?:{words.to})|(?(lead)(?:{words.and_})|(?!))) ?"
        rf"(?:{_HOUR}(?! ?(?:{words.no_hour})\b)|(?:el )?(?:{words.noon})\b)"
    )
