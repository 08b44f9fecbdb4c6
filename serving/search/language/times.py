"""Reads the requested days and hours from a question (content/language/times.yaml).

"Free groceries Saturday", "pantry open tomorrow after 5", "in two hours", "despensa por la tarde".
A wrong day is worse than none: an ambiguous day is left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from schemas.hours.clock_words import minutes_of
from schemas.hours.recurrence import DAY_MINUTES
from serving.search.language.tables import (
    compile_phrases,
    number_words,
    read_words,
    source_of,
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
    lists = {name: [text] for name, text in words.parts.items()} | {
        "word": [*hours],
        "number": [*numbers.amounts],
        "short": [*words.short],
    }
    of = {name: compile_phrases([text]) for name, text in words.words.items()}
    of |= {name: re.compile(source_of([text], lists)) for name, text in words.text.items()}
    named = [*(one.words for one in words.days), *(part.words for part in words.times_of_day)]
    named += [words.words[name] for name in ("today", "tomorrow", "day_after_tomorrow")]
    of["named"] = compile_phrases(["{day}", *named], lists)
    return TimePatterns(
        days=tuple((compile_phrases([one.words]), frozenset(one.days)) for one in words.days),
        ahead={2: of["day_after_tomorrow"], 1: of["tomorrow"]},
        short=words.short,
        parts=tuple(
            PartOfDay(p.name, compile_phrases([p.words]), p.after, p.before)
            for p in words.times_of_day
        ),
        hours_in_words=hours,
        minutes=tuple((re.compile(source_of([m.text], lists)), m.is_before) for m in words.minutes),
        of=of,
    )


Hours = tuple[int | None, int | None]
# Hours taken as afternoon without "p.m." and as morning without "a.m.": the night is never meant.
# The answer states how they were read; other hours are not read.
_Halves = tuple[range, range]
_AFTER: _Halves = range(1, 8), range(8, 12)
_BEFORE: _Halves = range(1, 7), range(7, 12)
_AT: _Halves = range(1, 7), range(8, 12)
_UNTIL: _Halves = range(1, 9), range(0)
_NOON, _DAY = 720, 1440
_EARLIEST, _EARLY_END = 420, 540
_HOUR = 60
# A relative time contains one of these.
_UNITS = ("hour", "hr", "min", "hora")


class Soon(NamedTuple):
    """A relative time in minutes from now: start, end, and the words of the question."""

    text: str
    after: int
    before: int


def write_in_digits(text: str, patterns: TimePatterns) -> str:
    """Replace hours in words by digits in a folded text: "half past five" becomes "5:30"."""

    def clock(match: re.Match[str], is_before: bool) -> str:
        hour = patterns.hours_in_words.get(match["hour"]) or int(match["hour"])
        part = number_words().amounts[match["part"]]
        minutes = round(part * _HOUR) if part < 1 else int(part)
        minutes = (hour * _HOUR + (-minutes if is_before else minutes)) % _NOON
        return f"{match['lead']}{minutes // _HOUR or 12}:{minutes % _HOUR:02d}"

    has_minutes = patterns.of["part_of_hour"].search(text)
    for pattern, is_before in patterns.minutes if has_minutes else ():
        text = pattern.sub(lambda m, is_before=is_before: clock(m, is_before), text)  # type: ignore[misc]
    word = patterns.of["word"]
    return patterns.of["in_words"].sub(
        lambda m: word.sub(lambda w: str(patterns.hours_in_words[w[0]]), m[0]), text
    )


def soon_of(text: str, patterns: TimePatterns) -> Soon | None:
    """Return the relative time in a folded text. "Within 20 minutes" is a travel time and gives
    none, as does a text without a number."""
    if not any(unit in text for unit in _UNITS):
        return None
    for match in (m for name in ("soon", "from_now") for m in patterns.of[name].finditer(text)):
        is_hours, amount = match["unit"].startswith("h"), match["number"]
        if amount is None and match["unit"] not in ("hour", "hora"):
            continue
        number = number_words().amounts.get(amount or "a") or int(amount)
        number += 0.5 * bool(match["more"])
        is_within = bool(match.groupdict().get("within"))
        is_way = match[0].startswith("within") and not is_hours
        minutes = round(number * (_HOUR if is_hours else 1))
        if 0 < minutes <= _DAY and not is_way and not is_spoken_of(text, match, patterns):
            return Soon(match[0], 0 if is_within else minutes, minutes + (not is_within))
    return None


def is_spoken_of(words: str, mention: re.Match[str], patterns: TimePatterns) -> bool:
    """Return whether the preceding words show that the time is not a service time."""
    before = words[: mention.start()].rstrip()
    return any(patterns.of[name].search(before) for name in ("not_before", "excluding"))


def hours_of(text: str, part: PartOfDay | None, patterns: TimePatterns) -> list[Hours | None]:
    """Return unique (after, before) in minutes for clock hours; none if they are ambiguous."""

    def find_mentions(name: str) -> list[re.Match[str]]:
        return [m for m in patterns.of[name].finditer(text) if not is_spoken_of(text, m, patterns)]

    spans, end = list[Hours | None](), 0
    for match in find_mentions("span"):
        # Further hours are alternatives for the same days only if nothing separates them.
        is_next = not spans or patterns.of["next_hours"].fullmatch(text, end, match.start("first"))
        if is_next and (span := _span(match, part, patterns, is_after=bool(spans))) is not None:
            spans.append(span)
            end = match.end()
    if spans:
        return list(dict.fromkeys(spans))
    later = find_mentions("after")
    # "Not before 10" contains no "before 10".
    earlier = [m for m in find_mentions("before") if all(m.end() != other.end() for other in later)]
    # "I work until 5, open after 5:30" is after 5:30.
    after = max(_all_minutes(later, part, _AFTER), default=None)
    before = min(_all_minutes(earlier, part, _BEFORE), default=None)
    until = max(_all_minutes(_ends(text, patterns), part, _UNTIL), default=None)
    if until is not None:
        # A place open until then is open in the minute before.
        return [(until - 1 if after is None else after, until)]
    if after is not None or before is not None:
        return [(after, before)]
    sure = [m for m in find_mentions("at") if _is_hour(text, m, patterns)]
    at = next((_minutes(m, part, _AT) for m in sure), None)
    if at is None:
        # "Saturday 9am"
        exact = [_minutes(match, part, _AT) for match in find_mentions("exact")]
        # "Sunday noon"
        exact = exact or [_NOON for _ in find_mentions("noon")]
        at = exact[0] if len(exact) == 1 else None
    return [] if at is None else [(at, at + 1)]


def find_unread_hours(text: str, times: Sequence[Hours], patterns: TimePatterns) -> Iterator[str]:
    """Yield clock hours in a folded text that none of the parsed times covers; of several "after"
    hours one is enough."""
    read_minutes = {minutes % _NOON for hours in times for minutes in hours if minutes is not None}
    sides = {"after": 0, "before": 1}
    names = [n for n in sides if all(hours[sides[n]] is None for hours in times)]
    mentions = [m for name in (*names, "at") for m in patterns.of[name].finditer(text)]
    mentions += [m for m in patterns.of["exact"].finditer(text) if m["half"]]
    mentions = [m for m in mentions if not is_spoken_of(text, m, patterns)]
    last_end = -1
    for mention in sorted([*mentions, *_ends(text, patterns)], key=lambda m: (m.start(), -m.end())):
        if mention["hour"] is None or mention.end() <= last_end:
            continue
        last_end = mention.end()
        minutes = int(mention["hour"]) * _HOUR + int(mention["minute"] or 0)
        if minutes % _NOON not in read_minutes and _is_hour(text, mention, patterns):
            yield mention[0].strip()


def _ends(text: str, patterns: TimePatterns) -> Iterator[re.Match[str]]:
    """Yield the hours until which service is requested: "open until 6"."""
    mentions = list(patterns.of["until"].finditer(text))
    after = {m.end() for m in patterns.of["after"].finditer(text)} if mentions else ()
    for mention in mentions:
        is_away = patterns.of["not_until"].search(text[: mention.start()].rstrip())
        if not is_away and mention.end() not in after and not is_spoken_of(text, mention, patterns):
            yield mention


def _is_hour(text: str, mention: re.Match[str], patterns: TimePatterns) -> bool:
    """Return whether a number is certainly an hour: "at 5 in Dallas", not "at 5 Oak Street"."""
    return bool(
        mention["hour"] is None
        or mention["half"]
        or mention["minute"]
        or patterns.of["ends"].match(text, mention.end())
    )


def _span(
    match: re.Match[str], part: PartOfDay | None, patterns: TimePatterns, *, is_after: bool
) -> Hours | None:
    """Parse a range of hours: "9am-1pm", "between 4 and 6 pm". One a.m. or p.m. may serve both.
    `is_after`: it follows another range."""
    # "Kids 5 to 9, Saturday morning" has no hours; "between 9 and 12" and "Mon-Fri 9-12" have.
    is_guess = is_after or bool(match["lead"] or match["beside"])
    end = _minutes(match, part if is_guess else None, _BEFORE if is_guess else None)
    first = patterns.of["hour"].fullmatch(match["first"])
    if end is None or first is None:
        return None
    start = _minutes(first, None)
    if start is None and first["hour"] and 1 <= int(first["hour"]) <= 12:
        start = int(first["hour"]) % 12 * 60 + int(first["minute"] or 0) + end // _NOON * _NOON
        start = start if start < end else (start + _NOON) % _DAY
    if start is None:
        return None
    # "Saturday 5-7" is the evening: no place gives out food so early.
    is_late = is_guess and not match["half"] and start < _EARLIEST and end <= _EARLY_END
    return (start + _NOON, end + _NOON) if is_late else (start, end)


def _all_minutes(
    matches: Iterable[re.Match[str]], part: PartOfDay | None, halves: _Halves
) -> list[int]:
    return [n for match in matches if (n := _minutes(match, part, halves)) is not None]


def _minutes(
    match: re.Match[str], part: PartOfDay | None, halves: _Halves | None = None
) -> int | None:
    """Return an hour as minutes since midnight; None if morning and evening are both possible.

    `halves`: the hours taken as afternoon and as morning without a.m. or p.m.; 12 is noon.
    """
    if match["hour"] is None:
        return _NOON
    hour, minute, half = int(match["hour"]), int(match["minute"] or 0), match["half"]
    if hour > 23 or (half and not 1 <= hour <= 12):
        return None
    if hour > 12:
        return hour * 60 + minute if match["minute"] else None
    if half is None and part is not None and hour == 12 and part.before == _NOON:
        return _NOON  # "12 de la mañana"
    if half is None and part is not None:
        minutes = hour % 12 * 60 + minute + (0 if part.before <= _NOON else _NOON)
        # "12 at night" is not an evening hour.
        return minutes if minutes >= part.after else None
    if half is None and halves is not None:
        afternoon, morning = halves
        if hour in afternoon or hour == 12:
            half = "pm"
        elif hour in morning:
            half = "am"
    return None if half is None else (hour % 12 + 12 * (half == "pm")) * 60 + minute


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
    times = list[AskedTime]()
    for time in (each or whole).each:
        if time.after is None or time.before is None or time.before > time.after:
            times.append(time)
        else:
            # No single hour is "before 10 or after 5".
            times += [time._replace(after=None), time._replace(before=None)]
    return times[0]._replace(others=tuple(times[1:]))


def _each_with_its_hours(words: str, text: str, patterns: TimePatterns) -> AskedTime | None:
    """Return days with different hours; None if they share them.

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
        every_day = [*(pattern for pattern, _ in patterns.days), *patterns.ahead.values()]
        every_day += [patterns.of["today"], patterns.of["other_day"]]
        # An hour next to a day that is only mentioned is not today's.
        if (hours is None and not parts) or any(day.search(words) for day in every_day):
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


def at_clock(soon: Soon, there: datetime) -> AskedTime:
    """Convert a relative time to the clock at a place; it ends at midnight."""
    start = there + timedelta(minutes=soon.after)
    after = minutes_of(start)
    days = (start.date() - there.date()).days
    return AskedTime((), days or None, after, min(after + soon.before - soon.after, DAY_MINUTES))
