"""Coverage by state as the API returns it, with the lists behind it; and distances to listed food:
the nation by state, a state by county and ZIP code, under the names of `schemas.tables.core`."""

from typing import Annotated, Literal

import msgspec

from schemas.api.common import NonNegative
from schemas.api.organization import Publisher
from schemas.api.snapshots import (
    Count,
    DocumentHead,
    FreeFood,
    Pantries,
    Ratio,
    Resources,
    StateCode,
    StateName,
    Tier,
)
from schemas.descriptions import describe, members_of
from schemas.tables.core import AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS
from schemas.vocab.food_access import ACCESS_CLASSES
from schemas.vocab.statuses import Basis, Use


class CoverageState(msgspec.Struct, forbid_unknown_fields=True):
    """A state's listings for its residents."""

    rank: int | None
    state: StateCode
    name: StateName
    resources: Resources
    pantries: Pantries
    free_food: FreeFood
    stores: NonNegative
    schools: NonNegative
    population: int | None
    population_source: str | None
    population_date: str | None
    resources_per_1000_residents: Ratio
    free_food_per_10000_residents: float | None
    stores_per_1000_residents: float | None
    schools_per_1000_residents: float | None
    free_food_per_1000_residents: float | None
    tier: Tier
    reason: str | None
    lists: NonNegative
    free_food_lists: NonNegative
    newest_free_food_list_date: str | None
    lists_url: str


class CoverageTotals(msgspec.Struct, forbid_unknown_fields=True):
    """The whole country: the 51 ranked states and the territories."""

    total_resources: Resources
    ranked_resources: NonNegative
    pantries: Pantries
    free_food: FreeFood
    population: NonNegative
    ranked_population: NonNegative
    resources_per_1000_residents: Ratio
    free_food_per_1000_residents: float | None
    tier: Tier


class TierMeaning(msgspec.Struct, forbid_unknown_fields=True):
    """A tier and where it begins and ends."""

    id: str
    label: str
    minimum: float
    below: float | None
    meaning: str


class TierCounts(msgspec.Struct, forbid_unknown_fields=True):
    """The 50 states and DC by tier."""

    sparse: Count
    fair: Count
    good: Count
    unknown: NonNegative


class WithheldList(msgspec.Struct, forbid_unknown_fields=True):
    """A list with rows that are not published."""

    source: str
    title: str
    publisher: str
    rows: Annotated[int, msgspec.Meta(ge=1)]
    use: Use | None
    basis: Basis | None
    reason: str | None
    license_url: str | None


class CoverageMethod(msgspec.Struct, forbid_unknown_fields=True):
    """Method and limitations of the figures."""

    measure: str
    population: str
    ranking: str
    tiers: str
    limits: str


class Coverage(DocumentHead):
    """Places with free food for every 1,000 residents by state."""

    organization: Publisher
    national: CoverageTotals
    tier_counts: TierCounts
    tiers: list[TierMeaning]
    methodology: CoverageMethod
    states: list[CoverageState]
    territories: list[CoverageState]
    withheld: list[WithheldList]


NewestDate = Annotated[
    str | None,
    describe(
        "Newest date of a publisher's list of these places; null if no list has a date.",
        "2026-05-12",
    ),
]


class PublishedList(msgspec.Struct, forbid_unknown_fields=True):
    """A publisher's list with places in the state."""

    source: str
    title: str
    publisher: str
    license: str
    places: Resources
    free_food: FreeFood
    oldest_date: str | None
    newest_date: NewestDate


WaitingStatus = Literal["permission_needed", "terms_not_stated", "not_fetched"]


class WaitingList(msgspec.Struct, forbid_unknown_fields=True):
    """A list on the web with places in the state, none of which is published yet."""

    source: str
    title: str
    publisher: str
    homepage: str
    status: WaitingStatus


class CountyLists(msgspec.Struct, forbid_unknown_fields=True):
    """A county, parish, borough or municipio, whether or not anything is listed there."""

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
    waiting: list[WaitingList]
    counties: list[CountyLists]
    free_food_without_county: NonNegative


_CLASS = (
    "map_class",
    Annotated[
        Literal[tuple(c.id for c in ACCESS_CLASSES)],
        describe(
            "Class on the maps, by the percentage of residents within 5 miles, as a whole number; "
            "if no resident counts are known, by the percentage of ZIP codes. `nothing`: no free "
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
