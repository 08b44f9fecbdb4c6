"""The few pages that are not data: the front, the problems, the description, the metrics."""

from __future__ import annotations

from litestar import Request, get
from litestar.params import FromPath
from litestar.types import Scope

from serving.answers import DAY, HOUR, MINUTE, Answer
from serving.context import context_of
from serving.errors import KINDS, ServiceProblem
from serving.openapi import description_of
from serving.render.page import Head, page

_LINKS = (
    ("/docs", "Documentation of the API"),
    ("/api/openapi.json", "Description of the API (OpenAPI 3.1)"),
    ("/exports", "The whole directory as files"),
    ("/releases", "Releases, and what each changed"),
    ("/atlas.json", "Atlas of the states"),
    ("/api/v1/coverage.json", "Coverage for every 1,000 residents"),
    ("/api/v1/data-quality.json", "Data quality in detail"),
    ("/api/resources/types", "Types of places, with counts"),
    ("/api/stats", "Statistics"),
    ("/hsds/v3/", "Open Referral feed (HSDS 3.0)"),
    ("/api/stats/quality", "Data quality"),
    ("/api/v1/health.json", "Status of the service"),
)


@get("/", include_in_schema=False)
async def front(scope: Scope) -> Answer:
    """Name, release and links."""
    head = Head("/", "Open Larder", "A directory of food assistance in the United States.")
    return page(scope, "front.html", head, max_age=MINUTE, links=_LINKS)


@get("/problems/{slug:str}", include_in_schema=False)
async def problem(scope: Scope, slug: FromPath[str]) -> Answer:
    """What a kind of problem means; the `type` of every problem report leads here."""
    kind = KINDS.get(slug)
    if kind is None:
        raise ServiceProblem("not-found", f"There is no problem kind {slug[:60]!r}.")
    head = Head(scope["path"], kind.title, kind.title, is_indexed=False)
    return page(scope, "problem.html", head, max_age=DAY, kind=kind)


@get(["/api/openapi.json", "/.well-known/openapi.json"], include_in_schema=False)
async def description(request: Request) -> Answer:
    """The API description."""
    return Answer(description_of(request.app), max_age=HOUR)


@get("/metrics", include_in_schema=False)
async def metrics(scope: Scope) -> Answer:
    """Numbers of this process for Prometheus."""
    text = context_of(scope).metrics.render()
    return Answer(text, media_type=b"text/plain; version=0.0.4; charset=utf-8", max_age=0)


HANDLERS = [front, problem, description, metrics]
