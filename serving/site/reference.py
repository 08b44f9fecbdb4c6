"""The documentation of the API as pages of our own: nothing is fetched from elsewhere."""

import asyncio
from typing import Any

import msgspec
from litestar import Request, get
from litestar.params import FromPath
from litestar.types import Scope

from serving.http.answers import HOUR, Answer
from serving.http.errors import ServiceProblem
from serving.http.openapi import descriptions_of
from serving.http.openapi_components import inline_components
from serving.http.openapi_parts import WHOLE
from serving.render.page import Head, page
from serving.site.api_reference import Group, groups

_KEY = "reference"


async def _groups(request: Request) -> list[Group]:
    """Return the description by tag; the same for the whole life of the application."""
    state = request.app.state
    if _KEY not in state:
        text = (await descriptions_of(request.app))[WHOLE]
        state[_KEY] = await asyncio.to_thread(
            lambda: groups(inline_components(msgspec.json.decode(text)))
        )
    api_groups: list[Group] = state[_KEY]
    return api_groups


@get("/docs", include_in_schema=False)
async def index(request: Request) -> Answer:
    """Return every address in one line, by tag."""
    head = Head(
        "/docs",
        "API documentation",
        "Every address of the API with its parameters, a call to copy, and the shape of its "
        "answers.",
    )
    return await _page(request, "reference_index.html", head, groups=await _groups(request))


@get("/docs/{tag:str}", include_in_schema=False)
async def operations_of_tag(request: Request, tag: FromPath[str]) -> Answer:
    """Return the addresses of a tag in full."""
    group = next((group for group in await _groups(request) if group.tag == tag), None)
    if group is None:
        raise ServiceProblem("not-found", f"There is no part {tag[:60]!r} of the documentation.")
    head = Head(f"/docs/{tag}", f"API: {group.title}", group.description or group.title)
    return await _page(request, "reference.html", head, group=group)


async def _page(request: Request, template: str, head: Head, **values: Any) -> Answer:
    """Render the page off the event loop: the longest takes some milliseconds."""
    scope: Scope = request.scope
    return await asyncio.to_thread(page, scope, template, head, max_age=HOUR, **values)
