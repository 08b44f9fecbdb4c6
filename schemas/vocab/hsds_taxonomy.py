"""Name the eleven categories of food assistance, their types and the free ones."""

from pathlib import Path
from typing import Literal

import msgspec

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
