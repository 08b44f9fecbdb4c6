"""The lists that the directory has for each state and county, and their result: places with free
food for every 1,000 residents.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from litestar import get
from litestar.types import Scope

from schemas.api import coverage as shapes
from schemas.api.area_help import AreaContact, ServedArea
from schemas.sources.registry import Source, feeds, reference_sources, sources
from schemas.sources.rights import Right
from schemas.values.names import fold_name
from schemas.vocab.food_access import COVERAGE_TIERS, TierId
from schemas.vocab.states import FIFTY_ONE, POPULATIONS, STATES, sort_by_name
from schemas.vocab.statuses import PUBLISHED_USES
from serving.context import context_of
from serving.http.answers import HOUR, Answer
from serving.http.caching import per_release
from serving.http.errors import release_of
from serving.http.files import release_document
from serving.http.openapi import answers
from serving.http.per_state import per_state, state_of
from serving.reference.organization import organization_head
from serving.reference.surfaces import address
from serving.reference.totals import head_of, statistics_of
from serving.render.page import page, page_head
from serving.render.words import Language, path_language, words
from serving.search.area_help import contacts_of_state, food_bank
from serving.settings import Settings
from serving.statistics.food_access import access_of
from warehouse.index.reader import OpenRelease
from warehouse.index.statistics import (
    ListTotals,
    Row,
    StateTotals,
    counties_of,
    read_list_totals,
    read_rights,
    zips_of,
)


@per_release
def totals_by_state(release: OpenRelease) -> dict[str, list[ListTotals]]:
    """Return totals by list and county of every state and territory, even without listings.

    Reads the database: call it in a thread.
    """
    by_state: dict[str, list[ListTotals]] = {code: [] for code in STATES}
    with release.cursor() as db:
        for totals in read_list_totals(db):
            by_state.setdefault(totals.state, []).append(totals)
    return by_state


def state_lists(release: OpenRelease, settings: Settings, code: str) -> shapes.StateLists:
    """Return the lists of a state."""
    total = access_of(release).areas[code]
    with release.cursor() as db:
        counties = counties_of(db, code)
    waiting = list_waiting(release)
    totals = totals_by_state(release)[code]
    free = sum(county["free_food_count"] for county in counties)
    return shapes.StateLists(
        **head_of(release),
        organization=organization_head(settings),
        state=code,
        name=STATES[code].name,
        places=release.count_by_state.get(code, 0),
        free_food=total["free_food_count"],
        lists=list_publishers(totals),
        withheld=[w for w in list_withheld(release) if states_of(w.source) == {code}],
        waiting=[known for known in waiting if code in feeds()[known.source].states],
        counties=_counties(counties, totals),
        free_food_without_county=max(0, total["free_food_count"] - free),
    )


def list_publishers(totals: Iterable[ListTotals]) -> list[shapes.PublishedList]:
    """Return one entry for each source: the most free food first, then the most places."""
    by_source: dict[str, list[ListTotals]] = defaultdict(list)
    for each in totals:
        by_source[each.source_id].append(each)
    entries = [_publish(source_id, rows) for source_id, rows in by_source.items()]
    return sorted(entries, key=lambda entry: (-entry.free_food, -entry.places, entry.source))


def _publish(source_id: str, rows: list[ListTotals]) -> shapes.PublishedList:
    source = sources().get(source_id)
    oldest = min((row.oldest for row in rows if row.oldest), default=None)
    return shapes.PublishedList(
        source=source_id,
        title=source.title if source else source_id,
        publisher=source.publisher if source else "",
        license=source.license.id if source else "",
        places=sum(row.places for row in rows),
        free_food=sum(row.free_food for row in rows),
        oldest_date=oldest.isoformat() if oldest else None,
        newest_date=newest_date(rows),
    )


def newest_date(rows: Iterable[ListTotals]) -> str | None:
    """Return the newest day that a list describes."""
    days: list[date] = [row.newest for row in rows if row.newest]
    return max(days).isoformat() if days else None


def with_free_food(totals: Iterable[ListTotals]) -> list[ListTotals]:
    return [row for row in totals if row.free_food]


@per_release
def list_withheld(release: OpenRelease) -> list[shapes.WithheldList]:
    """Return the lists with unpublished rows, most rows first.

    Reads the database: call it in a thread.
    """
    with release.cursor() as db:
        rights = read_rights(db)
    registry = {**sources(), **reference_sources()}
    entries = [e for e in release.manifest.sources if e.rows_withheld and e.id in registry]
    entries.sort(key=lambda e: (-e.rows_withheld, e.id))
    return [describe_withheld(registry[e.id], rights.get(e.id), e.rows_withheld) for e in entries]


def describe_withheld(source: Source, right: Right | None, rows: int) -> shapes.WithheldList:
    """Return a list with the reason in the release's policy.

    Rows of a publishable list are withheld for another reason than rights.
    """
    if right is not None and right.use in PUBLISHED_USES:
        right = None
    return shapes.WithheldList(
        source=source.id,
        title=source.title,
        publisher=source.publisher,
        rows=rows,
        use=right.use if right else None,
        basis=right.basis if right else None,
        reason=right.reason if right else None,
        license_url=source.license.url,
    )


@per_release
def list_waiting(release: OpenRelease) -> list[shapes.WaitingList]:
    """Return the declared living lists without a published place, and what each still needs.

    Reads the database: call it in a thread.
    """
    with release.cursor() as db:
        rights = read_rights(db)
    here = {row.source_id for rows in totals_by_state(release).values() for row in rows}
    withheld = {entry.source for entry in list_withheld(release)}
    waiting = []
    for feed in feeds().values():
        if feed.id in here:
            continue
        right = rights.get(feed.id)
        status: shapes.WaitingStatus = "not_fetched"
        if feed.needs == "permission" and (right is None or right.basis != "permission"):
            status = "permission_needed"
        elif feed.id in withheld:
            status = "terms_not_stated"
        waiting.append(
            shapes.WaitingList(
                source=feed.id,
                title=feed.title,
                publisher=feed.publisher,
                homepage=feed.homepage,
                status=status,
            )
        )
    return waiting


def states_of(source_id: str) -> set[str]:
    """Return the states declared by all files of a source; empty if any declares none."""
    source = sources().get(source_id)
    states = [file.known.get("state", "") for file in source.files] if source else []
    return set(states) if all(states) else set()


def _counties(counties: list[Row], totals: list[ListTotals]) -> list[shapes.CountyLists]:
    by_county: dict[str | None, list[ListTotals]] = defaultdict(list)
    for each in with_free_food(totals):
        by_county[each.county_fips].append(each)
    entries = [
        shapes.CountyLists(
            county_fips=row["county_fips"],
            name=row["county_name"] or row["county_fips"],
            population=row["population"],
            places=row["resource_count"],
            free_food=row["free_food_count"],
            sources=[each.source_id for each in by_county[row["county_fips"]]],
            newest_date=newest_date(by_county[row["county_fips"]]),
        )
        for row in counties
    ]
    return sorted(entries, key=lambda county: (fold_name(county.name), county.county_fips))


# ZIP codes of one food bank that a page quotes from the network's list.
ZIPS_QUOTED = 5
_NO_POPULATION = "The number of residents is not known, so there is no ratio."


def coverage(release: OpenRelease, settings: Settings) -> shapes.Coverage:
    """Return the coverage analysis."""
    states = statistics_of(release).states
    ranked = [s for s in states if s.state in FIFTY_ONE]
    territories = [s for s in states if s.state not in FIFTY_ONE]
    ranked.sort(key=lambda s: (s.coverage_rank is None, s.coverage_rank, s.state))
    tiers = Counter(s.coverage_tier or "unknown" for s in ranked)
    return shapes.Coverage(
        **head_of(release),
        organization=organization_head(settings),
        national=_totals(states, ranked),
        tier_counts=shapes.TierCounts(
            tiers["sparse"], tiers["fair"], tiers["good"], tiers["unknown"]
        ),
        tiers=tier_meanings(),
        methodology=_method(),
        states=[_state(release, settings, s) for s in ranked],
        territories=[_state(release, settings, s) for s in territories],
        withheld=list_withheld(release),
    )


def _method() -> shapes.CoverageMethod:
    counts = dict.fromkeys(f"{p.source}, for {p.on}" for p in POPULATIONS.values())
    edges = ", ".join(f"{tier.id} from {tier.minimum:g}" for tier in COVERAGE_TIERS)
    return shapes.CoverageMethod(
        measure=(
            "resources_per_1000_residents: active places of the state of every type (resources), "
            "divided by the residents, times 1,000, rounded to four places. Places that give food "
            "free of charge (free_food: pantries, food banks, soup kitchens, mobile pantries, "
            "community fridges, emergency food, tribal and senior programs), stores that take EBT "
            "and meal sites for children have their own columns and ratios."
        ),
        population=(
            f"{'; '.join(counts)}. Each row names its source and day. ZIP code areas are not "
            "added up: they cross state lines."
        ),
        ranking=(
            "The 50 states and DC by resources_per_1000_residents as shown, the most first; equal "
            "ratios share a rank and the next rank is left out. Territories are shown apart and "
            "not ranked."
        ),
        tiers=(
            "Fixed thresholds of places with free food per 1,000 residents, the same for all "
            f"states and releases: {edges}. Where whole lists of pantries were imported, the "
            "directory has about one place for every 10,000 residents."
        ),
        limits=(
            "The figures say how densely the directory covers a state, not how much help there "
            "is: a low ratio first of all means that lists of places are missing here. They say "
            "nothing about opening hours, distance or how many people a place can serve."
        ),
    )


def tier_meanings() -> list[shapes.TierMeaning]:
    """Return the tiers with the ratios they begin and end at."""
    ends = [tier.minimum for tier in COVERAGE_TIERS[1:]]
    return [
        shapes.TierMeaning(tier.id, tier.label, tier.minimum, end, tier.meaning)
        for tier, end in zip(COVERAGE_TIERS, [*ends, None], strict=True)
    ]


def tier_of(ratio: float) -> TierId:
    """Return the tier of a ratio."""
    return [tier.id for tier in COVERAGE_TIERS if ratio >= tier.minimum][-1]


def _totals(states: list[StateTotals], ranked: list[StateTotals]) -> shapes.CoverageTotals:
    populous = [s for s in states if s.population is not None]
    people = sum(s.population or 0 for s in populous)
    free_food = _per_1000(sum(s.free_food_count for s in populous), people)
    return shapes.CoverageTotals(
        total_resources=sum(s.resource_count for s in states),
        ranked_resources=sum(s.resource_count for s in ranked),
        pantries=sum(s.pantry_class_count for s in states),
        free_food=sum(s.free_food_count for s in states),
        population=people,
        ranked_population=sum(s.population or 0 for s in ranked),
        resources_per_1000_residents=_per_1000(sum(s.resource_count for s in populous), people),
        free_food_per_1000_residents=free_food,
        tier=None if free_food is None else tier_of(free_food),
    )


def _per_1000(places: int, people: int | None) -> float | None:
    return round(1000 * places / people, 4) if people else None


def _state(release: OpenRelease, settings: Settings, totals: StateTotals) -> shapes.CoverageState:
    lists = totals_by_state(release)[totals.state]
    free = with_free_food(lists)
    people, schools = totals.population, totals.school_meal_sites + totals.summer_meal_sites
    return shapes.CoverageState(
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
        free_food_per_1000_residents=_per_1000(totals.free_food_count, people),
        tier=totals.coverage_tier,
        reason=None if people else _NO_POPULATION,
        lists=len({row.source_id for row in lists}),
        free_food_lists=len({row.source_id for row in free}),
        newest_free_food_list_date=newest_date(free),
        lists_url=address(settings.url, "coverage_state", state=totals.state),
    )


# ---------------------------------------------------------------- addresses


@get(
    "/api/v1/coverage.json",
    summary="Places with free food for every 1,000 residents",
    tags=["statistics"],
    responses=answers(shapes.Coverage, "51 states ranked, tiers, national figures, method."),
)
async def get_coverage(scope: Scope) -> Answer:
    """Return the coverage of each state, with tiers, their thresholds and the method."""
    return await release_document(scope, coverage, HOUR)


@per_state(
    "/api/v1/coverage/{state}.json",
    summary="Lists that we have for a state",
    tags=["statistics"],
    responses=answers(shapes.StateLists, "Lists of the state and of its counties.", 404),
)
async def get_state_coverage(scope: Scope) -> Answer:
    """Return publishers' lists with places of a state, their age, what is withheld, and all
    counties; 404 for an unknown code."""
    code = state_of(scope)
    return await release_document(scope, lambda r, s: state_lists(r, s, code), HOUR)


@get(["/coverage", "/es/coverage"], include_in_schema=False)
async def national_page(scope: Scope) -> Answer:
    """Return all states and territories: how many lists, how old, and what is withheld."""
    language, release = path_language(scope), release_of(scope)
    values = await _national_values.in_thread(release, language)
    w = words("coverage", language)
    head = page_head(scope, "/coverage", w.title, w.description)
    return page(scope, "coverage.html", head, **values)


@per_release
def _national_values(release: OpenRelease, language: Language) -> dict[str, Any]:
    free_food = {s.state: s.free_food_count for s in statistics_of(release).states}
    states = []
    for code in sort_by_name(STATES, language):
        lists = with_free_food(totals_by_state(release)[code])
        states.append(
            {
                "code": code,
                "name": STATES[code].names[language],
                "free_food": free_food.get(code, 0),
                "lists": len({row.source_id for row in lists}),
                "newest": newest_date(lists),
                "waiting": sum(code in feeds()[one.source].states for one in list_waiting(release)),
            }
        )
    national = {"total_resources": len(release), "free_food": sum(free_food.values())}
    return {"national": national, "states": states, "withheld": list_withheld(release)}


async def _state_page(scope: Scope) -> Answer:
    """Return a state and its counties: lists, their age, whom to ask."""
    language = path_language(scope)
    release, settings, code = release_of(scope), context_of(scope).settings, state_of(scope)
    lists = await asyncio.to_thread(state_lists, release, settings, code)
    banks = await banks_by_county.in_thread(release, code)
    all_banks = [bank for some in banks.values() for bank in some]
    w = words("coverage", language)
    title = w.state_title.format(state=STATES[code].names[language])
    return page(
        scope,
        "coverage_state.html",
        page_head(scope, f"/coverage/{code}", title, w.description),
        title=title,
        name=STATES[code].names[language],
        state_lists=lists,
        banks=banks,
        source=min(all_banks, key=lambda bank: bank.as_of or "9999") if all_banks else None,
        contacts=contacts_of_state(code),
        to_ask=await banks_to_ask.in_thread(release, code),
    )


state_pages = [
    per_state(template, include_in_schema=False)(_state_page)
    for template in ("/coverage/{state}", "/es/coverage/{state}")
]


class BankToAsk(NamedTuple):
    """A food bank, the residents of its ZIP codes that have no free food nearby, the number of
    these ZIP codes, and those with most residents."""

    contact: AreaContact
    residents: int
    zips: int
    largest: list[str]


@per_release
def banks_to_ask(release: OpenRelease, code: str) -> list[BankToAsk]:
    """Return the food banks of a state whose ZIP codes lack free food within 10 miles, those of
    most residents first.

    The network's list states no terms: only a few ZIP codes of each food bank are quoted. Reads
    the database: call it in a thread.
    """
    with release.cursor() as db:
        rows = zips_of(db, code)
    bare = [row for row in rows if row["population"] and not row["free_within_10_count"]]
    gaps: dict[str, list[Row]] = defaultdict(list)
    banks = {}
    for row in sorted(bare, key=lambda row: -row["population"]):
        for bank in release.food_banks.of_zip(row["zip"]):
            banks[bank.id] = bank
            gaps[bank.id].append(row)
    area = ServedArea("state", code)
    to_ask = [
        BankToAsk(
            food_bank(banks[id_], area, code),
            sum(row["population"] for row in rows),
            len(rows),
            [row["zip"] for row in rows[:ZIPS_QUOTED]],
        )
        for id_, rows in gaps.items()
    ]
    return sorted(to_ask, key=lambda one: -one.residents)


@per_release
def banks_by_county(release: OpenRelease, code: str) -> dict[str, list[AreaContact]]:
    """Return the food banks of each county of a state, those with most of its ZIP codes first.

    Reads the database: call it in a thread.
    """
    zip_counts: dict[str, Counter[str]] = defaultdict(Counter)
    banks = {}
    with release.cursor() as db:
        zips = [(row["county_fips"], row["zip"]) for row in zips_of(db, code)]
    for county, zip_code in zips:
        for bank in release.food_banks.of_zip(zip_code) if county else ():
            banks[bank.id] = bank
            zip_counts[county][bank.id] += 1
    contacts: dict[str, list[AreaContact]] = defaultdict(list)
    for county, numbers in zip_counts.items():
        area = ServedArea("county", county)
        contacts[county] = [food_bank(banks[id_], area, county) for id_, _ in numbers.most_common()]
    return contacts
