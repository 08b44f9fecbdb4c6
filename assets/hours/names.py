"""Names of hours: the meal, visitors and service that a text gives for the times that follow."""

from dataclasses import dataclass

from assets.hours.atoms import Atom, AtomKind
from assets.hours.clauses import refuse_lost_season
from schemas.hours.schedule import UNDATED_SEASONS


@dataclass(slots=True)
class Names:
    """Names in force for the next span.

    `is_other_service` is True after a service, `is_other_meal` after a meal with a colon ("Office:
    Mon 9-5; pantry: ..."), each until hours follow.
    """

    label: str | None = None
    who: str | None = None
    service: str | None = None
    is_other_service: bool = False
    is_other_meal: bool = False
    _outer: tuple[str | None, str | None] | None = None  # in force before the parentheses

    @property
    def is_empty(self) -> bool:
        return not (self.label or self.who or self.service)

    def take(self, atom: Atom, *, has_clauses: bool) -> None:
        """Put a name in force and drop the names it replaces: "Lunch: Mon 12-1; Clinic: Tue
        9-12"."""
        text = str(atom.value)
        is_service = atom.kind is AtomKind.SERVICE
        self._outer = (self.label, self.who) if atom.in_group and not is_service else None
        # "School year: food pantry Thu 3-4"
        is_of_season = atom.kind is AtomKind.LABEL and self.service in UNDATED_SEASONS
        if (atom.kind is not AtomKind.WHO and not is_of_season) or atom.has_colon:
            refuse_lost_season(self.service, text)
            self.service = None
        self.is_other_meal = atom.kind is AtomKind.LABEL and atom.has_colon and has_clauses
        match atom.kind:
            case AtomKind.LABEL:
                self.label = text
            case AtomKind.WHO:
                self.who = text
            case AtomKind.SERVICE:
                self.label, self.service = None, text
                self.is_other_service = has_clauses
                self.who = None if atom.has_colon else self.who

    def end_group(self) -> None:
        """Restore the names from before the parentheses."""
        if self._outer:
            (self.label, self.who), self._outer = self._outer, None
