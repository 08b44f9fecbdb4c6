"""Reads the requested days and hours from a question.

"Free groceries Saturday", "pantry open tomorrow after 5", "despensa por la tarde". A wrong day is
worse than none: an ambiguous day is left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from schemas.hours.clock_words import minutes_of
from schemas.hours.recurrence import DAY_MINUTES
from serving.search.language.hours import (
    Soon,
    find_unread_hours,
    hours_of,
    is_spoken_of,
    soon_of,
    write_in_digits,
)
from serving.search.language.time_patterns import TimePatterns, time_patterns

_DIGITS = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_WORD = re.compile(r"[a-z]+")
_FIRST_LETTERS = ("monlun", "tuemar", "wedmie", "thujue", "frivie", "satsab", "sundom")
_JUST_NO = frozenset({"not", "no", "ni"})
_EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)


class AskedTime(NamedTuple):
    """Days and hours named in a question, by the clock of the place.

    `weekdays` are coming ones (0 is Monday), today included; `days_ahead` counts from today;
    without either it is today. `after` and `before` are minutes since midnight, None if not named.
    `parts` are parts of the day named without an hour. Without a day, `weekdays` has all seven.
    `others` are days with different hours: "Monday before 10, Thursday after 3".
    """

    weekdays: tuple[int, ...] = ()
    days_ahead: int | None = None
    after: int | None = None
    before: int | None = None
    parts: tuple[str, ...] = ()
    others: tuple[AskedTime, ...] = ()

    @property
    def each(self) -> tuple[AskedTime, ...]:
        """Groups of days that share their hours."""
        return (self._replace(others=()), *self.others)

    @property
    def hours(self) -> tuple[int | None, int | None, tuple[str, ...]]:
        return self.after, self.before, self.parts

    @property
    def is_until(self) -> bool:
        """Whether it is the minute before an hour, as in "open until 6": requested hours are
        multiples of five minutes."""
        return self.before is not None and self.after == self.before - 1 and not self.before % 5

    @property
    def is_today(self) -> bool:
        return not self.weekdays and self.days_ahead is None

    @property
    def is_any_day(self) -> bool:
        return self.weekdays == _EVERY_DAY


class Times(NamedTuple):
    """Times in a question: days and hours, or a relative time; `unread` are hours, as written, that
    are neither. `next_day` is a day such as "next Tuesday", which is not today."""

    time: AskedTime | None = None
    soon: Soon | None = None
    unread: tuple[str, ...] = ()
    next_day: str = ""


def times_of(words: str, text: str) -> Times:
    """Parse the days and hours of a question.

    `words` are its correctly spelt words, names and numbers as `#`; `text` is the folded question.
    """
    patterns = time_patterns()
    text = write_in_digits(text, patterns)
    soon = soon_of(text, patterns)
    if soon is not None:
        text = text.replace(soon.text, "#" * len(soon.text))
    time = _time_of(words, text, patterns)
    if soon and (time is None or (time.is_today and not any(time.hours) and not time.others)):
        return Times(soon=soon)
    is_clock = soon is not None or _DIGITS.search(text) is not None
    if is_clock and patterns.of["other_day"].search(words):
        return Times(time, unread=(soon.text,) if soon else ())
    hours = [(one.after, one.before) for one in (time.each if time else ())]
    unread = tuple(find_unread_hours(text, hours, patterns)) if is_clock else ()
    next_day = patterns.of["next_day"].search(text) if time and time.weekdays else None
    next_day_text = next_day[0] if next_day else ""
    return Times(time, unread=(soon.text, *unread) if soon else unread, next_day=next_day_text)


def _time_of(words: str, text: str, patterns: TimePatterns) -> AskedTime | None:
    of_clock = (_DIGITS, patterns.of["noon"], patterns.of["range"])
    is_named = any(p.search(text) for p in of_clock) or patterns.of["named"].search(words)
    if not is_named or patterns.of["unclear"].search(text):
        return None
    words = _write_days_out(words, patterns)
    whole = _days_and_hours(words, text, patterns)
    if whole is None:
        return None
    day_range = patterns.of["range"].search(text)
    each = None if day_range and day_range["begin"] else _each_with_its_hours(words, text, patterns)
    first, *others = [part for time in (each or whole).each for part in _in_order(time)]
    return first._replace(others=tuple(others))


def _in_order(time: AskedTime) -> tuple[AskedTime, ...]:
    """Return one time, or two for "before 10 or after 5", which no single hour satisfies."""
    if time.after is None or time.before is None or time.before > time.after:
        return (time,)
    return time._replace(after=None), time._replace(before=None)


def _each_with_its_hours(words: str, text: str, patterns: TimePatterns) -> AskedTime | None:
    """Return days that each have hours of their own; None if they share them.

    A day without hours gets those of the next day that has some: "Monday or Thursday after 3".
    "Thursday after 3 or Saturday" leaves the hours of Saturday open; "after 3 on Thursday or
    Saturday" does not. "Today or tomorrow" are two days, "tomorrow, Saturday" is one.
    """
    by_word, by_text = _split_days(words, patterns), _split_days(text, patterns)
    if len(by_word) != len(by_text) or len(by_word) < 2:
        return None
    parts = [_days_and_hours(*part, patterns) for part in zip(by_word, by_text, strict=True)]
    times = [one for time in parts if time is not None for one in time.each]
    if None in parts or any(time.is_any_day for time in times):
        return None
    is_relative = any(time.days_ahead is not None or time.is_today for time in times)
    # "Mondays and Tuesdays they are closed": a statement about both needs the whole text.
    if {day for time in times for day in time.weekdays} != set(_weekdays(words, text, patterns)):
        return None
    if _begins_with_hours(by_word[0], by_text[0], patterns):
        times[-1] = times[-1] if any(times[-1].hours) else _with_hours(times[-1], times[0].hours)
    hours = times[-1].hours
    for n, time in reversed(list(enumerate(times))):
        hours = time.hours if any(time.hours) else hours
        times[n] = _with_hours(time, hours)
    is_either = is_relative and any(match["or"] for match in patterns.of["joined"].finditer(words))
    if all(time.hours == hours for time in times) and not is_either:
        return None
    return times[0]._replace(others=tuple(times[1:]))


def _with_hours(
    time: AskedTime, hours: tuple[int | None, int | None, tuple[str, ...]]
) -> AskedTime:
    return time._replace(after=hours[0], before=hours[1], parts=hours[2])


def _begins_with_hours(words: str, text: str, patterns: TimePatterns) -> bool:
    """Return whether the hours precede the first day and so apply to every day."""
    days = [m.start() for pattern, _ in patterns.days for m in pattern.finditer(words)]
    raw = patterns.of["day"].search(text)
    if not days or raw is None:
        return False
    has_part = any(part.pattern.search(words[: min(days) + 1]) for part in patterns.parts)
    return has_part or bool(hours_of(text[: raw.start()], None, patterns))


def _split_days(text: str, patterns: TimePatterns) -> list[str]:
    """Split before each day that follows a pause, "or", or "and"."""
    places = [match.end() for match in patterns.of["joined"].finditer(text)]
    return [f" {text[a:b].strip()} " for a, b in pairwise([0, *places, len(text)])]


def _days_and_hours(words: str, text: str, patterns: TimePatterns) -> AskedTime | None:
    weekdays = _weekdays(words, text, patterns)
    ahead = next(
        (n for n, pattern in patterns.ahead.items() if _is_asked(words, pattern, patterns)), None
    )
    is_today = _is_asked(words, patterns.of["today"], patterns)
    # In "Monday to Friday after 5" the "to Friday" is not an hour.
    words_left, text_left = (
        patterns.of["range"].sub(lambda m: "#" * len(m[0]), source) for source in (words, text)
    )
    parts = [part for part in patterns.parts if _is_asked(words_left, part.pattern, patterns)]
    hours, *others = hours_of(text_left, parts[0] if len(parts) == 1 else None, patterns) or [None]
    if not weekdays and ahead is None and not is_today:
        if (hours is None and not parts) or _names_day(words, patterns):
            return None
        weekdays = _EVERY_DAY
    # "Tomorrow, Saturday" is one day; the calendar at the place decides which.
    days = () if ahead is not None else weekdays
    if hours is not None:
        more = (AskedTime(days, ahead, *one) for one in others if one is not None)
        return AskedTime(days, ahead, *hours, others=tuple(more))
    if not parts:
        return AskedTime(days, ahead)
    names = tuple(dict.fromkeys(part.name for part in parts))
    return AskedTime(days, ahead, min(p.after for p in parts), max(p.before for p in parts), names)


def _weekdays(words: str, text: str, patterns: TimePatterns) -> tuple[int, ...]:
    """Return the requested weekdays; if some are only excluded ("except Sundays"), the others."""
    days_of_mentions = [
        days for pattern, days in patterns.days if _is_asked(words, pattern, patterns)
    ]
    out = [days for pattern, days in patterns.days if _is_excluded(words, pattern, patterns)]
    day_range = patterns.of["range"].search(text)
    if day_range:
        is_out = patterns.of["excluding"].search(text[: day_range.start()].rstrip()) is not None
        if is_out or days_of_mentions or day_range["week"]:
            (out if is_out else days_of_mentions).append(_from_to(day_range))
    if out and not days_of_mentions:
        days_of_mentions = [frozenset(_EVERY_DAY)]
    return tuple(sorted(frozenset().union(*days_of_mentions).difference(*out)))


def _is_excluded(words: str, pattern: re.Pattern[str], patterns: TimePatterns) -> bool:
    return any(
        patterns.of["excluding"].search(words[: mention.start()].rstrip())
        for mention in pattern.finditer(words)
    )


def has_unread_exclusion(words: str, text: str) -> bool:
    """Return whether a part of the day, tomorrow, an hour, or one of several days is excluded: no
    window can express that."""
    patterns = time_patterns()
    if not (patterns.of["exclusion"].search(words) or patterns.of["exclusion"].search(text)):
        return False
    day_patterns = [*(part.pattern for part in patterns.parts), *patterns.ahead.values()]
    hours = [
        m
        for p in (patterns.of["span"], patterns.of["after"], patterns.of["before"])
        for m in p.finditer(text)
    ]
    # "Not before 10" means after 10.
    read_ends = {
        m.end() for m in hours if not patterns.of["excluding"].search(text[: m.start()].rstrip())
    }
    days = (m for pattern, _ in patterns.days for m in pattern.finditer(words))
    # "Not today" is no hurry; "any day except today" is a wish.
    out = [
        patterns.of["excluding"].search(words[: m.start()].rstrip())
        for m in patterns.of["today"].finditer(words)
    ]
    return (
        any(match and match[0].split()[0] not in _JUST_NO for match in out)
        or any(_is_excluded(words, pattern, patterns) for pattern in day_patterns)
        or any(m.end() not in read_ends or _is_far(text, m, patterns) for m in hours)
        or any(
            words[: day.start()].endswith(", ") and _is_far(words, day, patterns) for day in days
        )
    )


def _is_far(words: str, mention: re.Match[str], patterns: TimePatterns) -> bool:
    """Return whether an excluded day comes first: "not Monday, Thursday"."""
    return patterns.of["excluding_far"].search(words[: mention.start()].rstrip()) is not None


def _from_to(day_range: re.Match[str]) -> frozenset[int]:
    """Return the days of a range: "Monday to Friday", "M-F"."""
    if day_range["week"]:
        return frozenset(range(5))
    first, last = (
        next(n for n, letters in enumerate(_FIRST_LETTERS) if day[:3] in (letters[:3], letters[3:]))
        for day in (day_range["first"] or day_range["begin"], day_range["last"] or day_range["end"])
    )
    return frozenset((first + n) % 7 for n in range((last - first) % 7 + 1))


def _write_days_out(words: str, patterns: TimePatterns) -> str:
    """Expand short day names where they are unambiguous."""
    for pattern in (patterns.of["short_before"], patterns.of["short_after"]):
        words = pattern.sub(
            lambda m: m[0].removesuffix(m["short"]) + patterns.short[m["short"]], words
        )
    return words


def _is_asked(words: str, pattern: re.Pattern[str], patterns: TimePatterns) -> bool:
    """Return whether a mention of a day, or of a part of it, requests it."""
    return any(
        not is_spoken_of(words, mention, patterns)
        and not patterns.of["not_after"].match(words, mention.end() + 1)
        for mention in pattern.finditer(words)
    )


def words_of_time(question_words: Collection[str], words: str, text: str) -> set[str]:
    """Return the words that name requested or excluded days or parts of the day."""
    patterns = time_patterns()
    words = _write_days_out(words, patterns)
    day_patterns = [
        *(pattern for pattern, _ in patterns.days),
        *(part.pattern for part in patterns.parts),
    ]
    time_words = {
        word
        for pattern in (*day_patterns, patterns.of["today"], *patterns.ahead.values())
        for mention in pattern.finditer(words)
        if _is_asked(words, pattern, patterns) or _is_excluded(words, pattern, patterns)
        for word in mention[0].split()
    }
    short = {short for short, day in patterns.short.items() if day in time_words}
    ranges = {word for m in patterns.of["range"].finditer(text) for word in _WORD.findall(m[0])}
    return (time_words | short | ranges).intersection(question_words)


def _names_day(words: str, patterns: TimePatterns) -> bool:
    """Return whether a day is mentioned, so that an adjacent hour is not today's."""
    day_patterns = [pattern for pattern, _ in patterns.days] + [
        *patterns.ahead.values(),
        patterns.of["today"],
        patterns.of["other_day"],
    ]
    return any(pattern.search(words) for pattern in day_patterns)


def at_clock(soon: Soon, there: datetime) -> AskedTime:
    """Convert a relative time to the clock at a place; it ends at midnight."""
    start = there + timedelta(minutes=soon.after)
    after = minutes_of(start)
    days = (start.date() - there.date()).days
    return AskedTime((), days or None, after, min(after + soon.before - soon.after, DAY_MINUTES))
