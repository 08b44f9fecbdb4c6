"""Reads the names of hours: meals, visitors and services."""

from dataclasses import replace
from itertools import takewhile

from assets.hours.atoms import AtomKind
from assets.hours.days import read_days
from assets.hours.lexicon import Kind
from assets.hours.note_reader import DAY_STARTS, ENDS
from assets.hours.span_reader import SpanReader
from assets.hours.times import CannotTell
from schemas.hours.schedule import HOURS_VARY, SCHOOL_YEAR, UNDATED_SEASONS

# Names of a span, strongest first.
NAMES: dict[Kind, AtomKind] = {
    Kind.WHO: AtomKind.WHO,
    Kind.MEAL: AtomKind.LABEL,
    Kind.SERVICE: AtomKind.SERVICE,
}
_TERMS = {"in fall", "in spring"}
_LUNCH = (["lunch"], ["almuerzo"])
_MARKS = (Kind.BREAK, Kind.COMMA)
_OF_TIMES = (Kind.CLOCK, Kind.DASH, Kind.TO, Kind.PART)
_END_OF_PART: tuple[list[Kind], ...] = ([], [Kind.BREAK], [Kind.COMMA])


class NameReader(SpanReader):
    """Reads names at the current token."""

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
        if self._ends_pause_for(words):
            return
        atom_kind = next((name for kind, name in NAMES.items() if kind in kinds), AtomKind.LABEL)
        season = self._season_of(words)
        if season and len(words) > 1:  # "summer meals"
            self._add(AtomKind.SERVICE, season)
            return
        # "8-9 breakfast, Mon-Fri 12-1 lunch", "9-10 breakfast and 12-1 lunch"
        joins = (Kind.COMMA, Kind.AND) if self._is_named_after() else (Kind.COMMA,)
        is_closed_off = self._kind() in joins and (
            self._kind(1) in (*DAY_STARTS, Kind.CLOCK) or self._is_named_before()
        )
        self._add(atom_kind, " ".join(words), is_last=follows_time and is_closed_off)
        if begins_line and self._kind() is Kind.CLOSE and self._kind(1) not in ENDS:
            # "(Rectory) 9-5 Mon-Fri" names the hours that follow
            self.atoms[-1] = replace(self.atoms[-1], is_last=False)

    def _season_of(self, words: list[str]) -> str | None:
        """Return the season among names: fall and spring are the school year."""
        seasons = {word for word in words if word in UNDATED_SEASONS}
        if seasons == _TERMS:
            return SCHOOL_YEAR
        if len(seasons) > 1:
            raise CannotTell("two seasons")
        return next(iter(seasons), None)

    def _ends_pause_for(self, meal: list[str]) -> bool:
        """Read a pause between two times, "8-12 (closed for lunch) 1-4"; elsewhere its time is
        unknown."""
        is_pause = bool(self.atoms) and self.atoms[-1].kind is AtomKind.CLOSED
        if not (is_pause and meal in _LUNCH and self._kind() in (*ENDS, Kind.COMMA)):
            return False
        self.atoms.pop()
        is_known = self.atoms[-1:] != [] and self.atoms[-1].kind is AtomKind.SPAN
        if not (is_known and self._kind(1) is Kind.CLOCK):
            self._add(AtomKind.DOUBT, HOURS_VARY)
        return True

    def _begins_hours_after_comma(self) -> bool:
        """Check for a name with its own days: "Mon-Fri 9-5, pantry Tue 10-12", "9-5 Mon-Fri, pantry
        10-12 Tue"."""
        at = 1
        while self._kind(at) in NAMES:
            at += 1
        before = [atom.kind for atom in self.atoms[-2:]]
        if self._kind(-1) is not Kind.COMMA or self.in_group:
            return False
        if before[-1:] == [AtomKind.SPAN] or before == [AtomKind.CLOSED, AtomKind.DAYS]:
            return self._kind(at) in DAY_STARTS
        if before == [AtomKind.SPAN, AtomKind.DAYS] and self._kind(at) in DAY_STARTS:
            # "Lunch 11-1 M-F, supper Sun 5-6"
            _, end = read_days(self.tokens, self.at + at)
            follows = [token.kind for token in self.tokens[end:]]
            times = [*takewhile(lambda kind: kind in _OF_TIMES, follows)]
            return bool(times) and follows[len(times) : len(times) + 1] in _END_OF_PART
        start = at
        while self._kind(at) in _OF_TIMES:
            at += 1
        is_timed = at > start and self._kind(at) in DAY_STARTS
        return is_timed and before == [AtomKind.SPAN, AtomKind.DAYS]

    def _is_named_after(self) -> bool:
        """Check that a name also ends the part: "9-10 breakfast and 12-1 lunch"."""
        ends = (n for n in range(self.at, len(self.tokens)) if self.tokens[n].kind is Kind.BREAK)
        end = next(ends, len(self.tokens))
        part = self.tokens[self.at : end]
        return bool(part) and part[-1].kind in NAMES and part[-2].kind in (Kind.CLOCK, Kind.PART)

    def _is_named_before(self) -> bool:
        """Check for a name of the hours after a comma: "10-12 intake, food 12-2", "Mon-Fri 9-5
        office, pantry Tue 10-12"."""
        at = 1
        while self._kind(at) in NAMES:
            at += 1
        begins = self._kind(at) in (Kind.CLOCK, *DAY_STARTS)
        return at > 1 and begins and not self._is_named_after()

    def _name(self) -> str:
        token = self.tokens[self.at]
        return str(token.value) if token.kind is Kind.SERVICE else token.text
