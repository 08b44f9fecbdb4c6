"""Clauses of a text with their spans, and its closures: the stage before schedules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date

from assets.hours.atoms import RawSpan
from assets.hours.days import Days
from assets.hours.seasons import Season
from assets.hours.times import CannotTell, Clock, Span, span_of
from schemas.hours.schedule import FEDERAL_HOLIDAYS, MAJOR_HOLIDAYS_ONLY, UNDATED_SEASONS

# Remarks that are in place of times: "Fridays by appointment".
_HOW_TO_KNOW = frozenset({"by appointment", "or by appointment", "call first", "call for details"})


@dataclass(slots=True)
class Timed:
    """A span with the label and the visitors it is for."""

    raw: RawSpan | Span
    label: str | None = None
    who: str | None = None
    service: str | None = None


@dataclass(slots=True)
class Clause:
    """Days with their spans. Without spans it needs a remark ("Fridays by appointment") or is
    closed.
    """

    days: Days | None = None
    dates: list[date] = field(default_factory=list)
    spans: list[Timed] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    season: Season | None = None
    is_closed: bool = False
    weekday: int | None = None  # of all the dates: "Saturdays Jan 3 and 10, 2026"
    is_season_last: bool = False  # the season was after the times and ends with them

    @property
    def has_days(self) -> bool:
        return self.days is not None or bool(self.dates)

    @property
    def is_told(self) -> bool:
        """True if it says when, or how to find out."""
        return bool(self.spans) or not _HOW_TO_KNOW.isdisjoint(self.remarks)


@dataclass(slots=True)
class Closures:
    """Closures of the clauses. `last` is what was closed last: days, dates or a holiday."""

    days: list[Days] = field(default_factory=list)
    seasons: list[Season] = field(default_factory=list)
    holidays: list[str] = field(default_factory=list)
    pauses: list[tuple[Clause, RawSpan | Span]] = field(default_factory=list)
    times: list[tuple[Days, RawSpan | Span]] = field(default_factory=list)
    in_season: list[tuple[Days, Season | None]] = field(default_factory=list)
    last: str | None = None

    def close_days(self, days: Days, *, after: Clause | None, is_listed: bool) -> None:
        """Close days. `is_listed` says that something else was closed just before them.

        "Closed July, 2nd Fridays", "closed Labor Day Monday": not every such day.
        """
        if days.part:
            raise CannotTell("closed for a part of the day")
        if is_listed and self.last in ("dates", "holiday"):
            raise CannotTell("closed on some days of some dates")
        self.days.append(days)
        self.in_season.append((days, after.season if after else None))
        self.last = "days"

    def close_season(self, season: Season, *, is_listed: bool) -> None:
        """Close dates; "closed Fridays in July" closes neither all Fridays nor all of July."""
        if is_listed and self.last == "days":
            raise CannotTell("closed on some days of some dates")
        self.seasons += season.each
        self.last = "dates"

    def close_date(self, day: date, *, is_listed: bool) -> None:
        """Close one day; "closed Friday, Nov 27, 2026" closes no other Friday."""
        if is_listed and self.last == "days" and self.days:
            if not (self.days[-1].is_weekly and self.days[-1].weekdays == {day.weekday()}):
                raise CannotTell("the date is another weekday")
            self.days.pop()
            self.in_season.pop()
            self.last = "dates"
        self.close_season(Season(day.isoformat(), day.isoformat()), is_listed=is_listed)

    def close_holiday(self, name: str) -> None:
        """Close holidays."""
        self.holidays.append(name)
        self.last = "holidays" if name in (FEDERAL_HOLIDAYS, MAJOR_HOLIDAYS_ONLY) else "holiday"


def close_named_days(clauses: list[Clause], closures: Closures) -> None:
    """Close days that others open: "Mon-Fri 9-5; Wed closed", "Tue 9-12; last Tue closed".

    Raises CannotTell where open and closed days contradict each other.
    """
    _refuse_closed_in_season(clauses, closures)
    _refuse_shut_clauses(clauses, closures)
    _refuse_also_by_appointment(clauses)
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


def _refuse_shut_clauses(clauses: list[Clause], closures: Closures) -> None:
    """Refuse hours on days that were excluded: "Mon-Fri except Wed 9-5; Wed 1-5"."""
    shut = {day.weekday for days in closures.days if days.is_weekly for day in days.days}
    if any(
        clause.days and clause.days.days and clause.days.weekdays <= shut
        for clause in clauses
        if not clause.is_closed
    ):
        raise CannotTell("open and closed on one day")


def _refuse_also_by_appointment(clauses: list[Clause]) -> None:
    """Refuse "Mon-Fri 9-5; Fri by appointment only": Friday's hours may or may not remain."""
    timed = {
        day for clause in clauses if clause.days and clause.spans for day in clause.days.weekdays
    }
    for clause in clauses:
        is_open = (
            clause.days is not None and not clause.spans and "by appointment" in clause.remarks
        )
        if is_open and clause.days and clause.days.weekdays & timed:
            raise CannotTell("by appointment on some of the days")


def _refuse_closed_in_season(clauses: list[Clause], closures: Closures) -> None:
    """Refuse a seasonal closure: "Sept-May: Mon-Fri 9-5; June-Aug: Mon-Thu 9-3, closed Fri"
    closes no Friday in winter."""
    named = [(clause.days, clause.season) for clause in clauses if clause.days and clause.is_closed]
    for days, season in [*closures.in_season, *named]:
        for clause in clauses:
            is_opened = (
                clause.days and not clause.is_closed and clause.days.weekdays & days.weekdays
            )
            if season and is_opened and clause.season != season:
                raise CannotTell("closed in one of the seasons")


def with_own_end(clause: Clause, days: Days, times: Clock | RawSpan) -> Clause:
    """Split off days with their own end: "Mon-Fri 9-4 (Tue until 6)", "(Tue 9-6)".

    Hours that begin at another time, or on days that were not named, may be those of something
    else.
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


def span_from(
    raw: RawSpan | Span,
    *,
    is_24: bool,
    part: str | None = None,
    after: int | None = None,
    is_most_days: bool = False,
) -> Span:
    """Return the reading of a span; see `times.span_of`. Raises CannotTell when it has no single
    one."""
    if not isinstance(raw, RawSpan):
        return raw
    return span_of(
        raw.start, raw.end, is_24=is_24, part=part, after=after, is_most_days=is_most_days
    )


def without_heading(clauses: list[Clause]) -> list[Clause]:
    """Drop a heading that names all the days first: "Tues & Thu Tues 9-12, Thu 9:30-12:30"."""
    if len(clauses) < 2:
        return clauses
    heading, rest = clauses[0], clauses[1:]
    if heading.spans or heading.remarks or heading.is_closed or not heading.days:
        return clauses
    named = frozenset().union(*(clause.days.weekdays for clause in rest if clause.days))
    is_said_again = rest[0].days == heading.days
    is_all = named == heading.days.weekdays or is_said_again
    return rest if heading.days.is_weekly and is_all else clauses


def are_seasonal(clauses: list[Clause]) -> bool:
    """Return whether every clause has a season: another may have its own then."""
    return all(clause.season for clause in clauses)


def refuse_lost_season(before: str | None, after: str) -> None:
    """Refuse "School days: clinic 9-12": one name must not displace the season."""
    is_one_season = (before in UNDATED_SEASONS) != (after in UNDATED_SEASONS)
    if before is not None and is_one_season:
        raise CannotTell("a season and a service")
