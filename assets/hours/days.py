"""Reads days: weekdays, nth weekdays of the month, every other week, days of the month."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from assets.hours.lexicon import NUMBERS, RANGES, Kind
from assets.hours.times import CannotTell, Clock
from assets.hours.tokens import Token

CONNECTORS = (Kind.COMMA, Kind.AND, Kind.SLASH)
# Beginnings of weekdays, of three letters.
SUNDAY = 6
ENGLISH_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SPANISH_DAYS = ("lun", "mar", "mie", "jue", "vie", "sab", "dom")
_STARTS = (Kind.DAYS, Kind.ORDINAL, Kind.EVERY, Kind.OTHER, Kind.SOME)
_MAX_WEEKS = 4
_WHOLE_MONTH = ("of the month", "of each month", "of every month", "del mes", "de cada mes")


@dataclass(frozen=True, slots=True)
class Day:
    """A weekday (Monday 0) of every week, or of the named weeks of the month (`nths`; -1 is the
    last).
    """

    weekday: int
    nths: tuple[int, ...] = ()
    interval: int = 1
    is_some: bool = False  # in some unspecified weeks

    @property
    def is_weekly(self) -> bool:
        return not (self.nths or self.is_some) and self.interval == 1


@dataclass(frozen=True, slots=True)
class Days:
    """Days that share their times. `part` is "am" or "pm" where the text says "Monday evenings"."""

    days: tuple[Day, ...]
    month_days: tuple[int, ...] = ()
    part: str | None = None
    # "every Thursday", "Friday 10-12 biweekly": weeks of days nearby do not apply
    has_own_weeks: bool = field(default=False, compare=False)
    may_be_range: bool = field(default=False, compare=False)  # "Mon Thu 9-5"

    @property
    def weekdays(self) -> frozenset[int]:
        return frozenset(day.weekday for day in self.days)

    @property
    def is_weekly(self) -> bool:
        return not self.month_days and all(day.is_weekly for day in self.days)

    @property
    def in_some_weeks(self) -> Days:
        """The same weekdays in some weeks."""
        return replace(self, days=tuple(replace(day, is_some=True) for day in self.days))


ALL_WEEK = Days(tuple(Day(weekday) for weekday in range(7)))


def number_of(token: Token) -> int:
    """Return 1 to 4 for a number or its word, else 0."""
    is_bare = isinstance(token.value, Clock) and token.value.is_bare
    number = token.value.hour if isinstance(token.value, Clock) else NUMBERS.get(token.text, 0)
    return number if number <= _MAX_WEEKS and (is_bare or token.kind is Kind.WORD) else 0


def read_days(tokens: list[Token], start: int) -> tuple[Days, int]:
    """Return the days that begin at a token and the place after them. Raises CannotTell."""
    return _DayReader(tokens, start).read()


def _days_of_chains(tokens: list[Token]) -> set[int]:
    """Return the days of chains of three and more: "Mon-Wed-Fri"."""
    days: set[int] = set()
    for at in range(len(tokens) - 4):
        chain = tokens[at : at + 5]
        kinds = [token.kind for token in chain]
        if kinds == [Kind.DAYS, Kind.DASH, Kind.DAYS, Kind.DASH, Kind.DAYS]:
            for token in chain[::2]:
                assert isinstance(token.value, tuple)
                days.update(token.value)
    return days


class _DayReader:
    def __init__(self, tokens: list[Token], at: int) -> None:
        self.tokens = tokens
        self.at = at
        self.found: list[Day] = []
        self.month_days: list[int] = []
        self.part: str | None = None
        self.connectors = 0
        self.may_be_range = False

    def read(self) -> tuple[Days, int]:
        has_own = self._kind() is Kind.EVERY and self._kind(1) is Kind.DAYS
        self._read_item()
        while (following := self._next_item()) is not None:
            self.at = following
            self._read_item()
        others = [day for day in self.found if day.interval > 1]
        if others and len(self.found) > len(others):
            raise CannotTell("every other week for some of the days")
        if self.found and self.found[0].is_some:  # "1st week of the month: Tue & Thu"
            self.found = [
                replace(day, is_some=True) if day.is_weekly else day for day in self.found
            ]
        if self.month_days and self.found:
            raise CannotTell("weekdays and days of the month")
        self._read_part()
        month_days = tuple(sorted(set(self.month_days)))
        days = Days(tuple(self.found), month_days, self.part, has_own, self.may_be_range)
        return days, self.at

    def _kind(self, offset: int = 0) -> Kind | None:
        place = self.at + offset
        return self.tokens[place].kind if place < len(self.tokens) else None

    def _read_item(self) -> None:
        is_every = is_other = is_monthly = is_some = False
        while self._kind() in (Kind.EVERY, Kind.OTHER, Kind.OF_MONTH, Kind.SOME):
            is_every |= self._kind() is Kind.EVERY
            is_some |= self._kind() is Kind.SOME
            is_other |= self._kind() is Kind.OTHER
            is_monthly |= self._kind() is Kind.OF_MONTH
            self.at += 1
            self._skip_colon()
            self.at += is_monthly and self._kind() is Kind.DASH  # "Monthly - 3rd Saturday"
        ordinals = self._read_ordinals()
        if self._number() and self._kind(1) is Kind.DAYS and len(ordinals) <= 1:
            ordinals, is_some = self._first_of(ordinals), is_some or ordinals != [1]
            self.at += 1
        if ordinals and (days := self._days_of_week_of_month()):
            self.at = days  # "first week of the month Thursday" may be the second Thursday
            is_some = True
        if self._kind() is not Kind.DAYS:
            self._read_month_days(ordinals)
            return
        weekdays = self._read_weekdays()
        if not ordinals:
            ordinals = self._read_ordinals_in_parentheses() or self._read_ordinals_after()
        is_of_month = self._kind() is Kind.OF_MONTH
        is_some |= self._kind() is Kind.SOME
        self.at += self._kind() in (Kind.OF_MONTH, Kind.SOME)
        if ordinals:
            self._skip_repetition(weekdays)
        is_some |= not ordinals and (is_monthly or is_of_month)
        is_some &= not (is_every and is_of_month and self._is_whole_month() and not is_monthly)
        # "every 2nd Monday" may be every other
        is_some |= is_every and ordinals == [2] and not (is_of_month or is_monthly)
        # "1st Mon-Fri of the month" leaves the week open
        is_some |= len(weekdays) > 2 and ordinals != [] and set(ordinals) <= {1, 2, 3, 4, 5, -1}
        if is_some:
            self.found += [Day(weekday, is_some=True) for weekday in weekdays]
            return
        if ordinals and (
            len(weekdays) == 2 or is_other or not set(ordinals) <= {1, 2, 3, 4, 5, -1}
        ):
            raise CannotTell("ordinals that do not fit")
        nths = tuple(sorted(set(ordinals), key=lambda n: n % 7))
        self._add(weekdays, nths, 2 if is_other else 1, is_every=is_every)

    def _days_of_week_of_month(self) -> int:
        """Return the place of the days after "(1st) full week of the month: ", 0 without them."""
        has_number = self._number() > 0
        if self._kind(has_number) is not Kind.SOME:
            return 0
        after = 1 + has_number
        after += self._kind(after) is Kind.OF_MONTH
        after += self._kind(after) in (Kind.COMMA, Kind.COLON, Kind.DASH)
        return self.at + after if self._kind(after) is Kind.DAYS else 0

    def _is_whole_month(self) -> bool:
        """Check for every week of a month: "Every Tuesday of the month"; "every Tuesday monthly"
        is a slip."""
        return self.tokens[self.at - 1].text in _WHOLE_MONTH

    def _add(
        self, weekdays: tuple[int, ...], nths: tuple[int, ...], interval: int, *, is_every: bool
    ) -> None:
        before = self.found[-1] if self.found else None
        if before and before.nths and not (nths or is_every):
            # "first and third Tuesday and Thursday" means both, "4th Thursday, Friday" may not
            if len(before.nths) < 2 or self._connector is not Kind.AND:
                raise CannotTell("ordinals for some of the days")
            nths = before.nths
        if before and before.interval > 1 and interval == 1:
            raise CannotTell("every other week for some of the days")
        self.found += [Day(weekday, nths, interval) for weekday in weekdays]

    def _read_ordinals(self) -> list[int]:
        ordinals: list[int] = []
        while self._kind() is Kind.ORDINAL:
            ordinals.append(self._ordinal())
            self.at += 1
            if self._kind() in RANGES and self._kind(1) is Kind.ORDINAL:
                self.at += 1
                last = self._ordinal()
                if not 0 < ordinals[-1] < last:
                    raise CannotTell("ordinals that do not fit")
                ordinals += range(ordinals[-1] + 1, last)
                continue
            joins = 0
            while self._kind(joins) in CONNECTORS:
                joins += 1
            if joins and self._kind(joins) is Kind.ORDINAL:
                self.at += joins
        return ordinals

    def _number(self) -> int:
        """Return a small number of days: "first two Saturdays"; 0 without one."""
        return number_of(self.tokens[self.at]) if self.at < len(self.tokens) else 0

    def _first_of(self, ordinals: list[int]) -> list[int]:
        """Return the weeks of "first three Thursdays"; none for other ordinals ("last two")."""
        return list(range(1, self._number() + 1)) if ordinals == [1] else []

    def _ordinal(self) -> int:
        value = self.tokens[self.at].value
        assert isinstance(value, int)
        return value

    def _read_month_days(self, ordinals: list[int]) -> None:
        """Read "the 1st and 15th of each month", "15th and 30th": days of the month, not weeks."""
        is_of_month = self._kind() is Kind.OF_MONTH
        if not ordinals or not (is_of_month or max(ordinals) > 5):
            raise CannotTell("days are missing")
        self.at += is_of_month
        if any(not 1 <= n <= 31 for n in ordinals):
            raise CannotTell("ordinals that do not fit")
        self.month_days += ordinals

    def _read_weekdays(self) -> tuple[int, ...]:
        chain = [self._weekdays()]
        joins = 0
        while (length := self._range_mark()) and len(chain[-1]) == 1:
            self.at += length
            joins += 1
            chain.append(self._weekdays())
        if any(len(days) > 1 for days in chain[1:]) or (joins and len(chain[0]) > 1):
            raise CannotTell("a range of days that does not fit")
        if joins == 1:
            first, last = chain[0][0], chain[1][0]
            if first == last:
                return tuple(range(7))  # "Sun-Sun"
            days = tuple((first + n) % 7 for n in range((last - first) % 7 + 1))
            # "Mon-Wed-Fri 10-1, Tue-Thu 2-5": dashes join lists
            return days if _days_of_chains(self.tokens).isdisjoint(days[1:-1]) else (first, last)
        return tuple(day for days in chain for day in days)

    def _range_mark(self) -> int:
        """Return tokens between two days of a range: one, or two for "Mon., - Fri."."""
        at = 1 if self._kind() is Kind.COMMA else 0
        is_range = self._kind(at) in RANGES and self._kind(at + 1) is Kind.DAYS
        return at + 1 if is_range else 0

    def _weekdays(self) -> tuple[int, ...]:
        value = self.tokens[self.at].value
        assert isinstance(value, tuple)
        self.at += 1
        self._skip_translation(value)
        return value

    def _skip_translation(self, weekdays: tuple[int, ...]) -> None:
        """Skip "Lunes / Monday / Lendi", "Saturdays (sábados)": one day in several languages."""
        following = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None
        if following is None or following.kind is not Kind.DAYS or following.value != weekdays:
            return
        if self._kind() is Kind.SLASH:
            if self._kind(2) is Kind.OPEN and self._kind(3) in (Kind.ORDINAL, Kind.CLOCK):
                raise CannotTell("every week and some weeks")  # "SAT / SAT (2ND)"
            self.at += 2
            self._skip_translation(weekdays)  # "Lunes / Monday / Lendi"
        elif self._kind() is Kind.OPEN and self._kind(2) is Kind.CLOSE:
            self.at += 3

    def _skip_repetition(self, weekdays: tuple[int, ...]) -> None:
        """Skip "2nd Wed Wednesday 2-3", "First Tuesday of the month: Tuesday 9-11"."""
        place = self.at + (self._kind() is Kind.COLON)
        if place < len(self.tokens) and self.tokens[place].value == weekdays:
            follows = self.tokens[place + 1].kind if place + 1 < len(self.tokens) else None
            if follows in (Kind.CLOCK, Kind.BETWEEN, Kind.BREAK, None):
                self.at = place + 1

    def _read_ordinals_after(self) -> list[int]:
        """Read "Saturday 2nd & 4th, 9-11". One alone may be a date: "Saturday 1st"."""
        start = self.at
        self._skip_colon()
        ordinals = self._read_ordinals()
        ends = (Kind.CLOCK, Kind.BETWEEN, Kind.COLON, Kind.OF_MONTH, Kind.COMMA)
        is_certain = len(ordinals) > 1 or self._kind() is Kind.OF_MONTH
        if ordinals and is_certain and self._kind() in ends and self._kind(1) is not Kind.DAYS:
            return ordinals
        self.at = start
        return []

    def _read_ordinals_in_parentheses(self) -> list[int]:
        """Read "SAT(2,4)", "Tuesday (2nd and 4th)"."""
        if self._kind() is not Kind.OPEN:
            return []
        place, ordinals = self.at + 1, []
        while place < len(self.tokens) and self.tokens[place].kind is not Kind.CLOSE:
            token = self.tokens[place]
            if isinstance(token.value, Clock) and token.value.is_bare and token.value.hour <= 5:
                ordinals.append(token.value.hour)
            elif token.kind is Kind.ORDINAL and isinstance(token.value, int):
                ordinals.append(token.value)
            elif token.kind not in (*CONNECTORS, Kind.OF_MONTH, Kind.EVERY):
                return []
            place += 1
        if ordinals:
            self.at = place + 1
        return ordinals

    def _next_item(self) -> int | None:
        """Return the index where the list of days continues, None at its end."""
        place = self.at
        self._connector: Kind | None = None
        while place < len(self.tokens) and self.tokens[place].kind in CONNECTORS:
            self._connector = self.tokens[place].kind
            place += 1
        if place >= len(self.tokens) or self.tokens[place].kind not in _STARTS:
            return None
        token = self.tokens[place]
        if token.kind in (Kind.EVERY, Kind.OTHER) and (
            place + 1 >= len(self.tokens) or self.tokens[place + 1].kind not in _STARTS
        ):
            return None
        if token.kind is Kind.DAYS and isinstance(token.value, tuple):
            if {day.weekday for day in self.found if day.is_weekly} & set(token.value):
                return None
            is_list = place > self.at or self._may_stand_side_by_side(token.value)
            self.may_be_range |= not is_list
        self.connectors += place > self.at
        return place

    def _may_stand_side_by_side(self, weekdays: tuple[int, ...]) -> bool:
        is_next = bool(self.found) and (self.found[-1].weekday + 1) % 7 == weekdays[0]
        is_third = self._kind(1) is Kind.DAYS or self.tokens[self.at - 2].kind is Kind.DAYS
        # "Monday Wednesday and Friday"; "Mon Fri and Sat" may be a range
        is_list = self._kind(1) is Kind.AND and self._kind(2) is Kind.DAYS
        is_list &= bool(self.found) and 0 < weekdays[0] - self.found[-1].weekday <= 2
        # "Mon Wed Fri 9-11, Tue Thu 1-3"
        kinds = [token.kind for token in self.tokens]
        is_list |= any(kinds[n : n + 3] == [Kind.DAYS] * 3 for n in range(len(kinds)))
        return is_next or is_third or is_list or self.connectors >= 2

    def _skip_colon(self) -> None:
        self.at += self._kind() in (Kind.COLON, Kind.COMMA)

    def _read_part(self) -> None:
        if self._kind() is Kind.PART:
            self.part = str(self.tokens[self.at].value)
            self.at += 1
