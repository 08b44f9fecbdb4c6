"""What the words of a text become before they are schedules: clauses with their spans, and what closes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date

from assets.hours.atoms import RawSpan, Season
from assets.hours.days import Days
from assets.hours.times import CannotTell, Clock, Span


@dataclass(slots=True)
class Timed:
    """A span with the label and the visitors it is for."""

    raw: RawSpan | Span
    label: str | None = None
    who: str | None = None
    service: str | None = None


@dataclass(slots=True)
class Clause:
    """Days with their spans. Without spans it needs a remark ("Fridays by appointment") or is closed."""

    days: Days | None = None
    dates: list[date] = field(default_factory=list)
    spans: list[Timed] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    season: Season | None = None
    is_closed: bool = False

    @property
    def has_days(self) -> bool:
        return self.days is not None or bool(self.dates)


@dataclass(slots=True)
class Closures:
    """What the text takes away from the clauses."""

    days: list[Days] = field(default_factory=list)
    seasons: list[Season] = field(default_factory=list)
    holidays: list[str] = field(default_factory=list)
    pauses: list[tuple[Clause, RawSpan | Span]] = field(default_factory=list)
    times: list[tuple[Days, RawSpan | Span]] = field(default_factory=list)


def close_named_days(clauses: list[Clause], closures: Closures) -> None:
    """ "Mon-Fri 9-5; Wed closed", "Tue 9-12; last Tue closed": days said to be closed that others open.

    Raises CannotTell where open and closed days contradict each other.
    """
    opened = [clause.days.weekdays for clause in clauses if clause.days and not clause.is_closed]
    for days in (clause.days for clause in clauses if clause.days and clause.is_closed):
        if days.part:
            raise CannotTell("closed for a part of the day")
        if not days.is_weekly:
            closures.days.append(days)
        elif named := [weekdays for weekdays in opened if weekdays & days.weekdays]:
            if not all(days.weekdays < weekdays for weekdays in named):
                raise CannotTell("open and closed on one day")
            closures.days.append(days)


def with_own_end(clause: Clause, days: Days, times: Clock | RawSpan) -> Clause:
    """ "Mon-Fri 9-4 (Tue until 6)", "(Tue 9-6)": a clause for these days, taken from the other.

    Hours that begin at another time, or on days that were not named, may be those of something else.
    """
    raw = clause.spans[0].raw if len(clause.spans) == 1 else None
    if not clause.days or not isinstance(raw, RawSpan) or days.part:
        raise CannotTell("days in parentheses")
    own = times if isinstance(times, RawSpan) else RawSpan(raw.start, times)
    left = tuple(day for day in clause.days.days if day.weekday not in days.weekdays)
    is_part = days.weekdays < clause.days.weekdays and own.start == raw.start
    if not (is_part and days.is_weekly and clause.days.is_weekly):
        raise CannotTell("days in parentheses")
    clause.days = replace(clause.days, days=left)
    return replace(clause, days=days, spans=[replace(clause.spans[0], raw=own)], remarks=[])
