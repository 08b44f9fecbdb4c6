"""Opening hours of a place day by day, in words."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from schemas.hours.clock_words import capital, full_date, join_words, span
from schemas.hours.opening import Span, spans_by_day
from schemas.hours.recurrence import DAY_MINUTES
from schemas.hours.schedule import Schedule
from serving.render.words import Language, words
from warehouse.index.reader import OpenRelease

DAYS = 7


class DayHours(NamedTuple):
    """A day of the coming week. `hours` is None if unknown."""

    name: str
    hours: str | None
    is_open: bool
    is_today: bool


def week_of(
    release: OpenRelease, row: int, now: datetime, language: Language
) -> list[DayHours] | None:
    """Return the coming seven days of a place, today first; None if no day's hours are known.

    Uses its timetable regardless of age; callers show the age. A report of "closed today" overrides
    it.
    """
    timetable = release.timetable(row)
    if timetable is None or release.is_confidential[row]:
        return None
    schedules, timezone = timetable
    today = now.astimezone(ZoneInfo(timezone)).date()
    days = spans_by_day(schedules, timezone, today, DAYS)
    report = release.reported_state(row, now)
    if report is not None and report.status == "closed":
        days[0] = []
    if all(spans is None for spans in days):
        return None
    week = []
    for n, spans in enumerate(days):
        day = capital(full_date(today + timedelta(days=n), language))
        hours = None if spans is None else spans_in_words(spans, language)
        week.append(DayHours(day, hours, bool(spans), n == 0))
    return week


def hours_of_day(
    schedules: Sequence[Schedule], timezone: str, day: date, language: Language
) -> str | None:
    """Return the hours of a day in words; None if unknown."""
    spans = spans_by_day(schedules, timezone, day, 1)[0]
    return None if spans is None else spans_in_words(spans, language)


def spans_in_words(spans: Sequence[Span], language: Language) -> str:
    """Return "9 a.m. to noon and 1 p.m. to 3 p.m."; "closed" without spans."""
    if not spans:
        return str(words("place", language).closed_all_day)
    return with_unbroken_times(
        join_words([_span(opens, closes, language) for opens, closes in spans], language)
    )


def with_unbroken_times(text: str) -> str:
    """Return a text whose times stay on one line: "1 p.m."."""
    return text.replace(" a.m.", "\u00a0a.m.").replace(" p.m.", "\u00a0p.m.")


def _span(opens: datetime, closes: datetime, language: Language) -> str:
    days = (closes.date() - opens.date()).days
    first, last = opens.hour * 60 + opens.minute, closes.hour * 60 + closes.minute
    return span(first, last + days * DAY_MINUTES, language)
