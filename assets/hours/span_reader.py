"""Reads times: spans, and openings without a closing time."""

from dataclasses import replace

from assets.hours.atoms import AtomKind, RawSpan
from assets.hours.days import Days
from assets.hours.lexicon import RANGES, STEMS, Kind
from assets.hours.note_reader import DAY_STARTS, ENDS, NoteReader
from assets.hours.times import ROUND_THE_CLOCK, CannotTell, Clock
from schemas.hours.schedule import UNDATED_SEASONS, UNTIL_DUSK, UNTIL_GONE

AT = ("a las", "a la", "al")
UNTIL = ("until", "till", "til", "'til", "hasta")

# Two times without a mark, the first later: overnight from this time on, else a slip.
_EVENING = 18 * 60
# Kinds allowed after an opening without a closing time.
_SAID = (Kind.REMARK, Kind.APPOINTMENT, Kind.MEAL, Kind.EXCEPT)
_AFTER_OPENING = (
    *ENDS,
    *DAY_STARTS,
    *_SAID,
    Kind.EVERY,
    Kind.OPEN,
    Kind.COMMA,
    Kind.AND,
    Kind.MONTH,
)


class SpanReader(NoteReader):
    """Reads times at the current token."""

    def _in_part(self, clock: Clock) -> Clock:
        """Return the opening in the part of the day named before it."""
        part, self.part = self.part, None
        if part is None or clock.is_exact or clock.half == part:
            return clock
        if clock.half or not 1 <= clock.hour <= 12:
            raise CannotTell("another part of the day")
        return Clock(clock.hour, clock.minute, part)

    def _read_span(self) -> None:
        if self._kind() is Kind.ALL_DAY:
            self._add(AtomKind.SPAN, ROUND_THE_CLOCK)
            self.at += 1
            return
        is_between = self._kind() is Kind.BETWEEN
        before = self.tokens[self.at - 1] if self.at else None
        is_at = before is not None and before.text in AT
        is_at |= self._kind(-1) is Kind.DASH and self._kind(-2) is Kind.DAYS  # "1st Tue - 10am"
        may_open = (
            before is None
            or is_at
            or (
                before.kind not in (Kind.DASH, Kind.TO, Kind.SLASH, Kind.APPOINTMENT)
                and before.value not in ("call first", "call for details")
            )
        )
        self.at += is_between
        has_unit = self.at < len(self.tokens) and self.tokens[self.at].text == "hs"
        start = self._in_part(self._read_clock())
        joins, join = 0, self._kind()
        while self._kind() in RANGES or (is_between and not joins and self._kind() is Kind.AND):
            self.at += 1
            joins += 1
        if self._kind() is Kind.PART and self._kind(1) is Kind.CLOCK:
            self.part = str(self.tokens[self.at].value)  # "9 to afternoon 5"
            self.at += 1
        if self._kind() is not Kind.CLOCK:
            start = replace(start, is_bare=start.is_bare and not has_unit)
            self._read_opening(start, has_join=joins > 0, may_open=may_open)
            return
        end = self._in_part(self._read_clock())
        is_torn = not joins and (
            not (start.is_explicit and end.is_explicit)
            or start.minutes() >= max(end.minutes(), _EVENING)
        )
        if self._goes_on(join):
            raise CannotTell("three times in a row")
        if self._kind() is Kind.COLON and self._kind(1) is Kind.CLOCK:
            raise CannotTell("a time that is no time")  # "8:30 am - 5:3pm"
        self._add(AtomKind.SPAN, RawSpan(start, end, is_torn))

    def _read_opening(self, start: Clock, *, has_join: bool, may_open: bool) -> None:
        """Read an opening without a closing time: "Tuesday 9 am", "9 am until food runs out".

        Excludes the end of a span and times to call ("call for an appt. at 10 am").
        """
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        says_end = token is not None and token.value in (UNTIL_GONE, UNTIL_DUSK)
        has_open_end = has_join and self._kind() in ENDS and self.tokens[self.at - 1].text in UNTIL
        days = self.atoms[-1].value if self.atoms else None
        has_part = isinstance(days, Days) and days.part is not None  # "Saturday mornings at 9"
        begins = self.tokens[self.at - 2].kind if self.at > 1 and not has_join else None
        has_part |= begins is Kind.MEAL  # "line at 8, distribution 9"
        is_precise = start.is_explicit or not start.is_bare or says_end or has_part
        is_where = token is not None and token.text in STEMS.scenery  # "at 6 in the church hall"
        is_where |= token is not None and token.value in UNDATED_SEASONS  # "at 2:30 in summer"
        is_said_again = self._kind() is Kind.SLASH and self._kind(1) in DAY_STARTS
        is_ended = (
            says_end or has_open_end
            if has_join
            else is_where or is_said_again or self._kind() in _AFTER_OPENING
        )
        is_list = self._kind() is Kind.COMMA and self._kind(1) is Kind.CLOCK
        is_list &= not self._is_one_of_openings()
        if not (is_precise and is_ended and may_open and start.hour <= 24) or is_list:
            raise CannotTell("an opening without a closing time")
        self._add(AtomKind.SPAN, RawSpan(start, None))

    def _is_one_of_openings(self) -> bool:
        """Check for one of three or more openings: "7:30 am, noon and 5 pm"; two may be a span."""
        before, after = self.at - 1, self.at
        joins = (Kind.COMMA, Kind.AND)
        while before and self.tokens[before - 1].kind in (*joins, Kind.CLOCK):
            before -= 1
        while after < len(self.tokens) and self.tokens[after].kind in (*joins, Kind.CLOCK):
            after += 1
        run = self.tokens[before:after]
        is_closed_off = after == len(self.tokens) or self.tokens[after].kind in (*ENDS, Kind.DAYS)
        return is_closed_off and sum(token.kind is Kind.CLOCK for token in run) > 2

    def _goes_on(self, join: Kind | None) -> bool:
        """Check for a continued span: "9-12-3" continues; "9 a 12 - 16 a 18" does not."""
        if self._kind() not in RANGES or self._kind(1) is not Kind.CLOCK:
            return False
        return self._kind() is Kind.TO or join is Kind.DASH or self._kind(2) is not Kind.TO

    def _read_clock(self) -> Clock:
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None or not isinstance(token.value, Clock):
            raise CannotTell("a time is missing")
        self.at += 1
        clock = token.value
        if self._kind() is Kind.PART and clock.half is None:
            half = str(self.tokens[self.at].value)
            self.at += 1
            if clock.is_exact or not 1 <= clock.hour <= 12:
                return clock
            if clock.hour == 12 and self.tokens[self.at - 1].text.endswith("manana"):
                return replace(clock, is_exact=True)  # "de 10 a 12 de la mañana" ends at noon
            return Clock(clock.hour, clock.minute, half)
        return clock
