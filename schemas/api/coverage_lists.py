"""Lists that the directory has for a state, by county: places, ages, withheld records."""

from typing import Annotated

import msgspec

from schemas.api.common import NonNegative
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

    source: str
    title: str
    publisher: str
    license: str
    places: Resources
    free_food: FreeFood
    oldest_date: str | None
    newest_date: NewestDate


class CountyLists(msgspec.Struct, forbid_unknown_fields=True):
    """A county, parish, borough or municipio, also where nothing is listed."""

    county_fips: str
    name: str
    population: int | None
    places: Resources
    free_food: FreeFood
    sources: list[str]
    newest_date: NewestDate


class StateLists(DocumentHead):
    """The lists of a state or territory and of its counties."""

    organization: Publisher
    state: StateCode
    name: StateName
    places: Resources
    free_food: FreeFood
    lists: list[PublishedList]
    withheld: list[WithheldList]
    counties: list[CountyLists]
    free_food_without_county: NonNegative
