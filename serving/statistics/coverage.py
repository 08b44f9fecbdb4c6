"""Places with free food for every 1,000 residents by state, with how the figures are made."""

from collections import Counter

from schemas.api.coverage_document import (
    Coverage,
    CoverageMethod,
    CoverageState,
    CoverageTotals,
    TierCounts,
    TierMeaning,
)
from schemas.vocab.coverage_tiers import COVERAGE_TIERS, TierId
from schemas.vocab.populations import POPULATIONS
from schemas.vocab.states import FIFTY_ONE, STATES
from serving.reference.organization import organization_head
from serving.reference.surfaces import address
from serving.reference.totals import head_of, statistics_of
from serving.settings import Settings
from serving.statistics.lists import newest_date, totals_by_state, with_free_food, withheld_lists
from warehouse.index.reader import OpenRelease
from warehouse.index.statistics import StateTotals

_NO_POPULATION = "The number of residents is not known, so there is no ratio."


def coverage(release: OpenRelease, settings: Settings) -> Coverage:
    """Return the coverage analysis."""
    states = statistics_of(release).states
    ranked = [s for s in states if s.state in FIFTY_ONE]
    territories = [s for s in states if s.state not in FIFTY_ONE]
    ranked.sort(key=lambda s: (s.coverage_rank is None, s.coverage_rank, s.state))
    return Coverage(
        **head_of(release),
        organization=organization_head(settings),
        national=_totals(states, ranked),
        tier_counts=_tier_counts(ranked),
        tiers=tier_meanings(),
        methodology=_method(),
        states=[_state(release, settings, s) for s in ranked],
        territories=[_state(release, settings, s) for s in territories],
        withheld=withheld_lists(release),
    )


def _method() -> CoverageMethod:
    counts = dict.fromkeys(f"{p.source}, for {p.on}" for p in POPULATIONS.values())
    edges = ", ".join(f"{tier.id} from {tier.minimum:g}" for tier in COVERAGE_TIERS)
    return CoverageMethod(
        measure="resources_per_1000_residents: active places of the state that give food free of charge (free_food: pantries, food banks, soup kitchens, mobile pantries, community fridges, emergency food, tribal and senior programs), divided by the residents, times 1,000, rounded to four places. Stores that take EBT sell food and school meals are for children: they have columns of their own (stores, schools, and their ratios) and no part in ranks and tiers. all_resources_per_1000_residents counts every type.",
        population=f"{'; '.join(counts)}. Each row names its source and day. ZIP code areas are not added up: they cross state lines.",
        ranking="The 50 states and DC by resources_per_1000_residents as shown, the most first; equal ratios share a rank and the next rank is left out. Territories are shown apart and not ranked.",
        tiers=f"Fixed thresholds of places with free food per 1,000 residents, the same for all states and releases: {edges}. Where whole lists of pantries were imported, the directory has about one place for every 10,000 residents.",
        limits="The figures say how densely the directory covers a state, not how much help there is: a low ratio first of all means that lists of places are missing here. They say nothing about opening hours, distance or how many people a place can serve.",
    )


def tier_meanings() -> list[TierMeaning]:
    """Return the tiers with the ratios they begin and end at."""
    ends = [tier.minimum for tier in COVERAGE_TIERS[1:]]
    return [
        TierMeaning(tier.id, tier.label, tier.minimum, end, tier.meaning)
        for tier, end in zip(COVERAGE_TIERS, [*ends, None], strict=True)
    ]


def tier_of(ratio: float) -> TierId:
    """Return the tier of a ratio."""
    return [tier.id for tier in COVERAGE_TIERS if ratio >= tier.minimum][-1]


def _tier_counts(ranked: list[StateTotals]) -> TierCounts:
    counted = Counter(s.coverage_tier or "unknown" for s in ranked)
    return TierCounts(counted["sparse"], counted["fair"], counted["good"], counted["unknown"])


def _totals(states: list[StateTotals], ranked: list[StateTotals]) -> CoverageTotals:
    known = [s for s in states if s.population is not None]
    people = sum(s.population or 0 for s in known)
    ratio = _per_1000(sum(s.free_food_count for s in known), people)
    return CoverageTotals(
        total_resources=sum(s.resource_count for s in states),
        ranked_resources=sum(s.resource_count for s in ranked),
        pantries=sum(s.pantry_class_count for s in states),
        free_food=sum(s.free_food_count for s in states),
        population=people,
        ranked_population=sum(s.population or 0 for s in ranked),
        resources_per_1000_residents=ratio,
        tier=None if ratio is None else tier_of(ratio),
    )


def _per_1000(places: int, people: int | None) -> float | None:
    return round(1000 * places / people, 4) if people else None


def _state(release: OpenRelease, settings: Settings, totals: StateTotals) -> CoverageState:
    lists = totals_by_state(release)[totals.state]
    free = with_free_food(lists)
    people, schools = totals.population, totals.school_meal_sites + totals.summer_meal_sites
    return CoverageState(
        rank=totals.coverage_rank,
        state=totals.state,
        name=STATES[totals.state].name,
        resources=totals.resource_count,
        pantries=totals.pantry_class_count,
        free_food=totals.free_food_count,
        stores=totals.snap_retailers,
        schools=schools,
        population=people,
        population_source=totals.population_source,
        population_date=totals.population_date.isoformat() if totals.population_date else None,
        resources_per_1000_residents=totals.resources_per_1000_residents,
        free_food_per_10000_residents=round(10_000 * totals.free_food_count / people, 3)
        if people
        else None,
        stores_per_1000_residents=_per_1000(totals.snap_retailers, people),
        schools_per_1000_residents=_per_1000(schools, people),
        all_resources_per_1000_residents=_per_1000(totals.resource_count, people),
        tier=totals.coverage_tier,
        reason=None if people else _NO_POPULATION,
        lists=len({row.source_id for row in lists}),
        free_food_lists=len({row.source_id for row in free}),
        newest_free_food_list_date=newest_date(free),
        lists_url=address(settings.url, "coverage_state", state=totals.state),
    )
