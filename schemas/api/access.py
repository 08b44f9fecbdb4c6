"""Documents on distances to listed food: the nation by state, a state by county and ZIP code.

The rows are those of `schemas.tables.core`, under the same names.
"""

from typing import Annotated, Literal

import msgspec

from schemas.api.common import NonNegative
from schemas.api.organization import Publisher
from schemas.api.snapshots import DocumentHead, StateCode, StateName
from schemas.descriptions import describe, members_of
from schemas.tables.core import AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS
from schemas.vocab.food_access import ACCESS_CLASSES

_CLASS = (
    "map_class",
    Annotated[
        Literal[tuple(c.id for c in ACCESS_CLASSES)],
        describe(
            "Class on the maps, by the share of residents within 5 miles as whole per cents; "
            "where residents are not known at all, by the share of ZIP codes. `nothing`: no free "
            "place is listed in the area, and places beyond its border do not reach a quarter of "
            "its residents."
        ),
    ],
)

AreaAccess = msgspec.defstruct(
    "AreaAccess",
    [
        *members_of(AREA_ACCESS),
        (
            "name",
            Annotated[str, describe("Name of the state or territory, or of the nation.")],
        ),
        _CLASS,
    ],
    forbid_unknown_fields=True,
)
CountyAccess = msgspec.defstruct(
    "CountyAccess", members_of(COUNTY_TOTALS, "population_source"), forbid_unknown_fields=True
)
ZipAccess = msgspec.defstruct(
    "ZipAccess", members_of(ZIP_ACCESS, "state", "population_source"), forbid_unknown_fields=True
)


class AccessMethod(msgspec.Struct, forbid_unknown_fields=True):
    """Method and limitations of the figures."""

    measure: str
    residents: str
    areas: str
    unknown: str
    limits: list[str]


class AccessClassMeaning(msgspec.Struct, forbid_unknown_fields=True):
    """A class of the maps."""

    id: str
    minimum: float | None
    label: str
    label_es: str


class AccessHead(DocumentHead):
    """Members that both documents begin with."""

    organization: Publisher
    is_population_known: bool
    population_sources: list[str]
    methodology: AccessMethod


class NationalAccess(AccessHead):
    """The nation, and every state and territory."""

    classes: list[AccessClassMeaning]
    counties_without_free_food: NonNegative
    counties: NonNegative
    resources_without_county: NonNegative
    links: dict[str, str]
    national: AreaAccess  # type: ignore[valid-type]
    states: list[AreaAccess]  # type: ignore[valid-type]


class StateAccess(AccessHead):
    """A state by county and by ZIP code."""

    state: StateCode
    name: StateName
    total: AreaAccess  # type: ignore[valid-type]
    counties: list[CountyAccess]  # type: ignore[valid-type]
    zips: list[ZipAccess]  # type: ignore[valid-type]
