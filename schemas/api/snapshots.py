"""Documents about the directory by state and city: atlas, leaderboard, coverage, cities, snapshot,
state dump.
"""

from typing import Annotated

import msgspec

from schemas.api.common import IsSynthetic
from schemas.api.organization import Publisher
from schemas.api.record import StoredRecord
from schemas.api.reports import Rate
from schemas.descriptions import describe
from schemas.vocab.coverage_tiers import TierId


def count_of(description: str) -> msgspec.Meta:
    return describe(description, ge=0)


Count = Annotated[int, count_of("Active places.")]
Resources = Annotated[
    int, count_of("Active places of all types, as `/api/resources/bulk` returns them.")
]
Pantries = Annotated[
    int,
    count_of(
        "Active places of the food-pantry class: pantries, food banks, soup kitchens, mobile pantries, community fridges."
    ),
]
FreeFood = Annotated[
    int,
    count_of(
        "Active places that give food free of charge: the food-pantry class, emergency food, tribal and senior programs."
    ),
]
StateCode = Annotated[str, describe("USPS code of the state or territory.", "OR")]
StateName = Annotated[str, describe("Name of the state or territory.", "Oregon")]
Url = Annotated[str, describe("Full address.")]
Ratio = Annotated[
    float | None,
    describe(
        "Active places with free food (`free_food`) for every 1,000 residents, to four places. Stores and schools do not count. Null where the residents are not known."
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
        "Places of the food-pantry class whose published hours can be read but are too old to be asserted."
    ),
]


class DocumentHead(msgspec.Struct, forbid_unknown_fields=True):
    """Members that every document of this kind begins with."""

    version: Annotated[str, describe("Version of the document's shape.", "1.0")]
    generated_at: Annotated[
        str, describe("When the release was made that the figures are of (UTC).")
    ]
    as_of_date: Annotated[str, describe("Day up to which the sources were read.")]
    release_id: Annotated[str, describe("Release that the figures are of.")]
    is_synthetic: IsSynthetic
    license: Annotated[str, describe("SPDX id of the licence of the compilation.")]


# ---------------------------------------------------------------- atlas


class AtlasCounts(msgspec.Struct, forbid_unknown_fields=True):
    """Active places by kind. Each is what `/api/resources/bulk` returns for the type."""

    total_resources: Resources
    food_pantry_class: Pantries
    free_food: FreeFood
    food_pantries: Annotated[int, count_of("Type `food_pantry`.")]
    food_banks: Annotated[int, count_of("Type `food_bank`.")]
    soup_kitchens: Annotated[int, count_of("Type `soup_kitchen`.")]
    mobile_pantries: Annotated[int, count_of("Type `mobile_pantry`.")]
    community_fridges: Annotated[int, count_of("Type `community_fridge`.")]
    wic_clinics: Annotated[int, count_of("Type `wic_office`.")]
    school_meal_sites: Annotated[int, count_of("Type `school_meal`.")]
    summer_meal_sites: Annotated[int, count_of("Type `summer_meal`.")]
    fqhc_health_centers: Annotated[int, count_of("Type `health_center`.")]
    head_start_centers: Annotated[int, count_of("Type `head_start`.")]
    snap_retailers: Annotated[
        int, count_of("Type `snap_retailer`: shops, where food is sold and not given.")
    ]
    partner_verified: Annotated[int, count_of("Places of any type that a partner vouches for.")]


class AtlasState(AtlasCounts):
    """A state or territory."""

    state: StateCode
    name: StateName
    atlas_url: Url


class NationalAtlas(DocumentHead):
    """National totals and the same counts for each state."""

    organization: Publisher
    national: Annotated[AtlasCounts, describe("The same figures for the nation.")]
    states_covered: Annotated[int, count_of("States and territories with at least one place.")]
    states: Annotated[
        list[AtlasState],
        describe(
            "The 50 states and DC, and the territories where there is data; in the order of their codes."
        ),
    ]


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

    wic_clinics: Annotated[int, count_of("WIC.")]
    school_meal_sites: Annotated[
        int, count_of("National School Lunch and School Breakfast Programs.")
    ]
    summer_meal_sites: Annotated[int, count_of("Summer meals.")]
    fqhc_health_centers: Annotated[int, count_of("Health Center Program.")]
    head_start_centers: Annotated[int, count_of("Head Start.")]


class StateCoverage(msgspec.Struct, forbid_unknown_fields=True):
    """total_resources = food_pantry_class.subtotal + the five programs + snap_retailers +
    other_resources.
    """

    total_resources: Resources
    food_pantry_class: Annotated[PantryClass, describe("Places of the food-pantry class.")]
    federal_programs: Annotated[FederalPrograms, describe("Places of federal programs.")]
    snap_retailers: Annotated[int, count_of("Shops that take EBT.")]
    other_resources: Annotated[int, count_of("Places of all other types; see by_type.")]
    by_type: Annotated[dict[str, int], describe("Active places by type, all types.")]


class StateVerification(msgspec.Struct, forbid_unknown_fields=True):
    """Places by verification; the three add up to all."""

    partner_verified: Annotated[Rate, describe("Places that a partner vouches for.")]
    verified: Annotated[Rate, describe("Places in an authoritative registry.")]
    unverified: Annotated[Rate, describe("All other places.")]
    partner_verified_pantries: Annotated[
        int, count_of("Partner-verified places of the food-pantry class.")
    ]
    pantry_hours_known: Annotated[
        Rate,
        describe(
            "Places of the food-pantry class whose opening hours can be read and are recent enough to be asserted on the day of the release; the share is of that class."
        ),
    ]
    pantry_hours_old: PantryHoursOld


class StateGeography(msgspec.Struct, forbid_unknown_fields=True):
    """Distribution of the places, and places per resident."""

    zip_codes: Annotated[int, count_of("Different ZIP codes with a place.")]
    cities: Annotated[int, count_of("Different cities with a place.")]
    counties: Annotated[int, count_of("Different counties with a place.")]
    places_without_city: Annotated[int, count_of("Places whose city is not known.")]
    exact_points: Annotated[Rate, describe("Places whose point is exact to the street or better.")]
    population: Annotated[int | None, describe("Residents; null where not known.")]
    population_source: Annotated[str | None, describe("Who counted them.")]
    population_date: Annotated[str | None, describe("Day they are of.")]
    resources_per_1000_residents: Ratio
    coverage_tier: Tier
    coverage_rank: Annotated[
        int | None, describe("Place among the 50 states and DC; null for territories.")
    ]


class TopCity(msgspec.Struct, forbid_unknown_fields=True):
    """A city and its places."""

    city: Annotated[str, describe("City or town.")]
    state: StateCode
    pantry_count: Pantries
    resource_count: Resources


class StateAtlas(DocumentHead):
    """One state or territory."""

    state: StateCode
    name: StateName
    coverage: Annotated[StateCoverage, describe("Places by kind.")]
    verification: Annotated[StateVerification, describe("Places by verification.")]
    geographic: Annotated[StateGeography, describe("Counties, residents and their places.")]
    top_cities_by_pantry_count: Annotated[
        list[TopCity],
        describe(
            "At most ten cities with a place of the food-pantry class, those with most first."
        ),
    ]
    related_surfaces: Annotated[dict[str, str], describe("Eight addresses about the same state.")]
    org: Publisher


# ---------------------------------------------------------------- leaderboard


class LeaderboardTotals(msgspec.Struct, forbid_unknown_fields=True):
    """Over all states and territories."""

    partner_verified_pantries: Annotated[
        int, count_of("Partner-verified places of the food-pantry class.")
    ]
    partner_verified: Annotated[int, count_of("Partner-verified places of all types.")]
    pantries: Pantries
    partner_verified_pct: Annotated[float, describe("Share of the food-pantry class, per cent.")]
    states_ranked: Annotated[int, count_of("States with at least one partner-verified pantry.")]


class LeaderboardEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A state; null instead of a rank where nothing is partner-verified."""

    rank: Annotated[int | None, describe("1 for the most; equal numbers share a rank.")]
    state: StateCode
    name: StateName
    partner_verified_pantries: Annotated[
        int, count_of("Partner-verified places of the food-pantry class: the ranking is by these.")
    ]
    partner_verified: Annotated[int, count_of("Partner-verified places of all types.")]
    pantries: Pantries
    partner_verified_pct: Annotated[float, describe("Share of the food-pantry class, per cent.")]


class Leaderboard(DocumentHead):
    """States by partner-verified pantries."""

    organization: Publisher
    explanation: Annotated[str, describe("What partner-verified means, and how the order is made.")]
    national: Annotated[LeaderboardTotals, describe("The same figures for the nation.")]
    states: Annotated[
        list[LeaderboardEntry],
        describe(
            "The 50 states and DC, and the territories where there is data, in the order of the ranking."
        ),
    ]


# ---------------------------------------------------------------- cities, figures, snapshot


class CityEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A city with many places."""

    city: Annotated[str, describe("City or town.")]
    state: StateCode
    state_name: StateName
    resource_count: Resources
    pantry_count: Pantries
    free_food_count: FreeFood
    lat: Annotated[float, describe("Middle of its places, degrees.")]
    lng: Annotated[float, describe("Middle of its places, degrees.")]
    search_url: Annotated[str, describe("Free food there.")]


class Cities(DocumentHead):
    """Cities with the most places."""

    minimum_locations: Annotated[int, describe("A city is listed from this many places on.")]
    maximum_cities: Annotated[int, describe("Most cities in this document.")]
    cities_with_minimum: Annotated[int, count_of("Cities with at least that many places.")]
    count: Annotated[int, count_of("Cities in this document.")]
    cities: Annotated[list[CityEntry], describe("Those with most places first.")]


class CoverageFigures(msgspec.Struct, forbid_unknown_fields=True):
    """The main totals of the directory."""

    total_resources: Resources
    food_pantry_class: Pantries
    free_food: FreeFood
    snap_retailers: Annotated[int, count_of("Shops that take EBT.")]
    by_mode: Annotated[dict[str, int], describe("Active places by search mode.")]
    states_and_territories: Annotated[
        int, count_of("States and territories with at least one place.")
    ]
    cities: Annotated[int, count_of("Cities with at least one place.")]
    partner_verified: Annotated[int, count_of("Places that a partner vouches for.")]
    verified: Annotated[
        int, count_of("Places that are in an official register, within its cadence.")
    ]
    unverified: Annotated[int, count_of("All other places.")]
    pantry_hours_known: Annotated[
        Rate,
        describe(
            "Places of the food-pantry class whose opening hours can be read and are recent enough to be asserted on the day of the release."
        ),
    ]
    pantry_hours_old: PantryHoursOld


class QuickStats(DocumentHead):
    """The main figures, for a banner or a first answer."""

    organization: Publisher
    stats: Annotated[CoverageFigures, describe("The figures.")]


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
    coverage: Annotated[CoverageFigures, describe("Places and what is known of them.")]
    top_states: Annotated[
        list[TopState], describe("The ten states with most places that give food free of charge.")
    ]
    top_cities: Annotated[list[TopCity], describe("The ten cities with most places.")]
    discovery: Annotated[dict[str, str], describe("Fourteen addresses of data and documents.")]
    quick_actions: Annotated[
        dict[str, str], describe("Nine addresses with placeholders in braces.")
    ]


# ---------------------------------------------------------------- one state's places


class StateDumpHead(DocumentHead):
    """Members of the dump other than the records."""

    state: StateCode
    name: StateName
    note: Annotated[str, describe("What the records leave out.")]
    counts: Annotated[AtlasCounts, describe("Places by kind.")]
    count: Annotated[int, count_of("Records in this document: all of the state.")]


class StateDump(StateDumpHead):
    """All places of a state, in order of id."""

    resources: Annotated[
        list[StoredRecord],  # type: ignore[valid-type]
        describe("Records without the members that depend on the moment."),
    ]
