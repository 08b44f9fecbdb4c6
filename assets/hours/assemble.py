"""Turns atoms into clauses: days with their spans, closures and remarks.

A text names hours until "closed" or "except", then closures until the part ends: `_open` and
`_close` handle these two cases. `clauses.py` has the states of a closure and the rules of a clause.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from assets.hours.clauses import (
    Clause,
    Closures,
    ClosureState,
    NamedSpan,
    close_named_days,
    complete,
    heads_what_follows,
    limit_to_other_weeks,
    limit_to_season,
    limit_to_weeks,
    limit_untimed_to_season,
    name_spans,
    narrow,
    refuse_lost_season,
    split_off_own_end,
)
from assets.hours.days import Days
from assets.hours.seasons import Season
from assets.hours.times import ROUND_THE_CLOCK, Atom, AtomKind, CannotTell, Clock, RawSpan
from schemas.hours.schedule import (
    FEDERAL_HOLIDAYS,
    HOLIDAY_HOURS,
    MAJOR_HOLIDAYS_ONLY,
    OUTSIDE_SEASON,
    UNDATED_SEASONS,
)

_HEADINGS = ("by appointment", "by referral")

_HOLIDAY_GROUPS = (FEDERAL_HOLIDAYS, MAJOR_HOLIDAYS_ONLY)


class Assembler:
    """Assembles atoms in the order the text uses: days before times, or times before days."""

    def __init__(self, atoms: list[Atom]) -> None:
        self.clauses: list[Clause] = []
        self.remarks: list[str] = []
        self._names = Names()
        kinds = {atom.kind for atom in atoms}
        self.names_visitors = AtomKind.WHO in kinds
        self.names_food = AtomKind.LABEL in kinds
        self._is_food_alone = kinds.isdisjoint((AtomKind.SERVICE, AtomKind.WHO))
        self._season: Season | None = None
        # Where times come first: days without times before them.
        self._untimed_days: Days | None = None
        self._is_segment_start = True
        self._heading: str | None = None  # a remark on the days that follow
        self._is_name_pending = False  # its times follow
        self._before: AtomKind | None = None
        self._days_left = sum(atom.kind is AtomKind.DAYS for atom in atoms)
        self._meals_left = sum(atom.kind is AtomKind.LABEL for atom in atoms)
        _refuse_named_weeks(atoms)
        orders = _find_orders(atoms)
        self.times_first = orders[0] if orders else False
        self.closures = Closures()
        self.doubts: list[str] = []
        self._untimed_holidays: list[str] = []
        # Holidays in a list of days: they have hours, but perhaps not the listed ones.
        self._listed_holidays: list[str] = []
        self._is_day_closed = False
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
                if atom.in_group and self.closures.state is not ClosureState.NONE:
                    raise CannotTell("closed at some times")  # "(except 12-1, Mon; 1-2, Tue)"
                self._end_segment()
            case AtomKind.END:
                self.closures.end()
                if self._names.outer:
                    self._names.label, self._names.who = self._names.outer
                    self._names.outer = None
            case _ if self.closures.state is ClosureState.NONE:
                self._open(atom)
            case _:
                self._close(atom)
        if atom.kind in (AtomKind.DAYS, AtomKind.UNTIL):
            self._is_segment_start = False

    def _take_weeks(self, atom: Atom) -> None:
        """Apply weeks of the month, or every other week, to the days before them."""
        if atom.kind is AtomKind.OTHER:
            limit_to_other_weeks(self.clauses, in_group=atom.in_group)
        elif self.closures.state is not ClosureState.BEGUN:
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
            case AtomKind.SPAN, RawSpan() as raw:
                self._open_times(NamedSpan(raw), atom)
            case AtomKind.UNTIL, (Days() as days, (Clock() | RawSpan()) as times):
                if self._current is None:
                    raise CannotTell("until when, but not from when")
                self.clauses.insert(-1, split_off_own_end(self._current, days, times))
            case AtomKind.SEASON, Season() as season:
                self._open_season(season, atom)
            case AtomKind.HOLIDAYS, str() as name:
                # A list of days: "Sat, Sun and holidays 9-4", "9-4 Sat and holidays".
                current = self._current
                is_listed = current is not None and (self.times_first or not current.spans)
                is_listed &= name in _HOLIDAY_GROUPS and not self._is_segment_start
                (self._listed_holidays if is_listed else self._untimed_holidays).append(name)
            case _:
                self._name(atom)

    def _close(self, atom: Atom) -> None:
        """Apply an atom of a closure."""
        match atom.kind, atom.value:
            case AtomKind.DAYS, Days() as days:
                self._names.is_other_meal = False
                self.closures.close_days(days, self.clauses, is_last=atom.is_last)
            case AtomKind.DATE, date() as day:
                self.closures.close_date(day)
            case AtomKind.SPAN, RawSpan() as raw:
                self._close_times(raw, atom)
            case AtomKind.UNTIL, _:
                raise CannotTell("until when, but not from when")
            case AtomKind.SEASON, Season() as season:
                if atom.has_colon:  # "2nd Sat (except December: 1st Sat)"
                    raise CannotTell("other days in some months")
                self.closures.close_season(season)
            case AtomKind.HOLIDAYS, str() as name:
                self.closures.close_holiday(name)
            case _ if atom.value in UNDATED_SEASONS:
                if self._is_day_closed:  # "(Sunday closed during the summer)"
                    raise CannotTell("closed, but when")
                self.closures.close_undated_season()
            case _ if self.closures.state is ClosureState.LISTED:
                self._name(atom)
            case _:  # "closed for lunch" names no hours
                self.closures.is_meal = atom.kind is AtomKind.LABEL

    def _end_segment(self) -> None:
        current = self._current
        if current and not current.has_days and any(span.service for span in current.spans):
            raise CannotTell("times without days")
        self.closures.end()
        self._end_list()
        self._is_segment_start = True

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
            spans = len(current.spans)
            current.days = days if days.is_weekly else narrow(current.days, days, spans)
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
        if current and current.days and (atom.in_group or not current.spans):
            if current.weekdays != {day.weekday()} or not current.days.is_weekly:
                raise CannotTell("the date is another weekday")
            # "Sat 9-11 (12/5/2026)"
            current.days, current.dates, current.weekday = None, [day], day.weekday()
        elif current and current.dates and not current.spans:
            if current.weekday not in (None, day.weekday()):
                raise CannotTell("the date is another weekday")
            current.dates.append(day)
        elif self.times_first and current and not current.has_days:
            current.dates = [day]
        elif self.times_first:
            raise CannotTell("a date without times")
        else:
            self._begin(Clause(dates=[day]))

    def _open_times(self, span: NamedSpan, atom: Atom) -> None:
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
        elif (
            current
            and (current.spans and current.season and not self._season)
            and (self._is_segment_start or current.is_season_last)
        ):
            self._begin(Clause(current.days))  # "Wed 4-6 April-October; 3-5 November-March"
        current = self._current
        is_next_part = names.is_other_service and self._is_segment_start
        if current is None or current.is_closed or (is_next_part and current.spans):
            raise CannotTell("times without days")
        if names.is_other_meal and not all(span.label for span in current.spans):
            raise CannotTell("times without days")  # "Thursday 1-4. Lunch: 11-12"
        names.is_other_service = names.is_other_meal = False
        service = current.service or names.service
        self._is_name_pending = False
        span = NamedSpan(span.raw, names.label, names.who, service, atom.in_group)
        current.spans.append(span)
        self._is_segment_start = False

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

    def _close_times(self, raw: RawSpan, atom: Atom) -> None:
        current, closures = self._current, self.closures
        is_untimed = current is not None and not current.spans and not self.times_first
        if is_untimed and closures.state is ClosureState.LISTED:
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

    # --- names and remarks

    @property
    def _current(self) -> Clause | None:
        return self.clauses[-1] if self.clauses else None

    @property
    def undated_season(self) -> str | None:
        """Last season without dates that the text names."""
        service = self._names.service
        return service if service in UNDATED_SEASONS else None

    def _name(self, atom: Atom) -> None:
        """Name the hours before a name that ends its segment, else the hours that follow."""
        current, names = self._current, self._names
        if atom.has_colon or self._is_segment_start:
            self._heading = None
        if self._leaves_season(atom):
            return
        if not (atom.is_last and current):
            is_between = bool(current and current.spans) and not self._is_segment_start
            is_named = self._before in _NAME_KINDS  # "10-12 intake, food 12-2"
            is_between &= not (is_named or atom.has_colon or atom.in_group)
            if is_between and not (names.label or names.who or names.service):
                if atom.kind is AtomKind.LABEL and self._is_food_alone:
                    return  # "8-9 breakfast Sat 10-11": food on both, but unclear which meal
                raise CannotTell("a name between two times")
            names.take(atom, has_clauses=current is not None)
            self._is_name_pending = True
            # "food by appointment Mon 9-4, clothing Sat 9-11"
            if current and not (atom.kind is AtomKind.WHO and self._before is AtomKind.SPAN):
                self._heading = None
            if current and current.spans and atom.kind is AtomKind.LABEL:
                current.service = None  # "After school program M-F 3-6, snack at 3:30"
        elif current.is_named_only and atom.kind is AtomKind.WHO and atom.in_group:
            current.remarks.append(str(atom.value))
        elif (
            current.is_named_only
            and atom.kind is AtomKind.SERVICE
            and (atom.in_group or atom.value in UNDATED_SEASONS)
        ):
            current.service = str(atom.value)  # "Wed (school days) 3-4", "Fri in summer"
        elif self._is_segment_start:
            self._name_from_next_line(atom, current)
        else:
            name_spans(current.spans, atom)

    def _name_from_next_line(self, atom: Atom, current: Clause) -> None:
        """Name the hours before a part that has only a name."""
        if atom.value in UNDATED_SEASONS:  # "Tue 10-12; Thu 1-3. Summer only."
            for clause in self.clauses:
                for span in clause.spans:
                    span.service = span.service or str(atom.value)
                if clause.is_named_only:
                    clause.remarks.append(str(atom.value))
        elif atom.kind is AtomKind.WHO:
            self._add_remark(Atom(AtomKind.REMARK, atom.value, is_last=True))
        elif atom.kind is AtomKind.SERVICE and atom.in_group and self._before is AtomKind.BREAK:
            if self._days_left:
                raise CannotTell("names above or below")  # "Mon-Fri 9-5\n(Rectory)\nSat 9-11"
            name_spans(current.spans, atom)

    def _leaves_season(self, atom: Atom) -> bool:
        """End a season where the text names another; return whether the atom says nothing else."""
        if atom.value == OUTSIDE_SEASON:
            is_after = atom.has_colon or any(clause.spans for clause in self.clauses)
            if self._season or (not self.undated_season and is_after):
                raise CannotTell("the rest of the year")
            return not self.undated_season  # "Closed July 4. Otherwise Fri 9-11" names no season
        if atom.value in UNDATED_SEASONS and atom.has_colon and not atom.in_group:
            self._season = None  # "June-August: Mon 7-5. School year: Mon-Fri 8-4"
        return False

    def _add_remark(self, atom: Atom) -> None:
        text, current, names = str(atom.value), self._current, self._names
        if atom.has_colon and self._is_segment_start:
            names.service = None  # "Office: Mon-Fri 9-5; Drop-in: Mon 9-2"
        begins_hours = self._is_segment_start and (current is None or not atom.is_last)
        if atom.has_colon or begins_hours:
            self._heading = text if text in _HEADINGS else None
        is_of_name = current is None and names.label is not None and atom.is_last
        is_of_name &= text == "by appointment"
        if names.is_other_meal or (is_of_name and self._meals_left):
            raise CannotTell("a remark for one of the meals")  # "Pantry: by appt. Lunch: M-F 11-1"
        if self._untimed_days and text == "by appointment" and not self._is_segment_start:
            clause = Clause(self._untimed_days, remarks=[text], season=self._season)
            self.clauses.append(clause)  # "9-12 Mon, Wed; Friday by appointment"
            self._untimed_days = None
        elif names.is_other_service:
            pass  # "Museum: Sun-Fri 10-4; library by appointment"
        elif current is None or (
            not atom.is_last and (self._is_segment_start or self._is_name_pending)
        ):
            self.remarks.append(text)
        elif self._is_segment_start and not atom.in_group:
            for clause in self.clauses:
                if clause.spans:
                    clause.remarks.append(text)
        else:
            current.remarks.append(text)

    # --- the end

    def _finish(self) -> None:
        if self.closures.state is ClosureState.BEGUN or self._untimed_holidays:
            raise CannotTell("days without times")
        self._end_list()
        if self._untimed_days:
            self.clauses.append(Clause(self._untimed_days, season=self._season))
        limit_untimed_to_season(self.clauses, self.undated_season)
        for clause in self.clauses:
            if clause.spans:
                clause.remarks += self.remarks  # "Mon 9-12. By appointment at the pantry."
        self.clauses = complete(self.clauses, may_have_heading=not self.times_first)
        close_named_days(self.clauses, self.closures)


# --- the names in force


@dataclass(slots=True)
class Names:
    """Names in force for the next span.

    `is_other_service` is True after a service, `is_other_meal` after a meal with a colon ("Office:
    Mon 9-5; pantry: ..."), each until hours follow.
    """

    label: str | None = None
    who: str | None = None
    service: str | None = None
    is_other_service: bool = False
    is_other_meal: bool = False
    outer: tuple[str | None, str | None] | None = None  # in force before the parentheses

    def take(self, atom: Atom, *, has_clauses: bool) -> None:
        """Put a name in force and drop the names it replaces: "Lunch: Mon 12-1; Clinic: Tue
        9-12"."""
        text = str(atom.value)
        is_service = atom.kind is AtomKind.SERVICE
        self.outer = (self.label, self.who) if atom.in_group and not is_service else None
        # "School year: food pantry Thu 3-4"
        is_of_season = atom.kind is AtomKind.LABEL and self.service in UNDATED_SEASONS
        if (atom.kind is not AtomKind.WHO and not is_of_season) or atom.has_colon:
            refuse_lost_season(self.service, text)
            self.service = None
        self.is_other_meal = atom.kind is AtomKind.LABEL and atom.has_colon and has_clauses
        match atom.kind:
            case AtomKind.LABEL:
                self.label = text
            case AtomKind.WHO:
                self.who = text
            case AtomKind.SERVICE:
                self.label, self.service = None, text
                self.is_other_service = has_clauses
                self.who = None if atom.has_colon else self.who


# --- the order of days and times


_DAYS_OR_TIMES = {AtomKind.DAYS: "D", AtomKind.DATE: "D", AtomKind.SPAN: "S"}
_NAME_KINDS = (AtomKind.LABEL, AtomKind.SERVICE, AtomKind.WHO)


def _find_orders(atoms: list[Atom]) -> list[bool]:
    """Return for each atom whether times precede days around it.

    The first order in the text applies. It changes in "9-5 Mon-Fri; Sat 10-2": a part with all its
    days on one side of all its times uses its own order if the part before it is also complete.
    """
    orders: list[bool] = []
    first = next((atom.kind for atom in atoms if atom.kind in _DAYS_OR_TIMES), None)
    order, is_whole_before = first is AtomKind.SPAN, False
    for part in _parts(atoms):
        # "DS": days and then times; repeats count once, parentheses do not count
        letters = (_DAYS_OR_TIMES.get(atom.kind) for atom in part if not atom.in_group)
        shape = "".join(letter for letter, _ in groupby(filter(None, letters)))
        own = shape == "SD" if shape in ("DS", "SD") and is_whole_before else order
        is_mixed = shape.startswith("DSD" if own else "SDS") and is_whole_before
        if is_mixed and not any(atom.kind is AtomKind.DAYS and atom.has_colon for atom in part):
            raise CannotTell("days and times out of order")  # "Tue 9-11; 1-3 Thu, Sun 1-2"
        orders += [own] * len(part)
        is_whole_before = shape == ("SD" if own else "DS") if shape else is_whole_before
    return orders


def _refuse_named_weeks(atoms: list[Atom]) -> None:
    """Refuse "Sat 9-11 (diapers 2nd Sat only)": the weeks apply to one service; the others may be
    weekly."""
    for in_group, together in groupby(atoms, key=lambda atom: atom.in_group):
        group = [*together]
        kinds = {atom.kind for atom in group}
        days = [atom.value for atom in group if isinstance(atom.value, Days)]
        is_some = not kinds.isdisjoint((AtomKind.NTHS, AtomKind.OTHER))
        is_some |= not all(day.is_weekly for day in days)
        is_named = not kinds.isdisjoint(_NAME_KINDS)
        if in_group and is_named and is_some and AtomKind.SPAN not in kinds:
            raise CannotTell("weeks of one of the services")


def _parts(atoms: list[Atom]) -> Iterator[list[Atom]]:
    part: list[Atom] = []
    for atom in atoms:
        part.append(atom)
        if atom.kind is AtomKind.BREAK:
            yield part
            part = []
    yield part
