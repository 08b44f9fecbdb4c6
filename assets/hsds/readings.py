"""Reads texts for the HSDS tables, each distinct text once: schedules, zones, documents, fees.

HSDS has no yearly season and no closed day: a season becomes the dates of its current or next
occurrence, a closure becomes words. Every row that a reader could mistake for "open" becomes words.
Documents and fees are read only if they are stated plainly; anything else stays in the service's
`eligibility_description`: a document wrongly listed keeps a family away from food.
"""

import re
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pyarrow as pa

from assets.attributes.documents import list_papers
from schemas.hours.clock_words import day_name, month_day
from schemas.hours.recurrence import WEEKDAY_CODES, rule_of
from schemas.hours.schedule import (
    Doubt,
    Schedule,
    doubt_of,
    is_beside,
    is_doubtful_throughout,
    schedules_from_json,
)
from schemas.vocab.attributes import DOCUMENTS
from warehouse.hsds.inputs import (
    FACTS_SCHEMA,
    SPANS_SCHEMA,
    ZONES_SCHEMA,
    Readings,
    Texts,
)

_EVERY_DAY = ",".join(WEEKDAY_CODES)
_DAY_NAMES = {code: day_name(day, "en") for day, code in enumerate(WEEKDAY_CODES)}
_ORDINALS = {
    "1": "first",
    "2": "second",
    "3": "third",
    "4": "fourth",
    "5": "fifth",
    "-1": "last",
    "-2": "second to last",
}
_TEXT_KEY = "text"


def schedule_spans(texts: Iterable[str], as_of: date) -> pd.DataFrame:
    """Return the rows of every distinct `schedules_json`: columns of `SPANS_SCHEMA`.

    `span_key` distinguishes the rows of one text; it consists of the rule and its opening time, so
    that a new span changes no other's key. Dates are `date`, times "HH:MM:SS" without offset.
    `as_of` determines the year of a yearly season.
    """
    rows: list[dict[str, Any]] = []
    for text in texts:
        rows += _spans(text, as_of)
    frame = pd.DataFrame(rows, columns=SPANS_SCHEMA.names, dtype="object")
    return frame.where(frame.notna(), None)


def _spans(text: str, as_of: date) -> list[dict[str, Any]]:
    spans: dict[str, dict[str, Any]] = {}
    # Equal rules with different closing times are distinguished in a fixed order.
    schedules = schedules_from_json(text)
    is_doubtful = is_doubtful_throughout(schedules)
    for schedule in sorted(set(schedules), key=repr):
        row = _row(schedule, as_of, is_doubtful=is_doubtful)
        key = _TEXT_KEY
        if row.get("freq"):
            s = schedule
            parts = (s.freq, s.byday, s.bymonthday, s.interval, s.dtstart, s.valid_from, s.valid_to)
            key = ";".join("" if part is None else str(part) for part in parts)
            key += f":{s.opens_at or ''}"
        # A used key: the same rule and opening with another closing time, or a second text.
        free = next(k for n in count(1) if (k := key if n == 1 else f"{key}#{n}") not in spans)
        spans[free] = {"schedules_json": text, "span_key": free, **row}
    return list(spans.values())


def _row(schedule: Schedule, as_of: date, *, is_doubtful: bool) -> dict[str, Any]:
    """Return the rule with its times, or words if HSDS cannot express it."""
    if schedule.is_closed:
        return {"description": f"Closed: {in_words(schedule)}", "is_closed": True}
    # A recurrence would hide a doubt; one without times hides nothing.
    doubt = doubt_of(schedule)
    is_mistakable = doubt is not None and (
        doubt is not Doubt.TIMES or schedule.opens_at is not None
    )
    is_left_to_words = is_doubtful or is_beside(schedule) or is_mistakable
    rule = None if is_left_to_words else _rule(schedule, as_of)
    if rule is None:
        return {"description": in_words(schedule)}
    times = {"opens_at": _clock(schedule.opens_at), "closes_at": _clock(schedule.closes_at)}
    return {**rule, **times}


def _rule(schedule: Schedule, as_of: date) -> dict[str, Any] | None:
    """Return the RFC 5545 parts; None if they would not express the schedule."""
    bounds = _bounds(schedule, as_of)
    if bounds is None or not rule_of(schedule).is_readable:
        return None
    first, last = bounds
    if schedule.freq is None:
        return _date_schedule(schedule, first, last)
    names_days = bool(schedule.byday or (schedule.bymonthday and schedule.freq == "MONTHLY"))
    misses_phase = schedule.interval > 1 and not schedule.dtstart
    if not names_days or misses_phase or (schedule.bymonthday and schedule.freq == "WEEKLY"):
        return None
    begins = _first_day(schedule, first)
    never_holds = first is not None and begins is None
    if never_holds or (last and any(day and day > last for day in (begins, first))):
        return None
    season = _season_in_words(schedule) if _is_yearly(schedule) else None
    return {
        "freq": schedule.freq,
        "interval": schedule.interval,
        "byday": schedule.byday,
        "bymonthday": schedule.bymonthday,
        "dtstart": begins,
        "valid_from": first,
        "until": last,
        "description": ", ".join(text for text in (schedule.description, season) if text) or None,
    }


def _date_schedule(
    schedule: Schedule, first: date | None, last: date | None
) -> dict[str, Any] | None:
    """Return one occurrence for a single day, or every day of a bounded weekly rule for several."""
    if first is None or last is None or last < first:
        return None
    row: dict[str, Any] = {
        "freq": "WEEKLY",
        "interval": 1,
        "dtstart": first,
        "valid_from": first,
        "description": schedule.description,
    }
    if first == last:
        return {**row, "byday": WEEKDAY_CODES[first.weekday()], "count": 1}
    return {**row, "byday": _EVERY_DAY, "until": last}


def _bounds(schedule: Schedule, as_of: date) -> tuple[date | None, date | None] | None:
    """Return first and last day; of a yearly season the current or next. None: ambiguous."""
    first, last = schedule.valid_from, schedule.valid_to
    yearly = [len(bound) == 5 for bound in (first, last) if bound]
    if not any(yearly):
        return (_date(first), _date(last))
    if not all(yearly) or not first or not last:
        return None
    for year in range(as_of.year - 1, as_of.year + 2):
        start = _in_year(first, year)
        end = _in_year(last, year if last >= first else year + 1)
        if end >= as_of:
            return start, end
    return None


def _date(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _in_year(month_day: str, year: int) -> date:
    """Return a day in a year; 29 February becomes 28 February in other years."""
    month, day = int(month_day[:2]), int(month_day[3:])
    try:
        return date(year, month, day)
    except ValueError:
        return date(year, month, day - 1)


def _first_day(schedule: Schedule, first: date | None) -> date | None:
    """Return the first occurrence, required by RFC 5545 as the start of a recurrence."""
    if schedule.dtstart:
        return date.fromisoformat(schedule.dtstart)
    if first is None:
        return None
    rule = rule_of(schedule)
    days = (first + timedelta(days=n) for n in range(62))
    return next((day for day in days if rule.covers(day)), None)


def _clock(local: str | None) -> str | None:
    """Format "09:00" as "09:00:00"; the end of the day as 23:59, as in HSDS."""
    if local is None:
        return None
    return "23:59:00" if local == "24:00" else f"{local}:00"


# ------------------------------------------------------------------ words


def in_words(schedule: Schedule) -> str:
    """Return a schedule as an English phrase."""
    parts = [
        _days_in_words(schedule),
        _times_in_words(schedule),
        _season_in_words(schedule),
        schedule.description,
    ]
    return ", ".join(part for part in parts if part) or "ask for hours"


def _is_yearly(schedule: Schedule) -> bool:
    return any(len(b) == 5 for b in (schedule.valid_from, schedule.valid_to) if b)


def _days_in_words(schedule: Schedule) -> str | None:
    days = [_day_in_words(part) for part in (schedule.byday or "").split(",") if part]
    if schedule.bymonthday:
        days.append(f"day {schedule.bymonthday.replace(',', ', ')} of the month")
    if not days:
        return None
    day_list = " and ".join(days)
    unit = "month" if schedule.freq == "MONTHLY" else "week"
    if schedule.interval > 1:
        return (
            f"every {schedule.interval} {unit}s on {day_list}; the source does not say which "
            f"{unit}s"
        )
    return f"{day_list} of the month" if unit == "month" and schedule.byday else day_list


def _day_in_words(part: str) -> str:
    nth, day = part[:-2], _DAY_NAMES.get(part[-2:], part[-2:])
    return f"{_ORDINALS.get(nth, nth)} {day}" if nth else day


def _times_in_words(schedule: Schedule) -> str | None:
    if schedule.opens_at and schedule.closes_at:
        return f"{schedule.opens_at} to {schedule.closes_at}"
    if schedule.opens_at:
        return f"from {schedule.opens_at}"
    return f"until {schedule.closes_at}" if schedule.closes_at else None


def _season_in_words(schedule: Schedule) -> str | None:
    first, last = _describe_bound(schedule.valid_from), _describe_bound(schedule.valid_to)
    every = "every year " if _is_yearly(schedule) else ""
    if first and last:
        return f"on {first}" if first == last else f"{every}from {first} to {last}"
    if first:
        return f"{every}from {first}"
    return f"{every}until {last}" if last else None


def _describe_bound(bound: str | None) -> str | None:
    if bound is None:
        return None
    month, day = int(bound[-5:-3]), int(bound[-2:])
    words = month_day(month, day, "en")
    return words if len(bound) == 5 else f"{words}, {bound[:4]}"


# ------------------------------------------------------------------ zones


def zone_offsets(zones: Iterable[str], as_of: date) -> pd.DataFrame:
    """Return `tzid`, `offset_text` ("-05:00"), `offset_hours` at noon of a day, local time."""
    rows = []
    for zone in sorted(set(zones)):
        noon = datetime.combine(as_of, time(12), ZoneInfo(zone))
        delta = noon.utcoffset() or timedelta()
        minutes = round(delta.total_seconds() / 60)
        sign = "-" if minutes < 0 else "+"
        hours, rest = divmod(abs(minutes), 60)
        # Every zone of the United States is whole hours off; `offset_hours` says so by its type.
        whole = None if rest else int(f"{sign}{hours}")
        rows.append((zone, f"{sign}{hours:02d}:{rest:02d}", whole))
    return pd.DataFrame(rows, columns=["tzid", "offset_text", "offset_hours"]).astype(
        {"offset_hours": "Int64"}
    )


def read_texts(texts: Texts, as_of: date) -> Readings:
    """Return opening spans, zone offsets and requirements of distinct texts."""
    return Readings(
        spans=_arrow(schedule_spans(texts["schedules"], as_of), SPANS_SCHEMA),
        zones=_arrow(zone_offsets(texts["zones"], as_of), ZONES_SCHEMA),
        facts=_arrow(requirement_facts(texts["facts"]), FACTS_SCHEMA),
    )


def _arrow(frame: pd.DataFrame, schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pandas(frame, schema=schema, preserve_index=False)


_CLAUSE = re.compile(r"[.;\n]+\s+|[;\n]+")

_FEE = re.compile(
    r"\$|\bfees?\b|\bdues\b|\bcosts?\b|\bcharges?\b|\bpay\b|\bpurchase|\bprice"
    r"|\b(?:suggested|small) donation|\bdonation (?:of|is|requested|required|asked)\b",
    re.IGNORECASE,
)


def documents_of(text: str) -> list[str]:
    """Return documents that a text plainly requires of every visitor."""
    codes = (code for clause in _CLAUSE.split(text) for code in list_papers(clause))
    return list(dict.fromkeys(DOCUMENTS[code].en for code in codes))


def names_a_fee(text: str) -> bool:
    """Return whether a text mentions money: then "free" is not certain."""
    return _FEE.search(text) is not None


def requirement_facts(texts: Iterable[str]) -> pd.DataFrame:
    """Return `text`, `documents` (list), `has_fee` of distinct texts that state any."""
    rows = []
    for text in texts:
        documents, fee = documents_of(text), names_a_fee(text)
        if documents or fee:
            rows.append((text, documents, fee))
    return pd.DataFrame(rows, columns=["text", "documents", "has_fee"])
