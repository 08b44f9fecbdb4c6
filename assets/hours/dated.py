"""Dated slots ("2023-07-18 11:00AM-01:00PM ..."), as booking systems export them, and the removal
of past hours."""

import json
import re
from datetime import date

import pandas as pd

from assets.hours.times import CannotTell, Clock, as_text, span_of
from schemas.hours.opening import has_ended, weekly_hours_json
from schemas.hours.schedule import Schedule, schedules_as_json, schedules_from_json

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
        day, hour, minute, half, to_hour, to_minute, to_half, note = match.groups()
        _check_date(day)
        opens, closes = _span(hour, minute, half, to_hour, to_minute, to_half)
        slots[day, opens, closes, _description(note)] = None
        at = match.end()
    return [
        Schedule(as_text(opens), as_text(closes), valid_from=day, valid_to=day, description=note)
        for day, opens, closes, note in sorted(slots, key=lambda slot: (slot[:3], slot[3] or ""))
    ]


def _check_date(day: str) -> None:
    try:
        date.fromisoformat(day)
    except ValueError as error:
        raise CannotTell(f"no such date: {day}") from error


def _span(
    hour: str, minute: str, half: str | None, to_hour: str, to_minute: str, to_half: str | None
) -> tuple[int, int]:
    start = Clock(int(hour), int(minute), half and half.lower(), is_exact=half is None)
    end = Clock(int(to_hour), int(to_minute), to_half and to_half.lower(), is_exact=to_half is None)
    return span_of(start, end, is_24=half is None)


def _description(note: str | None) -> str | None:
    """Return the booking system's remark; appointments get the directory's fixed phrase."""
    words = (note or "").strip(" []").lower()
    return "by appointment" if "appointment" in words else words or None


def without_past_slots(text: str, today: date) -> str:
    """Return a list of dated slots without slots before a day; any other text unchanged."""
    lines = text.splitlines()
    if all(_DATED_LINE.match(line) for line in lines):
        return "\n".join(line for line in lines if line.lstrip() >= today.isoformat())
    slots = list(_SLOT.finditer(text))
    if "".join(slot[0] for slot in slots) != text:
        return text
    return "\n".join(slot[0].strip() for slot in slots if slot[1] >= today.isoformat())


Hours = tuple[str | None, str | None, str | None]
_NO_HOURS: Hours = (None, None, None)


def without_past(hours: pd.DataFrame, today: date) -> pd.DataFrame:
    """Drop rules that ended before a day from `hours_text`, `schedules_json` and `hours_json`.

    If every rule has ended, drop the text too: it says when the place was open, not when it is.
    Closures alone do not count as hours.
    """
    texts = hours["schedules_json"]
    candidates = hours[texts.str.contains('"valid_to":"\\d{4}-', na=False)]
    pairs = candidates[["hours_text", "schedules_json"]].astype(object)
    unique = set(pairs.itertuples(index=False, name=None))
    replacements = {(text, rules): _drop_past(text, rules, today) for text, rules in unique}
    output = hours.copy()
    rows = [replacements[pair] for pair in pairs.itertuples(index=False, name=None)]
    for place, name in enumerate(("hours_text", "schedules_json", "hours_json")):
        values = pd.Series([row[place] for row in rows], candidates.index, dtype=object)
        output[name] = (
            output[name]
            .astype(object)
            .where(~output.index.isin(candidates.index), values)
            .astype("str")
        )
    return output


def _drop_past(text: str, schedules_json: str, today: date) -> Hours:
    schedules = schedules_from_json(schedules_json)
    rest = [schedule for schedule in schedules if not has_ended(schedule, today)]
    if all(schedule.is_closed for schedule in rest) and len(rest) < len(schedules):
        return _NO_HOURS
    weekly = weekly_hours_json(rest)
    # Rules may outlast every slot of the text by a day.
    words = (without_past_slots(text, today) or None) if isinstance(text, str) else None
    return (
        words,
        schedules_as_json(rest),
        json.dumps(weekly, separators=(",", ":")) if weekly else None,
    )
