"""Reads days: weekdays, nth weekdays of the month, every other week, days of the month."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from assets.hours.lexicon import CONNECTORS, NUMBERS, RANGES, Kind
from assets.hours.times import CannotTell, Clock
from assets.hours.tokens import Token, kind_at

_JOINS = (*CONNECTORS, *RANGES)
SUNDAY = 6
# The first three letters of weekdays.
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


def read_number(token: Token) -> int:
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
        if self._kind() is Kind.PART:
            self.part = str(self.tokens[self.at].value)
            self.at += 1
        month_days = tuple(sorted(set(self.month_days)))
        days = Days(tuple(self.found), month_days, self.part, has_own, self.may_be_range)
        return days, self.at

    def _kind(self, offset: int = 0) -> Kind | None:
        return kind_at(self.tokens, self.at + offset)

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
            # Return the weeks of "first three Thursdays"; none for other ordinals ("last two").
            ordinals, is_some = (
                (list(range(1, self._number() + 1)) if ordinals == [1] else []),
                is_some or ordinals != [1],
            )
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
        return read_number(self.tokens[self.at]) if self.at < len(self.tokens) else 0

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
        while len(chain[-1]) == 1:
            mark = self._kind() is Kind.COMMA  # "Mon., - Fri."
            if self._kind(mark) not in RANGES or self._kind(mark + 1) is not Kind.DAYS:
                break
            self.at += mark + 1
            chain.append(self._weekdays())
        if len(chain) > 1 and any(len(days) > 1 for days in chain):
            raise CannotTell("a range of days that does not fit")
        if len(chain) == 2:
            first, last = chain[0][0], chain[1][0]
            if first == last:
                return tuple(range(7))  # "Sun-Sun"
            days = tuple((first + n) % 7 for n in range((last - first) % 7 + 1))
            # "Mon-Wed-Fri 10-1, Tue-Thu 2-5": dashes join lists
            return days if _days_of_chains(self.tokens).isdisjoint(days[1:-1]) else (first, last)
        return tuple(day for days in chain for day in days)

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
        at = int(self._kind() is Kind.COLON)
        is_said_again = self._kind(at) is Kind.DAYS and self.tokens[self.at + at].value == weekdays
        if is_said_again and self._kind(at + 1) in (Kind.CLOCK, Kind.BETWEEN, Kind.BREAK, None):
            self.at += at + 1

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
        if kind_at(self.tokens, place) not in _STARTS:
            return None
        token = self.tokens[place]
        is_weeks = token.kind in (Kind.EVERY, Kind.OTHER)
        if is_weeks and kind_at(self.tokens, place + 1) not in _STARTS:
            return None
        if token.kind is Kind.DAYS and isinstance(token.value, tuple):
            if {day.weekday for day in self.found if day.is_weekly} & set(token.value):
                return None
            is_list = place > self.at or self._may_stand_side_by_side(token.value)
            self.may_be_range |= not is_list
        self.connectors += place > self.at
        return place

    def _may_stand_side_by_side(self, weekdays: tuple[int, ...]) -> bool:
        if not self.found:
            return False
        distance = (weekdays[0] - self.found[-1].weekday) % 7
        # "Monday Wednesday and Friday"; "Mon Fri and Sat" may be a range
        is_list = distance == 2 and self._kind(1) is Kind.AND and self._kind(2) is Kind.DAYS
        # "Mon Wed Fri 9-11, Tue Thu 1-3"
        kinds = [token.kind for token in self.tokens]
        is_list |= any(kinds[n : n + 3] == [Kind.DAYS] * 3 for n in range(len(kinds)))
        return distance == 1 or is_list or self.connectors >= 2

    def _skip_colon(self) -> None:
        self.at += self._kind() in (Kind.COLON, Kind.COMMA)


# Reads letters that mean days only in context: "M-F", "T/Th".

_ENGLISH_LETTERS = {"m": 0, "t": 1, "w": 2, "r": 3, "f": 4}
_SPANISH_DAYS = ("lu", "mie", "mier", "ju", "vi", "sab", "dom")
_THURSDAYS = ("th", "thu", "thur", "thurs", "thursday")
_SHORT_DAYS = ("ma", "mi", "mie", "mier", "ju", "jue", "vi", "vie")
_ENGLISH_DAYS = ("t", "w", "r", "f", "mon", "sat", "sun")
_SPANISH_ORDINALS = re.compile(
    r"\d(?:do|da|ero?|r[oa]|t[oa]|[oa])$|primer|segund|tercer|cuart|quint|ultim"
)
_NAMES_BEFORE = (
    *(Kind.MEAL, Kind.SERVICE, Kind.REMARK, Kind.APPOINTMENT, Kind.COLON, Kind.MONTH, Kind.DASH),
)
_BEFORE_NAMES = (Kind.COMMA, Kind.AND, Kind.CLOCK, Kind.PART, Kind.CLOSE)
_WEEKS = ("week", "weeks", "semana", "semanas", "wk", "wks")
# Weekdays in Portuguese and ordinals in Spanish: "segunda a sexta".
_PORTUGUESE_ORDINALS = {"segunda": 0, "quinta": 3}
_PORTUGUESE_DAYS = ("terca", "quarta", "sexta", "segundas", "quintas", "segunda-", "quinta-")
_SPANISH_JOINS = ("y", "e", "a", "al", "hasta")
_SPANISH_LETTERS = {"j": 3, "v": 4, "s": 5, "d": 6}


def set_aside_ambiguous_letters(tokens: list[Token]) -> list[Token]:
    """Turn "M" into a word where it may be "martes" or "miércoles": "Despensa M" in a text without
    a day that only English writes ("Pantry M 10-2, W 10-2", "M 9-12; Sat 9-11")."""
    texts = (token.text for token in tokens if token.kind in (Kind.LETTER, Kind.DAYS))
    if any(text.startswith(_ENGLISH_DAYS) or text in ("sa", "su") for text in texts):
        return tokens
    is_english = _is_english(tokens)
    return [
        Token(Kind.WORD, None, "m", token.start, token.end)
        if (token.kind, token.value) == (Kind.LETTER, "m")
        and not (is_english and kind_at(tokens, index - 1) is Kind.ORDINAL)
        else token
        for index, token in enumerate(tokens)
    ]


def read_letters(tokens: list[Token]) -> list[Token]:
    """Turn single letters next to other days into days ("M-F", "T/Th", "L a V"); others stay
    letters."""
    new_tokens = _read_day_words(tokens)
    is_english = _is_english(tokens)
    for index, token in enumerate(new_tokens):
        if token.kind is not Kind.LETTER:
            continue
        letter, pair = token.text, new_tokens[index + 1 : index + 3]
        end = pair[1] if len(pair) == 2 and pair[0].kind in _JOINS and letter == "l" else token
        weekday = None
        if end.kind is Kind.LETTER and end.text in _SPANISH_LETTERS and end is not token:
            weekday = 0  # "L-V"
            new_tokens[index + 2] = Token(Kind.DAYS, (_SPANISH_LETTERS[end.text],), end.text)
        elif end.kind is Kind.DAYS and end.text in _SHORT_DAYS:
            weekday = 0  # "L, Mi, V"
        elif letter in _SPANISH_LETTERS and _follows_spanish_day(new_tokens, index):
            weekday = _SPANISH_LETTERS[letter]
        elif letter in _ENGLISH_LETTERS and (
            _has_day(new_tokens, index, 1)
            or _has_day(new_tokens, index, -1)
            or _is_alone(new_tokens, index, is_english=is_english)
        ):
            weekday = _ENGLISH_LETTERS[letter]
        if weekday is not None:
            new_tokens[index] = Token(Kind.DAYS, (weekday,), letter)
    for index, token in enumerate(new_tokens[:-1]):
        # "Daily Tuesday 1pm 4pm", a line of a list that also gives "Weekly Tuesday"
        is_first = kind_at(new_tokens, index - 1) in (None, Kind.BREAK)
        days = new_tokens[index + 1].value
        if token.text == "daily" and is_first and isinstance(days, tuple) and len(days) < 7:
            new_tokens[index] = Token(Kind.EVERY, None, "daily")
    return new_tokens


def _read_day_words(tokens: list[Token]) -> list[Token]:
    """Return the tokens with words read as days or weeks where other words require it: "segunda",
    "week 1", "do"."""
    is_portuguese = any(
        token.kind is Kind.DAYS and token.text.startswith(_PORTUGUESE_DAYS) for token in tokens
    )
    days = [token.text for token in tokens if token.kind is Kind.DAYS]
    is_spanish, is_german = any(day.startswith(_SPANISH_DAYS) for day in days), "mo" in days
    new_tokens = list(tokens)
    for index, token in enumerate(new_tokens):
        follows = new_tokens[index + 1] if index + 1 < len(new_tokens) else Token(Kind.BREAK)
        if token.text in _PORTUGUESE_ORDINALS and is_portuguese and follows.kind is not Kind.DAYS:
            # but "a segunda terça do mês": the second Tuesday
            new_tokens[index] = Token(Kind.DAYS, (_PORTUGUESE_ORDINALS[token.text],), token.text)
        elif token.text in _WEEKS and read_number(follows):
            week = Token(Kind.ORDINAL, read_number(follows), token.text)
            new_tokens[index : index + 2] = week, Token(Kind.SOME, None, token.text)  # "week 1"
        elif token.text == "do" and is_spanish is is_german:
            new_tokens[index] = Token(Kind.WORD, None, "do")
        elif token.text == "do":  # domingo, or Donnerstag
            new_tokens[index] = Token(Kind.DAYS, (6 if is_spanish else 3,), "do")
    return new_tokens


def _is_english(tokens: list[Token]) -> bool:
    """Return True where a lone "m" cannot be "martes" or "miercoles": no day and no join is
    Spanish."""
    return not any(
        (token.kind is Kind.DAYS and token.text.startswith(SPANISH_DAYS))
        or (token.kind is Kind.LETTER and token.value in ("l", "v", "j", "d"))
        or (token.kind in (Kind.AND, Kind.TO) and token.text in _SPANISH_JOINS)
        or (token.kind is Kind.ORDINAL and _SPANISH_ORDINALS.match(token.text))
        for token in tokens
    )


def _is_alone(tokens: list[Token], index: int, *, is_english: bool) -> bool:
    """Check for a single letter with its times: "M-Th 8-4; F 9-12", "8-4 M, 9-12 Th", "W 6-8pm"."""
    days = [token.text for token in tokens[:index] if token.kind is Kind.DAYS]
    if tokens[index].value == "t":
        # "T" means Tuesday if the text also names Thursday, or if the last day before it is "M":
        # "M 1-6, T 9-12"; in "M-W 9-12, T 1-4" it is probably Thursday
        is_named = any(token.value == (3,) and token.text in _THURSDAYS for token in tokens)
        is_named |= days[-1:] == ["m"]
        is_named |= any(token.kind is Kind.LETTER and token.value == "r" for token in tokens)
        # "T 12-3, W 9-12"
        values = (t.value for t in tokens[index + 1 :] if t.kind in (Kind.DAYS, Kind.LETTER))
        is_named |= not days and next(values, None) in ((2,), "w")
        if not (is_english and is_named):
            return False
    elif tokens[index].value == "r":
        if days[-1:] not in (["m"], ["t"], ["w"]):  # "W 12-5, R 12-5"
            return False
    elif tokens[index].value not in ("m", "w", "f"):
        return False
    before, after = kind_at(tokens, index - 1), kind_at(tokens, index + 1)
    if is_english and before is Kind.ORDINAL:
        of_month = after is Kind.OF_MONTH
        return _begins_hours(tokens, index + 1 + of_month)  # "2nd & 4th W 9-11"
    if not any(token.kind is Kind.DAYS for token in tokens):
        return is_english and _begins_part(tokens, index)
    is_end = after in (None, Kind.BREAK, Kind.COMMA, Kind.CLOSE)
    has_hours = _begins_hours(tokens, index + 1)
    earlier = kind_at(tokens, index - 2) if before in (Kind.COMMA, Kind.SLASH) else before
    # "M: 9-5 T: 9-5 W closed Th 9-5"
    is_in_row = is_english and earlier in (Kind.CLOCK, Kind.CLOSED) and before is not Kind.COMMA
    return (
        _begins_part(tokens, index)
        or (has_hours and (before is Kind.COMMA or is_in_row))
        or (
            is_end
            and (before is Kind.CLOSED or (earlier is Kind.CLOCK and before is not Kind.SLASH))
        )
    )


def _begins_hours(tokens: list[Token], at: int) -> bool:
    """Check for hours after a letter: "F 9-12", "F: 9-12", "F closed"."""
    kinds = [token.kind for token in tokens[at : at + 2]]
    return kinds[kinds[:1] == [Kind.COLON] :][:1] in ([Kind.CLOCK], [Kind.CLOSED])


def _begins_part(tokens: list[Token], index: int) -> bool:
    """Check for a letter that begins a part, or follows a name that does, and has hours."""
    start = index
    letter = tokens[index].value
    has_thursday = any(t.kind is Kind.DAYS and t.text in _THURSDAYS for t in tokens)
    is_certain = letter in ("m", "w", "f") or (letter == "t" and has_thursday)
    while is_certain and kind_at(tokens, start - 1) in _NAMES_BEFORE:
        start -= 1  # "Pantry W 2-4", "Apr-Oct: W 3-6"
    if start == 1 and tokens[0].kind is Kind.COLON:
        start = 0  # "Hours: T 9-1"
    before = kind_at(tokens, start - 1)
    # "M-F 8-4, full pantry W 1-3"
    is_first = before in (None, Kind.BREAK) or (start < index and before in _BEFORE_NAMES)
    after = index + 1
    while kind_at(tokens, after) in (Kind.COMMA, Kind.COLON):
        after += 1
    return is_first and kind_at(tokens, after) in (Kind.CLOCK, Kind.CLOSED, Kind.APPOINTMENT)


def _follows_spanish_day(tokens: list[Token], index: int) -> bool:
    """Check for another letter where single letters are Spanish days: "L, J y V 9-12", "L-V 8-17, S
    9-13"."""
    if not any(t.kind is Kind.DAYS and t.text in ("l", "j", "v") for t in tokens[:index]):
        return False
    ends = (*CONNECTORS, Kind.CLOCK, Kind.COLON, Kind.CLOSED, Kind.BREAK, None)
    is_listed = kind_at(tokens, index - 1) in (*CONNECTORS, Kind.BREAK)
    return is_listed and kind_at(tokens, index + 1) in ends


def _has_day(tokens: list[Token], index: int, step: int) -> bool:
    """Return True if a day, or a letter that may be a day, is on that side, adjacent or past a
    connector."""
    place = index + step
    while kind_at(tokens, place) in _JOINS:
        place += step
    is_letter = kind_at(tokens, place) is Kind.LETTER and tokens[place].text in _ENGLISH_LETTERS
    return abs(place - index) <= 3 and (is_letter or kind_at(tokens, place) is Kind.DAYS)
