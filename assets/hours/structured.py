"""Reads dated slots ("2023-07-18 11:00AM-01:00PM ..."), as booking systems export them."""

import re
from datetime import date

from assets.hours.times import CannotTell, Clock, as_text, span_of
from schemas.hours.schedule import Schedule

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
        try:
            date.fromisoformat(day)
        except ValueError as error:
            raise CannotTell(f"no such date: {day}") from error
        start = Clock(int(hour), int(minute), half and half.lower(), is_exact=half is None)
        end = Clock(
            int(to_hour), int(to_minute), to_half and to_half.lower(), is_exact=to_half is None
        )
        opens, closes = span_of(start, end, is_24=half is None)
        # Return the booking system's remark; appointments get the directory's fixed phrase.
        words = (note or "").strip(" []").lower()
        slots[
            day, opens, closes, ("by appointment" if "appointment" in words else words or None)
        ] = None
        at = match.end()
    return [
        Schedule(as_text(opens), as_text(closes), valid_from=day, valid_to=day, description=note)
        for day, opens, closes, note in sorted(slots, key=lambda slot: (slot[:3], slot[3] or ""))
    ]


def without_past_slots(text: str, today: date) -> str:
    """Return a list of dated slots without slots before a day; any other text unchanged."""
    lines = text.splitlines()
    if all(_DATED_LINE.match(line) for line in lines):
        return "\n".join(line for line in lines if line.lstrip() >= today.isoformat())
    slots = list(_SLOT.finditer(text))
    if "".join(slot[0] for slot in slots) != text:
        return text
    return "\n".join(slot[0].strip() for slot in slots if slot[1] >= today.isoformat())
