"""Suggestions, statistics, quality, analytics."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated

from litestar import get
from litestar.types import Scope

from schemas.api import reports as shapes
from schemas.api.lists import Suggestions
from serving.context import context_of
from serving.http.answers import (
    FIVE_MINUTES,
    NO_STORAGE,
    TEN_MINUTES,
    Answer,
    json_answer,
    with_cache_control,
)
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import Authorization, has_admin_token, query
from serving.search.suggest import suggest_index_of, suggestions_json
from serving.statistics import reports

Text = Annotated[str, query("q", of="suggestions", min_length=2, max_length=100)]
SuggestionLimit = Annotated[int, query("limit", of="suggestions", ge=1, le=50)]
Days = Annotated[int, query("days", of="analytics", ge=1, le=366)]


@get(
    "/api/autocomplete",
    summary="Cities and ZIP codes by their beginning",
    tags=["search"],
    responses=answers(Suggestions, "Suggestions, the best first."),
)
async def suggest_places(scope: Scope, q: Text, limit: SuggestionLimit = 10) -> Answer:
    """Return cities and ZIP codes that begin with a text, ignoring accents and case.

    Ranked by residents and by the free food within 25 miles. If there are few, misspelled names
    follow: one error in four letters or more, two in eight or more. The search accepts `label`.
    """
    release = release_of(scope)
    index = await suggest_index_of.in_thread(release)
    return Answer(suggestions_json(release, index, q, limit), max_age=FIVE_MINUTES)


@get(
    "/api/resources/types",
    summary="Types of places",
    tags=["data"],
    responses=answers(shapes.TypeCatalog, "All types with counts."),
)
async def list_types(scope: Scope) -> Answer:
    """Return all types of places with their names, modes and counts."""
    return json_answer(reports.type_catalog(release_of(scope)), FIVE_MINUTES)


@get(
    "/api/stats",
    summary="Statistics",
    tags=["data"],
    responses=answers(shapes.Stats, "Counts of the release being served."),
)
async def get_stats(scope: Scope) -> Answer:
    """Return places by mode, type, state and verification, and the outcome of every source's
    rows."""
    return json_answer(reports.stats(release_of(scope)), FIVE_MINUTES)


@get(
    "/api/stats/quality",
    summary="Data quality",
    tags=["statistics"],
    responses=answers(shapes.QualityReport, "Verification, freshness, completeness."),
)
async def get_quality(scope: Scope) -> Answer:
    """Return verification rates, ages of confirmations and listings, and counts of places with each
    field."""
    release = release_of(scope)
    rates = await reports.completeness.in_thread(release)
    return json_answer(reports.quality(release, rates, datetime.now(UTC)), TEN_MINUTES)


@get(
    "/api/analytics/dashboard",
    summary="Searches of the last days",
    tags=["operations"],
    security=[{"bearer": []}],
    responses=answers(shapes.Dashboard, "Counts of searches.", 401),
)
async def get_dashboard(
    scope: Scope, authorization: Authorization = None, days: Days = 30
) -> Answer:
    """Return searches by day, the ZIP codes most searched from, and searches without a result."""
    context = context_of(scope)
    _refuse_without_token(scope, authorization)
    store = context.searches
    pending = store.take()
    try:
        await asyncio.to_thread(store.write, pending)
    except Exception:
        store.put_back(pending)
        raise
    daily, zips, empty = await asyncio.gather(
        asyncio.to_thread(store.daily, days),
        asyncio.to_thread(store.top_zips, days),
        asyncio.to_thread(store.zero_results, days),
    )
    report = shapes.Dashboard(
        success=True,
        days=days,
        daily=[shapes.DayCount(*row) for row in daily],
        top_zips=[shapes.ZipCount(*row) for row in zips],
        zero_result_searches=[shapes.ZeroCount(*row) for row in empty],
    )
    return with_cache_control(json_answer(report, 0), NO_STORAGE)


def _refuse_without_token(scope: Scope, authorization: str | None) -> None:
    if has_admin_token(scope, authorization):
        return
    detail = (
        "A bearer token is needed."
        if context_of(scope).settings.admin_token
        else "This instance has no token set, so the dashboard is closed."
    )
    raise ServiceProblem("unauthorized", detail, headers=((b"www-authenticate", b"Bearer"),))
