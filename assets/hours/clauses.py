"""Clauses: days with their spans, the stage before schedules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date

from assets.hours.atoms import RawSpan
from assets.hours.days import Days
from assets.hours.seasons import Season
from assets.hours.times import ROUND_THE_CLOCK, CannotTell, Clock, Span, span_of
from schemas.hours.schedule import UNDATED_SEASONS

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
    def is_named_only(self) -> bool:
        """True if nothing is known of its days yet."""
        return bool(self.days) and not (self.is_closed or self.spans or self.remarks)

    @property
    def has_times_or_contact(self) -> bool:
        """True if it says when it is open, or how to find out."""
        return bool(self.spans) or not _HOW_TO_KNOW.isdisjoint(self.remarks)


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


def narrow(days: Days, named: Days, spans: int) -> Days:
    """Return days narrowed to weeks of the same weekdays: "Th 9-11 (1st & 3rd Thursday)".

    `spans` is the number of spans that the days have.
    """
    if set(named.days) == set(days.days):
        return days  # said again, in the other language
    if spans > 1:
        raise CannotTell("weeks for one of the times")
    if named.is_weekly or named.weekdays != days.weekdays or not days.is_weekly:
        raise CannotTell("days in parentheses")
    return replace(named, part=days.part)


def refuse_incomplete(clauses: list[Clause]) -> None:
    """Refuse clauses without days, without times, or both round the clock and not."""
    for clause in clauses:
        raws = [timed.raw for timed in clause.spans]
        if ROUND_THE_CLOCK in raws and len(raws) > 1:
            raise CannotTell("round the clock and not")
        if not clause.has_days:
            raise CannotTell("times without days")
        if not (clause.has_times_or_contact or clause.is_closed):
            raise CannotTell("days without times")


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
