"""Names clauses during assembly: meals, visitors, services and remarks."""

from assets.hours.atoms import Atom, AtomKind
from assets.hours.clauses import Clause, name_spans
from assets.hours.days import Days
from assets.hours.names import Names
from assets.hours.seasons import Season, rest_of_year
from assets.hours.times import CannotTell
from schemas.hours.schedule import OUTSIDE_SEASON, UNDATED_SEASONS

_HEADINGS = ("by appointment", "by referral")
_NAMES = (AtomKind.LABEL, AtomKind.WHO, AtomKind.SERVICE)


class NamingAssembler:
    """Names the clauses of a text read so far."""

    def __init__(self, atoms: list[Atom]) -> None:
        self.clauses: list[Clause] = []
        self.remarks: list[str] = []
        self._names = Names()
        kinds = {atom.kind for atom in atoms}
        self.names_visitors = AtomKind.WHO in kinds
        self.names_food = AtomKind.LABEL in kinds
        self._is_food_alone = kinds.isdisjoint((AtomKind.SERVICE, AtomKind.WHO))
        self._season: Season | None = None
        # Where times come first: days without times before them.
        self._untimed_days: Days | None = None
        self._is_segment_start = True
        self._heading: str | None = None  # a remark on the days that follow
        self._is_name_pending = False  # its times follow
        self._before: AtomKind | None = None
        self._days_left = sum(atom.kind is AtomKind.DAYS for atom in atoms)
        self._meals_left = sum(atom.kind is AtomKind.LABEL for atom in atoms)

    @property
    def _current(self) -> Clause | None:
        return self.clauses[-1] if self.clauses else None

    @property
    def undated_season(self) -> str | None:
        """Last season without dates that the text names."""
        service = self._names.service
        return service if service in UNDATED_SEASONS else None

    def _name(self, atom: Atom) -> None:
        """Name the hours before a name that ends its segment, else the hours that follow."""
        current, names = self._current, self._names
        if atom.has_colon or self._is_segment_start:
            self._heading = None
        if self._leaves_season(atom):
            return
        if not (atom.is_last and current):
            is_between = bool(current and current.spans) and not self._is_segment_start
            is_named = self._before in _NAMES  # "10-12 intake, food 12-2"
            is_between &= not (is_named or atom.has_colon or atom.in_group)
            if is_between and names.is_empty:
                if atom.kind is AtomKind.LABEL and self._is_food_alone:
                    return  # "8-9 breakfast Sat 10-11": food on both, but unclear which meal
                raise CannotTell("a name between two times")
            names.take(atom, has_clauses=current is not None)
            self._is_name_pending = True
            self._leave_name_before(atom)
        elif current.is_named_only and current.can_be_for(atom):
            current.take_name(atom)
        elif self._is_segment_start:
            self._name_from_next_line(atom, current)
        else:
            name_spans(current.spans, atom)

    def _name_from_next_line(self, atom: Atom, current: Clause) -> None:
        """Name the hours before a part that has only a name."""
        if atom.value in UNDATED_SEASONS:  # "Tue 10-12; Thu 1-3. Summer only."
            for clause in self.clauses:
                clause.take_season(str(atom.value))
        elif atom.kind is AtomKind.WHO:
            self._add_remark(Atom(AtomKind.REMARK, atom.value, is_last=True))
        elif atom.kind is AtomKind.SERVICE and atom.in_group and self._before is AtomKind.BREAK:
            if self._days_left:
                raise CannotTell("names above or below")  # "Mon-Fri 9-5\n(Rectory)\nSat 9-11"
            name_spans(current.spans, atom)

    def _leave_name_before(self, atom: Atom) -> None:
        """End the effect of an earlier name on the hours that follow."""
        current = self._current
        is_of_last = atom.kind is AtomKind.WHO and self._before is AtomKind.SPAN
        if current and not is_of_last:
            self._heading = None  # "food by appointment Mon 9-4, clothing Sat 9-11"
        if current and current.spans and atom.kind is AtomKind.LABEL:
            current.service = None  # "After school program M-F 3-6, snack at 3:30"

    def _leaves_season(self, atom: Atom) -> bool:
        """End a season where the text names another; return whether the atom says nothing else."""
        if atom.value == OUTSIDE_SEASON:
            if self._season:  # "July: Wed 9-12. Rest of the year: 1-4"
                self._season = rest_of_year(self._season)
                return True
            is_after = atom.has_colon or any(clause.spans for clause in self.clauses)
            if not self.undated_season and is_after:
                raise CannotTell("the rest of the year")
            return not self.undated_season  # "Closed July 4. Otherwise Fri 9-11" names no season
        if atom.value in UNDATED_SEASONS and atom.has_colon and not atom.in_group:
            self._season = None  # "June-August: Mon 7-5. School year: Mon-Fri 8-4"
        return False

    def _add_remark(self, atom: Atom) -> None:
        text, current, names = str(atom.value), self._current, self._names
        if atom.has_colon and self._is_segment_start:
            names.service = None  # "Office: Mon-Fri 9-5; Drop-in: Mon 9-2"
        begins_hours = self._is_segment_start and (current is None or not atom.is_last)
        if atom.has_colon or begins_hours:
            self._heading = text if text in _HEADINGS else None
        is_of_name = current is None and names.label is not None and atom.is_last
        is_of_name &= text == "by appointment"
        if names.is_other_meal or (is_of_name and self._meals_left):
            raise CannotTell("a remark for one of the meals")  # "Pantry: by appt. Lunch: M-F 11-1"
        if self._untimed_days and text == "by appointment" and not self._is_segment_start:
            clause = Clause(self._untimed_days, remarks=[text], season=self._season)
            self.clauses.append(clause)  # "9-12 Mon, Wed; Friday by appointment"
            self._untimed_days = None
        elif names.is_other_service:
            pass  # "Museum: Sun-Fri 10-4; library by appointment"
        elif current is None or (
            not atom.is_last and (self._is_segment_start or self._is_name_pending)
        ):
            self.remarks.append(text)
        elif self._is_segment_start and not atom.in_group:
            for clause in self.clauses:
                if clause.spans:
                    clause.remarks.append(text)
        else:
            current.remarks.append(text)
