"""Documents about how near listed food is: the nation by state, a state by county and ZIP code.

The rows are those of `schemas.tables.access`, under the same names.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from schemas.api.organization import OrganizationHead
from schemas.api.record import described
from schemas.api.snapshots import DocumentHead, StateCode, StateName
from schemas.table import Table
from schemas.tables.access import AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS
from schemas.vocab.food_access import ACCESS_CLASSES

_Meta = msgspec.Meta
_TYPES: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool}


def row_members(table: Table, *left_out: str) -> list[tuple[str, Any]]:
    """Return the fields of a table as members of a struct; those that a row may lack may be
    null."""
    required = set(table.required_names)
    return [
        (f.name, described(_TYPES[f.type] if f.name in required else _TYPES[f.type] | None, f))
        for f in table.fields
        if f.name not in left_out
    ]


_CLASS = (
    "map_class",
    Annotated[
        Literal[tuple(c.id for c in ACCESS_CLASSES)],
        _Meta(
            description="Class on the maps, by the share of residents within 5 miles as whole per cents; where residents are not known at all, by the share of ZIP codes. `nothing`: no free place is listed in the area, and places beyond its border do not reach a quarter of its residents."
        ),
    ],
)

AreaAccess = msgspec.defstruct(
    "AreaAccess",
    [
        *row_members(AREA_ACCESS),
        (
            "name",
            Annotated[str, _Meta(description="Name of the state or territory, or of the nation.")],
        ),
        _CLASS,
    ],
    forbid_unknown_fields=True,
)
CountyAccess = msgspec.defstruct(
    "CountyAccess", row_members(COUNTY_TOTALS, "population_source"), forbid_unknown_fields=True
)
ZipAccess = msgspec.defstruct(
    "ZipAccess", row_members(ZIP_ACCESS, "state", "population_source"), forbid_unknown_fields=True
)


class AccessMethod(msgspec.Struct, forbid_unknown_fields=True):
    """Method and limitations of the figures."""

    measure: Annotated[str, _Meta(description="The points that distances are measured between.")]
    residents: Annotated[
        str, _Meta(description="Where the residents come from, and for which years.")
    ]
    areas: Annotated[str, _Meta(description="How ZIP codes are added up.")]
    unknown: Annotated[str, _Meta(description="How unknown values are treated.")]
    limits: Annotated[list[str], _Meta(description="What the figures cannot say.")]


class AccessClassMeaning(msgspec.Struct, forbid_unknown_fields=True):
    """A class of the maps."""

    id: Annotated[str, _Meta(description="Id of the class.")]
    minimum: Annotated[
        float | None,
        _Meta(description="Share at which it begins; null for classes without a share."),
    ]
    label: Annotated[str, _Meta(description="Name in English.")]
    label_es: Annotated[str, _Meta(description="Name in Spanish.")]


class AccessHead(DocumentHead):
    """Members that both documents begin with."""

    organization: OrganizationHead
    is_population_known: Annotated[
        bool,
        _Meta(
            description="False where the release was built without residents by ZIP code: shares of residents are null then, shares of ZIP codes are not."
        ),
    ]
    population_sources: Annotated[
        list[str],
        _Meta(
            description="Who estimated the residents of ZIP codes and counties; empty where none are known."
        ),
    ]
    methodology: AccessMethod


class NationalAccess(AccessHead):
    """The nation, and every state and territory."""

    classes: Annotated[list[AccessClassMeaning], _Meta(description="The classes of the maps.")]
    counties_without_free_food: Annotated[
        int, _Meta(ge=0, description="Counties in which no free place is listed.")
    ]
    counties: Annotated[int, _Meta(ge=0, description="Counties and county equivalents.")]
    resources_without_county: Annotated[
        int,
        _Meta(ge=0, description="Active places whose county is not known; they are in no county."),
    ]
    links: Annotated[
        dict[str, str],
        _Meta(description="Addresses of the files and pages about the same figures."),
    ]
    national: AreaAccess  # type: ignore[valid-type]
    states: Annotated[
        list[AreaAccess],  # type: ignore[valid-type]
        _Meta(description="All states and territories in the order of their codes."),
    ]


class StateAccess(AccessHead):
    """A state by county and by ZIP code."""

    state: StateCode
    name: StateName
    total: Annotated[AreaAccess, _Meta(description="The whole state.")]  # type: ignore[valid-type]
    counties: Annotated[
        list[CountyAccess], _Meta(description="All counties, in the order of their codes.")  # type: ignore[valid-type]
    ]
    zips: Annotated[
        list[ZipAccess], _Meta(description="All ZIP codes with a point, in their order.")  # type: ignore[valid-type]
    ]
