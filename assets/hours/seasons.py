"""Reads dates and seasons: "June 8 - Aug 14, 2026", "Oct-Apr", "Jan, Mar & May", "Jan-May and
Sept-Dec"."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date
from itertools import combinations

from assets.hours.lexicon import CONNECTORS, DAY_STARTS, ENDS, RANGES, Kind
from assets.hours.times import CannotTell, Clock
from assets.hours.tokens import Token, kind_at

JULY_4 = ("july 4", "july 4th", "julio 4")
# Marks allowed between a heading and its days: "Jan, Mar, May - 1st Sat".
_AFTER_HEADING = (Kind.COLON, Kind.COMMA, Kind.DASH, Kind.CLOSE, Kind.EVERY)
_NOON = 12
_MONTH_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Season:
    """First and last day, as "YYYY-MM-DD" or, for every year, "MM-DD"; `others` are further such
    seasons.
    """

    first: str
    last: str
    others: tuple[Season, ...] = ()

    @property
    def each(self) -> tuple[Season, ...]:
        """This season alone and the others."""
        return (replace(self, others=()), *self.others)


def overlap(one: Season | None, two: Season | None) -> bool:
    """Return whether two seasons share a day. A season with years and one without count as sharing
    none."""
    if one is None or two is None:
        return one is two
    if len(one.first) != len(two.first):
        return False
    return any(a[0] <= b[1] and b[0] <= a[1] for a in _stretches(one) for b in _stretches(two))


def _stretches(season: Season) -> list[tuple[str, str]]:
    """Return the season split at the new year: November to March makes two stretches."""
    if season.first <= season.last:
        return [(season.first, season.last)]
    return [(season.first, "12-31"), ("01-01", season.last)]


@dataclass(frozen=True, slots=True)
class Dates:
    """Dates as read; `end` is the index after them.

    `lacks_year` marks single days without a year, though the text means one year, `is_month` a
    month alone.
    """

    value: date | Season
    end: int
    lacks_year: bool = False
    is_month: bool = False


def read_dates(tokens: list[Token], start: int, *, is_closed: bool) -> Dates:
    """Return the date or season that begins at a token: "Jan, Mar, May: 1st Sat 9-11", "Wed 4-5
    (Jan-May & Sept-Dec)".

    Several parts are one season if they are a heading of days, end their part or come between days
    and their times ("1st Sat of Jan, Apr, 9-11"): in "Sat 9-11 Apr-Jun, Jul-Sep 10-12" each season
    has its own times. `is_closed` says that the dates are closed; then a day needs no year ("closed
    December 24"). Raises CannotTell.
    """
    first = _DateReader(tokens, start, is_closed=is_closed).read()
    parts, end = [first], first.end
    while (at := _skip(tokens, end, CONNECTORS)) > end and kind_at(tokens, at) is Kind.MONTH:
        parts.append(_DateReader(tokens, at, is_closed=is_closed).read())
        end = parts[-1].end
    seasons = [dates.value for dates in parts if isinstance(dates.value, Season)]
    if len(parts) == 1 or len(seasons) < len(parts):
        return first
    before = kind_at(tokens, start - 1)
    begins_part = before in (None, Kind.BREAK, Kind.OPEN, Kind.COLON)
    follows = kind_at(tokens, _skip(tokens, end, _AFTER_HEADING))
    is_heading = begins_part and follows in DAY_STARTS
    if before is Kind.COMMA:
        before = kind_at(tokens, start - 2)
    follows = kind_at(tokens, _skip(tokens, end, (Kind.COMMA, Kind.COLON)))
    is_between = before is Kind.DAYS and follows is Kind.CLOCK
    if not (kind_at(tokens, end) in ENDS or is_heading or is_between):
        return first
    if any(overlap(one, two) for one, two in combinations(seasons, 2)):
        raise CannotTell("seasons that overlap")
    season = replace(seasons[0], others=tuple(seasons[1:]))
    return Dates(season, end, any(dates.lacks_year for dates in parts))


def _skip(tokens: list[Token], at: int, kinds: tuple[Kind, ...]) -> int:
    """Return the place after a run of tokens of some kinds."""
    while kind_at(tokens, at) in kinds:
        at += 1
    return at


class _DateReader:
    """Reads one date, month or season."""

    def __init__(self, tokens: list[Token], at: int, *, is_closed: bool) -> None:
        self.tokens = tokens
        self.at = at
        self._is_closed = is_closed
        self._is_whole_month = True

    def read(self) -> Dates:
        start = self.at
        first = self._read_bound(is_first=True)
        # The dash of a heading: in "Jan, Mar, May - 1st Sat" it does not join months.
        if self._kind() in RANGES and not (
            self._kind() is Kind.DASH and self._kind(1) in DAY_STARTS
        ):
            self.at += 1
            last = self._last_of_month(first) or self._read_bound(is_first=False)
            if len(first) < len(last) and first <= last[5:]:
                first = f"{last[:5]}{first}"  # "June 8 - Aug 14, 2026"
            if len(first) != len(last):
                raise CannotTell("a season with one year")
            return Dates(Season(first, last), self.at)
        if self._is_whole_month:
            end, self.at = self.at, start
            month = Season(first, self._read_bound(is_first=False))
            return Dates(month, end, is_month=True)
        if len(first) == len("YYYY-MM-DD"):
            return Dates(date.fromisoformat(first), self.at)
        season = Season(first, first)
        return Dates(season, self.at, lacks_year=not self._is_closed)

    def _last_of_month(self, first: str) -> str | None:
        """Read a later day of the same month where times follow: "June 3-27: breakfast 8-9"."""
        last, rest = self.tokens[self.at : self.at + 1], self.tokens[self.at + 1 :]
        number = last[0].value if last else None
        if self._is_whole_month or len(first) != len("MM-DD") or not isinstance(number, Clock):
            return None
        day, month = number.hour, int(first[:2])
        is_day = max(_NOON, int(first[3:])) < day <= _MONTH_LENGTHS[month - 1]
        if not (is_day and number.is_bare and any(other.kind is Kind.CLOCK for other in rest)):
            return None
        self.at += 1
        year = self._year()
        return f"{year}-{month:02d}-{day:02d}" if year else f"{month:02d}-{day:02d}"

    def _read_bound(self, *, is_first: bool) -> str:
        """Return a month, a month and day, or a full date."""
        if self.at == len(self.tokens):
            raise CannotTell("half a season")
        token = self.tokens[self.at]
        self.at += 1
        if isinstance(token.value, date) or token.text in JULY_4:
            self._is_whole_month = False
            return token.value.isoformat() if isinstance(token.value, date) else "07-04"
        if token.kind is not Kind.MONTH or not isinstance(token.value, int):
            raise CannotTell("half a season")
        month = token.value
        number = self._month_day()
        if number is not None and number > _MONTH_LENGTHS[month - 1]:
            raise CannotTell("no such date")
        self._is_whole_month &= number is None
        year = self._year()
        length = monthrange(year, month)[1] if year else _MONTH_LENGTHS[month - 1]
        day = number or (1 if is_first else length)
        return f"{year}-{month:02d}-{day:02d}" if year else f"{month:02d}-{day:02d}"

    def _year(self) -> int:
        """Return the year after a day or a month, 0 without one."""
        at = 1 if self._kind() is Kind.COMMA else 0
        if self._kind(at) is not Kind.YEAR:
            return 0
        self.at += at + 1
        year = self.tokens[self.at - 1].value
        assert isinstance(year, int)
        return year

    def _month_day(self) -> int | None:
        if self.at == len(self.tokens):
            return None
        token = self.tokens[self.at]
        if isinstance(token.value, Clock) and token.value.is_bare and 1 <= token.value.hour <= 31:
            if self._begins_span():
                return None  # "2nd Sat of Jan, Oct 9-11am"
            self.at += 1
            return token.value.hour
        if token.kind is Kind.ORDINAL and isinstance(token.value, int) and token.value > 0:
            follows = _skip(self.tokens, self.at, (Kind.ORDINAL, *CONNECTORS))
            is_ended = self._kind(1) is Kind.COMMA and follows == self.at + 2  # "Aug 1st, Mon-Thu"
            if not is_ended and kind_at(self.tokens, follows) is Kind.DAYS:
                return None  # "Sept-June 1st and 3rd Wednesday"
            self.at += 1
            return token.value
        return None

    def _begins_span(self) -> bool:
        if self._kind(1) not in RANGES or self._kind(2) is not Kind.CLOCK:
            return False
        end = self.tokens[self.at + 2].value
        assert isinstance(end, Clock)
        day = self.tokens[self.at].value
        assert isinstance(day, Clock)
        is_listed = self._kind(-2) in CONNECTORS and self._kind(-3) is Kind.MONTH
        # "2nd Sat of Jan, Oct 9-11am", "Tuesdays in August 12-1", "in Jan/May/Sept 10-12"
        is_time = is_listed or end.is_explicit or end.hour < day.hour <= _NOON
        return is_time and max(end.hour, day.hour) <= _NOON

    def _kind(self, offset: int = 0) -> Kind | None:
        return kind_at(self.tokens, self.at + offset)
