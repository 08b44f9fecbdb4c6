"""Reads tokens as atoms."""

from dataclasses import replace
from itertools import takewhile

from assets.hours.atoms import Atom, AtomKind, RawSpan
from assets.hours.days import CONNECTORS, Days, number_of, read_days
from assets.hours.lexicon import RANGES, Kind
from assets.hours.name_reader import NAMES, NameReader
from assets.hours.note_reader import DAY_STARTS, ENDS, IN_SEASON, NOTE, PART_STARTS
from assets.hours.seasons import JULY_4, read_dates
from assets.hours.span_reader import AT, UNTIL
from assets.hours.telephone import HOURS_OF_TELEPHONE
from assets.hours.times import CannotTell
from assets.hours.tokens import Token
from schemas.hours.schedule import (
    ASK_FOR_HOURS,
    EMERGENCIES,
    HOURS_VARY,
    YEAR_NOT_SAID,
)

_JOINS = (Kind.COMMA, Kind.AND, Kind.SLASH, Kind.DASH, Kind.COLON, Kind.EVERY)
_HOURS = (AtomKind.DAYS, AtomKind.SPAN, AtomKind.REMARK)
_NO_WEEK = (Kind.DAYS, Kind.ORDINAL, Kind.EVERY, Kind.OF_MONTH, Kind.WORD)


class Reader(NameReader):
    """Reads tokens left to right. Raises CannotTell at the first token it does not understand."""

    def read(self) -> list[Atom]:
        """Return all atoms."""
        while self.at < len(self.tokens):
            self._step(self.tokens[self.at])
        return self.atoms

    def _step(self, token: Token) -> None:
        """Read the atom that begins with a token."""
        match token.kind:
            case Kind.EVERY | Kind.SOME | Kind.CLOCK | Kind.WORD if self._is_day_start():
                self._read_days()
            case Kind.DOUBT | Kind.SOME | Kind.SERVICE | Kind.APPOINTMENT if self._is_doubt():
                self._read_doubt()
            case kind if kind in _JOINS or self._is_at() or self._is_passed_over():
                self._read_join(token)
            case Kind.OPEN | Kind.CLOSE | Kind.QUOTE:
                self._read_group_mark()
            case Kind.CLOCK | Kind.BETWEEN | Kind.ALL_DAY:
                self._read_span()
            case kind if kind in (Kind.MONTH, Kind.DATE) or self._is_july_4_of_season():
                self._read_dates()
            case Kind.PART if self._is_part_of_next():
                self.part = str(token.value)
                self.at += 1
            case Kind.DAYS | Kind.ORDINAL | Kind.OTHER | Kind.OF_MONTH:
                self._read_days()
            case kind if kind in NAMES and not self._is_sentence():
                self._read_label()
            case kind if kind in _NOTE_STARTS or self._is_call_to() or self._is_emergency_note():
                self._read_note()
            case kind if kind in _SIMPLE:
                self._read_simple(token)
            case _:
                raise CannotTell(token.text)

    def _closes_times_before(self) -> bool:
        """Check for closed times in a separate part: "Mon-Fri 8-5; lunch 12-1 closed"."""
        kinds = [atom.kind for atom in self.atoms]
        at = next((n for n in range(len(kinds), 0, -1) if kinds[n - 1] is AtomKind.BREAK), 0)
        is_pause = kinds[at:] == [AtomKind.SPAN] or kinds[-2:] == [AtomKind.LABEL, AtomKind.SPAN]
        is_ended = self._kind(1) in (*ENDS, Kind.COMMA, Kind.SLASH)
        return is_pause and AtomKind.SPAN in kinds[:-1] and is_ended

    def _is_of_last_days(self) -> bool:
        """Check for days after "by appointment" ending the part: "Tue 9-11 and by appt on Sat"."""
        if self._kind(1) not in DAY_STARTS or AtomKind.SPAN not in [a.kind for a in self.atoms]:
            return False
        _, end = read_days(self.tokens, self.at + 1)
        return end == len(self.tokens) or self.tokens[end].kind in ENDS

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
        self._refuse_call_hours()
        if token.kind is Kind.APPOINTMENT and self._is_of_last_days():
            days, self.at = read_days(self.tokens, self.at + 1)
            self._add(AtomKind.BREAK)
            self._add(AtomKind.DAYS, days)
            self._add(AtomKind.REMARK, "by appointment")
            return
        if self._is_of_next_hours(token):
            self._add(AtomKind.BREAK)
            token = replace(token, value=str(token.value).removeprefix("or "))
        times = token.kind is Kind.CLOSED and self._closes_times_before() and self.atoms.pop()
        self.at += 1
        self._add(_SIMPLE[token.kind], token.value)
        self.atoms += [times] if times else []

    def _is_at(self) -> bool:
        """Check for "los sabados a las 10 am": after days, "a las" begins the hours."""
        is_at = self._kind() is Kind.TO and self.tokens[self.at].text in AT
        return (
            is_at
            and self._kind(1) is Kind.CLOCK
            and self._kind(-1)
            in (
                Kind.DAYS,
                Kind.COMMA,
                Kind.OF_MONTH,
            )
        )

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
        if token.kind is Kind.COMMA and self._ends_pause():
            self._add(AtomKind.BREAK)
        self.at += 1

    def _ends_pause(self) -> bool:
        """Check for other days with times after a pause: "Mon-Fri 8-5, closed 12-1, Sat 9-12"."""
        kinds = [atom.kind for atom in self.atoms]
        kinds = [kind for kind in kinds[-3:] if kind is not AtomKind.LABEL]
        if kinds[-2:] != [AtomKind.CLOSED, AtomKind.SPAN] or self._kind(1) is not Kind.DAYS:
            return False
        _, end = read_days(self.tokens, self.at + 1)
        return end < len(self.tokens) and self.tokens[end].kind is Kind.CLOCK and not self.in_group

    def _read_group_mark(self) -> None:
        kind = self._kind()
        self.in_group = not self.in_group if kind is Kind.QUOTE else kind is Kind.OPEN
        if not self.in_group:
            self._add(AtomKind.END)
        self.at += 1

    def _read_days(self) -> None:
        beside = [self._kind(offset) for offset in (-1, 0, 1, 2)]
        if beside == [Kind.CLOSED, Kind.DAYS, Kind.DAYS, Kind.CLOCK]:
            raise CannotTell("closed on one day or both")  # "closed Tuesday Wednesday 9-12"
        if not self._read_week_of_month():
            before, start = self._kind(-1), self.at
            is_after_own = bool(self.atoms) and self.atoms[-1].kind is AtomKind.UNTIL
            days, self.at = read_days(self.tokens, self.at)
            ends_so = before in (Kind.BREAK, Kind.COMMA) and self._ends_with_own_end()
            is_unnamed = before is Kind.OPEN or is_after_own or ends_so
            if is_unnamed and self._read_own_hours(days):
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

    def _ends_with_own_end(self) -> bool:
        """Check for the end of a part: "Mon-Fri 9-4. Tue until 6"."""
        is_until = self._kind() is Kind.TO and self.tokens[self.at].text in UNTIL
        return is_until and self._kind(1) is Kind.CLOCK and self._kind(2) in ENDS

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

    def _is_part_of_next(self) -> bool:
        """Check for a part of the day before the next span: "Morning 9-11, evening 5-7"."""
        if self._kind(-1) not in (None, Kind.BREAK, Kind.COMMA, Kind.AND, Kind.DAYS, Kind.COLON):
            return False
        follows = 1 + (self._kind(1) in (Kind.COMMA, Kind.COLON))
        return self._kind(follows) in (Kind.CLOCK, Kind.BETWEEN, Kind.DAYS, Kind.ORDINAL)

    def _refuse_call_hours(self) -> None:
        """Refuse telephone hours: "Call Mon., 9 a.m. - noon", "Call 555-0100, Mon-Fri 9-5"."""
        value = self.tokens[self.at].value
        is_call = value in ("call first", "call for details")
        marks = (Kind.COLON, Kind.COMMA) if value == "call for details" else (Kind.COLON,)
        follows = self._kind(2) if self._kind(1) in marks else self._kind(1)
        if is_call and follows in (Kind.DAYS, Kind.CLOCK, Kind.EVERY, Kind.ORDINAL, Kind.BETWEEN):
            raise CannotTell(HOURS_OF_TELEPHONE)

    def _is_call_to(self) -> bool:
        return self._kind() is Kind.REMARK and self._kind(1) in (Kind.TO, Kind.WORD)

    def _is_emergency_note(self) -> bool:
        """Check for emergencies without their own days or times: "call for emergencies"."""
        beside = (Kind.DAYS, Kind.CLOCK, Kind.PART, Kind.OPEN)
        is_emergency = self.tokens[self.at].value == EMERGENCIES
        return is_emergency and self._kind(-1) not in beside and self._kind(1) is not Kind.DAYS

    def _is_sentence(self) -> bool:
        """Check for a sentence of three words or more without hours: "The food bank can serve 500
        cars." """
        if self._kind(-1) not in (Kind.BREAK, Kind.CLOCK, None):
            return False
        ends = (n for n in range(self.at, len(self.tokens)) if self.tokens[n].kind is Kind.BREAK)
        part = self.tokens[self.at : next(ends, len(self.tokens))]
        words = sum(token.kind is Kind.WORD for token in part)
        return words >= _SENTENCE and all(
            token.kind in (*NOTE, Kind.OPEN, Kind.CLOSE) for token in part
        )

    def _is_day_start(self) -> bool:
        starts = (Kind.DAYS, Kind.ORDINAL, Kind.OTHER)
        if self._kind() is Kind.SOME:
            return self._kind(1) is Kind.DAYS
        if self._kind() is not Kind.EVERY:
            return self._counts_days()
        return self._kind(1) in starts

    def _is_passed_over(self) -> bool:
        """Check for words that mean no more than a join: "but walk-ins welcome", "Tuesdays after 3
        pm" (from then on), "once a month, usually the 3rd Saturday"."""
        text, before, after = self.tokens[self.at].text, self._kind(-1), self._kind(1)
        if text in ("but", "pero"):
            return after in (Kind.REMARK, Kind.APPOINTMENT, Kind.CLOSED)
        if (
            text in ("or", "o")
            and after in DAY_STARTS
            and Kind.APPOINTMENT in (before, self._kind(-2))
        ):
            self.atoms[-1] = replace(self.atoms[-1], value="or by appointment")
            return True
        if text in ("after", "despues"):
            return before is Kind.DAYS and after is Kind.CLOCK and self._kind(2) in ENDS
        is_usual = self._kind() is Kind.OF_MONTH and after in (Kind.COMMA, Kind.COLON)
        return is_usual and self._kind(2) is Kind.DOUBT and self._kind(3) is Kind.ORDINAL

    def _counts_days(self) -> bool:
        """Check for "two Saturdays a month" (unspecified)."""
        is_number = number_of(self.tokens[self.at]) > 0
        is_start = self._kind(-1) not in (Kind.CLOCK, Kind.DASH, Kind.TO)
        return (
            is_number and is_start and [self._kind(1), self._kind(2)] == [Kind.DAYS, Kind.OF_MONTH]
        )

    def _read_week_of_month(self) -> bool:
        """Read "(1st and 3rd)", "(every other week)", "of the month" after the times: they
        refine the days."""
        if self._kind() is Kind.OTHER or (self._kind() is Kind.OF_MONTH and self.atoms):
            follows = 1
        elif self._kind() is Kind.ORDINAL:
            follows = 0
            while self._kind(follows) in (Kind.ORDINAL, *_JOINS, Kind.OF_MONTH, Kind.SOME):
                follows += 1
            # "Wed 3-5 on the 2nd and 4th weeks of the month"
            # "closed the first week of the month"
            is_after = bool(self.atoms) and self.atoms[-1].kind in (
                AtomKind.SPAN,
                AtomKind.CLOSED,
                AtomKind.EXCEPT,
            )
            # "Thu 4-6, 1st & 3rd"
            is_only = self.atoms[-1:] != [] and self.atoms[-1].kind is AtomKind.SPAN
            is_only &= sum(atom.kind is AtomKind.DAYS for atom in self.atoms) == 1
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
        if dates.lacks_year:
            self._refuse_other_days(dates.end)
            self._add(AtomKind.DOUBT, YEAR_NOT_SAID)
        is_part = self._kind(-1) in PART_STARTS
        self.at = dates.end
        if is_part and Kind.APPOINTMENT in (self._kind(), self._kind(1)):
            raise CannotTell(IN_SEASON)  # "Nov-Mar: by appointment"
        # "Mon-Fri 11-1; Jun 9 - Aug 15 (closed Jul 4)"
        closes = self._kind() is Kind.OPEN and self._kind(1) in (Kind.CLOSED, Kind.EXCEPT)
        self._add(dates.kind, dates.value, is_last=closes and self._kind(2) is not Kind.CLOSE)

    def _refuse_other_days(self, end: int) -> None:
        """Refuse a date without a year unless all hours are for that date: "Friday, June 12,
        10-1"."""
        kinds = [atom.kind for atom in self.atoms]
        follows = {token.kind for token in self.tokens[end:]}
        is_of_text = kinds.count(AtomKind.DAYS) == 1 and kinds[-1] is AtomKind.DAYS
        is_of_text &= AtomKind.SPAN not in kinds and Kind.CLOCK in follows
        if not is_of_text or not follows.isdisjoint((*DAY_STARTS, Kind.MONTH, Kind.DATE)):
            raise CannotTell("a date without its year")

    def _is_july_4_of_season(self) -> bool:
        """Check for a holiday that begins a span of dates: "July 4 - July 8"."""
        is_first = self.tokens[self.at].text in JULY_4 and self._kind(1) in RANGES
        return is_first and self._kind(2) in (Kind.MONTH, Kind.DATE)


_NOTE_STARTS = (*NAMES, Kind.WORD, Kind.NUMBER, Kind.LETTER, Kind.SOME)
_SENTENCE = 3
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
