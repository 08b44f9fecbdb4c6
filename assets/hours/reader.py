"""Reads tokens as atoms: days, spans, dates, names, remarks and doubts, left to right."""

from dataclasses import replace
from datetime import date
from itertools import takewhile

from assets.hours.days import Days, read_days
from assets.hours.guard import HOURS_OF_TELEPHONE
from assets.hours.lexicon import CONNECTORS, DAY_STARTS, ENDS, RANGES, STEMS, Kind
from assets.hours.seasons import JULY_4, read_dates
from assets.hours.services import is_harmless
from assets.hours.times import ROUND_THE_CLOCK, Atom, AtomKind, CannotTell, Clock, RawSpan
from assets.hours.tokens import Token, kind_at
from schemas.hours.schedule import (
    ASK_FOR_HOURS,
    EMERGENCIES,
    HOURS_VARY,
    SCHOOL_YEAR,
    UNDATED_SEASONS,
    UNTIL_DUSK,
    UNTIL_GONE,
    YEAR_NOT_SAID,
)

IN_SEASON = "by appointment in a part of the year"
PART_STARTS = (*ENDS, Kind.COMMA)
_STARTS = (*DAY_STARTS, Kind.EVERY, Kind.CLOCK, Kind.ALL_DAY, Kind.BETWEEN)
_NOTE_JOINS = (Kind.COMMA, Kind.AND, Kind.DASH, Kind.COLON, Kind.TO, Kind.SLASH)
_NOTE_NAMES = (Kind.WORD, Kind.NUMBER, Kind.MEAL, Kind.WHO, Kind.REMARK, Kind.LETTER, Kind.SERVICE)
NOTE = (*_NOTE_JOINS, *_NOTE_NAMES, Kind.SOME)
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
# Names of a span, strongest first.
NAMES: dict[Kind, AtomKind] = {
    Kind.WHO: AtomKind.WHO,
    Kind.MEAL: AtomKind.LABEL,
    Kind.SERVICE: AtomKind.SERVICE,
}
_MARKS = (Kind.BREAK, Kind.COMMA)
# Months that may be words: "clients may come", "mar" for martes.
_WORD_MONTHS = ("may", "mar", "march")
_OF_TIMES = (Kind.CLOCK, Kind.DASH, Kind.TO, Kind.PART)
_JOINS = (Kind.COMMA, Kind.AND, Kind.SLASH, Kind.DASH, Kind.COLON, Kind.EVERY)
_HOURS = (AtomKind.DAYS, AtomKind.SPAN, AtomKind.REMARK)
_NO_WEEK = (Kind.DAYS, Kind.ORDINAL, Kind.EVERY, Kind.OF_MONTH, Kind.WORD)

_SENTENCE = 3
_NOTE_STARTS = (*NAMES, Kind.WORD, Kind.NUMBER, Kind.LETTER, Kind.SOME)
_OR = ("or ", "and ", "& ", "o ", "y ")
_IN_ADDITION = ("also", "and also", "tambien", "y tambien")
_SIMPLE: dict[Kind, AtomKind] = {
    Kind.BREAK: AtomKind.BREAK,
    Kind.APPOINTMENT: AtomKind.REMARK,
    Kind.REMARK: AtomKind.REMARK,
    Kind.CLOSED: AtomKind.CLOSED,
    Kind.EXCEPT: AtomKind.EXCEPT,
    Kind.HOLIDAYS: AtomKind.HOLIDAYS,
}


class Reader:
    """Reads tokens left to right. Raises CannotTell at the first token it does not understand."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.in_group = False
        self.part: str | None = None  # "am" or "pm" of the next span: "mornings 9-11, evenings 5-7"
        self.atoms: list[Atom] = []
        self.ignored: list[str] = []
        self.ignored_tokens: list[Token] = []

    def read(self) -> list[Atom]:
        """Return all atoms."""
        while self.at < len(self.tokens):
            self._step(self.tokens[self.at])
        return self.atoms

    def _step(self, token: Token) -> None:
        """Read the atom that begins with a token."""
        match token.kind:
            case kind if kind in DAY_STARTS or (
                kind in (Kind.EVERY, Kind.SOME)
                and self._kind(1) in (Kind.DAYS, Kind.ORDINAL, Kind.OTHER)
            ):
                self._read_days()
            case Kind.DOUBT:
                self._read_doubt()
            case Kind.SERVICE | Kind.APPOINTMENT if season := self._season_of_appointment():
                self._add(AtomKind.DOUBT, f"{season}; by appointment")
                self.at += 3 if self._kind(1) in (Kind.COLON, Kind.DASH) else 2
            case kind if kind in _JOINS or self._is_at():
                self._read_join(token)
            case Kind.OPEN | Kind.CLOSE | Kind.QUOTE:
                self._read_group_mark()
            case Kind.CLOCK | Kind.BETWEEN | Kind.ALL_DAY:
                self._read_span()
            case kind if kind in (Kind.MONTH, Kind.DATE) or (
                token.text in JULY_4 and self._kind(1) in RANGES  # "July 4 - July 8"
            ):
                self._read_dates()
            case Kind.PART:
                self._read_part_of_next(token)
            case kind if kind in NAMES and not self._is_sentence():
                self._read_label()
            case kind if (
                kind in _NOTE_STARTS
                or (kind is Kind.REMARK and self._kind(1) in (Kind.TO, Kind.WORD))
                or (  # "call for emergencies"
                    token.value == EMERGENCIES
                    and self._kind(-1) not in (Kind.DAYS, Kind.CLOCK, Kind.PART, Kind.OPEN)
                    and self._kind(1) is not Kind.DAYS
                )
            ):
                self._read_note()
            case kind if kind in _SIMPLE:
                self._read_simple(token)
            case _:
                raise CannotTell(token.text)

    def _add(self, kind: AtomKind, value: object = None, *, is_last: bool = False) -> None:
        """Add an atom that ends before the current token."""
        is_last = is_last or self._kind() in ENDS
        self.atoms.append(Atom(kind, value, self.in_group, is_last, self._kind() is Kind.COLON))

    def _kind(self, offset: int = 0) -> Kind | None:
        return kind_at(self.tokens, self.at + offset)

    # --- days, closures, marks

    def _is_of_next_hours(self, token: Token) -> bool:
        """Check for an appointment or walk-in remark about the hours that follow: "Mon 9-12, by
        appointment Tue 1-3", "appointments Mon 9-12 and walk-ins Thu 1-4"."""
        is_way_in = token.kind is Kind.APPOINTMENT or token.value == "walk-ins welcome"
        is_apart = self._kind(-1) in (Kind.COMMA, Kind.AND) or token.text.startswith(_OR)
        if not (is_way_in and is_apart and self._kind(1) in (*DAY_STARTS, Kind.EVERY, Kind.CLOCK)):
            return False
        rest = takewhile(lambda other: other.kind not in ENDS, self.tokens[self.at + 1 :])
        return any(other.kind is Kind.CLOCK for other in rest)

    def _read_simple(self, token: Token) -> None:
        if token.value in ("call first", "call for details"):
            # "Call Mon., 9 a.m. - noon", "Call 555-0100, Mon-Fri 9-5"
            is_mark = self._kind(1) is Kind.COLON
            is_mark |= self._kind(1) is Kind.COMMA and token.value == "call for details"
            if self._kind(1 + is_mark) in _STARTS:
                raise CannotTell(HOURS_OF_TELEPHONE)
        if self._is_of_next_hours(token):
            self._add(AtomKind.BREAK)
            token = replace(token, value=str(token.value).removeprefix("or "))
        self.at += 1
        self._add(_SIMPLE[token.kind], token.value)

    def _is_at(self) -> bool:
        """Check for "los sabados a las 10 am": after days, "a las" begins the hours."""
        is_at = self._kind() is Kind.TO and self.tokens[self.at].text in AT
        is_after_days = self._kind(-1) in (Kind.DAYS, Kind.COMMA, Kind.OF_MONTH)
        return is_at and is_after_days and self._kind(1) is Kind.CLOCK

    def _read_join(self, token: Token) -> None:
        """Skip a join; a lone dash means "closed": "Tuesday: - Wednesday: -".

        "Also open every 3rd Saturday" implies other, unspecified hours.
        """
        is_addition = token.kind is Kind.AND and token.text in _IN_ADDITION
        if is_addition and not any(atom.kind is AtomKind.SPAN for atom in self.atoms):
            self._add(AtomKind.DOUBT, ASK_FOR_HOURS)
        is_lone = token.kind is Kind.DASH and self._kind(-1) is Kind.COLON
        if is_lone and self._kind(1) in (None, Kind.DAYS, Kind.BREAK):
            self._add(AtomKind.CLOSED)
        self.at += 1

    def _read_group_mark(self) -> None:
        kind = self._kind()
        self.in_group = not self.in_group if kind is Kind.QUOTE else kind is Kind.OPEN
        if not self.in_group:
            self._add(AtomKind.END)
        self.at += 1

    def _read_days(self) -> None:
        if self._read_week_of_month():
            return
        before, start = self._kind(-1), self.at
        is_own = before is Kind.OPEN or (bool(self.atoms) and self.atoms[-1].kind is AtomKind.UNTIL)
        days, self.at = read_days(self.tokens, self.at)
        if before in (Kind.BREAK, Kind.COMMA):  # "Mon-Fri 9-4. Tue until 6"
            is_until = self._kind() is Kind.TO and self.tokens[self.at].text in UNTIL
            is_own |= is_until and self._kind(2) in ENDS
        if is_own and self._read_own_hours(days):
            return
        if self.in_group and self._kind() is Kind.CLOSED and self._kind(1) is Kind.CLOSE:
            self._add(AtomKind.CLOSED)  # "(Fridays closed)"
            self.at += 1
        if before in (Kind.CLOCK, Kind.PART):
            self._refuse_divided_list(start)
            if self._ends_hours_of_own(days):
                self.atoms.insert(-1, Atom(AtomKind.BREAK))
        self._add(AtomKind.DAYS, days)
        if days.may_be_range:
            self._add(AtomKind.DOUBT, HOURS_VARY)

    def _refuse_divided_list(self, start: int) -> None:
        """Refuse "1-3 Thu, Sun by appointment" and "Tue 10-12, 1-3 Thu, Sun 1-2": the days since a
        place may be divided between the times before them and what follows."""
        kinds = [token.kind for token in self.tokens[:start]]
        while kinds and kinds[-1] in (Kind.CLOCK, Kind.PART, *RANGES):
            kinds.pop()
        is_timed = self._kind() is Kind.CLOCK and kinds[-1:] != [] and kinds[-1] in CONNECTORS
        is_list = any(token.kind is Kind.COMMA for token in self.tokens[start : self.at])
        if is_list and (is_timed or self._kind() is Kind.APPOINTMENT):
            raise CannotTell("days and times out of order")

    def _ends_hours_of_own(self, days: Days) -> bool:
        """Check for days after their own times where the hours before began with other days: "Tue
        10-12, 1-3 Thursdays"."""
        atoms = takewhile(lambda atom: atom.kind is not AtomKind.BREAK, reversed(self.atoms))
        part = [*atoms][::-1]
        kinds = [atom.kind for atom in part if atom.kind in _HOURS]
        kinds = kinds[kinds[:1] == [AtomKind.REMARK] :]
        is_ended = kinds.count(AtomKind.SPAN) > 1 or AtomKind.REMARK in kinds
        if not (kinds[:1] == [AtomKind.DAYS] and kinds[-1] is AtomKind.SPAN and is_ended):
            return False
        *_, before = (atom.value for atom in part if isinstance(atom.value, Days))
        at = self._kind() in (Kind.DASH, Kind.COLON)
        goes_on = self._kind(at) in (Kind.CLOCK, Kind.TO, Kind.BETWEEN, Kind.ALL_DAY)
        goes_on |= self._kind(at) is Kind.CLOSED and self._kind(at + 1) in PART_STARTS
        return before.weekdays.isdisjoint(days.weekdays) and not goes_on

    def _read_own_hours(self, days: Days) -> bool:
        """Read days with their own hours: "Mon-Fri 9-4 (Tue until 6)", "Mon-Fri 9-4 (Fri:
        9-12)"."""
        if not any(atom.kind is AtomKind.SPAN for atom in self.atoms):
            return False
        if self._kind() is Kind.TO and self._kind(1) is Kind.CLOCK:
            self.at += 1
            self._add(AtomKind.UNTIL, (days, self._read_clock()))
            return True
        at = 1 if self._kind() in (Kind.COLON, Kind.COMMA) else 0
        shape = [self._kind(at + n) for n in range(4)]
        is_span = shape[1] in RANGES and shape[::2] == [Kind.CLOCK, Kind.CLOCK]
        if not is_span or shape[3] not in (Kind.CLOSE, Kind.COMMA, Kind.BREAK):
            return False
        self.at += at
        start = self._read_clock()
        self.at += 1
        self._add(AtomKind.UNTIL, (days, RawSpan(start, self._read_clock())))
        return True

    def _read_part_of_next(self, token: Token) -> None:
        """Read a part of the day before the next span: "Morning 9-11, evening 5-7"."""
        starts = (None, Kind.BREAK, Kind.COMMA, Kind.AND, Kind.DAYS, Kind.COLON)
        follows = self._kind(1 + (self._kind(1) in (Kind.COMMA, Kind.COLON)))
        hours = (Kind.CLOCK, Kind.BETWEEN, Kind.DAYS, Kind.ORDINAL)
        if self._kind(-1) not in starts or follows not in hours:
            raise CannotTell(token.text)
        self.part = str(token.value)
        self.at += 1

    def _is_sentence(self) -> bool:
        """Check for a sentence of three words or more without hours: "Veterans can enter at the
        side door." """
        if self._kind(-1) not in (Kind.BREAK, Kind.CLOCK, None):
            return False
        rest = takewhile(lambda token: token.kind is not Kind.BREAK, self.tokens[self.at :])
        kinds = [token.kind for token in rest]
        is_note = all(kind in (*NOTE, Kind.OPEN, Kind.CLOSE) for kind in kinds)
        return is_note and kinds.count(Kind.WORD) >= _SENTENCE

    def _read_week_of_month(self) -> bool:
        """Read "(1st and 3rd)", "(every other week)", "of the month" after the times: they
        refine the days."""
        if self._kind() is Kind.OTHER or (self._kind() is Kind.OF_MONTH and self.atoms):
            follows = 1
        elif self._kind() is Kind.ORDINAL:
            follows = 0
            while self._kind(follows) in (Kind.ORDINAL, *_JOINS, Kind.OF_MONTH, Kind.SOME):
                follows += 1
            last = self.atoms[-1].kind if self.atoms else None
            # "Wed 3-5 on the 2nd and 4th weeks of the month", "closed the first week of the month"
            is_after = last in (AtomKind.SPAN, AtomKind.CLOSED, AtomKind.EXCEPT)
            # "Thu 4-6, 1st & 3rd"
            is_only = sum(atom.kind is AtomKind.DAYS for atom in self.atoms) == 1
            is_only &= last is AtomKind.SPAN
            is_week = self._kind(follows - 1) is Kind.SOME or is_only
            is_week &= self._kind(follows) in ENDS
            if not (self.in_group or (is_after and is_week)):
                return False
        else:
            return False
        after = follows + (self._kind(follows) in (Kind.COMMA, Kind.COLON))
        # "Fri 10-12 biweekly, Mon 10-12"
        is_of_last = self._kind() is Kind.OTHER and self._kind(-1) is Kind.CLOCK
        is_of_last &= self._kind(1) is Kind.COMMA
        if (self._kind(after) in _NO_WEEK and not is_of_last) or (
            self.in_group and self._kind(after) is Kind.CLOCK
        ):
            return False  # "(2nd door)", "(last 12:30)" do not name weeks
        tokens = self.tokens[self.at : self.at + follows]
        nths = tuple(t.value for t in tokens if t.kind is Kind.ORDINAL)
        if any(token.kind is Kind.SOME for token in tokens):
            nths = ()  # "2nd week of the month" may include the third Saturday
        self._add(AtomKind.OTHER if self._kind() is Kind.OTHER else AtomKind.NTHS, nths)
        self.at += follows
        return True

    # --- dates

    def _read_dates(self) -> None:
        kinds = (atom.kind for atom in reversed(self.atoms))
        part = set(takewhile(lambda kind: kind is not AtomKind.BREAK, kinds))
        is_closed = not part.isdisjoint((AtomKind.CLOSED, AtomKind.EXCEPT))
        dates = read_dates(self.tokens, self.at, is_closed=is_closed)
        if dates.is_month and not is_closed and self.tokens[self.at].text in _WORD_MONTHS:
            raise CannotTell("a month alone")
        if dates.lacks_year:
            self._refuse_other_days(dates.end)
            self._add(AtomKind.DOUBT, YEAR_NOT_SAID)
        is_part = self._kind(-1) in PART_STARTS
        self.at = dates.end
        if is_part and Kind.APPOINTMENT in (self._kind(), self._kind(1)):
            raise CannotTell(IN_SEASON)  # "Nov-Mar: by appointment"
        # "Mon-Fri 11-1; Jun 9 - Aug 15 (closed Jul 4)"
        closes = self._kind() is Kind.OPEN and self._kind(1) in (Kind.CLOSED, Kind.EXCEPT)
        kind = AtomKind.DATE if isinstance(dates.value, date) else AtomKind.SEASON
        self._add(kind, dates.value, is_last=closes and self._kind(2) is not Kind.CLOSE)

    def _refuse_other_days(self, end: int) -> None:
        """Refuse a date without a year unless all hours are for that date: "Friday, June 12,
        10-1"."""
        kinds = [atom.kind for atom in self.atoms]
        follows = {token.kind for token in self.tokens[end:]}
        is_of_text = kinds.count(AtomKind.DAYS) == 1 and kinds[-1] is AtomKind.DAYS
        is_of_text &= AtomKind.SPAN not in kinds and Kind.CLOCK in follows
        if not is_of_text or not follows.isdisjoint((*DAY_STARTS, Kind.MONTH, Kind.DATE)):
            raise CannotTell("a date without its year")

    # --- times

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
        no_opening = (Kind.DASH, Kind.TO, Kind.SLASH, Kind.APPOINTMENT)
        may_open = before is None or is_at or before.kind not in no_opening
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
        # "9 a 12 - 16 a 18" are two spans
        is_next = self._kind() is Kind.DASH and join is not Kind.DASH and self._kind(2) is Kind.TO
        if self._kind() in RANGES and self._kind(1) is Kind.CLOCK and not is_next:
            raise CannotTell("three times in a row")  # "9-12-3"
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
        # "at 6 in the church hall", "at 2:30 in summer"
        is_where = token is not None and (
            token.text in STEMS.context_words or token.value in UNDATED_SEASONS
        )
        is_said_again = self._kind() is Kind.SLASH and self._kind(1) in DAY_STARTS
        is_ended = (
            says_end or has_open_end
            if has_join
            else is_where or is_said_again or self._kind() in _AFTER_OPENING
        )
        is_list = self._kind() is Kind.COMMA and self._kind(1) is Kind.CLOCK
        if not (is_precise and is_ended and may_open and start.hour <= 24) or is_list:
            raise CannotTell("an opening without a closing time")
        self._add(AtomKind.SPAN, RawSpan(start, None))

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

    # --- names

    def _read_label(self) -> None:
        begins_line = self._kind(-1) is Kind.OPEN and self._kind(-2) in (None, *_MARKS)
        kinds, words = [self._kind()], [self._name()]
        follows_time = self._kind(-1) in (Kind.CLOCK, Kind.PART)
        if self._begins_hours_after_comma():
            self._add(AtomKind.BREAK)
        self.at += 1
        while self._kind() in (*NAMES, Kind.AND, Kind.SLASH) and (
            self._kind() in NAMES or self._kind(1) in NAMES
        ):
            kinds.append(self._kind())
            words.append(self._name())
            self.at += 1
        atom_kind = next((name for kind, name in NAMES.items() if kind in kinds), AtomKind.LABEL)
        seasons = {word for word in words if word in UNDATED_SEASONS}
        if len(seasons) > 1 and seasons != {"in fall", "in spring"}:
            raise CannotTell("two seasons")
        if seasons and len(words) > 1:  # "summer meals", "fall and spring"
            self._add(AtomKind.SERVICE, SCHOOL_YEAR if len(seasons) > 1 else seasons.pop())
            return
        rest = takewhile(lambda token: token.kind is not Kind.BREAK, self.tokens[self.at :])
        kinds_left = [token.kind for token in rest]
        # "9-10 breakfast and 12-1 lunch": a name also ends the part
        is_closed_off = self._kind() is Kind.AND and kinds_left[-1] in NAMES
        is_closed_off &= kinds_left[-2:-1] in ([Kind.CLOCK], [Kind.PART])
        is_closed_off |= self._kind() is Kind.COMMA  # "8-9 breakfast, Mon-Fri 12-1 lunch"
        is_closed_off &= self._kind(1) in (*DAY_STARTS, Kind.CLOCK)
        self._add(atom_kind, " ".join(words), is_last=follows_time and is_closed_off)
        if begins_line and self._kind() is Kind.CLOSE and self._kind(1) not in ENDS:
            # "(Rectory) 9-5 Mon-Fri" names the hours that follow
            self.atoms[-1] = replace(self.atoms[-1], is_last=False)

    def _begins_hours_after_comma(self) -> bool:
        """Check for a name with its own days: "Mon-Fri 9-5, pantry Tue 10-12", "9-5 Mon-Fri, pantry
        10-12 Tue"."""
        if self._kind(-1) is not Kind.COMMA or self.in_group:
            return False
        before = [atom.kind for atom in self.atoms[-2:]]
        at = 1
        while self._kind(at) in NAMES:
            at += 1
        if before[-1:] == [AtomKind.SPAN] or before == [AtomKind.CLOSED, AtomKind.DAYS]:
            return self._kind(at) in DAY_STARTS
        start = at
        while self._kind(at) in _OF_TIMES:
            at += 1
        is_timed = at > start and self._kind(at) in DAY_STARTS
        return is_timed and before == [AtomKind.SPAN, AtomKind.DAYS]

    def _name(self) -> str:
        token = self.tokens[self.at]
        return str(token.value) if token.kind is Kind.SERVICE else token.text

    # --- remarks and doubts

    def _season_of_appointment(self) -> str | None:
        """Return a season that needs an appointment: "Tue 9-11; by appointment in summer", "Mon-Fri
        9-4. Summer hours: by appointment". Raises CannotTell for months."""
        if self._kind(-1) not in (*PART_STARTS, Kind.AND, Kind.OPEN):
            return None
        two = 2 if self._kind(1) in (Kind.COLON, Kind.DASH) else 1
        pair = self.tokens[self.at : self.at + two + 1 : two]
        if pair[0].kind is Kind.APPOINTMENT and self._kind(1) is Kind.MONTH:
            raise CannotTell(IN_SEASON)
        is_pair = {token.kind for token in pair} == {Kind.SERVICE, Kind.APPOINTMENT}
        is_pair &= self._kind(two + 1) in (*ENDS, Kind.COMMA)
        is_timed = any(token.kind is Kind.CLOCK for token in self.tokens)
        seasons = (str(token.value) for token in pair if token.value in UNDATED_SEASONS)
        return next(seasons, None) if is_pair and is_timed else None

    def _read_doubt(self) -> None:
        """Read "hours vary" with the cause after it: "varies by location"."""
        self._add(AtomKind.DOUBT, self.tokens[self.at].value)
        self.at += 1
        start = self.at
        while self._kind() in (*NOTE, Kind.HOLIDAYS, Kind.OF_MONTH) or self._is_every_word():
            if self._is_comma_before_days() or self._kind(1) is Kind.DOUBT:
                break
            self.at += 1
        if self.at > start and self._kind() not in (*ENDS, Kind.COMMA):
            raise CannotTell(self.tokens[self.at].text)

    def _read_note(self) -> None:
        """Read a run of unknown words; accept it only if it ends a segment and is harmless."""
        start = self.at
        kinds = (atom.kind for atom in reversed(self.atoms))
        part = {*takewhile(lambda kind: kind is not AtomKind.BREAK, kinds)}
        # "Pantry is in the basement, open M, T, Th 8-4"
        ends = self._kind(-1) in (Kind.CLOCK, Kind.PART) or AtomKind.LABEL in part
        while self.at < len(self.tokens) and self._is_note_part(has_words=self.at > start):
            if ends and self._is_comma_before_days():
                break
            self.at += 1
        note = self.tokens[start : self.at]
        words = [token.text for token in note]
        is_ended = self._kind() in (*ENDS, Kind.COMMA)
        if (not is_ended or self._is_comma_before_days()) and self._skip_context(start):
            return
        if not is_ended:
            raise CannotTell(" ".join([*words, self.tokens[self.at].text]))
        is_heading = note[-1].kind is Kind.COLON and self._kind(1) in (Kind.CLOCK, *DAY_STARTS)
        if is_heading or not is_harmless(words, in_group=self.in_group):
            raise CannotTell(" ".join(words))
        self.ignored.append(" ".join(words))
        self.ignored_tokens += note

    def _is_comma_before_days(self) -> bool:
        """Check for the end of a note: "Tue 9-11 at the Elks Lodge, Thu 3-5"."""
        return self._kind() is Kind.COMMA and self._kind(1) in (*DAY_STARTS, Kind.EVERY)

    def _skip_context(self, start: int) -> bool:
        """Skip words between hours that say only who gives food or where: "comes to the church lot
        on the 2nd Thursday", "Tuesdays in the church basement 9-11".

        A single such word may be a name: "Church Sunday 10-11".
        """
        note = self.tokens[start : self.at]
        kinds: tuple[Kind, ...] = (Kind.TO, Kind.AND, Kind.MEAL)
        if self._kind() is Kind.ALL_DAY:
            kinds = (*kinds, Kind.COMMA)  # "box at the church, 24 hours"
        is_of_name = start > 0 and self.tokens[start - 1].kind in (Kind.MEAL, Kind.WHO)
        is_context = (len(note) > 1 or is_of_name) and all(
            (token.kind in kinds or token.text in STEMS.context_words)
            and token.value not in UNDATED_SEASONS
            for token in note
        )
        if not is_context or self._kind() not in (*_STARTS, Kind.MEAL, Kind.COMMA):
            return False
        self.ignored.append(" ".join(token.text for token in note))
        self.ignored_tokens += note
        return True

    def _is_note_part(self, *, has_words: bool) -> bool:
        kind, token = self._kind(), self.tokens[self.at]
        if kind in NOTE or (has_words and self._is_every_word()):
            return True
        is_number = isinstance(token.value, Clock) and token.value.is_bare
        return has_words and is_number and self._kind(1) not in (Kind.DASH, Kind.TO, Kind.CLOCK)

    def _is_every_word(self) -> bool:
        """Check for "each" before a word: "ID needed each visit", unlike "each Tuesday"."""
        return self._kind() is Kind.EVERY and self._kind(1) in (Kind.WORD, Kind.WHO)
