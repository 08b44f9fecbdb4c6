"""Atlas, leaderboard, coverage, data quality, cities, main figures, snapshot, and all places of a
state.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec
import numpy as np
from litestar import get
from litestar.types import Scope

from schemas.api import snapshots as shapes
from schemas.api.coverage import Coverage
from schemas.api.data_quality import DataQuality
from schemas.api.reports import TypeCatalog
from schemas.vocab.states import STATE_CODES, STATES
from serving.http.answers import HOUR, JSON_TYPE, TEN_MINUTES, Answer, StreamedAnswer
from serving.http.errors import release_of
from serving.http.files import release_document
from serving.http.openapi import answers
from serving.http.per_state import per_state, state_of
from serving.reference.totals import atlas_counts, find_listed_state, head_of
from serving.statistics import atlas, data_quality, reports
from serving.statistics.coverage import coverage as coverage_of
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import day_number

HALF_HOUR = 1800
# Records per piece of the stream.
_PIECE = 50
_NOTE = (
    "Opening state, days since confirmation and live reports depend on the moment and are left "
    "out; ask /api/resources/{id} for them."
)
_get = partial(get, tags=["statistics"])


@_get(
    "/atlas.json",
    summary="National atlas",
    responses=answers(shapes.NationalAtlas, "National totals and the counts of each state."),
)
async def get_atlas(scope: Scope) -> Answer:
    """Return places by kind, for the country and for each state and territory with data."""
    return await release_document(scope, atlas.national_atlas, HOUR)


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
    return await release_document(scope, lambda r, s: atlas.state_atlas(r, s, code), HOUR)


@_get(
    "/api/leaderboard.json",
    summary="States by partner-verified pantries",
    responses=answers(shapes.Leaderboard, "The ranking."),
)
async def get_leaderboard(scope: Scope) -> Answer:
    """Return national totals and all states, those with most partner-verified pantries first."""
    return await release_document(scope, atlas.leaderboard, TEN_MINUTES)


@_get(
    "/api/v1/coverage.json",
    summary="Places with free food for every 1,000 residents",
    responses=answers(Coverage, "51 states ranked, tiers, national figures, method."),
)
async def get_coverage(scope: Scope) -> Answer:
    """Return the coverage of each state, with tiers, their thresholds and the method."""
    return await release_document(scope, coverage_of, HOUR)


@_get(
    "/api/v1/data-quality.json",
    summary="Data-quality report",
    responses=answers(DataQuality, "Completeness, verification, freshness, sources, merging."),
)
async def get_data_quality(scope: Scope) -> Answer:
    """Return what is known of how many places, since when, from which sources, and what was
    merged."""
    now = datetime.now(UTC)
    return await release_document(
        scope,
        lambda release, settings: data_quality.data_quality(release, settings, now),
        HALF_HOUR,
        day_number(now),
    )


@_get(
    "/api/v1/quick-stats.json",
    summary="The main figures",
    responses=answers(shapes.QuickStats, "The main figures."),
)
async def get_quick_stats(scope: Scope) -> Answer:
    """Return totals by mode, states, cities, verification and known hours."""
    return await release_document(scope, atlas.quick_stats, TEN_MINUTES)


@_get(
    "/api/v1/cities.json",
    summary="Cities with most places",
    responses=answers(shapes.Cities, "At most 200 cities."),
)
async def get_cities(scope: Scope) -> Answer:
    """Return cities with at least 20 places, at most 200, those with most places first."""
    return await release_document(scope, atlas.cities, HOUR)


@_get(
    "/api/v1/types.json",
    summary="Type catalog",
    responses=answers(TypeCatalog, "All types with their counts."),
)
async def get_type_catalog(scope: Scope) -> Answer:
    """Return all types of places with search mode, names in English and Spanish, and counts."""
    return await release_document(scope, lambda release, _: reports.type_catalog(release), HOUR)


@_get(
    "/snapshot.json",
    summary="Everything at a glance",
    responses=answers(shapes.Snapshot, "Who, how much, where, and where to go on."),
)
async def get_snapshot(scope: Scope) -> Answer:
    """Return organization, totals, top states and cities, addresses of data, templates of common
    questions.
    """
    return await release_document(scope, atlas.snapshot, TEN_MINUTES)


# ---------------------------------------------------------------- all places of a state


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
    return StreamedAnswer(chunks, JSON_TYPE, HALF_HOUR, ((b"etag", etag),))
