"""Search, and single places."""

import asyncio
from datetime import UTC, datetime

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.types import Scope

from schemas.api.history import ResourceStatements
from schemas.api.lists import ModeCounts, ResourceList
from schemas.api.record import ResourceDetail
from schemas.api.reports import ResourceStatus
from serving.context import context_of
from serving.http.answers import FIVE_MINUTES, Answer, json_answer
from serving.http.caching import of_release
from serving.http.errors import release_of
from serving.http.openapi import answers
from serving.places.detail import build_detail, resource_status, statements_of
from serving.places.listings import find_row
from serving.search.find import find
from serving.search.parameters import (
    PointSearchParameters,
    ResourceId,
    TextSearchParameters,
    Zip,
    finite,
)
from serving.search.render import list_json, mode_counts
from serving.search.start import start_of_point, start_of_text


@get(
    "/api/resources/search",
    summary="Search by ZIP code or city",
    tags=["search"],
    dependencies={"parameters": Provide(TextSearchParameters, sync_to_thread=False)},
    responses=answers(ResourceList, "Places, nearest first.", 404),
)
async def search_resources(
    scope: Scope, parameters: NamedDependency[TextSearchParameters]
) -> Answer:
    """Return places around a ZIP code or city, nearest first, ties by id.

    When nothing is within 50 miles (without `radius`: within 25) the search is widened, and the
    answer says so in `expanded`, `search_radius_mi` and `message`. Filters count matches only.
    """
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    query = parameters.query(scope, expands=True)
    start = start_of_text(release, parameters.zip)
    matches = find(release, start, query, now)
    code, is_empty = start.location.zip or "", not matches.total
    context.searches.add(now.date(), code, parameters.mode or "", is_empty=is_empty)
    return Answer(list_json(context, release, start, query, matches, now))


@get(
    "/api/resources/nearby",
    summary="Search by point",
    tags=["search"],
    dependencies={"parameters": Provide(PointSearchParameters, sync_to_thread=False)},
    responses=answers(ResourceList, "Places, nearest first."),
)
async def nearby_resources(
    scope: Scope, parameters: NamedDependency[PointSearchParameters]
) -> Answer:
    """Return places around a point, nearest first, ties by id. The radius is never widened here."""
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    start = start_of_point(release, finite("lat", parameters.lat), finite("lng", parameters.lng))
    query = parameters.query(scope, expands=False)
    matches = find(release, start, query, now)
    return Answer(list_json(context, release, start, query, matches, now))


@get(
    "/api/resources/counts",
    summary="Places within 150 miles by mode",
    tags=["search"],
    responses=answers(ModeCounts, "Six counts.", 404),
)
async def count_resources(scope: Scope, zip: Zip) -> Answer:
    """Count the places of each mode within 150 miles of a ZIP code."""
    cache, release = context_of(scope).responses, release_of(scope)
    # It depends only on the release and on places hidden in it.
    key = of_release(release, "counts", release.spatial.hidden, zip)
    counts = cache.get(key)
    if counts is None:
        counts = mode_counts(release, zip)
        cache.put(key, counts, len(counts))
    return Answer(counts, max_age=FIVE_MINUTES)


@get(
    "/api/resources/{resource_id:int}",
    summary="One place",
    tags=["resources"],
    responses=answers(ResourceDetail, "The record with its sources.", 404, 410),
)
async def get_resource(scope: Scope, resource_id: ResourceId) -> Answer:
    """Return one place: its record, its sources and the source of each member, its hours in words,
    its next openings.

    While a place with free food is closed, the answer names open ones nearby. An id merged into
    another answers 301; a retired or deactivated one answers 410.
    """
    release = release_of(scope)
    row = find_row(release, resource_id, "/api/resources/{id}")
    return Answer(await build_detail(context_of(scope), release, row, datetime.now(UTC)))


@get(
    "/api/resources/{resource_id:int}/status",
    summary="Facts about one place",
    tags=["resources"],
    responses=answers(ResourceStatus, "Telephone, hours, verification.", 404, 410),
)
async def get_resource_status(scope: Scope, resource_id: ResourceId) -> Answer:
    """Return telephone validation, opening state with its reason, and confidence in the listing
    with reasons."""
    release = release_of(scope)
    row = find_row(release, resource_id, "/api/resources/{id}/status")
    return json_answer(resource_status(release, row, datetime.now(UTC)))


@get(
    "/api/resources/{resource_id:int}/statements",
    summary="What each source says of one place",
    tags=["resources"],
    responses=answers(ResourceStatements, "Values with source, date, file and row.", 404, 410),
)
async def get_resource_statements(scope: Scope, resource_id: ResourceId) -> Answer:
    """Return every value that a source record states of the place, and which one is published.

    One file has all statements of the directory: `/exports/latest/statements.parquet`.
    """
    release = release_of(scope)
    find_row(release, resource_id, "/api/resources/{id}/statements")
    statements = await asyncio.to_thread(statements_of, release, resource_id)
    return json_answer(statements, max_age=FIVE_MINUTES)
