"""Documents about the directory by state and city: atlas, leaderboard, coverage, cities, snapshot,
state dump.
"""

from typing import Annotated

import msgspec

from schemas.api.common import CompilationLicense, IsSynthetic, NonNegative
from schemas.api.organization import Publisher
from schemas.api.record import StoredRecord
from schemas.api.reports import Rate
from schemas.descriptions import describe
from schemas.vocab.food_access import TierId


def count_of(description: str) -> msgspec.Meta:
    return describe(description, ge=0)


Count = Annotated[int, count_of("Active places.")]
Resources = Annotated[
    int, count_of("Active places of all types, as `/api/resources/bulk` returns them.")
]
Pantries = Annotated[
    int,
    count_of(
        "Active places of the food-pantry class: pantries, food banks, soup kitchens, mobile "
        "pantries, community fridges."
    ),
]
FreeFood = Annotated[
    int,
    count_of(
        "Active places that give food free of charge: the food-pantry class, emergency food, "
        "tribal and senior programs."
    ),
]
StateCode = Annotated[str, describe("USPS code of the state or territory.", "OR")]
StateName = Annotated[str, describe("Name of the state or territory.", "Oregon")]
Url = Annotated[str, describe("Full address.")]
Ratio = Annotated[
    float | None,
    describe(
        "Active places with free food (`free_food`) per 1,000 residents, to four decimals. "
        "Stores and schools do not count. Null where the residents are not known."
    ),
]
Tier = Annotated[
    TierId | None,
    describe(
        "Tier by the thresholds of `/api/v1/coverage.json`; null where the residents are not known."
    ),
]
PantryHoursOld = Annotated[
    Rate,
    describe(
        "Places of the food-pantry class whose published hours can be read but are too old to be "
        "asserted."
    ),
]


class DocumentHead(msgspec.Struct, forbid_unknown_fields=True):
    """Members that every document of this kind begins with."""

    version: str
    generated_at: str
    as_of_date: str
    release_id: str
    is_synthetic: IsSynthetic
    license: CompilationLicense


# ---------------------------------------------------------------- atlas


class AtlasCounts(msgspec.Struct, forbid_unknown_fields=True):
    """Active places by kind. Each is what `/api/resources/bulk` returns for the type."""

    total_resources: Resources
    food_pantry_class: Pantries
    free_food: FreeFood
    food_pantries: NonNegative
    food_banks: NonNegative
    soup_kitchens: NonNegative
    mobile_pantries: NonNegative
    community_fridges: NonNegative
    wic_clinics: NonNegative
    school_meal_sites: NonNegative
    summer_meal_sites: NonNegative
    fqhc_health_centers: NonNegative
    head_start_centers: NonNegative
    snap_retailers: NonNegative
    partner_verified: NonNegative


class AtlasState(AtlasCounts):
    """A state or territory."""

    state: StateCode
    name: StateName
    atlas_url: Url


class NationalAtlas(DocumentHead):
    """National totals and the same counts for each state."""

    organization: Publisher
    national: AtlasCounts
    states_covered: NonNegative
    states: list[AtlasState]


class PantryClass(msgspec.Struct, forbid_unknown_fields=True):
    """The food-pantry class: the subtotal is the sum of the five."""

    subtotal: Pantries
    food_pantries: Count
    food_banks: Count
    soup_kitchens: Count
    mobile_pantries: Count
    community_fridges: Count


class FederalPrograms(msgspec.Struct, forbid_unknown_fields=True):
    """Sites of five federal programs."""

    wic_clinics: NonNegative
    school_meal_sites: NonNegative
    summer_meal_sites: NonNegative
    fqhc_health_centers: NonNegative
    head_start_centers: NonNegative


class StateCoverage(msgspec.Struct, forbid_unknown_fields=True):
    """total_resources = food_pantry_class.subtotal + the five programs + snap_retailers +
    other_resources.
    """

    total_resources: Resources
    food_pantry_class: PantryClass
    federal_programs: FederalPrograms
    snap_retailers: NonNegative
    other_resources: NonNegative
    by_type: dict[str, int]


class StateVerification(msgspec.Struct, forbid_unknown_fields=True):
    """Places by verification; the three add up to all."""

    partner_verified: Rate
    verified: Rate
    unverified: Rate
    partner_verified_pantries: NonNegative
    pantry_hours_known: Rate
    pantry_hours_old: PantryHoursOld


class StateGeography(msgspec.Struct, forbid_unknown_fields=True):
    """Distribution of the places, and places per resident."""

    zip_codes: NonNegative
    cities: NonNegative
    counties: NonNegative
    places_without_city: NonNegative
    exact_points: Rate
    population: int | None
    population_source: str | None
    population_date: str | None
    resources_per_1000_residents: Ratio
    free_food_per_1000_residents: float | None
    coverage_tier: Tier
    coverage_rank: int | None


class TopCity(msgspec.Struct, forbid_unknown_fields=True):
    """A city and its places."""

    city: str
    state: StateCode
    pantry_count: Pantries
    resource_count: Resources


class StateAtlas(DocumentHead):
    """One state or territory."""

    state: StateCode
    name: StateName
    coverage: StateCoverage
    verification: StateVerification
    geographic: StateGeography
    top_cities_by_pantry_count: list[TopCity]
    related_surfaces: dict[str, str]
    org: Publisher


# ---------------------------------------------------------------- leaderboard


class LeaderboardTotals(msgspec.Struct, forbid_unknown_fields=True):
    """Over all states and territories."""

    partner_verified_pantries: NonNegative
    partner_verified: NonNegative
    pantries: Pantries
    partner_verified_pct: float
    states_ranked: NonNegative


class LeaderboardEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A state; null instead of a rank where nothing is partner-verified."""

    rank: int | None
    state: StateCode
    name: StateName
    partner_verified_pantries: NonNegative
    partner_verified: NonNegative
    pantries: Pantries
    partner_verified_pct: float


class Leaderboard(DocumentHead):
    """States by partner-verified pantries."""

    organization: Publisher
    explanation: str
    national: LeaderboardTotals
    states: list[LeaderboardEntry]


# ---------------------------------------------------------------- cities, figures, snapshot


class CityEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A city with many places."""

    city: str
    state: StateCode
    state_name: StateName
    resource_count: Resources
    pantry_count: Pantries
    free_food_count: FreeFood
    lat: float
    lng: float
    search_url: str


class Cities(DocumentHead):
    """Cities with the most places."""

    minimum_locations: int
    maximum_cities: int
    cities_with_minimum: NonNegative
    count: NonNegative
    cities: list[CityEntry]


class CoverageFigures(msgspec.Struct, forbid_unknown_fields=True):
    """The main totals of the directory."""

    total_resources: Resources
    food_pantry_class: Pantries
    free_food: FreeFood
    snap_retailers: NonNegative
    by_mode: dict[str, int]
    states_and_territories: NonNegative
    cities: NonNegative
    partner_verified: NonNegative
    verified: NonNegative
    unverified: NonNegative
    pantry_hours_known: Rate
    pantry_hours_old: PantryHoursOld


class QuickStats(DocumentHead):
    """The main figures, for a banner or a first answer."""

    organization: Publisher
    stats: CoverageFigures


class TopState(msgspec.Struct, forbid_unknown_fields=True):
    """A state and its places."""

    state: StateCode
    name: StateName
    resource_count: Resources
    pantry_count: Pantries
    free_food_count: FreeFood


class Snapshot(DocumentHead):
    """Overview: the organization, totals, coverage and links."""

    organization: Publisher
    coverage: CoverageFigures
    top_states: list[TopState]
    top_cities: list[TopCity]
    discovery: dict[str, str]
    quick_actions: dict[str, str]


# ---------------------------------------------------------------- one state's places


class StateDumpHead(DocumentHead):
    """Members of the dump other than the records."""

    state: StateCode
    name: StateName
    note: str
    counts: AtlasCounts
    count: NonNegative


class StateDump(StateDumpHead):
    """All places of a state, in order of id."""

    resources: list[StoredRecord]  # type: ignore[valid-type]
