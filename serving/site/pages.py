"""The few pages that are not data: the front, the problems, the description."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from litestar import Litestar, Request, get
from litestar.params import FromPath
from litestar.types import Scope

from serving.http.answers import DAY, HOUR, Answer
from serving.http.errors import KINDS, ServiceProblem
from serving.http.openapi import description_of
from serving.render.page import Head, page

# A start is over by then, and the requests that waited for it are answered.
_QUIET_SECONDS = 10.0


@get("/problems/{slug:str}", include_in_schema=False)
async def problem(scope: Scope, slug: FromPath[str]) -> Answer:
    """Return the meaning of a kind of problem; the `type` of every problem report leads here."""
    kind = KINDS.get(slug)
    if kind is None:
        raise ServiceProblem("not-found", f"There is no problem kind {slug[:60]!r}.")
    head = Head(scope["path"], kind.title, kind.title, is_indexed=False)
    return page(scope, "problem.html", head, max_age=DAY, kind=kind)


@get(["/api/openapi.json", "/.well-known/openapi.json"], include_in_schema=False)
async def description(request: Request) -> Answer:
    """Return the API description."""
    return Answer(await description_of(request.app), max_age=HOUR)


@contextlib.asynccontextmanager
async def lifespan(app: Litestar) -> AsyncIterator[None]:
    """Make the description some time after the start, so that no request waits for it."""

    async def describe() -> None:
        await asyncio.sleep(_QUIET_SECONDS)
        await description_of(app)

    task = asyncio.create_task(describe())
    try:
        yield
    finally:
        task.cancel()


LIFESPANS = [lifespan]
