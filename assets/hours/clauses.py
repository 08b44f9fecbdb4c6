"""Clauses: days with their spans, the stage before schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum, auto

from assets.hours.days import ALL_WEEK, SUNDAY, Days
from assets.hours.lexicon import NEVER_FOOD
from assets.hours.seasons import Season
from assets.hours.times import ROUND_THE_CLOCK, Atom, AtomKind, CannotTell, Clock, RawSpan
from schemas.hours.schedule import (
    FEDERAL_HOLIDAYS,
    MAJOR_HOLIDAYS_ONLY,
    OUTSIDE_SEASON,
    UNDATED_SEASONS,
)


@dataclass(slots=True)
class NamedSpan:
    """A span with the label and the visitors it is for."""

    raw: RawSpan
    label: str | None = None
    who: str | None = None
    service: str | None = None
    in_group: bool = False


@dataclass(slots=True)
class Clause:
    """Days with their spans. Days without spans are closed or have no stated times."""

    days: Days | None = None
    dates: list[date] = field(default_factory=list)
    spans: list[NamedSpan] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    service: str | None = None  # named before the times: "Wed (school days) 3-4"
    who: str | None = None  # visitors of days without times: "Residents only: Mon. All others: Wed"
    season: Season | None = None
    is_closed: bool = False
    weekday: int | None = None  # weekday of all the dates: "Saturdays Jan 3 and 10, 2026"
    is_season_last: bool = False  # the season followed the times and ends with them
    may_pause: bool = False  # in a season named for other days
    is_after_times: bool = False  # the times before may belong to it: no mark separates them

    @property
    def has_days(self) -> bool:
        return self.days is not None or bool(self.dates)

    @property
    def weekdays(self) -> frozenset[int]:
        return self.days.weekdays if self.days else frozenset()

    @property
    def part_of_year(self) -> Season | str | None:
        """The season, with or without dates."""
        seasons = (span.service for span in self.spans if span.service in UNDATED_SEASONS)
        return self.season or next(seasons, None)

    def go_on_with_weeks_of(self, before: Clause) -> None:
        """Limit the days to some weeks, as the days before: "1st and 3rd week: Tuesdays 10-12 and
        Wednesday 12-2", "every other Tuesday 10-12, Thursday 5-7"."""
        if before.days is None or self.days is None or not self.days.is_weekly:
            return
        is_some = all(day.is_some or day.interval > 1 for day in before.days.days)
        if is_some and not (before.days.has_own_weeks or self.days.has_own_weeks):
            self.days = self.days.in_some_weeks

    def is_said_again(self, days: Days) -> bool:
        """Check for the same days at the end of the part: "Monday-Sunday 8-8, daily"."""
        if not (self.days and self.spans) or days.part:
            return False
        is_weekly = self.days.is_weekly and days.is_weekly
        return is_weekly and self.days.weekdays == days.weekdays

    def is_limited_by(self, days: Days) -> bool:
        """Check for days ending the part: "Thursday 5-8 PM 1st & 3rd Thursday of every month", "6-8
        nightly, Monday through Thursday"."""
        if not (self.days and self.spans and self.days.is_weekly):
            return False
        if days.is_weekly:
            return len(self.spans) == 1 and self.days.weekdays == ALL_WEEK.weekdays > days.weekdays
        return days.weekdays == self.days.weekdays

    @property
    def is_named_only(self) -> bool:
        """True if the clause has days but no times, remarks or closure yet."""
        return bool(self.days) and not (self.is_closed or self.spans or self.remarks)


def split_off_own_end(clause: Clause, days: Days, times: Clock | RawSpan) -> Clause:
    """Split off days with their own end: "Mon-Fri 9-4 (Tue until 6)", "(Tue 9-6)". Days in named
    weeks of the month also keep the usual hours: "Last Wed. of the month until 6".

    A day not named before gets its own hours: "Mon-Fri 9-4 (Sat 10-1)". Hours of a named day that
    begin at another time may belong to another service: these raise CannotTell.
    """
    raw = clause.spans[-1].raw if clause.spans else None
    is_of_one = len(clause.spans) == 1 or isinstance(times, Clock)
    if raw is None or raw.end is None or clause.days is None or days.part or not is_of_one:
        raise CannotTell("days in parentheses")
    own = times if isinstance(times, RawSpan) else RawSpan(raw.start, times)
    is_other = days.weekdays.isdisjoint({*clause.weekdays, SUNDAY})  # Sundays have worship
    if isinstance(times, RawSpan) and is_other:
        spans = [replace(clause.spans[0], raw=own)]
        return replace(clause, days=days, spans=spans, remarks=[*clause.remarks])
    rest = tuple(day for day in clause.days.days if day.weekday not in days.weekdays)
    is_monthly = all(day.nths for day in days.days)
    is_part = days.weekdays < clause.weekdays or (is_monthly and days.weekdays == clause.weekdays)
    is_part &= own.start == raw.start and not days.month_days
    if not (is_part and (days.is_weekly or is_monthly) and clause.days.is_weekly):
        raise CannotTell("days in parentheses")
    if not is_monthly:
        clause.days = replace(clause.days, days=rest)
    spans = [*map(replace, clause.spans[:-1]), replace(clause.spans[-1], raw=own)]
    return replace(clause, days=days, spans=spans, remarks=[])


def narrow(days: Days, weeks: Days, spans: int) -> Days:
    """Return days narrowed to weeks of the same weekdays: "Th 9-11 (1st & 3rd Thursday)".

    `spans` is the number of spans of the days.
    """
    if set(weeks.days) == set(days.days):
        return days  # repeated, in the other language
    if spans > 1:
        raise CannotTell("weeks for one of the times")
    if weeks.is_weekly or weeks.weekdays != days.weekdays or not days.is_weekly:
        raise CannotTell("days in parentheses")
    return replace(weeks, part=days.part)


def complete(clauses: list[Clause], *, may_have_heading: bool) -> list[Clause]:
    """Return all clauses of a text without its heading; hours round the clock without days apply to
    every day: "24 hours / 24 horas".

    Raises CannotTell for clauses both round the clock and not, and for times without days next to
    others. Days without times are allowed, and times where no clause has days.
    """
    if may_have_heading:
        clauses = _drop_heading(clauses)
    first = clauses[0] if len(clauses) == 1 else Clause(ALL_WEEK)
    # "24 hours", not "00:00-24:00", which names no days.
    is_round_the_clock = all(span.raw is ROUND_THE_CLOCK for span in first.spans)
    if not first.has_days and first.spans and is_round_the_clock and not first.spans[0].who:
        first.days, first.spans = ALL_WEEK, first.spans[:1]
    are_without_days = not any(clause.has_days for clause in clauses)
    for clause in clauses:
        raws = [span.raw for span in clause.spans]
        if ROUND_THE_CLOCK in raws and len(raws) > 1:
            raise CannotTell("round the clock and not")
        has_part = clause.days is not None and clause.days.part is not None  # "Friday mornings"
        is_silent = not (clause.spans or clause.remarks or clause.is_closed)
        if clause.is_after_times and is_silent and not has_part:
            raise CannotTell("days without times")  # "Mon 8-12, 1-5, and Sat"
        is_alone = are_without_days and not any(raw is ROUND_THE_CLOCK for raw in raws)
        if not (clause.has_days or is_alone):
            raise CannotTell("times without days")
    return clauses


def _drop_heading(clauses: list[Clause]) -> list[Clause]:
    """Drop a heading that names all the days first: "Tues & Thu Tues 9-12, Thu 9:30-12:30"."""
    if len(clauses) < 2 or not clauses[0].is_named_only:
        return clauses
    heading, rest = clauses[0], clauses[1:]
    assert heading.days
    is_all = frozenset().union(*(clause.weekdays for clause in rest)) == heading.weekdays
    if heading.days.is_weekly:
        return rest if is_all or rest[0].days == heading.days else clauses
    are_weekly = all(clause.days and clause.days.is_weekly and clause.spans for clause in rest)
    if heading.days.month_days or not (is_all and are_weekly):
        return clauses
    for clause in rest:  # "2nd Tue & 4th Sat; Tue 4-6, Sat 9-11"
        days = [day for day in heading.days.days if day.weekday in clause.weekdays]
        clause.days = clause.days and replace(clause.days, days=tuple(days))
    return rest


def heads_what_follows(clauses: list[Clause], atom: Atom, *, is_start: bool) -> bool:
    """Check for a season that heads the hours after it: "Tue 9-11; May-Sept: Thu 4-6".

    Tuesdays may pause then or not. Raises CannotTell where the clauses have seasons.
    """
    if not ((atom.has_colon and clauses[-1].spans) or (is_start and not atom.is_last)):
        return False
    for clause in clauses:
        if clause.season:
            raise CannotTell("a season for some of the days")
        clause.may_pause = True
    return True


def limit_to_season(clauses: list[Clause], season: Season, *, is_between: bool) -> None:
    """Limit the last clause to a season after it: "Tue 9-11; Thu 4-6 May-Sept", "4th Sat 9-11; 3rd
    Sat in November". The season may also apply to the other clauses, or replace their hours.

    Raises CannotTell for a season on a line between two days: "Wed 1-2, June-August, Sat 9-11".
    """
    last = clauses[-1]
    if is_between:
        raise CannotTell("a season before or after its days")
    if not last.has_days or last.season is not None:
        raise CannotTell("a season for some of the days")
    if not all(clause.season for clause in clauses[:-1]):
        for clause in clauses[:-1]:
            clause.may_pause = True
    last.season, last.is_season_last = season, bool(last.spans)


def refuse_lost_season(before: str | None, after: str) -> None:
    """Refuse "School days: clinic 9-12": one name must not displace the season."""
    is_one_season = (before in UNDATED_SEASONS) != (after in UNDATED_SEASONS)
    if before is not None and is_one_season:
        raise CannotTell("a season and a service")


def limit_untimed_to_season(clauses: list[Clause], season: str | None) -> None:
    """Mark days without times as days of a season: "School year: Mon, Wed", "Tue 9-11. In summer,
    1st & 3rd Tue only".

    Raises CannotTell where days with times follow.
    """
    day_clauses = [clause for clause in clauses if clause.is_named_only]
    if not (day_clauses and season):
        return
    hour_clauses = clauses[: -len(day_clauses)]
    if any(clause in day_clauses for clause in hour_clauses):
        raise CannotTell("a season for some of the days")
    for clause in day_clauses:
        clause.remarks.append(season)
    seasonal = frozenset().union(*(clause.weekdays for clause in day_clauses))
    for clause in hour_clauses:
        if clause.weekdays & seasonal:
            for span in clause.spans:
                span.service = span.service or OUTSIDE_SEASON
        elif any(span.service is None for span in clause.spans):
            clause.may_pause = True


def limit_to_weeks(clause: Clause | None, nths: tuple[int, ...], *, in_group: bool) -> None:
    """Limit the days of a clause to weeks of the month, () for unspecified weeks; raises
    CannotTell."""
    if clause is None or clause.days is None:
        raise CannotTell("weeks without days")
    if in_group and len(clause.spans) > 1:
        raise CannotTell("weeks for one of the times")  # "Tue 9-11; 5-7 (last Tue only)"
    # "2 Saturdays a month (2nd/4th)"
    is_some = in_group and all(day.is_some and not day.nths for day in clause.days.days)
    if not nths:
        if clause.days.is_weekly:
            clause.days = clause.days.in_some_weeks
    elif not (clause.days.is_weekly or is_some) or not set(nths) <= {1, 2, 3, 4, 5, -1}:
        raise CannotTell("weeks that do not fit")
    else:
        days = tuple(replace(day, nths=nths, is_some=False) for day in clause.days.days)
        clause.days = replace(clause.days, days=days)


def limit_to_other_weeks(clauses: Sequence[Clause], *, in_group: bool) -> None:
    """Limit the days of the last clause to every other week; raises CannotTell."""
    clause = clauses[-1] if clauses else None
    if clause is None or clause.days is None or not clause.days.is_weekly:
        raise CannotTell("every other week of what")
    if len(clause.spans if in_group else clauses) > 1 and not clause.is_named_only:
        raise CannotTell("every other week for some of the days")
    days = tuple(replace(day, interval=2) for day in clause.days.days)
    clause.days = replace(clause.days, days=days, has_own_weeks=True)


def name_spans(spans: Sequence[NamedSpan], atom: Atom) -> None:
    """Name the last spans, going back until one has such a name."""
    attribute, text = atom.kind.value, str(atom.value)
    if text in NEVER_FOOD and not atom.in_group and len(spans) == 1 and spans[0].label:
        return  # "Lunch Mon 12-1, bingo": the food is not part of another service
    for place, span in enumerate(reversed(spans)):
        before = getattr(span, attribute)
        is_of_last = atom.kind is AtomKind.SERVICE and text not in UNDATED_SEASONS
        if place and span.label and is_of_last:
            break  # "Tue 10-11 (food), 12-2 (clothing)"
        if before is not None:
            refuse_lost_season(before, text)
            break
        setattr(span, attribute, text)


# Reads the closures of a text as a state machine, and finds days both closed and open.
#
# | state    | atom                      | next     |
# | -------- | ------------------------- | -------- |
# | any      | closed, except            | BEGUN    |
# | BEGUN    | days, dates, holidays     | LISTED   |
# | BEGUN    | times                     | PAUSED   |
# | BEGUN    | end of the part           | refused  |
# | LISTED   | days, dates, holidays     | LISTED   |
# | LISTED   | times of every day        | PAUSED   |
# | LISTED   | times of some days        | refused  |
# | LISTED   | times of open days        | NONE     |
# | PAUSED   | days                      | refused  |
# | PAUSED   | dates, holidays           | LISTED   |
# | PAUSED   | times                     | refused  |
# | any      | end of the part           | NONE     |


class ClosureState(Enum):
    """State of the closure that a text names."""

    NONE = auto()
    BEGUN = auto()  # "closed": no closed days or times yet
    LISTED = auto()  # "closed Sundays": more may follow in the list
    PAUSED = auto()  # "closed 12-1"


class ClosureKind(Enum):
    """Kind of the last closure."""

    DAYS = auto()
    DATES = auto()
    HOLIDAY = auto()
    HOLIDAYS = auto()


@dataclass(slots=True)
class Closures:
    """Closures of the clauses, and the state of the current closure."""

    days: list[Days] = field(default_factory=list)
    seasons: list[Season] = field(default_factory=list)
    holidays: list[str] = field(default_factory=list)
    pauses: list[tuple[Clause, RawSpan]] = field(default_factory=list)
    times: list[tuple[Days, RawSpan]] = field(default_factory=list)
    in_season: list[tuple[Days, Season | str | None]] = field(default_factory=list)
    follows_holidays: bool = False  # days listed as closed after holidays
    has_undated_season: bool = False
    is_meal: bool = False  # "closed for lunch"
    has_weeks: bool = False  # some weeks closed before any days were named
    last: ClosureKind | None = None
    state: ClosureState = ClosureState.NONE
    is_exception: bool = False  # "except Mondays 9-12" may give separate hours

    @property
    def _is_listed(self) -> bool:
        """True if the text has just closed something else: "closed Sundays and holidays"."""
        return self.state in (ClosureState.LISTED, ClosureState.PAUSED)

    def begin(self, *, is_exception: bool) -> None:
        """Begin a closure: "closed", "except"."""
        self.state, self.is_exception, self.is_meal = ClosureState.BEGUN, is_exception, False

    def end(self) -> None:
        """End the part of the text; raises CannotTell for "closed" alone."""
        if self.state is ClosureState.BEGUN:
            raise CannotTell("closed, but when")
        self.state = ClosureState.NONE

    def add_days(self, days: Days, *, after: Clause | None) -> None:
        """Close days, outside a list of closures."""
        if days.part:
            raise CannotTell("closed for a part of the day")
        self.days.append(days)
        self.in_season.append((days, after.part_of_year if after else None))
        self.last = ClosureKind.DAYS

    def close_days(self, days: Days, clauses: list[Clause], *, is_last: bool) -> None:
        """Close days, or limit the pause just read to them. Raises CannotTell for "closed July, 2nd
        Fridays" and "closed Labor Day Monday", which do not mean every such day."""
        if self.state is ClosureState.PAUSED:
            self._pause_on(days, clauses, is_last=is_last)
            return
        if self._is_listed and self.last in (ClosureKind.DATES, ClosureKind.HOLIDAY):
            raise CannotTell("closed on some days of some dates")
        self.follows_holidays = self._is_listed and self.last is ClosureKind.HOLIDAYS
        self.add_days(days, after=clauses[-1] if clauses else None)
        self.state = ClosureState.LISTED

    def take_days_after_holidays(self, clauses: list[Clause]) -> Days | None:
        """Return the days that the times after them open, no longer as closed: "Mon-Fri 9-5, closed
        holidays, Sat 10-2". Raises CannotTell where these days have hours already."""
        if not (self.follows_holidays and self.state is ClosureState.LISTED and self.days):
            return None
        days = self.days[-1]
        self._forget_days()
        if any(clause.weekdays & days.weekdays for clause in clauses):
            raise CannotTell("closed or open at some times")
        return days

    def close_season(self, season: Season) -> None:
        """Close dates; "closed Fridays in July" closes neither all Fridays nor all of July."""
        if self._is_listed and self.last is ClosureKind.DAYS:
            is_one_day = season.first == season.last and bool(self.days)
            if not (is_one_day and self.days[-1].is_weekly and len(self.days[-1].days) == 1):
                raise CannotTell("closed on some days of some dates")
            self._forget_days()  # "closed Friday, November 27"
        self.seasons += season.each
        self.last = ClosureKind.DATES
        self.state = ClosureState.LISTED

    def close_date(self, day: date) -> None:
        """Close one day; "closed Friday, Nov 27, 2026" closes no other Friday."""
        if self._is_listed and self.last is ClosureKind.DAYS and self.days:
            if not (self.days[-1].is_weekly and self.days[-1].weekdays == {day.weekday()}):
                raise CannotTell("the date is another weekday")
            self._forget_days()
        self.close_season(Season(day.isoformat(), day.isoformat()))

    def close_weeks(self, nths: object, clauses: list[Clause], *, has_more: bool) -> None:
        """Leave open in which weeks the days, named before or after, are closed: "closed the 1st
        week of the month" may include the first Friday or not."""
        if nths != () or not (clauses or has_more):
            raise CannotTell("closed in some weeks")
        self.has_weeks = not clauses
        for clause in clauses:
            if clause.days and not clause.is_closed:
                clause.days = clause.days.in_some_weeks
        self.last, self.state = ClosureKind.HOLIDAY, ClosureState.LISTED

    def close_undated_season(self) -> None:
        """Close a season without dates: "closed in summer"; "closed Fridays in summer" closes
        less."""
        if self.state is not ClosureState.BEGUN:
            raise CannotTell("closed, but when")
        self.last, self.state = ClosureKind.HOLIDAY, ClosureState.LISTED
        self.has_undated_season = True

    def _forget_days(self) -> None:
        """Forget the days closed last: these give the weekday of a date."""
        self.days.pop()
        self.in_season.pop()
        self.last = ClosureKind.DATES

    def close_holiday(self, name: str) -> None:
        """Close holidays."""
        self.holidays.append(name)
        is_group = name in (FEDERAL_HOLIDAYS, MAJOR_HOLIDAYS_ONLY)
        self.last = ClosureKind.HOLIDAYS if is_group else ClosureKind.HOLIDAY
        self.state = ClosureState.LISTED

    def pause(self, raw: RawSpan, clauses: list[Clause], *, in_group: bool) -> None:
        """Close times: "closed 12-1", "closed daily for lunch 12-1", "closed Mondays 12-1"."""
        current = clauses[-1] if clauses else None
        match self.state:
            case ClosureState.LISTED if self.last is not ClosureKind.DAYS:
                raise CannotTell("closed at some times")  # "closed Christmas 12-5"
            case ClosureState.LISTED if self.days[-1:] == [ALL_WEEK]:
                self.days.pop()
                self.pauses += [(clause, raw) for clause in clauses if clause.spans]
            case ClosureState.BEGUN if current and current.spans:
                # "Tue 10-2, Thu 10-2, closed 12-12:30 for lunch"
                before = [owner for owner, _ in self.pauses]
                targets = clauses[-1:] if in_group else [c for c in clauses if c not in before]
                self.pauses += [(clause, raw) for clause in targets if clause.spans]
            case ClosureState.LISTED if self.days and not self.is_exception:
                self.times.append((self.days.pop(), raw))
            case _:
                raise CannotTell("closed at some times")
        # "closed 12-1 in July" does not close all of July
        self.state, self.last = ClosureState.PAUSED, ClosureKind.DAYS

    def _pause_on(self, days: Days, clauses: list[Clause], *, is_last: bool) -> None:
        """Move a pause to the days that end its part: "Mon-Fri 9-5; closed 8-9 on the first
        Wednesday"."""
        is_of_current = bool(self.pauses) and self.pauses[-1][0] is clauses[-1]
        if not (is_last and is_of_current) or self.times:
            raise CannotTell("closed at some times on some days")
        raw = self.pauses[-1][1]
        self.pauses = [pause for pause in self.pauses if pause[1] is not raw]
        if days == ALL_WEEK:
            self.pauses += [(clause, raw) for clause in clauses if clause.spans]
        else:
            self.times.append((days, raw))


def close_named_days(clauses: list[Clause], closures: Closures) -> None:
    """Close days that others open: "Mon-Fri 9-5; Wed closed", "Tue 9-12; last Tue closed".

    Raises CannotTell where open and closed days contradict each other.
    """
    for clause in clauses if closures.has_weeks else ():
        clause.days = clause.days and clause.days.in_some_weeks
    opened = [clause for clause in clauses if clause.days and not clause.is_closed]
    are_open = frozenset().union(*(clause.weekdays for clause in opened))
    if are_open and any(
        not (days.is_weekly or days.weekdays <= are_open) for days in closures.days
    ):
        # "Every Monday except in the week of the 3rd Saturday" may close any Monday
        raise CannotTell("closed on days that are not open")
    _leave_other_weeks_open(opened, closures)
    _refuse_contradictions(clauses, opened, closures)
    if any(not days.weekdays <= are_open for days, _ in closures.times):
        raise CannotTell("closed or open at some times")  # "Tue 10-12, closed Sun, Thu 1-3"
    for days in (clause.days for clause in clauses if clause.days and clause.is_closed):
        if days.part:
            raise CannotTell("closed for a part of the day")
        overlaps = [clause for clause in opened if clause.weekdays & days.weekdays]
        if days.is_weekly and not all(days.weekdays < clause.weekdays for clause in overlaps):
            raise CannotTell("open and closed on one day")
        if overlaps or not days.is_weekly:
            closures.days.append(days)


def _leave_other_weeks_open(opened: list[Clause], closures: Closures) -> None:
    """Leave open which weeks are closed: "Mon-Fri 9-5, closed every other Friday", or the closed
    weeks have their own hours: "every Monday except last Monday 9-11. Last Monday 4-6"."""
    own = {
        (day.weekday, nth)
        for clause in opened
        for day in (clause.days.days if clause.days else ())
        for nth in day.nths
    }
    others = [
        days
        for days in closures.days
        if any(
            day.interval > 1 or day.is_some or {(day.weekday, n) for n in day.nths} & own
            for day in days.days
        )
    ]
    weekdays = {day for days in others for day in days.weekdays}
    for clause in opened:
        assert clause.days
        days = tuple(
            replace(day, is_some=True) if day.weekday in weekdays and not day.nths else day
            for day in clause.days.days
        )
        clause.days = replace(clause.days, days=days)
    closures.days = [days for days in closures.days if days not in others]


def _refuse_contradictions(clauses: list[Clause], opened: list[Clause], closures: Closures) -> None:
    """Refuse days that are closed in one season only, hours on days that were excluded, and days
    with hours that may be by appointment."""
    closed = [(clause.days, clause.part_of_year) for clause in clauses if clause.is_closed]
    for days, season in [*closures.in_season, *closed]:
        for clause in opened if season else ():
            # "Sept-May: Mon-Fri 9-5; June-Aug: Mon-Thu 9-3; Fri: closed"
            if days and clause.weekdays & days.weekdays and clause.part_of_year != season:
                raise CannotTell("closed in one of the seasons")
    weekdays = {day.weekday for days in closures.days if days.is_weekly for day in days.days}
    if any(clause.weekdays and clause.weekdays <= weekdays for clause in opened):
        raise CannotTell("open and closed on one day")  # "Mon-Fri except Wed 9-5; Wed 1-5"
    timed = frozenset().union(*(clause.weekdays for clause in clauses if clause.spans))
    for clause in clauses:
        # "Mon-Fri 9-5; Fri by appointment only"; not "Mon-Fri by appointment; walk-ins Wed 1-3"
        is_by_appointment = not clause.spans and "by appointment" in clause.remarks
        if is_by_appointment and clause.weekdays & timed and not timed < clause.weekdays:
            raise CannotTell("by appointment on some of the days")
