"""Reads the closures of a text as a state machine, and finds days both closed and open.

| state    | atom                      | next     |
| -------- | ------------------------- | -------- |
| any      | closed, except            | BEGUN    |
| BEGUN    | days, dates, holidays     | LISTED   |
| BEGUN    | times                     | PAUSED   |
| BEGUN    | end of the part           | refused  |
| LISTED   | days, dates, holidays     | LISTED   |
| LISTED   | times                     | PAUSED   |
| LISTED   | times of open days        | NONE     |
| PAUSED   | days                      | PAUSED   |
| PAUSED   | dates, holidays           | LISTED   |
| PAUSED   | times                     | refused  |
| any      | end of the part           | NONE     |
"""

from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum, auto

from assets.hours.atoms import RawSpan
from assets.hours.clauses import Clause
from assets.hours.days import ALL_WEEK, Days
from assets.hours.seasons import Season
from assets.hours.times import CannotTell, Span
from schemas.hours.schedule import FEDERAL_HOLIDAYS, MAJOR_HOLIDAYS_ONLY


class Closing(Enum):
    """State of the closure that a text names."""

    NONE = auto()
    BEGUN = auto()  # "closed": no closed days or times yet
    LISTED = auto()  # "closed Sundays": more may follow in the list
    PAUSED = auto()  # "closed 12-1"


class Closed(Enum):
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
    pauses: list[tuple[Clause, RawSpan | Span]] = field(default_factory=list)
    times: list[tuple[Days, RawSpan | Span]] = field(default_factory=list)
    in_season: list[tuple[Days, Season | str | None]] = field(default_factory=list)
    follows_holidays: bool = False  # days listed as closed after holidays
    has_undated_season: bool = False
    is_meal: bool = False  # "closed for lunch"
    has_weeks: bool = False  # some weeks closed before any days were named
    last: Closed | None = None
    state: Closing = Closing.NONE
    is_exception: bool = False  # "except Mondays 9-12" may give separate hours

    @property
    def _is_listed(self) -> bool:
        """True if the text has just closed something else: "closed Sundays and holidays"."""
        return self.state in (Closing.LISTED, Closing.PAUSED)

    def begin(self, *, is_exception: bool) -> None:
        """Begin a closure: "closed", "except"."""
        self.state, self.is_exception, self.is_meal = Closing.BEGUN, is_exception, False

    def end(self) -> None:
        """End the part of the text; raises CannotTell for "closed" alone."""
        if self.state is Closing.BEGUN:
            raise CannotTell("closed, but when")
        self.state = Closing.NONE

    def add_days(self, days: Days, *, after: Clause | None) -> None:
        """Close days, outside a list of closures."""
        if days.part:
            raise CannotTell("closed for a part of the day")
        self.days.append(days)
        self.in_season.append((days, after.part_of_year if after else None))
        self.last = Closed.DAYS

    def close_days(self, days: Days, clauses: list[Clause], *, is_last: bool) -> None:
        """Close days, or limit the pause just read to them. Raises CannotTell for "closed July, 2nd
        Fridays" and "closed Labor Day Monday", which do not mean every such day."""
        if self.state is Closing.PAUSED:
            self._pause_on(days, clauses, is_last=is_last)
            return
        if self._is_listed and self.last in (Closed.DATES, Closed.HOLIDAY):
            raise CannotTell("closed on some days of some dates")
        self.follows_holidays = self._is_listed and self.last is Closed.HOLIDAYS
        self.add_days(days, after=clauses[-1] if clauses else None)
        self.state = Closing.LISTED

    def take_days_after_holidays(self, clauses: list[Clause]) -> Days | None:
        """Return the days that the times after them open, no longer as closed: "Mon-Fri 9-5, closed
        holidays, Sat 10-2". Raises CannotTell where these days have hours already."""
        if not (self.follows_holidays and self.state is Closing.LISTED and self.days):
            return None
        days = self.days[-1]
        self._forget_days()
        if any(c.days and c.days.weekdays & days.weekdays for c in clauses):
            raise CannotTell("closed or open at some times")
        return days

    def close_season(self, season: Season) -> None:
        """Close dates; "closed Fridays in July" closes neither all Fridays nor all of July."""
        if self._is_listed and self.last is Closed.DAYS:
            is_one_day = season.first == season.last and bool(self.days)
            if not (is_one_day and self.days[-1].is_weekly and len(self.days[-1].days) == 1):
                raise CannotTell("closed on some days of some dates")
            self._forget_days()  # "closed Friday, November 27"
        self.seasons += season.each
        self.last = Closed.DATES
        self.state = Closing.LISTED

    def close_date(self, day: date) -> None:
        """Close one day; "closed Friday, Nov 27, 2026" closes no other Friday."""
        if self._is_listed and self.last is Closed.DAYS and self.days:
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
        self.last, self.state = Closed.HOLIDAY, Closing.LISTED

    def close_undated_season(self) -> None:
        """Close a season without dates: "closed in summer"; "closed Fridays in summer" closes
        less."""
        if self.state is not Closing.BEGUN:
            raise CannotTell("closed, but when")
        self.last, self.state = Closed.HOLIDAY, Closing.LISTED
        self.has_undated_season = True

    def _forget_days(self) -> None:
        """Forget the days closed last: these give the weekday of a date."""
        self.days.pop()
        self.in_season.pop()
        self.last = Closed.DATES

    def close_holiday(self, name: str) -> None:
        """Close holidays."""
        self.holidays.append(name)
        is_group = name in (FEDERAL_HOLIDAYS, MAJOR_HOLIDAYS_ONLY)
        self.last = Closed.HOLIDAYS if is_group else Closed.HOLIDAY
        self.state = Closing.LISTED

    def pause(self, raw: RawSpan | Span, clauses: list[Clause], *, in_group: bool) -> None:
        """Close times: "closed 12-1", "closed daily for lunch 12-1", "closed Mondays 12-1"."""
        current = clauses[-1] if clauses else None
        match self.state:
            case Closing.LISTED if self.last is not Closed.DAYS:
                raise CannotTell("closed at some times")  # "closed Christmas 12-5"
            case Closing.LISTED if self.days[-1:] == [ALL_WEEK]:
                self.days.pop()
                self.pauses += [(clause, raw) for clause in clauses if clause.spans]
            case Closing.BEGUN if current and current.spans:
                # "Tue 10-2, Thu 10-2, closed 12-12:30 for lunch"
                before = [owner for owner, _ in self.pauses]
                targets = clauses[-1:] if in_group else [c for c in clauses if c not in before]
                self.pauses += [(clause, raw) for clause in targets if clause.spans]
            case Closing.LISTED if self.days and not self.is_exception:
                self.times.append((self.days.pop(), raw))
            case _:
                raise CannotTell("closed at some times")
        # "closed 12-1 in July" does not close all of July
        self.state, self.last = Closing.PAUSED, Closed.DAYS

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
    open_weekdays = [
        clause.days.weekdays for clause in clauses if clause.days and not clause.is_closed
    ]
    are_open = frozenset().union(*open_weekdays)
    unknown = (days for days in closures.days if not (days.is_weekly or days.weekdays <= are_open))
    if are_open and any(unknown):
        # "Every Monday except in the week of the 3rd Saturday" may close any Monday
        raise CannotTell("closed on days that are not open")
    _leave_other_weeks_open(clauses, closures)
    _refuse_closed_in_season(clauses, closures)
    _refuse_shut_clauses(clauses, closures)
    _refuse_also_by_appointment(clauses)
    if any(not days.weekdays <= are_open for days, _ in closures.times):
        raise CannotTell("closed or open at some times")  # "Tue 10-12, closed Sun, Thu 1-3"
    for days in (clause.days for clause in clauses if clause.days and clause.is_closed):
        if days.part:
            raise CannotTell("closed for a part of the day")
        if not days.is_weekly:
            closures.days.append(days)
        elif overlaps := [weekdays for weekdays in open_weekdays if weekdays & days.weekdays]:
            if not all(days.weekdays < weekdays for weekdays in overlaps):
                raise CannotTell("open and closed on one day")
            closures.days.append(days)


def _leave_other_weeks_open(clauses: list[Clause], closures: Closures) -> None:
    """Leave open which weeks are closed: "Mon-Fri 9-5, closed every other Friday", or the closed
    weeks have their own hours: "every Monday except last Monday 9-11. Last Monday 4-6"."""
    open_days = [c.days for c in clauses if c.days and not c.is_closed]
    own = {(day.weekday, nth) for days in open_days for day in days.days for nth in day.nths}
    others = [
        days
        for days in closures.days
        if any(
            day.interval > 1 or day.is_some or {(day.weekday, n) for n in day.nths} & own
            for day in days.days
        )
    ]
    weekdays = {day for days in others for day in days.weekdays}
    for clause in clauses:
        if clause.days and not clause.is_closed:
            clause.days = replace(
                clause.days,
                days=tuple(
                    replace(day, is_some=True) if day.weekday in weekdays and not day.nths else day
                    for day in clause.days.days
                ),
            )
    closures.days = [days for days in closures.days if days not in others]


def _refuse_shut_clauses(clauses: list[Clause], closures: Closures) -> None:
    """Refuse hours on days that were excluded: "Mon-Fri except Wed 9-5; Wed 1-5"."""
    closed_weekdays = {day.weekday for days in closures.days if days.is_weekly for day in days.days}
    if any(
        clause.days and clause.days.days and clause.days.weekdays <= closed_weekdays
        for clause in clauses
        if not clause.is_closed
    ):
        raise CannotTell("open and closed on one day")


def _refuse_also_by_appointment(clauses: list[Clause]) -> None:
    """Refuse "Mon-Fri 9-5; Fri by appointment only": Friday's hours may or may not remain."""
    open_weekdays = {
        day for clause in clauses if clause.days and clause.spans for day in clause.days.weekdays
    }
    for clause in clauses:
        is_open = (
            clause.days is not None and not clause.spans and "by appointment" in clause.remarks
        )
        # "Mon-Fri by appointment; walk-ins Wed 1-3"
        is_some = clause.days is not None and not open_weekdays < clause.days.weekdays
        if is_open and clause.days and clause.days.weekdays & open_weekdays and is_some:
            raise CannotTell("by appointment on some of the days")


def _refuse_closed_in_season(clauses: list[Clause], closures: Closures) -> None:
    """Refuse a closure in one season: "Sept-May: Mon-Fri 9-5; June-Aug: Mon-Thu 9-3; Fri: closed"
    does not close Fridays in winter."""
    pairs = [
        (clause.days, clause.part_of_year) for clause in clauses if clause.days and clause.is_closed
    ]
    for days, season in [*closures.in_season, *pairs]:
        for clause in clauses:
            is_opened = (
                clause.days and not clause.is_closed and clause.days.weekdays & days.weekdays
            )
            if season and is_opened and clause.part_of_year != season:
                raise CannotTell("closed in one of the seasons")
