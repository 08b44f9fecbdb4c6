"""A person's wishes about a place, and how many places meet them. Shared by plain language and MCP."""

from typing import Annotated

import msgspec

from schemas.api.common import NonNegative
from schemas.attributes import WISHES
from schemas.descriptions import describe
from schemas.vocab.constraints import Kind

_VALUES = (
    "By kind. diet: halal, kosher, vegetarian, vegan, gluten_free, diabetic, low_sodium, baby. papers: no_id, "
    f"no_proof_of_address, no_papers. {', '.join(WISHES)}: true. audience: seniors, veterans, students, children, "
    "pregnant, homeless. language: ISO 639-1 code (639-3 where there is none). transport: bus, walk. distance: miles. serves_zip: ZIP code of the home. "
    "day: MO to SU, today, tomorrow. time: morning, afternoon, evening, open_now, `before 10:00`, `after 17:00` or "
    "`09:00-12:00`. appointment: walk_in. item: diapers, formula, pet_food, hygiene, hot_meal, fresh_produce, senior_box."
)
KindField = Annotated[Kind, describe("What the wish is about.")]
ValueField = Annotated[str | bool | float, describe(_VALUES, "kosher")]


class Constraint(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A wish: a kind and one of its values."""

    kind: KindField
    value: ValueField


class ConstraintCount(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Places within the radius that meet a wish, do not meet it, or are unknown."""

    kind: KindField
    value: ValueField
    met: NonNegative
    not_met: NonNegative
    not_known: NonNegative
