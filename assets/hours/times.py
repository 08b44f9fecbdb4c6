"""Reads two clock times as a span of minutes, only if a single reading is plausible."""

from dataclasses import dataclass
from enum import StrEnum, auto

Span = tuple[int, int]

_NOON = 12 * 60
_DAY = 24 * 60
# End of a span without a closing time: later than any other.
NO_END = 3 * _DAY
# Openings earlier than this are slips ("1:00 AM - 3:00 PM").
_EARLIEST = 5 * 60
# Only spans that begin in the evening may end the next morning; others are slips.
_EVENING = 18 * 60
_LATEST_MORNING = 10 * 60
# On the 24-hour clock, spans that begin earlier may end by this time: "Mo-Su 06:00-02:00".
_LATEST_NIGHT = 4 * 60
# Bare hours from this one on are a morning, also after a span in the afternoon: "1-3 and 9-11".
_FIRST_MORNING = 9
_LONGEST = 18 * 60
# Morning spans without am or pm may end in the evening if they are shorter than this or, on most
# days of the week, end by this time.
_SHORT = 60
_USUAL_EVENING_END = 10 * 60 + 30


class CannotTell(Exception):
    """The text, or part of it, has no single certain reading. The message gives the cause."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time as written. `half` is "am", "pm" or None; `is_exact` marks noon, midnight and 24-hour
    times, `may_be_next_day` a 24-hour time that may follow a later one: "Fr 10:00-01:00".
    """

    hour: int
    minute: int
    half: str | None = None
    is_exact: bool = False
    is_bare: bool = False
    may_be_next_day: bool = False

    @property
    def is_explicit(self) -> bool:
        return self.half is not None or self.is_exact

    def minutes(self, half: str | None = None) -> int:
        """Return minutes since midnight, in the given half of the day if the text names none."""
        half = self.half or half
        if self.is_exact or half is None:
            return self.hour * 60 + self.minute
        return (self.hour % 12 + (12 if half == "pm" else 0)) * 60 + self.minute


@dataclass(frozen=True, slots=True)
class RawSpan:
    """Span as written; its reading may depend on the words around it."""

    start: Clock
    end: Clock | None  # None: an opening without a closing time
    is_torn: bool = False  # two times without a mark, which may not belong together

    @property
    def is_bare(self) -> bool:
        """True if neither end says am or pm."""
        return not (self.start.is_explicit or (self.end is not None and self.end.is_explicit))


# "24 hours", "24/7"
ROUND_THE_CLOCK = RawSpan(Clock(0, 0, is_exact=True), Clock(24, 0, is_exact=True))


def read_span(
    raw: RawSpan,
    *,
    is_24: bool,
    part: str | None = None,
    after: int | None = None,
    is_most_days: bool = False,
) -> Span:
    """Return the reading of a span: opening and closing minutes; closing may be at or before
    opening (next day).

    `is_24` says that the text uses the 24-hour clock. `part` is the part of the day named with the
    days, `after` the end of the span before on the same days. `is_most_days` says that the span
    applies on four days a week or more. Raises CannotTell.
    """
    if raw.is_torn:
        raise CannotTell("two times that may not belong together")
    start, end = raw.start, raw.end
    if end is None:
        return _read_opening_time(start, is_24=is_24, part=part)
    for clock in (start, end):
        _check_clock(clock)
    if start.is_explicit and end.is_explicit:
        return _check(start.minutes(), end.minutes(), end)
    if is_24 and not (start.half or end.half):
        return _check(start.minutes(), end.minutes(), end)
    if end.is_explicit:
        return _check(_start_before(start, end), end.minutes(), end)
    if start.is_explicit:
        return _check(start.minutes(), _next_on_dial(start.minutes(), end), end)
    opens = _bare_start(start, end, part, after)
    if not part and opens != after:  # "breakfast 8-9 am, groceries 9-9:30"
        # "Monday-Friday, 9-9:30": half an hour, or the whole day until 9:30 pm.
        length = end.minutes("am") - opens
        is_short = length < _SHORT or (is_most_days and end.minutes("am") <= _USUAL_EVENING_END)
        if end.hour < 12 and opens < _NOON and length > 0 and is_short:
            raise CannotTell("in the morning or all day")
    return _check(opens, _next_on_dial(opens, end), end)


def _read_opening_time(start: Clock, *, is_24: bool, part: str | None) -> Span:
    """Return the span of an opening without a closing time ("Tuesday 9 am"). Raises CannotTell.

    Without am or pm, 8 to 11 means the morning, 12 noon, 1 to 5 the afternoon.
    """
    _check_clock(start)
    half = part or (
        "am" if 8 <= start.hour <= 11 else "pm" if start.hour in (12, 1, 2, 3, 4, 5) else None
    )
    if not (start.is_explicit or is_24 or half):
        raise CannotTell("morning or evening")
    opens = start.minutes(None if start.is_explicit or is_24 else half)
    if not _EARLIEST <= opens < _DAY:
        raise CannotTell("times that look like a slip")
    return opens, NO_END


def as_text(minutes: int) -> str:
    """Format minutes since midnight as "HH:MM"."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _check_clock(clock: Clock) -> None:
    if clock.hour > 24 or clock.minute > 59 or (clock.half and not 1 <= clock.hour <= 12):
        raise CannotTell(f"no such time: {clock.hour}:{clock.minute:02d}")


def _check(opens: int, closes: int, end: Clock) -> Span:
    opens %= _DAY
    if opens == 0 and closes in (_DAY - 1, _DAY):
        return 0, _DAY
    if opens < _EARLIEST or closes == _DAY - 1:
        raise CannotTell("times that look like a slip")
    if closes in (0, _DAY):
        if opens < _NOON and not end.is_exact:
            raise CannotTell("12 am may mean noon")
        return opens, 0
    if closes <= opens:
        if end.may_be_next_day and closes <= _LATEST_NIGHT:
            return opens, closes
        if opens < _EVENING or closes > _LATEST_MORNING or closes == opens:
            raise CannotTell("closes before it opens")
    elif closes - opens > _LONGEST:
        raise CannotTell("too long")
    return opens, closes


def _start_before(start: Clock, end: Clock) -> int:
    """Return the latest reading of the start before the end: "9-1pm", "1-3pm", "9-noon"."""
    closes = end.minutes()
    if start.hour > 12 or closes == 0:
        raise CannotTell("mixed clocks")
    readings = [start.minutes("am"), start.minutes("pm")]
    before = [opens for opens in readings if opens < closes]
    if not before:
        raise CannotTell("closes before it opens")
    return max(before)


def _next_on_dial(opens: int, end: Clock) -> int:
    """Return the earliest reading of the end after the opening, on the same day: "9am-5"."""
    if end.hour > 12:
        raise CannotTell("mixed clocks")
    after = [closes for closes in (end.minutes("am"), end.minutes("pm")) if closes > opens]
    if not after or end.hour == 0:
        raise CannotTell("closes before it opens")
    return min(after)


def _bare_start(start: Clock, end: Clock, part: str | None, after: int | None) -> int:
    """Return the opening of a span without am or pm, such as "10-2".

    8 to 11 means the morning, 12 noon, 1 to 5 the afternoon. 6 and 7 may be morning or evening: a
    span past noon ("7-3"), the span before, or the named part of day decides.
    """
    hour = start.hour
    if not 1 <= hour <= 12 or not 1 <= end.hour <= 12:
        raise CannotTell("mixed clocks")
    first, last = start.minutes("am"), end.minutes("am")
    if part:
        return start.minutes(part)
    is_later = after is not None and first < after <= start.minutes("pm")
    if is_later and hour < _FIRST_MORNING:
        return start.minutes("pm")
    if hour == 12:
        if end.hour == 12 and end.minute <= start.minute:
            raise CannotTell("twelve to twelve")
        return start.minutes("pm")
    runs_over_noon = last <= first or end.hour == 12
    if hour <= 5:
        if runs_over_noon or (hour == 5 and last > 10 * 60):
            raise CannotTell("opens early or late")
        return start.minutes("pm")
    if hour in (6, 7) and (not runs_over_noon or last == first):
        raise CannotTell("morning or evening")
    if hour == 8 and not runs_over_noon and last < 10 * 60:
        raise CannotTell("morning or evening")
    return first


# Atoms of the grammar: days, spans, seasons, labels, remarks: the smallest units of meaning.


class AtomKind(StrEnum):
    """Kind of an atom, with the type of its value, if any."""

    DAYS = auto()  # Days
    NTHS = auto()  # weeks of the month of the named days: tuple of int
    OTHER = auto()  # every other week of the named days
    DATE = auto()  # datetime.date
    SEASON = auto()  # Season
    SPAN = auto()  # RawSpan
    UNTIL = auto()  # days with their own end: (Days, Clock | RawSpan)
    LABEL = auto()  # a meal
    WHO = auto()  # visitors
    SERVICE = auto()
    REMARK = auto()
    DOUBT = auto()  # doubt about all hours: its fixed words
    CLOSED = auto()
    EXCEPT = auto()
    HOLIDAYS = auto()  # fixed name of the holidays
    BREAK = auto()  # end of a segment
    END = auto()  # end of parentheses or quotes


@dataclass(frozen=True, slots=True)
class Atom:
    """Unit of the grammar.

    `in_group` marks words in parentheses or quotes, `is_last` words that end their segment,
    `has_colon` words with a colon after them.
    """

    kind: AtomKind
    value: object = None
    in_group: bool = False
    is_last: bool = False
    has_colon: bool = False
