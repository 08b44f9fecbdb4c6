"""When somebody wants to be served: the days and hours that a question names.

"Free groceries Saturday", "pantry open tomorrow after 5", "despensa el martes por la tarde". What is for now or today
is urgency (`serving.language.wants`), unless an hour is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import msgspec

from serving.language.tables import compiled

_HOUR = r"(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d))? ?(?P<half>[ap]m)?(?![\d:/-])"
_EXACT = re.compile(r"(?<![\d:$.,/-])(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d))? ?(?P<half>[ap]m)\b")
_NOON = 720
# Without "a.m." or "p.m." nobody means the night: after 1 to 7 is the afternoon. After 8 may be either.
_SURELY_AFTERNOON = range(1, 8)


class AskedTime(NamedTuple):
    """Days and hours that a question names, by the clock of the place.

    `weekdays` are coming ones (0 is Monday), today included; `days_ahead` counts from today; without either it is
    today. `after` and `before` are minutes since midnight, None where none is named.
    """

    weekdays: tuple[int, ...] = ()
    days_ahead: int | None = None
    after: int | None = None
    before: int | None = None


class _Part(msgspec.Struct, forbid_unknown_fields=True):
    words: str
    after: int
    before: int


class _Words(msgspec.Struct, forbid_unknown_fields=True):
    days: dict[str, str]
    tomorrow: str
    day_after_tomorrow: str
    not_before: str
    not_after: str
    parts: list[_Part]
    after: str
    before: str
    at: str
    noon: str
    no_hour: str


class _Patterns(NamedTuple):
    days: Mapping[int, re.Pattern[str]]
    ahead: Mapping[int, re.Pattern[str]]
    not_before: re.Pattern[str]
    not_after: re.Pattern[str]
    parts: tuple[tuple[re.Pattern[str], int, int], ...]
    after: re.Pattern[str]
    before: re.Pattern[str]
    at: re.Pattern[str]


def time_of(words: str, text: str) -> AskedTime | None:
    """The days and hours of a question; None where it names none.

    `words` are its words in their right spelling, names and numbers as `#`; `text` is the question itself, folded.
    """
    known = _patterns()
    weekdays = tuple(d for d, pattern in known.days.items() if _is_asked(words, pattern, known))
    ahead = next((n for n, pattern in known.ahead.items() if _is_asked(words, pattern, known)), None)  # fmt: skip
    part = next((p for p in known.parts if p[0].search(words)), None)
    hours = _hours(text, part, known)
    has_day = bool(weekdays) or ahead is not None
    if not has_day and hours is None:
        return None
    after, before = hours or (part[1:] if part else (None, None))
    # "Tomorrow, Saturday" is one day: which one, only the calendar of the place knows.
    return AskedTime(weekdays if ahead is None else (), ahead, after, before)


def _is_asked(words: str, pattern: re.Pattern[str], known: _Patterns) -> bool:
    """Whether one of the mentions of a day asks for it."""
    return any(
        not known.not_before.search(words[: mention.start()].rstrip())
        and not known.not_after.match(words, mention.end() + 1)
        for mention in pattern.finditer(words)
    )


def _hours(
    text: str, part: tuple[re.Pattern[str], int, int] | None, known: _Patterns
) -> tuple[int | None, int | None] | None:
    """(after, before) in minutes as hours of the clock say; None where they say nothing for certain."""
    after = _minutes(known.after.search(text), part, _SURELY_AFTERNOON)
    before = _minutes(known.before.search(text), part, range(0))
    if after is not None or before is not None:
        return after, before
    at = _minutes(known.at.search(text), part, range(0))
    if at is not None:
        return at, at + 1
    # "Saturday 9am", "between 9am and 1pm".
    said = [m for match in _EXACT.finditer(text) if (m := _minutes(match, part, range(0))) is not None]  # fmt: skip
    if len(said) == 2:
        return said[0], said[1]
    return (said[0], said[0] + 1) if len(said) == 1 else None


def _minutes(
    found: re.Match[str] | None, part: tuple[re.Pattern[str], int, int] | None, afternoon: range
) -> int | None:
    """An hour as minutes since midnight; None where morning and evening are both possible."""
    if found is None:
        return None
    if found["hour"] is None:
        return _NOON
    hour, minute, half = int(found["hour"]), int(found["minute"] or 0), found["half"]
    if hour > 23 or (half and not 1 <= hour <= 12):
        return None
    if hour > 12:
        return hour * 60 + minute if found["minute"] else None
    if half is None and part is not None:
        half = "am" if part[2] <= _NOON else "pm"
    if half is None and hour in afternoon:
        half = "pm"
    return None if half is None else (hour % 12 + 12 * (half == "pm")) * 60 + minute


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    file = resources.files("content") / "language" / "times.yaml"
    words = msgspec.yaml.decode(file.read_bytes(), type=_Words)
    return _Patterns(
        days={day: compiled(pattern) for day, pattern in enumerate(words.days.values())},
        ahead={2: compiled(words.day_after_tomorrow), 1: compiled(words.tomorrow)},
        not_before=re.compile(rf"(?:^|(?<= )){words.not_before}"),
        not_after=re.compile(rf"{words.not_after}(?= )"),
        parts=tuple((compiled(part.words), part.after, part.before) for part in words.parts),
        after=_with_hour(words.after, words),
        before=_with_hour(words.before, words),
        at=_with_hour(words.at, words),
    )


def _with_hour(before: str, words: _Words) -> re.Pattern[str]:
    """A word of time and the hour, or noon, that follows it."""
    return re.compile(rf"\b(?:{before}) (?:{_HOUR}(?! ?(?:{words.no_hour})\b)|(?:el )?(?:{words.noon})\b)")  # fmt: skip
