"""Reads days and hours that a question asks for.

"Free groceries Saturday", "pantry open tomorrow after 5", "despensa por la tarde". A wrong day is
worse than none: an ambiguous day is left out.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from serving.search.language.time_patterns import PartOfDay, TimePatterns, time_patterns

_EXACT = re.compile(
    r"(?<![\d:$.,/-])(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d))? ?(?P<half>[ap]m)\b(?! i\b)"
)
_DIGITS = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_NOON, _DAY = 720, 1440
# Without "a.m." or "p.m." nobody means the night: after 1 to 7 is the afternoon, after 8 to 11 the
# morning; before 1 to 6 is the afternoon. The answer says how it was read.
_AFTER_NOON, _BEFORE_NOON = range(1, 8), range(1, 7)
_EARLIEST, _EARLY_END = 420, 540
_FIRST_LETTERS = ("monlun", "tuemar", "wedmie", "thujue", "frivie", "satsab", "sundom")
_JUST_NO = frozenset({"not", "no", "ni"})
_EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)


class AskedTime(NamedTuple):
    """Days and hours that a question names, by the clock of the place.

    `weekdays` are coming ones (0 is Monday), today included; `days_ahead` counts from today;
    without either it is today. `after` and `before` are minutes since midnight, None where none is
    named. `parts` of the day are those named without an hour. Where no day is named any will do,
    and `weekdays` are all. `others` are days with hours of their own: "Monday before 10, Thursday
    after 3".
    """

    weekdays: tuple[int, ...] = ()
    days_ahead: int | None = None
    after: int | None = None
    before: int | None = None
    parts: tuple[str, ...] = ()
    others: tuple[AskedTime, ...] = ()

    @property
    def each(self) -> tuple[AskedTime, ...]:
        """Days that share their hours, one after the other."""
        return (self._replace(others=()), *self.others)

    @property
    def hours(self) -> tuple[int | None, int | None, tuple[str, ...]]:
        return self.after, self.before, self.parts

    @property
    def is_today(self) -> bool:
        return not self.weekdays and self.days_ahead is None

    @property
    def is_any_day(self) -> bool:
        return self.weekdays == _EVERY_DAY


def time_of(words: str, text: str) -> AskedTime | None:
    """Return the days and hours of a question; None where it names none.

    `words` are its words in their right spelling, names and numbers as `#`; `text` is the question
    itself, folded.
    """
    known = time_patterns()
    text = known.in_words.sub(lambda m: _write_in_digits(m[0], known), text)
    of_clock = (_DIGITS, known.noon, known.range)
    is_named = any(p.search(text) for p in of_clock) or known.named.search(words)
    if not is_named or known.unclear.search(text):
        return None
    words = _write_days_out(words, known)
    whole = _days_and_hours(words, text, known)
    if whole is None:
        return None
    found = known.range.search(text)
    each = None if found and found["begin"] else _each_with_its_hours(words, text, known)
    first, *others = [part for time in (each or whole).each for part in _in_order(time)]
    return first._replace(others=tuple(others))


def _write_in_digits(text: str, known: TimePatterns) -> str:
    return known.hour_word.sub(lambda m: str(known.hours_in_words[m[0]]), text)


def _in_order(time: AskedTime) -> tuple[AskedTime, ...]:
    """Return one time, or two for "before 10 or after 5", which no hour is both."""
    if time.after is None or time.before is None or time.before > time.after:
        return (time,)
    return time._replace(after=None), time._replace(before=None)


def _each_with_its_hours(words: str, text: str, known: TimePatterns) -> AskedTime | None:
    """Return days of which each has hours of its own; None where they share them.

    A day without hours has those of the next day that has some, if there is one: "Monday or
    Thursday after 3". "Thursday after 3 or Saturday" says nothing of the hours of Saturday; "after
    3 on Thursday or Saturday" does. "Today or tomorrow" are two days, "tomorrow, Saturday" is one.
    """
    by_word, by_text = _cut(words, known), _cut(text, known)
    if len(by_word) != len(by_text) or len(by_word) < 2:
        return None
    found = [_days_and_hours(*said, known) for said in zip(by_word, by_text, strict=True)]
    times = [one for time in found if time is not None for one in time.each]
    if None in found or any(time.is_any_day for time in times):
        return None
    is_relative = any(time.days_ahead is not None or time.is_today for time in times)
    # "Mondays and Tuesdays they are closed": what is said of both is seen in the whole alone.
    if {day for time in times for day in time.weekdays} != set(_weekdays(words, text, known)):
        return None
    if _begins_with_hours(by_word[0], by_text[0], known):
        times[-1] = times[-1] if any(times[-1].hours) else _with_hours(times[-1], times[0].hours)
    hours = times[-1].hours
    for n, time in reversed(list(enumerate(times))):
        hours = time.hours if any(time.hours) else hours
        times[n] = _with_hours(time, hours)
    is_either = is_relative and any(match["or"] for match in known.joined.finditer(words))
    if all(time.hours == hours for time in times) and not is_either:
        return None
    return times[0]._replace(others=tuple(times[1:]))


def _with_hours(
    time: AskedTime, hours: tuple[int | None, int | None, tuple[str, ...]]
) -> AskedTime:
    return time._replace(after=hours[0], before=hours[1], parts=hours[2])


def _begins_with_hours(words: str, text: str, known: TimePatterns) -> bool:
    """Return whether the hours stand before the first day: they are those of every day."""
    days = [m.start() for pattern, _ in known.days for m in pattern.finditer(words)]
    raw = known.day.search(text)
    if not days or raw is None:
        return False
    has_part = any(part.pattern.search(words[: min(days) + 1]) for part in known.parts)
    return has_part or bool(_hours(text[: raw.start()], None, known))


def _cut(said: str, known: TimePatterns) -> list[str]:
    """Cut before each day that follows a pause, "or", or "and"."""
    places = [match.end() for match in known.joined.finditer(said)]
    return [f" {said[a:b].strip()} " for a, b in pairwise([0, *places, len(said)])]


def _days_and_hours(words: str, text: str, known: TimePatterns) -> AskedTime | None:
    weekdays = _weekdays(words, text, known)
    ahead = next(
        (n for n, pattern in known.ahead.items() if _is_asked(words, pattern, known)), None
    )
    is_today = _is_asked(words, known.today, known)
    # The "to Friday" of "Monday to Friday after 5" says nothing of the hour.
    words_left, text_left = (
        known.range.sub(lambda m: "#" * len(m[0]), said) for said in (words, text)
    )
    parts = [part for part in known.parts if _is_asked(words_left, part.pattern, known)]
    hours, *others = _hours(text_left, parts[0] if len(parts) == 1 else None, known) or [None]
    if not weekdays and ahead is None and not is_today:
        if (hours is None and not parts) or _names_day(words, known):
            return None
        weekdays = _EVERY_DAY
    # "Tomorrow, Saturday" is one day: which one, only the calendar of the place knows.
    days = () if ahead is not None else weekdays
    if hours is not None:
        more = (AskedTime(days, ahead, *one) for one in others if one is not None)
        return AskedTime(days, ahead, *hours, others=tuple(more))
    if not parts:
        return AskedTime(days, ahead)
    names = tuple(dict.fromkeys(part.name for part in parts))
    return AskedTime(days, ahead, min(p.after for p in parts), max(p.before for p in parts), names)


def _weekdays(words: str, text: str, known: TimePatterns) -> tuple[int, ...]:
    """Return the weekdays asked for; where some are only excluded ("except Sundays"), the others."""
    named = [days for pattern, days in known.days if _is_asked(words, pattern, known)]
    out = [days for pattern, days in known.days if _is_excluded(words, pattern, known)]
    found = known.range.search(text)
    if found:
        is_out = known.excluding.search(text[: found.start()].rstrip()) is not None
        if is_out or named or found["week"]:
            (out if is_out else named).append(_from_to(found))
    if out and not named:
        named = [frozenset(_EVERY_DAY)]
    return tuple(sorted(frozenset().union(*named).difference(*out)))


def _is_excluded(words: str, pattern: re.Pattern[str], known: TimePatterns) -> bool:
    return any(
        known.excluding.search(words[: mention.start()].rstrip())
        for mention in pattern.finditer(words)
    )


def has_unread_exclusion(words: str, text: str) -> bool:
    """Return whether a part of the day, tomorrow, or an hour is not wanted, or one of several days:
    no window expresses that.
    """
    known = time_patterns()
    if not (known.exclusion.search(words) or known.exclusion.search(text)):
        return False
    patterns = [*(part.pattern for part in known.parts), *known.ahead.values()]
    hours = [m for p in (known.span, known.after, known.before) for m in p.finditer(text)]
    # "Not before 10" is read as after 10.
    read = {m.end() for m in hours if not known.excluding.search(text[: m.start()].rstrip())}
    days = (m for pattern, _ in known.days for m in pattern.finditer(words))
    # "Not today" is no hurry; "any day except today" is a wish.
    out = [known.excluding.search(words[: m.start()].rstrip()) for m in known.today.finditer(words)]
    return (
        any(match and match[0].split()[0] not in _JUST_NO for match in out)
        or any(_is_excluded(words, pattern, known) for pattern in patterns)
        or any(m.end() not in read or _is_far(text, m, known) for m in hours)
        or any(words[: day.start()].endswith(", ") and _is_far(words, day, known) for day in days)
    )


def _is_far(words: str, mention: re.Match[str], known: TimePatterns) -> bool:
    """Return whether a day that is not wanted stands before: "not Monday, Thursday"."""
    return known.excluding_far.search(words[: mention.start()].rstrip()) is not None


def _from_to(found: re.Match[str]) -> frozenset[int]:
    """Return the days from one to another: "Monday to Friday", "M-F"."""
    if found["week"]:
        return frozenset(range(5))
    first, last = (
        next(n for n, letters in enumerate(_FIRST_LETTERS) if day[:3] in (letters[:3], letters[3:]))
        for day in (found["first"] or found["begin"], found["last"] or found["end"])
    )
    return frozenset((first + n) % 7 for n in range((last - first) % 7 + 1))


def _write_days_out(words: str, known: TimePatterns) -> str:
    """Return the words with short days written out where they can mean nothing else."""
    for pattern in (known.short_before, known.short_after):
        words = pattern.sub(
            lambda m: m[0].removesuffix(m["short"]) + known.short[m["short"]], words
        )
    return words


def _is_asked(words: str, pattern: re.Pattern[str], known: TimePatterns) -> bool:
    """Return whether one of the mentions of a day, or of a part of it, asks for it."""
    return any(
        not _is_spoken_of(words, mention, known)
        and not known.not_after.match(words, mention.end() + 1)
        for mention in pattern.finditer(words)
    )


def _is_spoken_of(words: str, mention: re.Match[str], known: TimePatterns) -> bool:
    """Return whether the words before show that the time is not one of service."""
    before = words[: mention.start()].rstrip()
    return any(pattern.search(before) for pattern in (known.not_before, known.excluding))


def _names_day(words: str, known: TimePatterns) -> bool:
    """Return whether a day is mentioned: an hour next to it is not one of today."""
    patterns = [pattern for pattern, _ in known.days] + [
        *known.ahead.values(),
        known.today,
        known.other_day,
    ]
    return any(pattern.search(words) for pattern in patterns)


def _hours(
    text: str, part: PartOfDay | None, known: TimePatterns
) -> list[tuple[int | None, int | None] | None]:
    """Return (after, before) in minutes as hours of the clock say, each once; none where they say
    nothing for certain."""

    def asked(pattern: re.Pattern[str]) -> list[re.Match[str]]:
        return [m for m in pattern.finditer(text) if not _is_spoken_of(text, m, known)]

    spans, end = list[tuple[int | None, int | None] | None](), 0
    for match in asked(known.span):
        # Further hours are others for the same days only if nothing is between.
        is_next = not spans or known.next_hours.fullmatch(text, end, match.start("first"))
        if is_next and (span := _span(match, part, known, is_after=bool(spans))) is not None:
            spans.append(span)
            end = match.end()
    if spans:
        return list(dict.fromkeys(spans))
    later = asked(known.after)
    # The "before 10" of "not before 10" is none.
    earlier = [m for m in asked(known.before) if all(m.end() != other.end() for other in later)]
    after = next((_minutes(m, part, _AFTER_NOON, is_guess=True) for m in later), None)
    before = next((_minutes(m, part, _BEFORE_NOON, is_guess=True) for m in earlier), None)
    if after is not None or before is not None:
        return [(after, before)]
    at = next((_minutes(m, part) for m in asked(known.at)), None)
    if at is None:
        # "Saturday 9am"
        said = [_minutes(match, part) for match in asked(_EXACT)]
        # "Sunday noon"
        said = said or [_NOON for _ in asked(known.noon)]
        at = said[0] if len(said) == 1 else None
    return [] if at is None else [(at, at + 1)]


def _span(
    found: re.Match[str], part: PartOfDay | None, known: TimePatterns, *, is_after: bool
) -> tuple[int, int] | None:
    """Read a range of hours: "9am-1pm", "between 4 and 6 pm". The half of the day may be given
    once. `is_after`: it follows another one."""
    # "Kids 5 to 9, Saturday morning" are no hours; "between 9 and 12" and "Mon-Fri 9-12" are.
    is_guess = is_after or bool(found["lead"] or found["beside"])
    end = _minutes(found, part if is_guess else None, range(1, 7), is_guess=is_guess)
    first = known.hour.fullmatch(found["first"])
    if end is None or first is None:
        return None
    start = _minutes(first, None)
    if start is None and first["hour"] and 1 <= int(first["hour"]) <= 12:
        start = int(first["hour"]) % 12 * 60 + int(first["minute"] or 0) + end // _NOON * _NOON
        start = start if start < end else (start + _NOON) % _DAY
    if start is None:
        return None
    # "Saturday 5-7" is the evening: nothing is given out so early.
    is_late = is_guess and not found["half"] and start < _EARLIEST and end <= _EARLY_END
    return (start + _NOON, end + _NOON) if is_late else (start, end)


def _minutes(
    found: re.Match[str],
    part: PartOfDay | None,
    afternoon: range = range(0),
    *,
    is_guess: bool = False,
) -> int | None:
    """Return an hour as minutes since midnight; None where morning and evening are both possible.

    As a guess, an hour that is not of `afternoon` is of the morning, and 12 is noon.
    """
    if found["hour"] is None:
        return _NOON
    hour, minute, half = int(found["hour"]), int(found["minute"] or 0), found["half"]
    if hour > 23 or (half and not 1 <= hour <= 12):
        return None
    if hour > 12:
        return hour * 60 + minute if found["minute"] else None
    if half is None and part is not None and hour == 12 and part.before == _NOON:
        return _NOON  # "12 de la mañana"
    if half is None and part is not None:
        minutes = hour % 12 * 60 + minute + (0 if part.before <= _NOON else _NOON)
        # "12 at night" is no hour of the evening.
        return minutes if minutes >= part.after else None
    if half is None and is_guess:
        half = "pm" if hour in afternoon or hour == 12 else "am"
    return None if half is None else (hour % 12 + 12 * (half == "pm")) * 60 + minute
