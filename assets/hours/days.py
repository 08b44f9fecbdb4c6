"""Reads days: weekdays, nth weekdays of the month, every other week, days of the month."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise

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
_CHAIN = [Kind.DAYS, Kind.DASH, Kind.DAYS, Kind.DASH, Kind.DAYS]
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
    part: str | None = None
    # "every Thursday", "Friday 10-12 biweekly": weeks of days nearby do not apply
    has_own_weeks: bool = field(default=False, compare=False)
    may_be_range: bool = field(default=False, compare=False)  # "Mon Thu 9-5"

    @property
    def weekdays(self) -> frozenset[int]:
        return frozenset(day.weekday for day in self.days)

    @property
    def is_weekly(self) -> bool:
        return all(day.is_weekly for day in self.days)

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


class _DayReader:
    def __init__(self, tokens: list[Token], at: int) -> None:
        self.tokens = tokens
        self.at = at
        self.found: list[Day] = []
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
        if self._kind() is Kind.PART:
            self.part = str(self.tokens[self.at].value)
            self.at += 1
        return Days(tuple(self.found), self.part, has_own, self.may_be_range), self.at

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
            self.at += self._kind() in (Kind.COLON, Kind.COMMA)
            self.at += is_monthly and self._kind() is Kind.DASH  # "Monthly - 3rd Saturday"
        ordinals = self._read_ordinals()
        if self._number() and self._kind(1) is Kind.DAYS and len(ordinals) <= 1:
            ordinals, is_some = [], True  # "first three Thursdays"
            self.at += 1
        if ordinals and (days := self._days_of_week_of_month()):
            self.at = days  # "first week of the month Thursday" may be the second Thursday
            is_some = True
        if self._kind() is not Kind.DAYS:
            raise CannotTell("days are missing")  # "the 1st and 15th of each month"
        weekdays = self._read_weekdays()
        if not ordinals:
            ordinals = self._read_ordinals_in_parentheses()
        is_of_month = self._kind() is Kind.OF_MONTH
        is_some |= self._kind() is Kind.SOME
        self.at += self._kind() in (Kind.OF_MONTH, Kind.SOME)
        if ordinals:
            self._skip_repetition(weekdays)
        is_some |= not ordinals and (is_monthly or is_of_month)
        # Every week of a month: "Every Tuesday of the month"; "every Tuesday monthly" is a slip.
        is_some &= not (
            is_every
            and is_of_month
            and self.tokens[self.at - 1].text in _WHOLE_MONTH
            and not is_monthly
        )
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
            value = self.tokens[self.at].value
            assert isinstance(value, int)
            ordinals.append(value)
            self.at += 1
            joins = 0
            while self._kind(joins) in CONNECTORS:
                joins += 1
            if joins and self._kind(joins) is Kind.ORDINAL:
                self.at += joins
        return ordinals

    def _number(self) -> int:
        """Return a small number of days: "first two Saturdays"; 0 without one."""
        return number_of(self.tokens[self.at]) if self.at < len(self.tokens) else 0

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
            kinds = [token.kind for token in self.tokens]
            if any(kinds[n : n + 5] == _CHAIN for n in range(len(kinds))):
                raise CannotTell("a range, or a list")  # "Mon-Wed-Fri 10-1, Tue-Thu 2-5"
            return days
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


# Reads letters that mean days only in context: "M-F", "T/Th".

_ENGLISH_LETTERS = {"m": 0, "t": 1, "w": 2, "r": 3, "f": 4}
_ENGLISH_DAYS = ("t", "w", "r", "f", "mon", "sat", "sun")
_BEFORE_NAMES = (Kind.COMMA, Kind.AND, Kind.CLOCK, Kind.PART, Kind.CLOSE)


def without_spanish_letters(tokens: list[Token]) -> list[Token]:
    """Turn "M" into a word where it may be "martes" or "miércoles": "M 8-5" in a text without an
    English day."""
    texts = [token.text for token in tokens if token.kind in (Kind.LETTER, Kind.DAYS)]
    if any(text.startswith(_ENGLISH_DAYS) or text in ("sa", "su") for text in texts):
        return tokens
    return [
        replace(token, kind=Kind.WORD, value=None)
        if token.kind is Kind.LETTER and token.value == "m"
        else token
        for token in tokens
    ]


def with_letters(tokens: list[Token]) -> list[Token]:
    """Turn single letters next to other days, or with their own times, into days ("M-F", "T/Th",
    "M-Th 8-4; F 9-12", "8-4 M-Th, 9-12 F"); others stay letters."""
    new_tokens = list(tokens)
    for index, token in enumerate(new_tokens):
        if token.kind is Kind.LETTER and token.value in _ENGLISH_LETTERS:
            letter = str(token.value)
            is_beside = _has_day(new_tokens, index, 1) or _has_day(new_tokens, index, -1)
            if is_beside or (letter in "mwf" and _is_alone(new_tokens, index)):
                new_tokens[index] = Token(Kind.DAYS, (_ENGLISH_LETTERS[letter],), letter)
    for one, two in pairwise(new_tokens):
        if one.text == "daily" and two.kind is Kind.DAYS and two.value != one.value:
            raise CannotTell("daily, or on some days")  # "Daily Tuesday 1pm 4pm"
    return new_tokens


def _is_alone(tokens: list[Token], index: int) -> bool:
    """Check for a letter with its own times: "M-Th 8-4; F 9-12", "8-4 M-Th, 9-12 F"."""
    before = tokens[index - 1].kind if index else Kind.BREAK
    after = tokens[index + 1].kind if index + 1 < len(tokens) else Kind.BREAK
    stops = (Kind.BREAK, Kind.COMMA, Kind.CLOSE)
    earlier = tokens[index - 2].kind if index > 1 and before is Kind.COMMA else before
    return (
        _begins_part(tokens, index)
        or (before is Kind.COMMA and _begins_hours(tokens, index + 1))
        or (before is Kind.CLOSED and after in stops)
        or (earlier is Kind.CLOCK and after in stops)
    )


def _begins_hours(tokens: list[Token], at: int) -> bool:
    """Check for hours after a letter: "F 9-12", "F: 9-12", "F closed"."""
    kinds = [token.kind for token in tokens[at : at + 2]]
    return kinds[kinds[:1] == [Kind.COLON] :][:1] in ([Kind.CLOCK], [Kind.CLOSED])


def _begins_part(tokens: list[Token], index: int) -> bool:
    start = index
    named = (Kind.MEAL, Kind.SERVICE, Kind.REMARK, Kind.APPOINTMENT, Kind.COLON, Kind.DASH)
    while start and tokens[start - 1].kind in (*named, Kind.MONTH):
        start -= 1  # "Pantry W 2-4", "Apr-Oct: W 3-6"
    before = tokens[start - 1].kind if start else Kind.BREAK
    # "M-F 8-4, full pantry W 1-3"
    is_first = before is Kind.BREAK or (start < index and before in _BEFORE_NAMES)
    after = index + 1
    after += after < len(tokens) and tokens[after].kind in (Kind.COMMA, Kind.COLON)
    is_hours = after < len(tokens) and tokens[after].kind in (
        Kind.CLOCK,
        Kind.CLOSED,
        Kind.APPOINTMENT,
    )
    return is_first and is_hours


def _has_day(tokens: list[Token], index: int, step: int) -> bool:
    """Return True if a day, or a letter that may be a day, is on that side, adjacent or past a
    connector."""
    place = index + step
    joins = (*CONNECTORS, Kind.DASH, Kind.TO)
    while 0 <= place < len(tokens) and tokens[place].kind in joins:
        place += step
    if not 0 <= place < len(tokens) or abs(place - index) > 3:
        return False
    token = tokens[place]
    return token.kind is Kind.DAYS or (
        token.kind is Kind.LETTER and token.value in _ENGLISH_LETTERS
    )
