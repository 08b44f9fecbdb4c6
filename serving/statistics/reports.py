"""Catalog of types, statistics, quality, analytics, and suggestions while typing."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated

import msgspec
import numpy as np
from litestar import get
from litestar.types import Scope

from schemas.api import reports as shapes
from schemas.api.lists import Suggestions
from schemas.vocab.resource_types import MODES, RESOURCE_TYPES, TYPES_BY_MODE
from serving.context import context_of
from serving.http.answers import (
    FIVE_MINUTES,
    HOUR,
    NO_STORAGE,
    TEN_MINUTES,
    Answer,
    json_answer,
    with_cache_control,
)
from serving.http.caching import per_release
from serving.http.errors import ServiceProblem, release_of
from serving.http.files import release_document
from serving.http.openapi import answers
from serving.http.parameters import Authorization, has_admin_token, query
from serving.reference.totals import rate
from serving.search.suggest import suggest_index_of, suggestions_json
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import day_number

COMPLETENESS_FIELDS = (
    "phone",
    "website",
    "hours_text",
    "schedules_json",
    "is_hours_current",
    "address",
    "last_verified_date",
    "services_offered",
    "requirements_text",
    "languages",
    "organization",
)
_AGES = (7, 30, 90, 180, 365)
FRESHNESS_EXPLANATION = (
    "`confirmed_in_last_*`: somebody looked, called, or runs the place and said so. "
    "`dated_in_last_*`: confirmed, changed by its publisher, or in an edition of that day. The "
    "time of an import is none of these. Hours are asserted for 180 days at most, fewer where the "
    "source is weaker; older ones are shown as unknown, with what they usually are."
)


def type_catalog(release: OpenRelease) -> shapes.TypeCatalog:
    """Return all types with their counts."""
    counts = release.count_by_type
    entries = [
        shapes.TypeEntry(t.id, t.mode, t.labels.en, t.labels.es, t.description, counts[t.id])
        for t in RESOURCE_TYPES.values()
    ]
    return shapes.TypeCatalog(True, len(release), entries, release.is_synthetic, release.release_id)


def stats(release: OpenRelease) -> shapes.Stats:
    """Return statistics of a release."""
    manifest, counts = release.manifest, release.count_by_type
    return shapes.Stats(
        success=True,
        generated_at=manifest.created_at,
        as_of_date=manifest.as_of_date,
        total_resources=len(release),
        by_mode={mode: sum(counts[t] for t in TYPES_BY_MODE[mode]) for mode in MODES},
        by_type=counts,
        by_state=release.count_by_state,
        by_verification_status=release.count_by_verification,
        states_covered=sum(1 for count in release.count_by_state.values() if count),
        zip_codes_known=len(release.gazetteer),
        sources=[
            msgspec.convert(s, shapes.SourceEntry, from_attributes=True) for s in manifest.sources
        ],
        license=manifest.data_license,
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
    )


def freshness(release: OpenRelease, now: datetime) -> shapes.Freshness:
    """Return places by age of their newest confirmation, and of their newest date."""
    within: dict[str, int] = {}
    total = len(release)
    for word, days in (("confirmed", release.confirmed_days), ("dated", release.dated_days)):
        distinct_days, counts = np.unique(days, return_counts=True)
        # A place without a day (-1) is older than any.
        ages = np.where(distinct_days >= 0, np.maximum(day_number(now) - distinct_days, 0), 10**6)
        within |= {f"{word}_in_last_{n}d": int(counts[ages <= n].sum()) for n in _AGES}
    older = total - within["confirmed_in_last_365d"]
    rates = {name: rate(count, total) for name, count in within.items()}
    return shapes.Freshness(**rates, confirmed_older_than_365d_or_unknown=rate(older, total))


@per_release
def completeness(release: OpenRelease) -> dict[str, shapes.Rate]:
    """Return how many places have each field. Reads the database: call it in a thread."""
    columns = ", ".join(f"count(*) FILTER ({_is_filled(name)})" for name in COMPLETENESS_FIELDS)
    with release.cursor() as db:
        row = db.execute(
            f"SELECT {columns} FROM core_directory__resources WHERE is_active"  # noqa: S608
        ).fetchall()[0]
    return {n: rate(c, len(release)) for n, c in zip(COMPLETENESS_FIELDS, row, strict=True)}


def _is_filled(name: str) -> str:
    if name in {"services_offered", "languages"}:
        return f"len({name}) > 0"
    return name if name.startswith("is_") else f"{name} IS NOT NULL"


def quality(
    release: OpenRelease, rates: dict[str, shapes.Rate], now: datetime
) -> shapes.QualityReport:
    """Return the quality report. `filled` comes from `completeness`."""
    scores = release.completeness_scores
    return shapes.QualityReport(
        success=True,
        generated_at=release.manifest.created_at,
        total_resources=len(release),
        verification={
            name: rate(n, len(release)) for name, n in release.count_by_verification.items()
        },
        freshness=freshness(release, now),
        freshness_explanation=FRESHNESS_EXPLANATION,
        field_completeness=rates,
        average_completeness_score=round(float(scores.mean()), 1) if len(scores) else 0.0,
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
    )


# ---------------------------------------------------------------- addresses

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
    return json_answer(type_catalog(release_of(scope)), FIVE_MINUTES)


@get(
    "/api/stats",
    summary="Statistics",
    tags=["data"],
    responses=answers(shapes.Stats, "Counts of the release being served."),
)
async def get_stats(scope: Scope) -> Answer:
    """Return places by mode, type, state and verification, and the outcome of every source's
    rows."""
    return json_answer(stats(release_of(scope)), FIVE_MINUTES)


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
    rates = await completeness.in_thread(release)
    return json_answer(quality(release, rates, datetime.now(UTC)), TEN_MINUTES)


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


@get(
    "/api/v1/types.json",
    summary="Type catalog",
    tags=["statistics"],
    responses=answers(shapes.TypeCatalog, "All types with their counts."),
)
async def get_type_catalog(scope: Scope) -> Answer:
    """Return all types of places with search mode, names in English and Spanish, and counts."""
    return await release_document(scope, lambda release, _: type_catalog(release), HOUR)
