"""Atoms as clauses: which days have which spans, what closes them, what is said about them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from assets.hours.atoms import Atom, RawSpan
from assets.hours.clauses import (
    Clause,
    Closures,
    Timed,
    are_seasonal,
    close_named_days,
    refuse_lost_season,
    with_own_end,
    without_heading,
)
from assets.hours.days import Day, Days
from assets.hours.order import orders_of, refuse_named_weeks
from assets.hours.seasons import Season
from assets.hours.times import CannotTell, Span
from schemas.hours.schedule import UNDATED_SEASONS

_ALL_WEEK = Days(tuple(Day(weekday) for weekday in range(7)))
_ROUND_THE_CLOCK = (0, 24 * 60)


class Assembler:
    """Puts atoms together, in the order the text uses: days before times, or times before days."""

    def __init__(self, atoms: list[Atom]) -> None:
        refuse_named_weeks(atoms)
        orders = orders_of(atoms)
        self.times_first = orders[0] if orders else False
        self.clauses: list[Clause] = []
        self.closures = Closures()
        self.remarks: list[str] = []
        self._season: Season | None = None
        self._label: str | None = None
        self._who: str | None = None
        self._service: str | None = None
        self._is_other_service = False  # a service was named since the last span
        self._is_other_meal = False  # "Office: Mon 9-5; pantry: ..." without days yet
        self._outer: tuple[str | None, str | None] | None = None  # names before parentheses
        # "idle" after "closed" or "except", "used" once it closed something
        self._closing: str | None = None
        self._is_except = False  # "except Mondays 9-12" may be hours of their own
        self._loose: Days | None = None
        self._loose_holidays: list[str] = []
        self._is_new_segment = True
        for atom, self.times_first in zip(atoms, orders, strict=True):
            getattr(self, f"_on_{atom.what}")(atom)
        self._finish()

    @property
    def _current(self) -> Clause | None:
        return self.clauses[-1] if self.clauses else None

    # --- days and spans

    def _on_days(self, atom: Atom) -> None:
        days, current = atom.value, self._current
        assert isinstance(days, Days)
        self._is_other_meal = False
        if self._closing == "paused":
            self._pause_on(days, atom)
        elif self._closing:
            self.closures.close_days(days, after=current, is_listed=self._is_listed)
            self._closing = "used"
        elif atom.in_group and current and current.days:
            self._refine(current, days)
        elif current and current.dates and not current.spans:
            if {day.weekday() for day in current.dates} != days.weekdays or not days.is_weekly:
                raise CannotTell("the date is another weekday")
        elif not self.times_first:
            self._begin(Clause(days))
        elif current is None or not current.spans:
            raise CannotTell("days without times")
        elif current.has_days:
            self._loose = days
        else:
            current.days = days
        self._is_new_segment = False

    def _on_date(self, atom: Atom) -> None:
        day, current = atom.value, self._current
        assert isinstance(day, date)
        if self._closing:
            self.closures.close_date(day, is_listed=self._is_listed)
            self._closing = "used"
        elif current and current.days and not current.spans:
            if current.days.weekdays != {day.weekday()} or not current.days.is_weekly:
                raise CannotTell("the date is another weekday")
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

    def _on_span(self, atom: Atom) -> None:
        raw, current = atom.value, self._current
        assert isinstance(raw, RawSpan | tuple)
        if self._closing == "used" and current and not current.spans and not self.times_first:
            self._closing = None  # "every day except Sunday 9-5"
        if self._closing:
            self._pause(raw)
            return
        if atom.in_group and raw == _ROUND_THE_CLOCK and current and current.spans:
            current.spans = [Timed(raw)]
            return
        if self.times_first and (current is None or current.has_days):
            self._begin(Clause())
        elif current and self._has_own_season(current):
            self._begin(Clause(current.days))  # "Wed 4-6 April-October; 3-5 November-March"
        current = self._current
        if current is None or current.is_closed:
            raise CannotTell("times without days")
        if self._is_other_service and self._is_new_segment and current.spans:
            raise CannotTell("times without days")
        self._is_other_service = self._is_other_meal = False
        current.spans.append(Timed(raw, self._label, self._who, self._service))
        self._is_new_segment = False

    def _has_own_season(self, current: Clause) -> bool:
        """Return True if the season follows the hours and so ends with them."""
        is_ended = self._is_new_segment or current.is_season_last
        return bool(is_ended and current.spans and current.season and self._season is None)

    def _pause(self, raw: RawSpan | Span) -> None:
        """Apply a pause: "closed 12-1", "closed daily for lunch 12-1", "closed Mondays 12-1"."""
        if self._closing == "used" and self.closures.days[-1:] == [_ALL_WEEK]:
            self.closures.days.pop()
            self.closures.pauses += [(clause, raw) for clause in self.clauses if clause.spans]
        elif self._current and self._current.spans and self._closing == "idle":
            self.closures.pauses.append((self._current, raw))
        elif self._closing == "used" and self.closures.days and not self._is_except:
            self.closures.times.append((self.closures.days.pop(), raw))
        else:
            raise CannotTell("closed at some times")
        self._closing, self.closures.last = "paused", "days"  # "closed 12-1 in July"

    def _pause_on(self, days: Days, atom: Atom) -> None:
        """Apply a pause on days that end the part: "Mon-Fri 9-5; closed 8-9 on the first
        Wednesday"."""
        pauses = self.closures.pauses
        if not (atom.is_last and pauses and pauses[-1][0] is self._current) or self.closures.times:
            raise CannotTell("closed at some times on some days")
        raw = pauses.pop()[1]
        if days == _ALL_WEEK:
            pauses += [(clause, raw) for clause in self.clauses if clause.spans]
        else:
            self.closures.times.append((days, raw))

    def _on_until(self, atom: Atom) -> None:
        if self._closing or not self._current:
            raise CannotTell("until when, but not from when")
        assert isinstance(atom.value, tuple)
        self.clauses.insert(-1, with_own_end(self._current, *atom.value))
        self._is_new_segment = False

    def _begin(self, clause: Clause) -> None:
        if self._loose or self._loose_holidays:
            raise CannotTell("days without times")
        clause.season = self._season
        clause.remarks = self.remarks[:]
        self.remarks.clear()
        self.clauses.append(clause)

    def _refine(self, clause: Clause, days: Days) -> None:
        """Refine the same weekdays: "Th 9-11 (1st & 3rd Thursday)"."""
        assert clause.days
        if set(days.days) == set(clause.days.days):
            return  # said again, in the other language
        if len(clause.spans) > 1:
            raise CannotTell("weeks for one of the times")
        if not days.weekdays or not days.weekdays <= clause.days.weekdays or days.is_weekly:
            raise CannotTell("days in parentheses")
        if days.weekdays != clause.days.weekdays or not clause.days.is_weekly:
            raise CannotTell("days in parentheses")
        clause.days = replace(days, part=clause.days.part)

    def _on_nths(self, atom: Atom) -> None:
        nths, current = atom.value, self._current
        assert isinstance(nths, tuple)
        if current is None or current.days is None:
            raise CannotTell("weeks without days")
        if atom.in_group and len(current.spans) > 1:
            raise CannotTell("weeks for one of the times")  # "Tue 9-11; 5-7 (last Tue only)"
        if not nths:
            if current.days.is_weekly:
                raise CannotTell("a month, no week named")
        elif not current.days.is_weekly or not set(nths) <= {1, 2, 3, 4, 5, -1}:
            raise CannotTell("weeks that do not fit")
        else:
            days = tuple(replace(day, nths=nths) for day in current.days.days)
            current.days = replace(current.days, days=days)

    def _on_other(self, atom: Atom) -> None:
        current = self._current
        if current is None or current.days is None or not current.days.is_weekly:
            raise CannotTell("every other week of what")
        if len(current.spans if atom.in_group else self.clauses) > 1:
            raise CannotTell("every other week for some of the days")
        days = tuple(replace(day, interval=2) for day in current.days.days)
        current.days = replace(current.days, days=days)

    # --- what closes

    def _on_closed(self, atom: Atom) -> None:
        current = self._current
        if self._loose_holidays:
            self.closures.holidays += self._loose_holidays
            self._loose_holidays = []
        elif self._loose:
            self.closures.close_days(self._loose, after=current, is_listed=False)
            self._loose = None
        elif self._has_idle_season and self._is_new_segment:
            assert self._season
            # "Sept-May: Tue 9-12; June-Aug: closed"
            self.closures.close_season(self._season, is_listed=False)
            self._season, self._closing = None, "used"
        elif (
            current
            and current.days
            and not current.is_closed
            and not (current.spans or current.remarks or atom.in_group)
        ):
            current.is_closed = True
        else:
            self._closing, self._is_except = "idle", False

    def _on_except(self, atom: Atom) -> None:
        self._closing, self._is_except = "idle", True

    def _on_holidays(self, atom: Atom) -> None:
        if self._closing:
            self.closures.close_holiday(str(atom.value))
            self._closing = "used"
        else:
            self._loose_holidays.append(str(atom.value))

    def _on_month(self, atom: Atom) -> None:
        if not self._closing:
            raise CannotTell("a month alone")
        self._on_season(atom)

    def _on_season(self, atom: Atom) -> None:
        season, current = atom.value, self._current
        assert isinstance(season, Season)
        if self._closing:
            if atom.has_colon:  # "2nd Sat (except December: 1st Sat)"
                raise CannotTell("other days in some months")
            self.closures.close_season(season, is_listed=self._is_listed)
            self._closing = "used"
        elif atom.in_group and current:
            if self._is_new_segment or current.season not in (None, season):
                raise CannotTell("a season for some of the days")
            current.season, current.is_season_last = season, bool(current.spans)
        elif current is None or self._season:
            if self._has_idle_season:
                raise CannotTell("two seasons")  # "Jan-May & Sept-Dec: Wed 4-5"
            self._season = season
        elif atom.has_colon or (self._is_new_segment and not atom.is_last):
            # "Tue 9-11; May-Sept: Thu 4-6": it heads what follows, and whether Tuesdays pause is
            # not said
            raise CannotTell("a season for some of the days")
        elif current.has_days and current.season is None and are_seasonal(self.clauses[:-1]):
            current.season, current.is_season_last = season, bool(current.spans)
        else:
            raise CannotTell("a season for some of the days")

    @property
    def _is_listed(self) -> bool:
        """Return True if something else was closed just before: "closed Sundays and holidays"."""
        return self._closing != "idle"

    @property
    def _has_idle_season(self) -> bool:
        """Return True if a season was named and no days have followed it yet."""
        current = self._current
        return self._season is not None and (current is None or current.season != self._season)

    def _on_break(self, atom: Atom) -> None:
        current = self._current
        if current and not current.has_days and any(timed.service for timed in current.spans):
            raise CannotTell("times without days")
        if self._closing == "idle":
            raise CannotTell("closed, but when")
        self._closing = None
        self._is_new_segment = True

    def _on_end(self, atom: Atom) -> None:
        if self._closing == "idle":
            raise CannotTell("closed, but when")
        self._closing = None
        if self._outer:
            (self._label, self._who), self._outer = self._outer, None

    # --- words

    def _on_label(self, atom: Atom) -> None:
        self._name(str(atom.value), "label", atom)

    def _on_who(self, atom: Atom) -> None:
        self._name(str(atom.value), "who", atom)

    def _on_service(self, atom: Atom) -> None:
        self._name(str(atom.value), "service", atom)

    def _name(self, text: str, attribute: str, atom: Atom) -> None:
        current, is_last = self._current, atom.is_last
        if self._closing and text in UNDATED_SEASONS:
            raise CannotTell("closed, but when")
        if self._closing in ("idle", "paused"):
            return  # "closed for lunch", "closed 12-1 for lunch"
        if is_last and current and current.spans and not self._is_new_segment:
            for timed in reversed(current.spans):
                if getattr(timed, attribute) is not None:
                    refuse_lost_season(getattr(timed, attribute), text)
                    break
                setattr(timed, attribute, text)
        elif is_last and current and self._is_new_segment and attribute == "who":
            self._on_remark(Atom("remark", text, is_last=True))
        elif not (is_last and current):
            self._refuse_between(atom)
            is_inner = atom.in_group and attribute != "service"
            self._outer = (self._label, self._who) if is_inner else None
            self._forget_names(attribute, text, atom)
            setattr(self, f"_{attribute}", text)

    def _forget_names(self, attribute: str, text: str, atom: Atom) -> None:
        """Drop names that a new one replaces: "Lunch: Mon 12-1; Clinic: Tue 9-12"."""
        is_new_part = atom.has_colon and attribute == "who"
        if attribute in ("label", "service") or is_new_part:
            refuse_lost_season(self._service, text)
            self._service = None
        self._is_other_meal = attribute == "label" and atom.has_colon and bool(self.clauses)
        if attribute == "service":
            self._label = None
            self._is_other_service = self._current is not None
            self._who = None if atom.has_colon else self._who

    def _refuse_between(self, atom: Atom) -> None:
        """Refuse "8-9 breakfast Sat 10-11": the name may belong to either side."""
        is_between = bool(self._current and self._current.spans) and not self._is_new_segment
        is_named = self._label or self._who or self._service
        if is_between and not (atom.has_colon or atom.in_group or is_named):
            raise CannotTell("a name between two times")

    def _on_remark(self, atom: Atom) -> None:
        text, current = str(atom.value), self._current
        if atom.has_colon and self._is_new_segment:
            self._service = None  # "Office: Mon-Fri 9-5; Drop-in: Mon 9-2"
        if self._is_other_meal:
            raise CannotTell("a remark for one of the meals")
        if self._loose and text == "by appointment" and self._is_new_segment is False:
            self.clauses.append(Clause(self._loose, remarks=[text], season=self._season))
            self._loose = None
            return  # "9-12 Mon, Wed; Friday by appointment"
        if self._is_other_service:
            return  # "Museum: Sun-Fri 10-4; library by appointment"
        if current is None or (self._is_new_segment and not atom.is_last):
            self.remarks.append(text)
        elif self._is_new_segment and not atom.in_group:
            for clause in self.clauses:
                if clause.spans:
                    clause.remarks.append(text)
        else:
            current.remarks.append(text)

    # --- the end

    def _finish(self) -> None:
        if self._closing == "idle" or self._loose or self._loose_holidays:
            raise CannotTell("days without times")
        for clause in self.clauses:
            if clause.spans:
                clause.remarks += self.remarks  # "Mon 9-12. By appointment at the pantry."
        if not self.times_first:
            self.clauses = without_heading(self.clauses)
        if len(self.clauses) == 1 and not self.clauses[0].has_days:
            only = self.clauses[0]
            [*spans] = only.spans
            if {s.raw for s in spans} != {_ROUND_THE_CLOCK} or spans[0].who:
                raise CannotTell("times without days")
            only.days, only.spans = _ALL_WEEK, spans[:1]  # "24 hours / 24 horas"
        for clause in self.clauses:
            raws = [timed.raw for timed in clause.spans]
            if _ROUND_THE_CLOCK in raws and len(raws) > 1:
                raise CannotTell("round the clock and not")
            if not clause.has_days:
                raise CannotTell("times without days")
            if not (clause.is_told or clause.is_closed):
                raise CannotTell("days without times")
        close_named_days(self.clauses, self.closures)
