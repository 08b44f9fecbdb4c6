"""Health checks: liveness, readiness and details."""

import asyncio
from datetime import UTC, datetime
from functools import partial

import msgspec
from litestar import get
from litestar.openapi import ResponseSpec
from litestar.types import Scope

from schemas.api.reports import DeepHealth, Health, ServiceHealth
from serving.context import context_of, current_release
from serving.health import checks
from serving.http.answers import MINUTE, Answer, json_answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import Authorization, has_admin_token
from serving.settings import API_VERSION
from warehouse.index.reader import OpenRelease

_get = partial(get, tags=["health"])


@_get(
    "/api/health",
    summary="Health check",
    responses=answers(Health, "The service answers."),
)
async def get_health(scope: Scope) -> Answer:
    """Answer while the process runs, with or without data."""
    release = current_release(scope)
    if release is None:
        return json_answer(Health("no_release", API_VERSION, None, None), 0)
    return _serving(release)


@_get(
    "/api/health/ready",
    summary="Whether it may be given requests",
    responses=answers(Health, "The service answers from a release."),
)
async def get_readiness(scope: Scope) -> Answer:
    """Return 503 until there is a release, and before the process stops: for load balancers, which
    read status codes only."""
    release = release_of(scope)
    if context_of(scope).is_stopping.is_set():
        raise ServiceProblem("overloaded", "The process is stopping; others answer.")
    return _serving(release)


def _serving(release: OpenRelease) -> Answer:
    return json_answer(Health("ok", API_VERSION, release.release_id, release.is_synthetic), 0)


@_get(
    "/api/health/deep",
    summary="Health check of every part",
    responses={
        **answers(DeepHealth, "Every part works, or at least answers rightly (`degraded`)."),
        503: ResponseSpec(DeepHealth, description="A part is broken.", generate_examples=False),
    },
)
async def get_deep_health(scope: Scope, authorization: Authorization = None) -> Answer:
    """Return pointer, database, records, files, totals, sources, disasters, store, disk and
    background tasks; 503 when one of them is broken. With the bearer token of the instance, each
    has its time, and what was found wrong with the installation."""
    release = current_release(scope)
    report = await asyncio.to_thread(checks.deep_health, context_of(scope), release)
    if not has_admin_token(scope, authorization):
        report = checks.for_strangers(report)
    status = 503 if report.status == "broken" else 200
    return Answer(msgspec.json.encode(report), status=status, max_age=0)


@_get(
    "/api/v1/health.json",
    summary="Status, content and starting points",
    responses=answers(ServiceHealth, "Status of the service."),
)
async def get_service_health(scope: Scope) -> Answer:
    """Return status and faults, rows of every table, verification, freshness, coverage and
    addresses. The status is 200 as long as there is a release; monitors of status codes use
    `/api/health/deep`."""
    release = release_of(scope)
    report = await asyncio.to_thread(
        checks.service_health, context_of(scope), release, datetime.now(UTC)
    )
    # A fault, and its end, are reported immediately.
    return json_answer(report, MINUTE if report.status != "broken" else 0)
