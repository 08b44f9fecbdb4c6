"""Writes hours in a machine's notation as text: JSON (schema.org, one value per weekday) and
recurrence rules of iCalendar. Notation that it does not understand stays as it is. Reads dated
slots of booking systems."""

import json
import re
from collections.abc import Iterator
from datetime import date, datetime

from assets.hours.times import CannotTell, Clock, RawSpan, as_text, read_span
from schemas.hours.schedule import Schedule

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMES_OF_DAYS = frozenset(
    (*_WEEKDAYS, *(day[:3] for day in _WEEKDAYS), "tues", "thur", "thurs", "wednes")
)
_DAY_KEYS = ("dayofweek", "day", "days", "weekday")
_OPEN_KEYS = ("opens", "open", "start", "from", "opens_at")
_CLOSE_KEYS = ("closes", "close", "end", "to", "closes_at")
_CLOSED_KEYS = ("closed", "isclosed", "is_closed")
# schema.org: a day that opens and closes at midnight is closed.
_MIDNIGHT = re.compile(r"0?0:?00(?::00)?")

_RULE = re.compile(r"(?:RRULE:)?\bFREQ=\w+(?:;[A-Z]+=[\w,+-]+)*;?")
_DAY = re.compile(r"([1-5]|-1|)(MO|TU|WE|TH|FR|SA|SU)")
_INSTANT = re.compile(r"DT(START|END)(?:;TZID=[\w/]+)?[:=](\d{8}T\d{4})00\b;?")
_NTH = {"": "", "1": "1st ", "2": "2nd ", "3": "3rd ", "4": "4th ", "5": "5th ", "-1": "last "}


def write_as_text(text: str) -> str:
    """Return the text of hours in JSON or in a recurrence rule; any other text is unchanged."""
    try:
        if text.lstrip()[:1] in ("{", "["):
            return "; ".join(_parts(json.loads(text if '"' in text else text.replace("'", '"'))))
        return _text_of_rule(text) if "FREQ=" in text else text
    except (LookupError, RecursionError, TypeError, ValueError):
        return text


def _parts(value: object) -> Iterator[str]:
    """Yield the hours of a value. Raises LookupError or ValueError for members not understood."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _parts(item)
    else:
        fields = _fields(value)
        if fields.keys() <= _NAMES_OF_DAYS:
            yield from (f"{day}: {_times(times)}" for day, times in fields.items())
        elif len(fields) == 1 and "hours" in min(fields):
            yield from _parts(fields.popitem()[1])
        else:
            raw_days = _take(fields, _DAY_KEYS)
            days = raw_days if isinstance(raw_days, list) else [raw_days]
            names = ", ".join(str(day).rpartition("/")[2] for day in days)
            yield f"{names}: {_times(fields)}"


def _fields(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError("no hours")
    return {str(key).lower(): item for key, item in value.items() if str(key)[:1] != "@"}


def _take(fields: dict[str, object], keys: tuple[str, ...]) -> object:
    """Remove a field and return its value. Raises LookupError if the fields have none of the
    keys."""
    return fields.pop(min(fields.keys() & {*keys}, default=keys[0]))


def _times(value: object) -> str:
    """Return the times of a day. Raises LookupError or ValueError for members not understood."""
    if not value:
        return "closed"
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ", ".join(_times(item) for item in value)
    fields = _fields(value)
    if not fields.keys().isdisjoint(_CLOSED_KEYS) and _take(fields, _CLOSED_KEYS) is True:
        return "closed"
    ends = [str(_take(fields, keys)) for keys in (_OPEN_KEYS, _CLOSE_KEYS)]
    if fields:
        raise ValueError("members not understood")
    return "closed" if all(map(_MIDNIGHT.fullmatch, ends)) else "-".join(ends)


def _text_of_rule(text: str) -> str:
    """Return a text with its rule and its first instant in words. Raises LookupError or ValueError
    for a rule with other parts, such as an end."""
    instants = dict(_INSTANT.findall(text))
    rule = _RULE.search(text)
    if rule is None:
        raise ValueError("no rule")
    words = _words_of_rule(rule[0].removeprefix("RRULE:").strip(";"))
    rest = _INSTANT.sub(" ", text.replace(rule[0], " "))
    if not instants:
        return f"{words} {rest}"
    start = datetime.strptime(instants["START"], "%Y%m%dT%H%M")
    end = f"-{instants['END'][-4:-2]}:{instants['END'][-2:]}" if "END" in instants else ""
    return f"Starting {start:%B %-d, %Y}: {words} {start:%H:%M}{end} {rest}"


def _words_of_rule(rule: str) -> str:
    parts = dict(part.split("=") for part in rule.split(";"))
    days = [_DAY.fullmatch(day) for day in parts.pop("BYDAY", "").split(",")]
    frequency, interval = parts.pop("FREQ"), parts.pop("INTERVAL", "1")
    hour, minute = parts.pop("BYHOUR", ""), parts.pop("BYMINUTE", "00")
    parts.pop("WKST", None)
    if parts or interval not in ("1", "2") or (interval == "2" and frequency != "WEEKLY"):
        raise ValueError("parts not understood")
    if frequency == "DAILY":
        words = "daily"
    else:
        is_nth = frequency == "MONTHLY"
        names = [f"{_NTH[day[1]]}{day[2]}" for day in days if day and bool(day[1]) is is_nth]
        if frequency not in ("WEEKLY", "MONTHLY") or len(names) < len(days):
            raise ValueError("days not understood")
        words = ("every other " if interval == "2" else "") + ", ".join(names)
    return f"{words} {int(hour):02d}:{int(minute):02d}" if hour else words


# Dated slots ("2023-07-18 11:00AM-01:00PM ..."), as booking systems export them.
_DATED_LINE = re.compile(r"\s*\d{4}-\d\d-\d\d\b")
_SLOT = re.compile(
    r"\s*(\d{4}-\d\d-\d\d)[ T]+(\d{1,2}):(\d\d)(?::\d\d)?\s?([AaPp][Mm])?\s*-\s*"
    r"(\d{1,2}):(\d\d)(?::\d\d)?\s?([AaPp][Mm])?\s*(?:\"([^\"]*)\")?[\s,;]*"
)


def read_dated_schedules(text: str) -> list[Schedule] | None:
    """Return one schedule for each slot, in the order of dates; None for any other text.

    Impossible slots (closing before opening, no such day) make the whole list unreadable:
    CannotTell.
    """
    slots: dict[tuple[str, int, int, str | None], None] = {}
    at = 0
    while at < len(text):
        match = _SLOT.match(text, at)
        if match is None:
            return None
        day, *times, note = match.groups()
        try:
            date.fromisoformat(day)
        except ValueError as error:
            raise CannotTell(f"no such date: {day}") from error
        start, end = (
            Clock(int(hour), int(minute), half and half.lower(), is_exact=half is None)
            for hour, minute, half in (times[:3], times[3:])
        )
        opens, closes = read_span(RawSpan(start, end), is_24=start.half is None)
        # Return the booking system's remark; appointments get the directory's fixed phrase.
        words = (note or "").strip(" []").lower()
        remark = "by appointment" if "appointment" in words else words or None
        slots[day, opens, closes, remark] = None
        at = match.end()
    return [
        Schedule(as_text(opens), as_text(closes), valid_from=day, valid_to=day, description=note)
        for day, opens, closes, note in sorted(slots, key=lambda slot: (slot[:3], slot[3] or ""))
    ]


def drop_past_slots(text: str, today: date) -> str:
    """Return a list of dated slots without slots before a day; any other text unchanged."""
    lines = text.splitlines()
    if all(_DATED_LINE.match(line) for line in lines):
        return "\n".join(line for line in lines if line.lstrip() >= today.isoformat())
    slots = list(_SLOT.finditer(text))
    if "".join(slot[0] for slot in slots) != text:
        return text
    return "\n".join(slot[0].strip() for slot in slots if slot[1] >= today.isoformat())
