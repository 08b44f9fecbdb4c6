"""Reads the text between hours: remarks, doubts, and words that say nothing about time."""

from itertools import takewhile

from assets.hours.atoms import Atom, AtomKind
from assets.hours.lexicon import STEMS, Kind
from assets.hours.notes import has_stem, is_harmless
from assets.hours.times import CannotTell, Clock
from assets.hours.tokens import Token
from schemas.hours.schedule import UNDATED_SEASONS

IN_TIME = "be in line in time"
IN_SEASON = "by appointment in a part of the year"
ENDS = (None, Kind.BREAK, Kind.CLOSE, Kind.QUOTE)
PART_STARTS = (*ENDS, Kind.COMMA)
DAY_STARTS = (Kind.DAYS, Kind.ORDINAL, Kind.OTHER, Kind.OF_MONTH)
_HOURS = (*DAY_STARTS, Kind.EVERY, Kind.CLOCK, Kind.ALL_DAY, Kind.BETWEEN)
_JOINS = (Kind.COMMA, Kind.AND, Kind.DASH, Kind.COLON, Kind.TO, Kind.SLASH)
_NAMES = (Kind.WORD, Kind.NUMBER, Kind.MEAL, Kind.WHO, Kind.REMARK, Kind.LETTER, Kind.SERVICE)
_OTHER_FOOD = (
    *("pet", "dog", "cat", "animal", "pray", "bible", "benefit", "fundrais"),
    *("after", "before", "during", "without", "instead"),
)
NOTE = (*_JOINS, *_NAMES, Kind.SOME)


class NoteReader:
    """Reads notes at the current token, after the atoms already read."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.in_group = False
        self.part: str | None = None  # "am" or "pm" of the next span: "mornings 9-11, evenings 5-7"
        self.atoms: list[Atom] = []
        self.ignored: list[str] = []
        self.ignored_tokens: list[Token] = []

    def _add(self, kind: AtomKind, value: object = None, *, is_last: bool = False) -> None:
        """Add an atom that ends before the current token."""
        is_last = is_last or self._kind() in ENDS
        self.atoms.append(Atom(kind, value, self.in_group, is_last, self._kind() is Kind.COLON))

    def _kind(self, offset: int = 0) -> Kind | None:
        place = self.at + offset
        return self.tokens[place].kind if 0 <= place < len(self.tokens) else None

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

    def _is_doubt(self) -> bool:
        if self._kind() in (Kind.SERVICE, Kind.APPOINTMENT):
            return self._season_of_appointment() is not None
        is_after_days = bool(self.atoms) and self._kind(1) in ENDS  # "Sat 9-11 (some weeks)"
        return self._kind() is Kind.DOUBT or is_after_days

    def _read_doubt(self) -> None:
        """Read "hours vary" with the cause after it ("varies by location"), weeks of the days
        before, or a season that needs an appointment."""
        if self._kind() is Kind.SOME:
            self._add(AtomKind.NTHS, ())
            self.at += 1
            return
        if self._kind() is not Kind.DOUBT:
            self._add(AtomKind.DOUBT, f"{self._season_of_appointment()}; by appointment")
            self.at += 3 if self._kind(1) in (Kind.COLON, Kind.DASH) else 2
            return
        self._add(AtomKind.DOUBT, self.tokens[self.at].value)
        self.at += 1
        start = self.at
        while self._kind() in NOTE or self._is_every_word() or self._is_period_of_change():
            if self._is_comma_before_days() or self._kind(1) is Kind.DOUBT:
                break
            self.at += 1
        if self.at > start and self._kind() not in (*ENDS, Kind.COMMA):
            raise CannotTell(self.tokens[self.at].text)

    def _is_period_of_change(self) -> bool:
        """Check for the period by which hours vary: "varies by month", "vary during breaks"."""
        before = self.tokens[self.at - 1]
        is_period = self._kind() in (Kind.OF_MONTH, Kind.VOID) and before.text in ("by", "with")
        return is_period or self._kind() is Kind.HOLIDAYS

    def _read_note(self) -> None:
        """Read a run of unknown words; accept it only if it ends a segment and is harmless."""
        start = self.at
        follows_time = self._kind(-1) in (Kind.CLOCK, Kind.PART)
        while self.at < len(self.tokens) and self._is_note_part(has_words=self.at > start):
            if (follows_time or self._is_named) and self._is_comma_before_days():
                break
            self.at += 1
        note = self.tokens[start : self.at]
        words = [token.text for token in note]
        is_ended = self._kind() in (*ENDS, Kind.COMMA)
        if (not is_ended or self._is_comma_before_days()) and self._skip_scenery(start):
            return
        if not is_ended:
            raise CannotTell(" ".join([*words, self.tokens[self.at].text]))
        is_heading = note[-1].kind is Kind.COLON and self._kind(1) in (Kind.CLOCK, *DAY_STARTS)
        # "Smithville Food Pantry", then the hours
        is_name = start == 0 and self._kind() is Kind.BREAK and _meal_of(note, is_food=False)
        if is_heading or not (is_name or is_harmless(words, in_group=self.in_group)):
            raise CannotTell(" ".join(words))
        self.ignored.append(" ".join(words))
        self.ignored_tokens += note

    @property
    def _is_named(self) -> bool:
        """True if the part has named food: "Pantry is in the basement, open M, T, Th 8-4"."""
        kinds = (atom.kind for atom in reversed(self.atoms))
        return AtomKind.LABEL in takewhile(lambda kind: kind is not AtomKind.BREAK, kinds)

    def _is_comma_before_days(self) -> bool:
        """Check for the end of a note: "Tue 9-11 at the Elks Lodge, Thu 3-5"."""
        return self._kind() is Kind.COMMA and self._kind(1) in (*DAY_STARTS, Kind.EVERY)

    def _skip_scenery(self, start: int) -> bool:
        """Skip words between hours that say only who gives food or where: "comes to the church lot
        on the 2nd Thursday", "Tuesdays in the church basement 9-11".

        A single such word may be a name: "Church Sunday 10-11".
        """
        note = self.tokens[start : self.at]
        kinds: tuple[Kind, ...] = (Kind.TO, Kind.AND, Kind.MEAL)
        if self._kind() is Kind.ALL_DAY:
            kinds = (*kinds, Kind.COMMA)  # "box at the church, 24 hours"
        is_of_name = start > 0 and self.tokens[start - 1].kind in (Kind.MEAL, Kind.WHO)
        is_scenery = (len(note) > 1 or is_of_name) and all(
            (token.kind in kinds or token.text in STEMS.scenery)
            and token.value not in UNDATED_SEASONS
            for token in note
        )
        meal = None if is_scenery else _meal_of(note, is_food=is_of_name)
        if not (is_scenery or meal) or self._kind() not in (*_HOURS, Kind.MEAL, Kind.COMMA):
            return False
        if meal:
            self._add(AtomKind.LABEL, meal.text)
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


def _meal_of(note: list[Token], *, is_food: bool) -> Token | None:
    """Return the meal of a run of words, with its kind before it and only a place after it: "sack
    suppers", "parent center pantry", "produce table by the senior center"; none for "pantry choir".
    `is_food` says that food was named before: "produce (rx market)"."""
    at = next((at for at, token in enumerate(note) if token.kind is Kind.MEAL), None)
    if at is None:
        return None
    if not (is_food or any(has_stem(word, STEMS.staple) for word in note[at].text.split())):
        return None
    before, after = note[:at], note[at + 1 :]
    words = {word for token in before for word in token.text.split()} - {*STEMS.venues}
    stems = STEMS.dangerous + STEMS.not_a_name + STEMS.not_for_visitors
    stems += STEMS.activities + STEMS.other_doings
    is_kind = all(token.kind is Kind.WORD for token in before) and not any(
        has_stem(word, (*stems, *STEMS.scenery, *_OTHER_FOOD)) for word in words
    )
    is_place = all(
        token.kind in (Kind.TO, Kind.AND, Kind.WHO, Kind.MEAL) or token.text in STEMS.scenery
        for token in after
    )
    return note[at] if is_kind and is_place else None
