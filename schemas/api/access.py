"""Documents about how near listed food is: the nation by state, a state by county and ZIP code.

The rows are those of `schemas.tables.access`, under the same names.
"""

from typing import Annotated, Literal

import msgspec

from schemas.api.organization import Publisher
from schemas.api.snapshots import DocumentHead, StateCode, StateName
from schemas.descriptions import describe, members_of
from schemas.tables.access import AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS
from schemas.vocab.food_access import ACCESS_CLASSES

_CLASS = (
    "map_class",
    Annotated[
        Literal[tuple(c.id for c in ACCESS_CLASSES)],
        describe(
            "Class on the maps, by the share of residents within 5 miles as whole per cents; where residents are not known at all, by the share of ZIP codes. `nothing`: no free place is listed in the area, and places beyond its border do not reach a quarter of its residents."
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

    measure: Annotated[str, describe("The points that distances are measured between.")]
    residents: Annotated[str, describe("Where the residents come from, and for which years.")]
    areas: Annotated[str, describe("How ZIP codes are added up.")]
    unknown: Annotated[str, describe("How unknown values are treated.")]
    limits: Annotated[list[str], describe("What the figures cannot say.")]


class AccessClassMeaning(msgspec.Struct, forbid_unknown_fields=True):
    """A class of the maps."""

    id: Annotated[str, describe("Id of the class.")]
    minimum: Annotated[
        float | None, describe("Share at which it begins; null for classes without a share.")
    ]
    label: Annotated[str, describe("Name in English.")]
    label_es: Annotated[str, describe("Name in Spanish.")]


class AccessHead(DocumentHead):
    """Members that both documents begin with."""

    organization: Publisher
    is_population_known: Annotated[
        bool,
        describe(
            "False where the release was built without residents by ZIP code: shares of residents are null then, shares of ZIP codes are not."
        ),
    ]
    population_sources: Annotated[
        list[str],
        describe(
            "Who estimated the residents of ZIP codes and counties; empty where none are known."
        ),
    ]
    methodology: Annotated[AccessMethod, describe("Method and limits of the figures.")]


class NationalAccess(AccessHead):
    """The nation, and every state and territory."""

    classes: Annotated[list[AccessClassMeaning], describe("The classes of the maps.")]
    counties_without_free_food: Annotated[
        int, describe("Counties in which no free place is listed.", ge=0)
    ]
    counties: Annotated[int, describe("Counties and county equivalents.", ge=0)]
    resources_without_county: Annotated[
        int, describe("Active places whose county is not known; they are in no county.", ge=0)
    ]
    links: Annotated[
        dict[str, str], describe("Addresses of the files and pages about the same figures.")
    ]
    national: Annotated[AreaAccess, describe("The same figures for the nation.")]  # type: ignore[valid-type]
    states: Annotated[
        list[AreaAccess],  # type: ignore[valid-type]
        describe("All states and territories in the order of their codes."),
    ]


class StateAccess(AccessHead):
    """A state by county and by ZIP code."""

    state: StateCode
    name: StateName
    total: Annotated[AreaAccess, describe("The whole state.")]  # type: ignore[valid-type]
    counties: Annotated[
        list[CountyAccess], describe("All counties, in the order of their codes.")  # type: ignore[valid-type]
    ]
    zips: Annotated[
        list[ZipAccess], describe("All ZIP codes with a point, in their order.")  # type: ignore[valid-type]
    ]
