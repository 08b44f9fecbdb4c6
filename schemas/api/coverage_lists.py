"""Lists that the directory has for a state, by county: how many places, how old, what is withheld."""

from __future__ import annotations

from typing import Annotated

import msgspec

from schemas.api.coverage_document import WithheldList
from schemas.api.organization import OrganizationHead
from schemas.api.snapshots import DocumentHead, FreeFood, Resources, StateCode, StateName

_Meta = msgspec.Meta
NewestDate = Annotated[
    str | None,
    _Meta(
        description="Newest day for which a publisher's list of these places speaks; null where none gives a day.",
        examples=["2026-05-12"],
    ),
]


class PublishedList(msgspec.Struct, forbid_unknown_fields=True):
    """A publisher's list with places of the state."""

    source: Annotated[str, _Meta(description="Id of the source, as in docs/sources.md.")]
    title: Annotated[str, _Meta(description="Name of the list.")]
    publisher: Annotated[str, _Meta(description="Who publishes it.")]
    license: Annotated[str, _Meta(description="SPDX id of its licence, or a word for it.")]
    places: Resources
    free_food: FreeFood
    oldest_date: Annotated[
        str | None, _Meta(description="Oldest day for which it speaks of a place of the state.")
    ]
    newest_date: NewestDate


class CountyLists(msgspec.Struct, forbid_unknown_fields=True):
    """A county, parish, borough or municipio, also where nothing is listed."""

    county_fips: Annotated[str, _Meta(description="ANSI/FIPS code, five digits.")]
    name: Annotated[str, _Meta(description="Name of the county.")]
    population: Annotated[int | None, _Meta(description="Residents; null where not known.")]
    places: Resources
    free_food: FreeFood
    sources: Annotated[
        list[str], _Meta(description="Ids of the sources that list its places with free food.")
    ]
    newest_date: NewestDate


class StateLists(DocumentHead):
    """The lists of a state or territory and of its counties."""

    organization: OrganizationHead
    state: StateCode
    name: StateName
    places: Resources
    free_food: FreeFood
    lists: Annotated[
        list[PublishedList], _Meta(description="Lists with places of the state, the longest first.")
    ]
    withheld: Annotated[
        list[WithheldList],
        _Meta(
            description="Lists about this state alone of which rows are not published. Lists about several states are in `/api/v1/coverage.json`."
        ),
    ]
    counties: Annotated[
        list[CountyLists], _Meta(description="All counties, in the order of their names.")
    ]
    free_food_without_county: Annotated[
        int, _Meta(ge=0, description="Places with free food whose county is not known.")
    ]
