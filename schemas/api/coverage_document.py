"""Coverage by state as the API answers it."""

from typing import Annotated

import msgspec

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
    count_of,
)
from schemas.descriptions import describe
from schemas.vocab.rights import Basis, Use


class CoverageState(msgspec.Struct, forbid_unknown_fields=True):
    """A state's listings for its residents."""

    rank: Annotated[
        int | None,
        describe(
            "1 for the most places with free food per 1,000 residents; equal ratios share a rank; null for territories and unknown residents."
        ),
    ]
    state: StateCode
    name: StateName
    resources: Resources
    pantries: Pantries
    free_food: FreeFood
    stores: Annotated[
        int, count_of("Stores that take EBT. They sell food: no part of the ranking.")
    ]
    schools: Annotated[
        int,
        count_of(
            "Sites with school or summer meals, which are for children: no part of the ranking."
        ),
    ]
    population: Annotated[int | None, describe("Residents; null where not known.")]
    population_source: Annotated[str | None, describe("Who counted them.")]
    population_date: Annotated[str | None, describe("Day they are of.")]
    resources_per_1000_residents: Ratio
    free_food_per_10000_residents: Annotated[
        float | None, describe("Places with free food for every 10,000 residents, to three places.")
    ]
    stores_per_1000_residents: Annotated[
        float | None, describe("Stores that take EBT for every 1,000 residents, to four places.")
    ]
    schools_per_1000_residents: Annotated[
        float | None,
        describe("Sites with school or summer meals for every 1,000 residents, to four places."),
    ]
    all_resources_per_1000_residents: Annotated[
        float | None,
        describe("Active places of all types for every 1,000 residents, to four places."),
    ]
    tier: Tier
    reason: Annotated[str | None, describe("Why there is no ratio; null where there is one.")]
    lists: Annotated[int, describe("Publishers' lists with places of the state.", ge=0)]
    free_food_lists: Annotated[
        int, describe("Those of them that list places with free food.", ge=0)
    ]
    newest_free_food_list_date: Annotated[
        str | None, describe("Newest day for which one of these speaks; null where there is none.")
    ]
    lists_url: Annotated[str, describe("The lists of the state by county.")]


class CoverageTotals(msgspec.Struct, forbid_unknown_fields=True):
    """The whole country: the 51 ranked states and the territories."""

    total_resources: Resources
    ranked_resources: Annotated[int, count_of("Places in the 50 states and DC.")]
    pantries: Pantries
    free_food: FreeFood
    population: Annotated[
        int, count_of("Residents of all states and territories whose number is known.")
    ]
    ranked_population: Annotated[int, count_of("Residents of the 50 states and DC, where known.")]
    resources_per_1000_residents: Ratio
    tier: Tier


class TierMeaning(msgspec.Struct, forbid_unknown_fields=True):
    """A tier and where it begins and ends."""

    id: Annotated[str, describe("Id of the tier.")]
    label: Annotated[str, describe("Name of the tier.")]
    minimum: Annotated[float, describe("Least places with free food per 1,000 residents.")]
    below: Annotated[float | None, describe("The tier ends below this ratio; null for no end.")]
    meaning: Annotated[str, describe("Its meaning.")]


class TierCounts(msgspec.Struct, forbid_unknown_fields=True):
    """The 51 by tier."""

    sparse: Count
    fair: Count
    good: Count
    unknown: Annotated[int, count_of("States without known residents.")]


class WithheldList(msgspec.Struct, forbid_unknown_fields=True):
    """A list of which rows are not published."""

    source: Annotated[str, describe("Id of the source, as in docs/sources.md.")]
    title: Annotated[str, describe("Name of the list.")]
    publisher: Annotated[str, describe("Who publishes it.")]
    rows: Annotated[int, describe("Rows that are not published.", ge=1)]
    use: Annotated[
        Use | None,
        describe(
            "Use that this release may make of the list: `match_only` (its rows help to recognize places of other lists) or `withhold` (none). Null where it may be published and the rows are held back for another reason."
        ),
    ]
    basis: Annotated[
        Basis | None,
        describe(
            "What decides so: the instance's `rule` for lists with no stated licence, a `permission`, or the publisher's `withdrawal`; null with `use`."
        ),
    ]
    reason: Annotated[
        str | None,
        describe(
            "The licence by name, or who permitted or withdrew the list and when; null with `use`."
        ),
    ]
    license_url: Annotated[str | None, describe("Where the terms stand.")]


class CoverageMethod(msgspec.Struct, forbid_unknown_fields=True):
    """Method and limitations of the figures."""

    measure: Annotated[str, describe("What is counted.")]
    population: Annotated[str, describe("Where the residents come from.")]
    ranking: Annotated[str, describe("How states are ranked.")]
    tiers: Annotated[str, describe("How tiers are drawn.")]
    limits: Annotated[str, describe("What the figures cannot say.")]


class Coverage(DocumentHead):
    """Places with free food for every 1,000 residents by state."""

    organization: Publisher
    national: Annotated[CoverageTotals, describe("The same figures for the nation.")]
    tier_counts: Annotated[TierCounts, describe("States by tier.")]
    tiers: Annotated[list[TierMeaning], describe("Meaning of each tier.")]
    methodology: Annotated[CoverageMethod, describe("Method and limits of the figures.")]
    states: Annotated[
        list[CoverageState],
        describe("The 50 states and DC, most places with free food per 1,000 residents first."),
    ]
    territories: Annotated[list[CoverageState], describe("Territories, not ranked.")]
    withheld: Annotated[
        list[WithheldList], describe("Lists of which rows are not published, most rows first.")
    ]
