"""Reader for calendars of distributions (iCalendar, RFC 5545): one row per place of events."""

from datetime import date, datetime
from typing import Any

import icalendar
import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading_records import records_frame
from schemas.hours.recurrence import NAME_OF_WEEKDAY

_ORDINALS = {"1": "1st", "2": "2nd", "3": "3rd", "4": "4th", "5": "5th", "-1": "last"}


def read_calendar(file: RawFile) -> pd.DataFrame:
    """Return one row per summary and location with `hours` of all its events, in file order.

    A weekly or monthly rule that goes on is written as such ("every Tuesday 10:00-12:00", "2nd
    Saturday of the month 09:00-11:00"), everything else as dates. Cancelled events are left out.
    Raises UnreadableFileError for a file that is no calendar.
    """
    try:
        calendar = icalendar.Calendar.from_ical(file.read_bytes())
    except ValueError as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    records: dict[tuple[str, str], dict[str, Any]] = {}
    for event in calendar.walk("VEVENT"):
        if str(event.get("STATUS", "")).upper() == "CANCELLED":
            continue
        name, place = str(event.get("SUMMARY", "")), str(event.get("LOCATION", ""))
        record = records.setdefault((name, place), _record(event))
        line = _hours(event)
        if line and line not in record["lines"]:
            record["lines"].append(line)
    rows = [{**r, "hours": "; ".join(r["lines"]), "lines": None} for r in records.values()]
    return records_frame(rows, file)


def _record(event: icalendar.Component) -> dict[str, Any]:
    geo = event.get("GEO")
    return {
        "uid": str(event.get("UID", "")),
        "summary": str(event.get("SUMMARY", "")),
        "location": str(event.get("LOCATION", "")),
        "description": str(event.get("DESCRIPTION", "")),
        "url": str(event.get("URL", "")),
        "latitude": geo.latitude if geo else None,
        "longitude": geo.longitude if geo else None,
        "lines": [],
    }


def _hours(event: icalendar.Component) -> str | None:
    start = event.decoded("DTSTART", None)
    end = event.decoded("DTEND", None)
    if not isinstance(start, date):
        return None
    times = f"{start:%H:%M}" if isinstance(start, datetime) else ""
    times += f"-{end:%H:%M}" if times and isinstance(end, datetime) else ""
    rule = event.get("RRULE")
    days = _describe_rule(rule, start) if rule else f"{start:%Y-%m-%d}"
    return f"{days} {times}".strip() if days else None


def _describe_rule(rule: Any, start: date) -> str | None:
    """Write a rule in words; one that has other parts is left to the notes (None)."""
    readable_parts = {"FREQ", "BYDAY", "INTERVAL", "WKST"}
    if set(rule) - readable_parts or int((rule.get("INTERVAL") or [1])[0]) != 1:
        return f"{start:%Y-%m-%d}"
    frequency = str(rule["FREQ"][0])
    codes = [str(day) for day in rule.get("BYDAY") or []]
    if frequency == "WEEKLY":
        names = [NAME_OF_WEEKDAY[code] for code in codes if code in NAME_OF_WEEKDAY]
        return f"every {', '.join(names or [f'{start:%A}'])}"
    days = [describe_weekday(code.removeprefix("+")) for code in codes]
    if frequency == "MONTHLY" and days and all(day and " " in day for day in days):
        return f"{', '.join(filter(None, days))} of the month"
    return f"{start:%Y-%m-%d}"


def describe_weekday(code: str) -> str | None:
    """Return a weekday of RFC 5545 in words, "2nd Saturday" for "2SA"; None for another text."""
    count, day = code[:-2], NAME_OF_WEEKDAY.get(code[-2:])
    if day is None or (count and count not in _ORDINALS):
        return None
    return f"{_ORDINALS[count]} {day}" if count else day
