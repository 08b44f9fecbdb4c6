"""Reads hours of the clock: "half past five", "after 4", "between 9 and 12", "in two hours"."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from serving.search.language.tables import number_words
from serving.search.language.time_patterns import PartOfDay, TimePatterns

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
