"""Lists that the directory has for a state, by county: how many places, how old, what is withheld."""

from typing import Annotated

import msgspec

from schemas.api.coverage_document import WithheldList
from schemas.api.organization import Publisher
from schemas.api.snapshots import DocumentHead, FreeFood, Resources, StateCode, StateName
from schemas.descriptions import describe

NewestDate = Annotated[
    str | None,
    describe(
        "Newest day for which a publisher's list of these places speaks; null where none gives a day.",
        "2026-05-12",
    ),
]


class PublishedList(msgspec.Struct, forbid_unknown_fields=True):
    """A publisher's list with places of the state."""

    source: Annotated[str, describe("Id of the source, as in docs/sources.md.")]
    title: Annotated[str, describe("Name of the list.")]
    publisher: Annotated[str, describe("Who publishes it.")]
    license: Annotated[str, describe("SPDX id of its licence, or a word for it.")]
    places: Resources
    free_food: FreeFood
    oldest_date: Annotated[
        str | None, describe("Oldest day for which it speaks of a place of the state.")
    ]
    newest_date: NewestDate


class CountyLists(msgspec.Struct, forbid_unknown_fields=True):
    """A county, parish, borough or municipio, also where nothing is listed."""

    county_fips: Annotated[str, describe("ANSI/FIPS code, five digits.")]
    name: Annotated[str, describe("Name of the county.")]
    population: Annotated[int | None, describe("Residents; null where not known.")]
    places: Resources
    free_food: FreeFood
    sources: Annotated[
        list[str], describe("Ids of the sources that list its places with free food.")
    ]
    newest_date: NewestDate


class StateLists(DocumentHead):
    """The lists of a state or territory and of its counties."""

    organization: Publisher
    state: StateCode
    name: StateName
    places: Resources
    free_food: FreeFood
    lists: Annotated[
        list[PublishedList], describe("Lists with places of the state, the longest first.")
    ]
    withheld: Annotated[
        list[WithheldList],
        describe(
            "Lists about this state alone of which rows are not published. Lists about several states are in `/api/v1/coverage.json`."
        ),
    ]
    counties: Annotated[list[CountyLists], describe("All counties, in the order of their names.")]
    free_food_without_county: Annotated[
        int, describe("Places with free food whose county is not known.", ge=0)
    ]
