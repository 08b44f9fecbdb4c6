"""Evaluates a schedule's days and minutes: yes, no, or unknown."""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import TypeVar

from schemas.hours.schedule import (
    FEDERAL_HOLIDAYS,
    HOLIDAY_HOURS,
    MAJOR_HOLIDAYS_ONLY,
    OPEN_ON_HOLIDAYS,
    SOME_HOLIDAYS,
    WEEK_OF,
    Schedule,
)
from schemas.values.us_holidays import MAJOR_HOLIDAYS, holiday_name, name_observed_holiday

T = TypeVar("T")
WEEKDAY_CODES: tuple[str, ...] = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NAME_OF_WEEKDAY: dict[str, str] = dict(zip(WEEKDAY_CODES, WEEKDAYS, strict=True))
DAY_MINUTES = 24 * 60

# Bound of a season: a date, or a month and day of every year.
Bound = date | tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rule:
    """A parsed schedule. `is_readable` is False if its parts are inconsistent."""

    schedule: Schedule
    weekdays: frozenset[int] = frozenset()
    nth_weekdays: frozenset[tuple[int, int]] = frozenset()
    month_days: frozenset[int] = frozenset()
    start: date | None = None
    first: Bound | None = None
    last: Bound | None = None
    opens: int | None = None
    closes: int | None = None
    is_readable: bool = True

    def covers(self, day: date) -> bool | None:
        """Return whether the rule covers a day; None if unknown."""
        if not self.is_readable:
            return None
        if not self.in_season(day):
            return False
        if self.schedule.freq is None:
            return True if self.first and self.last else None
        on_day: bool | None = None
        if self.schedule.freq == "MONTHLY":
            on_day = self._on_month(day)
        elif self.weekdays:
            on_day = day.weekday() in self.weekdays
        elif self.start is not None:
            on_day = day.weekday() == self.start.weekday()
        if not on_day:
            return on_day
        if self.start is None:
            return True if self.schedule.interval == 1 else None
        return day >= self.start and self._in_phase(day, self.start)

    def minutes(self) -> tuple[int, int, bool]:
        """Return first and last minute (past 1440 overnight), and whether both are certain."""
        if self.opens is None or self.closes is None:
            return self.opens or 0, self.closes or DAY_MINUTES, False
        past_midnight = DAY_MINUTES if self.closes <= self.opens else 0
        return self.opens, self.closes + past_midnight, True

    @property
    def has_times(self) -> bool:
        return self.opens is not None and self.closes is not None

    def in_season(self, day: date) -> bool:
        """Return whether a day is within the rule's bounds, regardless of weekday."""
        month_day = (day.month, day.day)
        after = self.first is None or (
            month_day >= self.first if isinstance(self.first, tuple) else day >= self.first
        )
        before = self.last is None or (
            month_day <= self.last if isinstance(self.last, tuple) else day <= self.last
        )
        if (
            isinstance(self.first, tuple)
            and isinstance(self.last, tuple)
            and self.first > self.last
        ):
            # Over New Year.
            return after or before
        return after and before

    def _on_month(self, day: date) -> bool | None:
        if not (self.weekdays or self.nth_weekdays or self.month_days):
            return None
        following = date(day.year + day.month // 12, day.month % 12 + 1, 1)
        length = (following - timedelta(days=1)).day
        if self.month_days and not self.month_days & {day.day, day.day - length - 1}:
            return False
        if not (self.weekdays or self.nth_weekdays):
            return True
        from_start = ((day.day - 1) // 7 + 1, day.weekday())
        from_end = (-((length - day.day) // 7 + 1), day.weekday())
        return day.weekday() in self.weekdays or bool(self.nth_weekdays & {from_start, from_end})

    def _in_phase(self, day: date, start: date) -> bool:
        if self.schedule.freq == "MONTHLY":
            steps = (day.year - start.year) * 12 + day.month - start.month
        else:
            monday, start_monday = _monday(day), _monday(start)
            steps = (monday - start_monday).days // 7
        return steps % self.schedule.interval == 0


@lru_cache(maxsize=65536)
def rule_of(schedule: Schedule) -> Rule:
    """Return the rule of a schedule; never raises, but marks an unreadable rule."""
    try:
        return _take_apart(schedule)
    except ValueError:
        return Rule(schedule, is_readable=False)


@lru_cache(maxsize=4096)
def _one_of_equals(days: frozenset[T]) -> frozenset[T]:
    """Return the same object for equal sets: thousands of rules share about a hundred."""
    return days


def _take_apart(schedule: Schedule) -> Rule:
    weekdays: set[int] = set()
    nth_weekdays: set[tuple[int, int]] = set()
    for part in (schedule.byday or "").split(",") if schedule.byday else ():
        nth, weekday = part[:-2], WEEKDAY_CODES.index(part[-2:])
        if nth:
            nth_weekdays.add((int(nth), weekday))
        else:
            weekdays.add(weekday)
    if schedule.interval < 1 or (nth_weekdays and schedule.freq != "MONTHLY"):
        raise ValueError("parts do not fit together")
    if schedule.freq is None and schedule.byday:
        raise ValueError("days need a frequency")
    return Rule(
        schedule,
        _one_of_equals(frozenset(weekdays)),
        _one_of_equals(frozenset(nth_weekdays)),
        _one_of_equals(
            frozenset(int(part) for part in (schedule.bymonthday or "").split(",") if part)
        ),
        date.fromisoformat(schedule.dtstart) if schedule.dtstart else None,
        _parse_bound(schedule.valid_from),
        _parse_bound(schedule.valid_to),
        minutes_of(schedule.opens_at),
        minutes_of(schedule.closes_at),
    )


def minutes_of(time: str | None) -> int | None:
    """Return minutes since midnight of "HH:MM" ("24:00" is 1440). Raises ValueError."""
    if time is None:
        return None
    hour, minute = int(time[:2]), int(time[3:])
    if len(time) != 5 or time[2] != ":" or minute > 59 or hour * 60 + minute > DAY_MINUTES:
        raise ValueError(f"not a time: {time}")
    return hour * 60 + minute


def holiday_closure(schedule: Schedule, day: date) -> bool | None:
    """Return whether a closure that names holidays covers a day; None if unknown.

    The weekday when offices observe a weekend holiday is never certain.
    """
    name, observance = holiday_name(day), name_observed_holiday(day)
    terms = [term.strip() for term in (schedule.description or "").split(",")]
    verdicts = [_closure_of_term(term, name, observance) for term in terms]
    for n, term in enumerate(terms):
        if term.startswith(WEEK_OF):
            verdicts[n] = _closure_of_week(term.removeprefix(WEEK_OF), day)
    return True if True in verdicts else None if None in verdicts else False


def is_exempt_from_holidays(schedule: Schedule) -> bool:
    """Return whether a rule states that it applies on holidays, or is for a single date."""
    return schedule.freq is None or OPEN_ON_HOLIDAYS in (schedule.description or "")


_HOLIDAY_NAMES = frozenset(
    name
    for name in (
        holiday_name(d) for d in (date(2024, 1, 1) + timedelta(days=n) for n in range(366))
    )
    if name
)


def _closure_of_term(term: str, name: str | None, observance: str | None) -> bool | None:
    if term == FEDERAL_HOLIDAYS:
        return True if name else None if observance else False
    if term == MAJOR_HOLIDAYS_ONLY:
        return True if name in MAJOR_HOLIDAYS else None if name or observance else False
    if term in (SOME_HOLIDAYS, HOLIDAY_HOURS):
        return None if name or observance else False
    if term in _HOLIDAY_NAMES:
        return True if name == term else None if observance == term else False
    return None


def _closure_of_week(holiday: str, day: date) -> bool | None:
    """Return whether a day is in the week of a holiday; a Sunday may begin or end the week."""
    monday = _monday(day)
    week = {holiday_name(monday + timedelta(days=n)) for n in range(7)}
    if holiday not in _HOLIDAY_NAMES:
        return None
    if day.weekday() != WEEKDAY_CODES.index("SU"):
        return holiday in week
    following = {holiday_name(day + timedelta(days=n)) for n in range(7)}
    return None if holiday in week | following else False


def _parse_bound(text: str | None) -> Bound | None:
    if text is None:
        return None
    if len(text) == 5 and text[2] == "-":
        date.fromisoformat(f"2024-{text}")
        return int(text[:2]), int(text[3:])
    return date.fromisoformat(text)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
