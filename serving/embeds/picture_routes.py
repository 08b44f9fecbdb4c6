"""Badges and Open Graph cards."""

import re
from functools import partial

from litestar import get
from litestar.params import FromPath
from litestar.types import Scope

from schemas.vocab.states import STATE_CODES
from serving.context import context_of
from serving.embeds.pictures import CardKind, draw_picture, resource_card, state_card
from serving.http.answers import HOUR, Answer, Header
from serving.http.errors import ServiceProblem, release_of
from serving.places.gone import redirect_to_successor
from serving.render.words import Language
from serving.search.query_parameters import MAX_ID

SVG_TYPE, PNG_TYPE = b"image/svg+xml", b"image/png"
# Pictures are shown on other sites, also on those that isolate themselves, and run nothing.
PICTURE_HEADERS: tuple[Header, ...] = (
    (b"cross-origin-resource-policy", b"cross-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors *"),
)
_CARD = re.compile(r"(?P<name>[0-9]{1,16}|[A-Za-z]{2})(?P<es>-es)?(?P<png>\.png)?")


def picture_answer(body: bytes, *, is_png: bool = False) -> Answer:
    """Return a picture that any site may show."""
    kind = PNG_TYPE if is_png else SVG_TYPE
    return Answer(body, media_type=kind, max_age=HOUR, headers=PICTURE_HEADERS)


@get("/og/resource/{name:str}", include_in_schema=False)
async def resource(scope: Scope, name: FromPath[str]) -> Answer:
    """Return the card of a place: `{id}`, `{id}-es`, and each with `.png`."""
    release, context = release_of(scope), context_of(scope)
    found = _CARD.fullmatch(name)
    if found is None or not found["name"].isdigit() or int(found["name"]) > MAX_ID:
        raise ServiceProblem("not-found", f"There is no card {name[:60]!r}.")
    language: Language = "es" if found["es"] else "en"
    resource_id, ending = int(found["name"]), f"{found['es'] or ''}{found['png'] or ''}"
    row = release.row_of(resource_id)
    if row is None:
        return redirect_to_successor(release, resource_id, f"/og/resource/{{id}}{ending}")
    draw = partial(resource_card, release, context.settings, row, language)
    is_png = bool(found["png"])
    body = await draw_picture(
        context, release, f"resource/{resource_id}/{language}", draw, is_png=is_png
    )
    return picture_answer(body, is_png=is_png)


@get("/og/atlas/{name:str}", include_in_schema=False)
async def atlas(scope: Scope, name: FromPath[str]) -> Answer:
    """Return the card of a state's atlas page."""
    return await _of_state(scope, name, "atlas")


@get("/og/press/{name:str}", include_in_schema=False)
async def press(scope: Scope, name: FromPath[str]) -> Answer:
    """Return the card of a state's press page."""
    return await _of_state(scope, name, "press")


async def _of_state(scope: Scope, name: str, kind: CardKind) -> Answer:
    release, context = release_of(scope), context_of(scope)
    found = _CARD.fullmatch(name)
    code = found["name"].upper() if found else ""
    if found is None or code not in STATE_CODES:
        raise ServiceProblem("not-found", f"{name[:20]!r} is not a state or territory.")
    language: Language = "es" if found["es"] else "en"
    draw = partial(state_card, release, context.settings, code, kind, language)
    is_png = bool(found["png"])
    body = await draw_picture(context, release, f"{kind}/{code}/{language}", draw, is_png=is_png)
    return picture_answer(body, is_png=is_png)
