"""Atoms of the grammar: days, spans, seasons, labels, remarks: the smallest units of meaning."""

from dataclasses import dataclass
from enum import StrEnum, auto

from assets.hours.times import Clock


class AtomKind(StrEnum):
    """Kind of an atom, with the type of its value, if any."""

    DAYS = auto()  # Days
    NTHS = auto()  # weeks of the month of the named days: tuple of int
    OTHER = auto()  # every other week of the named days
    DATE = auto()  # datetime.date
    MONTH = auto()  # a single month: Season
    SEASON = auto()  # Season
    SPAN = auto()  # RawSpan, or a Span with a single reading
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
class RawSpan:
    """Span not yet read; its reading may depend on the words around it."""

    start: Clock
    end: Clock | None  # None: an opening without a closing time
    is_torn: bool = False  # two times without a mark, which may not belong together

    @property
    def is_bare(self) -> bool:
        """True if neither end says am or pm."""
        return not (self.start.is_explicit or (self.end is not None and self.end.is_explicit))


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
