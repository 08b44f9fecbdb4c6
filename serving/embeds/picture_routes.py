"""Badges and Open Graph cards."""

import asyncio
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from litestar import get
from litestar.params import FromPath
from litestar.types import Scope

from schemas.languages import Language, localize
from schemas.vocab.food_access import NATION
from schemas.vocab.states import STATE_CODES
from schemas.vocab.statuses import VERIFICATION_STATUSES
from serving.context import context_of
from serving.embeds.embeds import badge_html, example_of
from serving.embeds.oembed import discovery
from serving.embeds.pictures import CardKind, badge_facts, badge_of, resource_card, state_card
from serving.http.answers import HOUR, Answer, Header
from serving.http.caching import of_release, per_release
from serving.http.errors import ServiceProblem, release_of
from serving.places.detail import read_record
from serving.places.listings import find_row
from serving.places.view import place_path
from serving.render.formats import number
from serving.render.page import page, page_head
from serving.render.svg_text import png_of
from serving.render.words import path_language, paths_of, words
from serving.search.parameters import MAX_ID
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


# ---------------------------------------------------------------- badges


_NAME = re.compile(r"(?P<id>[0-9]{1,16})(?P<svg>\.svg)?")
_PARTNER = VERIFICATION_STATUSES.index("partner_verified")


@get(["/badge/{name:str}", "/es/badge/{name:str}"], include_in_schema=False)
async def badge(scope: Scope, name: FromPath[str]) -> Answer:
    """Return `{id}.svg`: the badge, `?lang=es` in Spanish. `{id}`: the page with its code."""
    release, language = release_of(scope), path_language(scope)
    match = _NAME.fullmatch(name)
    if match is None or int(match["id"]) > MAX_ID:
        raise ServiceProblem("not-found", f"There is no badge {name[:60]!r}.")
    resource_id, is_spanish = int(match["id"]), b"lang=es" in scope["query_string"]
    folder = "/es/badge" if language == "es" else "/badge"
    query = "?lang=es" if is_spanish else ""
    row = find_row(release, resource_id, f"{folder}/{{id}}{match['svg'] or ''}{query}")
    if match["svg"]:
        language = "es" if is_spanish else language
        draw = partial(badge_of, release, context_of(scope).settings, row, language)
        return await send_picture(scope, f"badge/{row}/{language}", draw)
    return _page(scope, release, row, language)


def _page(scope: Scope, release: OpenRelease, row: int, language: Language) -> Answer:
    """Return the page with the code of one badge."""
    settings, record = context_of(scope).settings, read_record(release, row)
    facts = badge_facts(release, settings, row, language)
    t = words("embed", language).badge
    title, path = str(t.title).format(name=record["name"]), f"/badge/{record['id']}"
    own, _ = paths_of(path, language)
    head = page_head(
        scope,
        path,
        title,
        str(t.lead),
        is_indexed=False,
        image=f"/og/resource/{record['id']}{'-es' if language == 'es' else ''}",
        alternates=discovery(settings.url, own, title),
    )
    picture = f"/badge/{record['id']}.svg" + ("?lang=es" if language == "es" else "")
    return page(
        scope,
        "badge.html",
        head,
        max_age=HOUR,
        name=record["name"],
        facts=facts,
        code=badge_html(settings.url, record["id"], facts.description, language),
        picture=picture,
        place_path=place_path(record["id"], language),
    )


@get(["/badges", "/es/badges"], include_in_schema=False)
async def badges(scope: Scope) -> Answer:
    """Return the meaning of the badges, and how to get one."""
    release = release_of(scope)
    settings = context_of(scope).settings
    language = path_language(scope)
    t = words("embed", language).badges
    examples = await _examples.in_thread(release, language)
    head = page_head(scope, "/badges", str(t.title), str(t.description))
    return page(scope, "badges.html", head, max_age=HOUR, settings=settings, **examples)


@per_release
def _examples(release: OpenRelease, language: Language) -> dict[str, Any]:
    """Return a badge of each kind that the release has, and how many entries are verified."""
    verified = (release.verification_codes == _PARTNER).nonzero()[0]
    listed_id = example_of(release).id
    row = None if listed_id is None else release.row_of(listed_id)
    if row is not None and release.verification_of(row) == "partner_verified":
        others = (release.verification_codes != _PARTNER).nonzero()[0]
        listed_id = release.id_of(int(others[0])) if len(others) else None
    query = "?lang=es" if language == "es" else ""
    ids = {
        "verified": release.id_of(int(verified[0])) if len(verified) else None,
        "listed": listed_id,
    }
    return {
        "pictures": {kind: f"/badge/{i}.svg{query}" for kind, i in ids.items() if i is not None},
        "pages": {
            kind: localize(f"/badge/{i}", language) for kind, i in ids.items() if i is not None
        },
        "counted": words("embed", language).badges.counts.format(
            verified=number(len(verified), language), total=number(len(release), language)
        ),
    }
