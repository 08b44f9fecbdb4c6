"""Turns atoms into clauses: days with their spans, closures and remarks.

A text names hours until "closed" or "except", then closures until the part ends: `_open` and
`_close` handle these two cases. `closures.py` has the states of a closure, `names.py` the names in
force, `clauses.py` the rules of one clause.
"""

from dataclasses import replace
from datetime import date

from assets.hours.atoms import Atom, AtomKind, RawSpan
from assets.hours.clauses import (
    Clause,
    Timed,
    complete,
    heads_what_follows,
    limit_to_other_weeks,
    limit_to_season,
    limit_to_weeks,
    limit_untimed_to_season,
    narrow,
    with_own_end,
)
from assets.hours.closures import Closing, Closures, close_named_days
from assets.hours.days import Days
from assets.hours.naming import NamingAssembler
from assets.hours.order import orders_of, refuse_named_weeks
from assets.hours.seasons import Season
from assets.hours.times import ROUND_THE_CLOCK, CannotTell, Clock, Span
from schemas.hours.schedule import (
    FEDERAL_HOLIDAYS,
    HOLIDAY_HOURS,
    MAJOR_HOLIDAYS_ONLY,
    UNDATED_SEASONS,
)

# Months that may be words: "clients may come", "mar" for martes.
_WORD_MONTHS = ("03", "05")
_HOLIDAY_GROUPS = (FEDERAL_HOLIDAYS, MAJOR_HOLIDAYS_ONLY)


class Assembler(NamingAssembler):
    """Assembles atoms in the order the text uses: days before times, or times before days."""

    def __init__(self, atoms: list[Atom]) -> None:
        super().__init__(atoms)
        refuse_named_weeks(atoms)
        orders = orders_of(atoms)
        self.times_first = orders[0] if orders else False
        self.closures = Closures()
        self.doubts: list[str] = []
        self._untimed_holidays: list[str] = []
        # Holidays in a list of days: they have hours, but perhaps not the listed ones.
        self._listed_holidays: list[str] = []
        self._is_day_closed = False
        self._is_shared = False  # the times of the last days apply to all
        for atom, self.times_first in zip(atoms, orders, strict=True):
            self._days_left -= atom.kind is AtomKind.DAYS
            self._meals_left -= atom.kind is AtomKind.LABEL
            self._take(atom)
            self._before = atom.kind
        self._finish()

    @property
    def _has_idle_season(self) -> bool:
        """Return True if no days have followed the named season yet."""
        current = self._current
        return self._season is not None and (current is None or current.season != self._season)

    # --- transitions

    def _take(self, atom: Atom) -> None:
        """Apply an atom: in the same way for hours and closures, or as the current list (hours or
        closures) requires."""
        match atom.kind:
            case AtomKind.NTHS | AtomKind.OTHER:
                self._take_weeks(atom)
            case AtomKind.REMARK:
                self._add_remark(atom)
            case AtomKind.DOUBT:
                self.doubts.append(str(atom.value))
                self.closures.has_undated_season |= self.doubts[-1].startswith("in ")
            case AtomKind.CLOSED:
                self._begin_closure(atom)
            case AtomKind.EXCEPT:
                self.closures.begin(is_exception=True)
            case AtomKind.BREAK:
                if atom.in_group and self.closures.state is not Closing.NONE:
                    raise CannotTell("closed at some times")  # "(except 12-1, Mon; 1-2, Tue)"
                self._end_segment()
            case AtomKind.END:
                self.closures.end()
                self._names.end_group()
            case _ if self.closures.state is Closing.NONE:
                self._open(atom)
            case _:
                self._close(atom)
        if atom.kind in (AtomKind.DAYS, AtomKind.UNTIL):
            self._is_segment_start = False

    def _take_weeks(self, atom: Atom) -> None:
        """Apply weeks of the month, or every other week, to the days before them."""
        if atom.kind is AtomKind.OTHER:
            limit_to_other_weeks(self.clauses, in_group=atom.in_group)
        elif self.closures.state is not Closing.BEGUN:
            assert isinstance(atom.value, tuple)
            limit_to_weeks(self._current, atom.value, in_group=atom.in_group)
        elif self.clauses and self._days_left and not atom.in_group:
            raise CannotTell("closed in some weeks")  # of unspecified days
        else:
            before = self.clauses[-1:] if atom.in_group else self.clauses
            self.closures.close_weeks(atom.value, before, has_more=bool(self._days_left))

    def _open(self, atom: Atom) -> None:
        """Apply an atom of hours."""
        match atom.kind, atom.value:
            case AtomKind.DAYS, Days() as days:
                self._names.is_other_meal = False
                self._open_days(days, atom)
            case AtomKind.DATE, date() as day:
                self._open_date(day, atom)
            case AtomKind.SPAN, RawSpan() | tuple() as raw:
                self._open_times(Timed(raw), atom)
            case AtomKind.UNTIL, (Days() as days, (Clock() | RawSpan()) as times):
                if self._current is None:
                    raise CannotTell("until when, but not from when")
                self.clauses.insert(-1, with_own_end(self._current, days, times))
            case AtomKind.SEASON, Season() as season:
                self._open_season(season, atom)
            case AtomKind.MONTH, Season() as season:
                if season.first[:2] in _WORD_MONTHS:
                    raise CannotTell("a month alone")
                self._open_season(season, atom)
            case AtomKind.HOLIDAYS, str() as name:
                is_listed = self._ends_with_days() and name in _HOLIDAY_GROUPS
                (self._listed_holidays if is_listed else self._untimed_holidays).append(name)
            case ((AtomKind.LABEL | AtomKind.WHO | AtomKind.SERVICE), _):
                self._name(atom)
            case _:
                raise TypeError(f"no transition for {atom}")

    def _close(self, atom: Atom) -> None:
        """Apply an atom of a closure."""
        match atom.kind, atom.value:
            case AtomKind.DAYS, Days() as days:
                self._names.is_other_meal = False
                self.closures.close_days(days, self.clauses, is_last=atom.is_last)
            case AtomKind.DATE, date() as day:
                self.closures.close_date(day)
            case AtomKind.SPAN, RawSpan() | tuple() as raw:
                self._close_times(raw, atom)
            case AtomKind.UNTIL, _:
                raise CannotTell("until when, but not from when")
            case ((AtomKind.SEASON | AtomKind.MONTH), Season() as season):
                if atom.has_colon:  # "2nd Sat (except December: 1st Sat)"
                    raise CannotTell("other days in some months")
                self.closures.close_season(season)
            case AtomKind.HOLIDAYS, str() as name:
                self.closures.close_holiday(name)
            case ((AtomKind.LABEL | AtomKind.WHO | AtomKind.SERVICE), _):
                self._close_named(atom)
            case _:
                raise TypeError(f"no transition for {atom}")

    def _close_named(self, atom: Atom) -> None:
        if atom.value in UNDATED_SEASONS:
            if self._is_day_closed:  # "(Sunday closed during the summer)"
                raise CannotTell("closed, but when")
            self.closures.close_undated_season()
        elif self.closures.state is Closing.LISTED:  # "closed for lunch" names no hours
            self._name(atom)
        else:
            self.closures.is_meal = atom.kind is AtomKind.LABEL

    def _end_segment(self) -> None:
        current = self._current
        if current and not current.has_days and any(span.service for span in current.spans):
            raise CannotTell("times without days")
        self.closures.end()
        self._end_list()
        self._is_segment_start = True

    def _ends_with_days(self) -> bool:
        """Check for a list of days: "Sat, Sun and holidays 9-4", "9-4 Sat and holidays"."""
        current = self._current
        is_list = current is not None and current.has_days and not self._is_segment_start
        return is_list and (self.times_first or not (current and current.spans))

    def _end_list(self) -> None:
        if self._listed_holidays:
            self.closures.holidays.append(HOLIDAY_HOURS)
            self._listed_holidays = []

    # --- hours

    def _open_days(self, days: Days, atom: Atom) -> None:
        current = self._current
        is_end = atom.is_last and not self._is_segment_start
        if atom.in_group and current and current.days:
            current.days = narrow(current.days, days, len(current.spans))
        elif current and current.dates and not current.spans:
            if {day.weekday() for day in current.dates} != days.weekdays or not days.is_weekly:
                raise CannotTell("the date is another weekday")
        elif current and is_end and current.is_said_again(days):
            pass  # "Monday-Sunday 8-8, daily"
        elif current and current.days and is_end and current.is_limited_by(days):
            weeks = narrow(current.days, days, len(current.spans)) if not days.is_weekly else days
            current.days = weeks
        elif not self.times_first:
            self._begin(Clause(days))
        elif current is None or not current.spans or (current.has_days and self._untimed_days):
            raise CannotTell("days without times")
        elif current.has_days:
            self._untimed_days = days
        else:
            current.days = days
            if self._season and not current.season:  # "Lunch 11-12; June 3 - July 5, Mon-Fri"
                current.season, current.may_pause = self._season, False

    def _open_date(self, day: date, atom: Atom) -> None:
        current = self._current
        if current and current.take_date(day, in_group=atom.in_group):
            return
        if self.times_first and current and not current.has_days:
            current.dates = [day]
        elif self.times_first:
            raise CannotTell("a date without times")
        else:
            self._begin(Clause(dates=[day]))

    def _open_times(self, span: Timed, atom: Atom) -> None:
        current, names = self._current, self._names
        if self._untimed_holidays and current and current.spans and not self.times_first:
            self.closures.holidays.append(HOLIDAY_HOURS)  # "Tue 9-12; holidays 10-11"
            self._untimed_holidays = []
            return
        is_repeated = atom.in_group and not names.label  # "12 am-12 am (24 hours)"
        if is_repeated and span.raw == ROUND_THE_CLOCK and current and current.spans:
            current.spans = [span]
            return
        if self.times_first and (current is None or current.has_days):
            self._begin(Clause())
        elif current and not self._season and current.has_own_season(self._is_segment_start):
            self._begin(Clause(current.days))  # "Wed 4-6 April-October; 3-5 November-March"
        current = self._current
        is_next_part = names.is_other_service and self._is_segment_start
        if current is None or current.is_closed or (is_next_part and current.spans):
            raise CannotTell("times without days")
        is_of_meal = names.is_other_meal and self._is_segment_start
        if is_of_meal and not all(span.label for span in current.spans):
            raise CannotTell("times without days")  # "Thursday 1-4. Lunch: 11-12"
        names.is_other_service = names.is_other_meal = False
        service = current.service or names.service
        self._is_name_pending = False
        self._is_shared |= self._is_of_all_days() and not atom.in_group
        span = Timed(span.raw, names.label, names.who, service, atom.in_group)
        current.spans.append(span)
        self._is_segment_start = False

    def _is_of_all_days(self) -> bool:
        """Check for times in a separate part after parts with days only: "Mon; 2nd Wed; 9-11"."""
        names = self._names
        is_own = self._is_segment_start and not (self.times_first or self._days_left)
        is_own &= len(self.clauses) > 1 and not (names.label or names.service)
        return is_own and all(clause.is_named_only for clause in self.clauses)

    def _begin(self, clause: Clause) -> None:
        if self._untimed_days or self._untimed_holidays:
            raise CannotTell("days without times")
        before = self._current
        is_after_times = not (self.times_first or self._is_segment_start)
        clause.is_after_times = is_after_times and before is not None and bool(before.spans)
        if before and not self._is_segment_start:
            clause.go_on_with_weeks_of(before)
        clause.season, clause.who = self._season, self._names.who
        is_of_days = self._is_name_pending and clause.has_days
        if is_of_days and self._names.service not in UNDATED_SEASONS:
            clause.service = self._names.service  # "Utility aid: Wed, by appointment"
        clause.remarks = self.remarks[:]
        if self._heading and not clause.remarks:
            clause.remarks = [self._heading]  # "By appointment: Wed 4-6, Sat 9-11"
        self.remarks.clear()
        self.clauses.append(clause)

    def _open_season(self, season: Season, atom: Atom) -> None:
        current = self._current
        if atom.in_group and current:
            is_of_some = any(span.in_group for span in current.spans[1:])  # "3-5 (10-12 in July)"
            if self._is_segment_start or is_of_some or current.season not in (None, season):
                raise CannotTell("a season for some of the days")
            current.season, current.is_season_last = season, bool(current.spans)
        elif current is None or self._season:
            if self._has_idle_season:
                raise CannotTell("two seasons")  # "Jan-May & Sept-Dec: Wed 4-5"
            self._season = season
        elif heads_what_follows(self.clauses, atom, is_start=self._is_segment_start):
            self._season = season
        else:
            is_between = self._is_segment_start and bool(self._days_left)
            limit_to_season(self.clauses, season, is_between=is_between)

    # --- closures

    def _close_times(self, raw: RawSpan | Span, atom: Atom) -> None:
        current, closures = self._current, self.closures
        is_untimed = current is not None and not current.spans and not self.times_first
        if is_untimed and closures.state is Closing.LISTED:
            closures.end()  # "every day except Sunday 9-5"
            self._open(atom)
        elif opened := closures.take_days_after_holidays(self.clauses):
            closures.end()  # "Mon-Fri 9-5, closed holidays, Sat 10-2"
            self._begin(Clause(opened))
            self._open(atom)
        else:
            # "Mon-Thu 8-5, Fri 8-4 (closed for lunch 12-1)" means lunch on all days
            is_of_last = atom.in_group and (bool(self._days_left) or not self.closures.is_meal)
            closures.pause(raw, self.clauses, in_group=is_of_last)

    def _begin_closure(self, atom: Atom) -> None:
        """Close the days named just before "closed", else the days after it."""
        current = self._current
        self._is_day_closed = self._before is AtomKind.DAYS
        if holidays := self._untimed_holidays or self._listed_holidays:
            self.closures.holidays += holidays
            self._untimed_holidays, self._listed_holidays = [], []
        elif self._untimed_days:
            self.closures.add_days(self._untimed_days, after=current)
            self._untimed_days = None
        elif self._has_idle_season and self._is_segment_start and not atom.in_group:
            assert self._season
            # "Sept-May: Tue 9-12; June-Aug: closed"
            self.closures.begin(is_exception=False)
            self.closures.close_season(self._season)
            self._season = None
        elif current and current.is_named_only and not atom.in_group:
            current.is_closed = True
        elif self._is_name_pending and self._names.service in UNDATED_SEASONS:
            self.closures.has_undated_season = True  # "Summer: Tue 9-11; school year: closed"
        else:
            self.closures.begin(is_exception=False)

    # --- the end

    def _finish(self) -> None:
        if self.closures.state is Closing.BEGUN or self._untimed_holidays:
            raise CannotTell("days without times")
        self._end_list()
        if self._untimed_days:
            self.clauses.append(Clause(self._untimed_days, season=self._season))
        for clause in self.clauses if self._is_shared else ():
            clause.spans = [replace(span) for span in self.clauses[-1].spans]
        limit_untimed_to_season(self.clauses, self.undated_season)
        for clause in self.clauses:
            if clause.spans:
                clause.remarks += self.remarks  # "Mon 9-12. By appointment at the pantry."
        self.clauses = complete(self.clauses, may_have_heading=not self.times_first)
        close_named_days(self.clauses, self.closures)
