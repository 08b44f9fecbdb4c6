"""Badges and Open Graph cards."""

import asyncio
import re
from collections.abc import Callable
from functools import partial

from litestar import get
from litestar.params import FromPath
from litestar.types import Scope

from schemas.languages import Language
from schemas.vocab.food_access import NATION
from schemas.vocab.states import STATE_CODES
from serving.context import context_of
from serving.embeds.pictures import CardKind, resource_card, state_card
from serving.http.answers import HOUR, Answer, Header
from serving.http.caching import of_release, per_release
from serving.http.errors import ServiceProblem, release_of
from serving.places.gone import find_row
from serving.render.svg_text import png_of
from serving.search.query_parameters import MAX_ID
from warehouse.index.reader import OpenRelease

SVG_TYPE, PNG_TYPE = b"image/svg+xml", b"image/png"
# Pictures are shown on other sites, also on those that isolate themselves, and run nothing.
PICTURE_HEADERS: tuple[Header, ...] = (
    (b"cross-origin-resource-policy", b"cross-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors *"),
)
_CARD = re.compile(r"(?P<name>[0-9]{1,16}|[A-Za-z]{2})(?P<es>-es)?(?P<png>\.png)?")


async def send_picture(
    scope: Scope, name: str, draw: Callable[[], bytes], *, is_png: bool = False
) -> Answer:
    """Answer with a picture of this release, drawn in a thread; `is_png` turns the SVG into pixels.

    One at a time: drawing takes a whole core for some 30 ms, which searches need more.
    """
    release, responses = release_of(scope), context_of(scope).responses
    key = of_release(release, "picture", name, is_png)
    body: bytes | None = responses.get(key)
    if body is None:
        async with _drawing(release):
            body = await responses.find_or_compute(
                key, lambda: png_of(draw()) if is_png else draw()
            )
    kind = PNG_TYPE if is_png else SVG_TYPE
    return Answer(body, media_type=kind, max_age=HOUR, headers=PICTURE_HEADERS)


@per_release
def _drawing(_: OpenRelease) -> asyncio.Lock:
    """Make the lock that lets one picture be drawn at a time."""
    return asyncio.Lock()


@get("/og/resource/{name:str}", include_in_schema=False)
async def resource(scope: Scope, name: FromPath[str]) -> Answer:
    """Return the card of a place: `{id}`, `{id}-es`, and each with `.png`."""
    release = release_of(scope)
    match = _CARD.fullmatch(name)
    if match is None or not match["name"].isdigit() or int(match["name"]) > MAX_ID:
        raise ServiceProblem("not-found", f"There is no card {name[:60]!r}.")
    language: Language = "es" if match["es"] else "en"
    resource_id, ending = int(match["name"]), f"{match['es'] or ''}{match['png'] or ''}"
    row = find_row(release, resource_id, f"/og/resource/{{id}}{ending}")
    draw = partial(resource_card, release, context_of(scope).settings, row, language)
    key = f"resource/{resource_id}/{language}"
    return await send_picture(scope, key, draw, is_png=bool(match["png"]))


@get(["/og/atlas/{name:str}", "/og/press/{name:str}"], include_in_schema=False)
async def state(scope: Scope, name: FromPath[str]) -> Answer:
    """Return the card of a state's atlas or press page; `/og/atlas/US` is the one of pages without
    a card of their own."""
    kind: CardKind = "press" if scope["path"].startswith("/og/press/") else "atlas"
    match = _CARD.fullmatch(name)
    code = match["name"].upper() if match else ""
    if match is None or code not in (*STATE_CODES, NATION):
        raise ServiceProblem("not-found", f"{name[:20]!r} is not a state or territory.")
    language: Language = "es" if match["es"] else "en"
    settings = context_of(scope).settings
    draw = partial(state_card, release_of(scope), settings, code, kind, language)
    return await send_picture(scope, f"{kind}/{code}/{language}", draw, is_png=bool(match["png"]))
