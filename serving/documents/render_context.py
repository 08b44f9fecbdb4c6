"""The inputs of rendering a document: the organization, the release, the day, the language, the
facts."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from schemas.api.organization import Organization
from schemas.vocab.states import State
from serving.documents.registry import Library, Row
from serving.reference.organization import organization_of
from serving.reference.policy import FactNotInForce, FactsOn, FactValue, nearest
from serving.reference.totals import Live
from serving.render.words import Language, words
from serving.settings import Settings
from warehouse.index.reader import OpenRelease

# Dated figures change at midnight in Washington, where they are set.
_CLOCK = ZoneInfo("America/New_York")
TAGS: dict[Language, str] = {"en": "en-US", "es": "es-US"}


def today() -> date:
    """Return the day on which dated figures are looked up."""
    return datetime.now(_CLOCK).date()


@dataclass(frozen=True)
class FactUse:
    """A fact that a document shows. `is_current`: its period has begun and is not over."""

    fact: FactValue
    is_current: bool


class Facts:
    """`fact(...)` and `figure(...)` of texts. A figure that ran out stays the last known, marked as
    such.
    """

    def __init__(self, on: date, language: Language) -> None:
        self.on = on
        self._units = words("documents", language).units
        self._facts = FactsOn(on)
        self.used: dict[str, FactUse] = {}

    def __contains__(self, fact_id: str) -> bool:
        return fact_id in self._facts

    def find(self, fact_id: str, *keys: str | int) -> FactUse:
        """Raise UnknownFact when there is no such fact or entry."""
        try:
            use = FactUse(self._facts.find(fact_id, *keys), True)
        except FactNotInForce:
            closest = nearest(fact_id, self.on)
            if closest is None:
                raise
            period = closest[0].effective_to or closest[0].effective_from or self.on
            use = FactUse(FactsOn(period).find(fact_id, *keys), False)
        self.used[fact_id] = use
        return use

    def fact(self, fact_id: str, *keys: str | int) -> Any:
        """Return the value alone, for sentences."""
        return self.find(fact_id, *keys).fact.value

    def figure(self, fact_id: str, *keys: str | int) -> dict[str, Any]:
        """Return the value with its source and its time, for members of the JSON."""
        use = self.find(fact_id, *keys)
        fact = use.fact
        return {
            "value": fact.value,
            "unit": fact.unit and self._units[fact.unit],
            "source": fact.source_title,
            "source_url": fact.source_url,
            "as_of": fact.as_of.isoformat(),
            "effective": {"from": iso(fact.effective_from), "to": iso(fact.effective_to)},
            "is_current": use.is_current,
        }


def iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


@dataclass(frozen=True)
class RenderContext:
    """Values that computed members and texts may read."""

    library: Library
    row: Row
    language: Language
    settings: Settings
    release: OpenRelease | None
    day: date
    state: State | None = None
    facts: Facts = field(init=False)
    live: Live = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", Facts(self.day, self.language))
        object.__setattr__(self, "live", Live(self.release))

    @property
    def organization(self) -> Organization:
        return organization_of(self.settings)

    def url(self, path: str) -> str:
        """Return the full address of a path, of its Spanish twin in a Spanish document."""
        return self.settings.url + self.library.link(path, self.language)

    def say(self, english: str, spanish: str) -> str:
        """Return one of two words, for sentences made by code."""
        return english if self.language == "en" else spanish
