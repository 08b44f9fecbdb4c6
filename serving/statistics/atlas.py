"""Atlas, leaderboard, cities, main figures, snapshot, and all places of a state."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

import msgspec
import numpy as np
from litestar import get
from litestar.types import Scope

from schemas.api import snapshots as shapes
from schemas.vocab.states import FIFTY_ONE, STATE_CODES, STATES
from serving.http.answers import HOUR, JSON_TYPE, TEN_MINUTES, Answer, StreamedAnswer
from serving.http.errors import release_of
from serving.http.files import release_document
from serving.http.openapi import answers
from serving.http.per_state import per_state, state_of
from serving.reference.organization import organization_head
from serving.reference.surfaces import address, addresses
from serving.reference.totals import (
    atlas_counts,
    coverage_figures,
    find_listed_state,
    head_of,
    list_states,
    rank_states,
    rate,
    statistics_of,
    sum_totals,
    types_by_state,
)
from serving.settings import Settings
from warehouse.index.reader import OpenRelease
from warehouse.index.statistics import CityTotals

MIN_CITY_LOCATIONS, MAX_CITIES = 20, 200
_TOP = 10
_FEDERAL = (
    "wic_clinics",
    "school_meal_sites",
    "summer_meal_sites",
    "fqhc_health_centers",
    "head_start_centers",
)
_LEADERBOARD_NOTE = (
    "A pantry is partner-verified when it comes from a partner's own list or from an operator who "
    "was approved. States are ranked by the number of partner-verified places of the food-pantry "
    "class; equal numbers share a rank, and states without one have no rank."
)


def national_atlas(release: OpenRelease, settings: Settings) -> shapes.NationalAtlas:
    """Return national totals and the counts of each state."""
    statistics = statistics_of(release)
    return shapes.NationalAtlas(
        **head_of(release),
        organization=organization_head(settings),
        national=atlas_counts(statistics.states),
        states_covered=sum(1 for s in statistics.states if s.resource_count),
        states=[
            shapes.AtlasState(
                **sum_totals([s]),
                state=s.state,
                name=STATES[s.state].name,
                atlas_url=address(settings.url, "state_atlas", state=s.state),
            )
            for s in list_states(statistics)
        ],
    )


def state_atlas(release: OpenRelease, settings: Settings, code: str) -> shapes.StateAtlas:
    """Return one state or territory. Raises ServiceProblem (404) for a territory without data."""
    totals = find_listed_state(release, code)
    cities = [c for c in statistics_of(release).cities if c.state == code and c.pantry_class_count]
    cities.sort(key=lambda c: (-c.pantry_class_count, -c.resource_count, c.city))
    pantries = shapes.PantryClass(
        subtotal=totals.pantry_class_count,
        food_pantries=totals.food_pantries,
        food_banks=totals.food_banks,
        soup_kitchens=totals.soup_kitchens,
        mobile_pantries=totals.mobile_pantries,
        community_fridges=totals.community_fridges,
    )
    federal = {name: getattr(totals, name) for name in _FEDERAL}
    subtotal = pantries.subtotal + sum(federal.values()) + totals.snap_retailers
    places = totals.resource_count
    return shapes.StateAtlas(
        **head_of(release),
        state=code,
        name=STATES[code].name,
        coverage=shapes.StateCoverage(
            total_resources=totals.resource_count,
            food_pantry_class=pantries,
            federal_programs=shapes.FederalPrograms(**federal),
            snap_retailers=totals.snap_retailers,
            other_resources=totals.resource_count - subtotal,
            by_type=types_by_state(release)[code],
        ),
        verification=shapes.StateVerification(
            partner_verified=rate(totals.partner_verified, places),
            verified=rate(totals.verified_count, places),
            unverified=rate(totals.unverified_count, places),
            partner_verified_pantries=totals.partner_verified_pantries,
            pantry_hours_known=rate(totals.pantry_hours_known_count, totals.pantry_class_count),
            pantry_hours_old=rate(totals.pantry_hours_old_count, totals.pantry_class_count),
        ),
        geographic=shapes.StateGeography(
            zip_codes=totals.zip_count,
            cities=totals.city_count,
            counties=totals.county_count,
            places_without_city=totals.without_city_count,
            exact_points=rate(totals.exact_point_count, totals.resource_count),
            population=totals.population,
            population_source=totals.population_source,
            population_date=totals.population_date.isoformat() if totals.population_date else None,
            resources_per_1000_residents=totals.resources_per_1000_residents,
            free_food_per_1000_residents=round(1000 * totals.free_food_count / totals.population, 4)
            if totals.population
            else None,
            coverage_tier=totals.coverage_tier,
            coverage_rank=totals.coverage_rank,
        ),
        top_cities_by_pantry_count=[_top_city(c) for c in cities[:_TOP]],
        related_surfaces=related_surfaces(settings.url, code),
        org=organization_head(settings),
    )


def _top_city(city: CityTotals) -> shapes.TopCity:
    return shapes.TopCity(city.city, city.state, city.pantry_class_count, city.resource_count)


def related_surfaces(url: str, code: str) -> dict[str, str]:
    """Return eight addresses about a state. Territories have no pages."""
    common = {
        "national_atlas": address(url, "atlas"),
        "all_places": address(url, "state_dump", state=code),
        "export": address(url, "bulk", urlencode({"state": code})),
        "active_disasters": address(url, "disasters_active", urlencode({"state": code})),
        "coverage": address(url, "coverage"),
    }
    if code in FIFTY_ONE:
        own = {
            name: address(url, name, state=code)
            for name in ("state_page", "state_page_es", "disasters_page")
        }
    else:
        own = addresses(url, ("leaderboard", "data_quality", "stats"))
    return common | own


# ---------------------------------------------------------------- leaderboard


def leaderboard(release: OpenRelease, settings: Settings) -> shapes.Leaderboard:
    """Return states by partner-verified pantries; those without a rank follow by code."""
    statistics = statistics_of(release)
    states = rank_states(statistics)
    pantries = sum(s.pantry_class_count for s in statistics.states)
    partner = sum(s.partner_verified_pantries for s in statistics.states)
    return shapes.Leaderboard(
        **head_of(release),
        organization=organization_head(settings),
        explanation=_LEADERBOARD_NOTE,
        national=shapes.LeaderboardTotals(
            partner_verified_pantries=partner,
            partner_verified=sum(s.partner_verified for s in statistics.states),
            pantries=pantries,
            partner_verified_pct=rate(partner, pantries).pct,
            states_ranked=sum(1 for s in statistics.states if s.leaderboard_rank),
        ),
        states=[
            shapes.LeaderboardEntry(
                rank=s.leaderboard_rank,
                state=s.state,
                name=STATES[s.state].name,
                partner_verified_pantries=s.partner_verified_pantries,
                partner_verified=s.partner_verified,
                pantries=s.pantry_class_count,
                partner_verified_pct=rate(s.partner_verified_pantries, s.pantry_class_count).pct,
            )
            for s in states
        ],
    )


# ---------------------------------------------------------------- cities, figures, snapshot


def _largest(cities: list[CityTotals]) -> list[CityTotals]:
    return sorted(cities, key=lambda c: (-c.resource_count, c.state, c.city))


def cities(release: OpenRelease, settings: Settings) -> shapes.Cities:
    """Return at most 200 cities with at least 20 places."""
    enough = [c for c in statistics_of(release).cities if c.resource_count >= MIN_CITY_LOCATIONS]
    entries = [
        shapes.CityEntry(
            city=c.city,
            state=c.state,
            state_name=STATES[c.state].name,
            resource_count=c.resource_count,
            pantry_count=c.pantry_class_count,
            free_food_count=c.free_food_count,
            lat=c.lat,
            lng=c.lng,
            search_url=address(
                settings.url, "search", urlencode({"zip": f"{c.city}, {c.state}", "mode": "free"})
            ),
        )
        for c in _largest(enough)[:MAX_CITIES]
    ]
    return shapes.Cities(
        **head_of(release),
        minimum_locations=MIN_CITY_LOCATIONS,
        maximum_cities=MAX_CITIES,
        cities_with_minimum=len(enough),
        count=len(entries),
        cities=entries,
    )


def quick_stats(release: OpenRelease, settings: Settings) -> shapes.QuickStats:
    """Return the main figures."""
    return shapes.QuickStats(
        **head_of(release),
        organization=organization_head(settings),
        stats=coverage_figures(release),
    )


_DISCOVERY = (
    "openapi",
    "search",
    "nearby",
    "urgent",
    "ask",
    "bulk",
    "hsds",
    "type_catalog",
    "atlas",
    "coverage",
    "leaderboard",
    "data_quality",
    "service_health",
    "mcp",
)
# Name, surface, query; braces are placeholders.
_ACTIONS: tuple[tuple[str, str, str], ...] = (
    ("find_free_food", "search", "zip={zip}&mode=free"),
    ("find_open_now", "urgent", "zip={zip}"),
    ("find_near_a_point", "nearby", "lat={lat}&lng={lng}&mode=free"),
    ("find_wic_office", "search", "zip={zip}&mode=wic"),
    ("find_summer_meals", "search", "zip={zip}&mode=summer"),
    ("ask_in_plain_words", "ask", "q={question}"),
    ("show_a_place", "resource", ""),
    ("check_disasters", "disasters_active", "zip={zip}"),
    ("show_a_state", "state_atlas", ""),
)


def snapshot(release: OpenRelease, settings: Settings) -> shapes.Snapshot:
    """Return everything at a glance."""
    statistics, url = statistics_of(release), settings.url
    states = sorted(
        (s for s in statistics.states if s.free_food_count),
        key=lambda s: (-s.free_food_count, s.state),
    )
    return shapes.Snapshot(
        **head_of(release),
        organization=organization_head(settings),
        coverage=coverage_figures(release),
        top_states=[
            shapes.TopState(
                s.state,
                STATES[s.state].name,
                s.resource_count,
                s.pantry_class_count,
                s.free_food_count,
            )
            for s in states[:_TOP]
        ],
        top_cities=[_top_city(c) for c in _largest(statistics.cities)[:_TOP]],
        discovery=addresses(url, _DISCOVERY),
        quick_actions={name: address(url, surface, query) for name, surface, query in _ACTIONS},
    )


# ---------------------------------------------------------------- addresses

_get = partial(get, tags=["statistics"])


@_get(
    "/atlas.json",
    summary="National atlas",
    responses=answers(shapes.NationalAtlas, "National totals and the counts of each state."),
)
async def get_atlas(scope: Scope) -> Answer:
    """Return places by kind, for the country and for each state and territory with data."""
    return await release_document(scope, national_atlas, HOUR)


@per_state(
    "/atlas/{state}.json",
    summary="Atlas of a state",
    tags=["statistics"],
    responses=answers(shapes.StateAtlas, "One state or territory.", 404),
)
async def get_state_atlas(scope: Scope) -> Answer:
    """Return places by kind, verification, reach and top cities of a state; 404 for an unknown
    code."""
    code = state_of(scope)
    return await release_document(scope, lambda r, s: state_atlas(r, s, code), HOUR)


@_get(
    "/api/leaderboard.json",
    summary="States by partner-verified pantries",
    responses=answers(shapes.Leaderboard, "The ranking."),
)
async def get_leaderboard(scope: Scope) -> Answer:
    """Return national totals and all states, those with most partner-verified pantries first."""
    return await release_document(scope, leaderboard, TEN_MINUTES)


@_get(
    "/api/v1/quick-stats.json",
    summary="The main figures",
    responses=answers(shapes.QuickStats, "The main figures."),
)
async def get_quick_stats(scope: Scope) -> Answer:
    """Return totals by mode, states, cities, verification and known hours."""
    return await release_document(scope, quick_stats, TEN_MINUTES)


@_get(
    "/api/v1/cities.json",
    summary="Cities with most places",
    responses=answers(shapes.Cities, "At most 200 cities."),
)
async def get_cities(scope: Scope) -> Answer:
    """Return cities with at least 20 places, at most 200, those with most places first."""
    return await release_document(scope, cities, HOUR)


@_get(
    "/snapshot.json",
    summary="Everything at a glance",
    responses=answers(shapes.Snapshot, "Who, how much, where, and where to go on."),
)
async def get_snapshot(scope: Scope) -> Answer:
    """Return organization, totals, top states and cities, addresses of data, templates of common
    questions.
    """
    return await release_document(scope, snapshot, TEN_MINUTES)


# ---------------------------------------------------------------- all places of a state

_HALF_HOUR = 1800
# Records per piece of the stream.
_PIECE = 50
_NOTE = (
    "Opening state, days since confirmation and live reports depend on the moment and are left "
    "out; ask /api/resources/{id} for them."
)


def _dump_head(release: OpenRelease, code: str) -> bytes:
    """Return the document up to its records, with the bracket that opens them.

    Raises ServiceProblem (404) for a territory without data.
    """
    totals = find_listed_state(release, code)
    head = shapes.StateDumpHead(
        **head_of(release),
        state=code,
        name=STATES[code].name,
        note=_NOTE,
        counts=atlas_counts([totals]),
        count=totals.resource_count,
    )
    return msgspec.json.encode(head)[:-1] + b',"resources":['


async def _dump_chunks(release: OpenRelease, head: bytes, rows: Any) -> AsyncIterator[bytes]:
    """Yield the document in pieces; memory does not grow with the state."""
    yield head
    for start in range(0, len(rows), _PIECE):
        piece = rows[start : start + _PIECE].tolist()
        texts = b"},".join(release.read_record(row) for row in piece)
        yield (b"," if start else b"") + texts + b"}"
    yield b"]}"


@per_state(
    "/api/v1/state/{state}.json",
    summary="All places of a state",
    tags=["statistics"],
    responses=answers(shapes.StateDump, "Totals and every record of the state.", 404),
)
async def get_state_places(scope: Scope) -> StreamedAnswer:
    """Return every place of a state in order of id, without what depends on the moment; 404 for
    an unknown code."""
    release, code = release_of(scope), state_of(scope)
    head = await asyncio.to_thread(_dump_head, release, code)
    etag = f'W/"{release.release_id}-{code}"'.encode()
    in_state = release.state_codes == STATE_CODES.index(code)  # in the order of ids
    chunks = _dump_chunks(release, head, np.flatnonzero(in_state).astype(np.int32))
    return StreamedAnswer(chunks, JSON_TYPE, _HALF_HOUR, ((b"etag", etag),))
