"""Types of places, and the search modes they belong to.

Type ids are those of the interface's type catalog plus `snap_retailer` and `farmers_market`, which
the catalog lacks and the directory needs: a shop or a market sells food, so each has its own type.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Literal, get_args

import msgspec

from schemas.words import Words

Mode = Literal["free", "snap", "school", "summer", "wic", "health"]
MODES: tuple[Mode, ...] = get_args(Mode)

MODE_LABELS: dict[Mode, Words] = {
    "free": Words("Free food", "Comida gratis"),
    "snap": Words("SNAP", "SNAP"),
    "school": Words("School meals", "Comidas escolares"),
    "summer": Words("Summer meals", "Comidas de verano"),
    "wic": Words("WIC", "WIC"),
    "health": Words("Health care", "Atención médica"),
}


@dataclass(frozen=True)
class ResourceType:
    """One type of place. `mode` is None for types outside all search modes (diaper banks)."""

    id: str
    mode: Mode | None
    labels: Words
    description: str
    # First and last month of the part of the year in which places of the type serve, by law.
    season: tuple[int, int] | None = None

    def last_day_between_seasons(self, day: date) -> date | None:
        """Return the day before the next season begins; None within a season or without seasons."""
        if self.season is None or self.season[0] <= day.month <= self.season[1]:
            return None
        year = day.year + (day.month > self.season[1])
        return date(year, self.season[0], 1) - timedelta(days=1)

    @property
    def label(self) -> str:
        return self.labels.en


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    mode: Mode | None
    en: str
    es: str
    description: str
    season: tuple[int, int] | None = None


_ENTRIES = msgspec.yaml.decode(
    Path(__file__).with_name("resource_types.yaml").read_bytes(), type=dict[str, _Entry]
)

RESOURCE_TYPES: dict[str, ResourceType] = {
    name: ResourceType(name, entry.mode, Words(entry.en, entry.es), entry.description, entry.season)
    for name, entry in _ENTRIES.items()
}
TYPE_IDS: tuple[str, ...] = tuple(RESOURCE_TYPES)
TYPES_BY_MODE: dict[Mode, tuple[str, ...]] = {
    mode: tuple(t.id for t in RESOURCE_TYPES.values() if t.mode == mode) for mode in MODES
}
# The food-pantry class of the atlas and of the data-quality report.
PANTRY_CLASS: tuple[str, ...] = (
    "food_pantry",
    "food_bank",
    "soup_kitchen",
    "mobile_pantry",
    "community_fridge",
)


# Name the eleven categories of food assistance, their types and the free ones.

TAXONOMY_CODE = "open-larder-food-assistance"
TAXONOMY_NAME = "Open Larder food assistance categories"
TAXONOMY_DESCRIPTION = "Where people get food or help to get it, by what they find there."
TAXONOMY_VERSION = "1.2.0"
OPEN_ELIGIBILITY = "https://github.com/auntbertha/openeligibility/blob/master/taxonomy.yaml"


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One category; every type of the catalog is in exactly one."""

    code: str
    name: str
    name_es: str
    description: str
    types: tuple[str, ...]
    # Slug of the nearest term of Open Eligibility, and which SKOS mapping relation leads to it.
    open_eligibility: str
    open_eligibility_match: Literal["exact", "close", "broad"]

    @property
    def term_uri(self) -> str:
        """Address of the term of Open Eligibility: its terms are addressed only by slug."""
        return f"{OPEN_ELIGIBILITY}#{self.open_eligibility}"


TERMS: tuple[Term, ...] = msgspec.yaml.decode(
    Path(__file__).with_name("hsds_taxonomy.yaml").read_bytes(), type=tuple[Term, ...]
)

TERM_OF_TYPE: dict[str, str] = {kind: term.code for term in TERMS for kind in term.types}

# Free by what the type is: the catalog's definition, or the law of the program (summer meals 7 CFR
# 225, senior boxes 7 CFR 247, food distribution on reservations 7 CFR 253).
FREE_TYPES: tuple[str, ...] = (
    "food_pantry",
    "soup_kitchen",
    "community_fridge",
    "summer_meal",
    "senior_commodity",
    "tribal_food",
)

# Ages set by the law of the program: (youngest, oldest).
AGES_OF_TYPE: dict[str, tuple[int | None, int | None]] = {
    "summer_meal": (None, 18),
    "senior_commodity": (60, None),
}
