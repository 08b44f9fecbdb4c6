"""Packs that a phone stores (a ZIP code, a place, a search), and the page that shows them."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.types import Scope

from serving.context import context_of
from serving.http.answers import HOUR, MINUTE, Answer, json_answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.response_cache import of_minute
from serving.places.gone import find_row
from serving.render.page import page, page_head
from serving.render.words import Words, finder_paths, path_language, paths_of, words
from serving.search.start import start_of_zip
from serving.site.area_paths import zip_path
from serving.site.pack import pack_of_area, pack_of_place, pack_of_views
from serving.site.routes import PLACE_TEXT, ModeText, run_search

_ENDING = ".json"


def _hour() -> datetime:
    """Return the beginning of the hour: a pack is the same, and its ETag, until the next."""
    return datetime.now(UTC).replace(minute=0, second=0, microsecond=0)


def _stem(name: str) -> str:
    """Return the name of a pack. Raises ServiceProblem (404) for another file."""
    if not name.endswith(_ENDING):
        raise ServiceProblem("not-found", f"There is no pack {name[:60]!r}.")
    return name.removesuffix(_ENDING)


@get(finder_paths("/packs/{name:str}"), include_in_schema=False)
async def area_pack(scope: Scope, name: FromPath[str]) -> Answer:
    """Return the free food around a ZIP code, at most 150 KB: `10002.json`."""
    language, release, now = path_language(scope), release_of(scope), _hour()
    start = start_of_zip(release, _stem(name))
    code = start.location.zip or ""
    title = words("areas", language).title.zip.format(name=code)
    path, _ = paths_of(zip_path(code), language)
    body = await context_of(scope).responses.find_or_compute(
        of_minute(release, now, "pack", path),
        lambda: pack_of_area(release, title, path, start, now, language),
    )
    return Answer(body, max_age=HOUR)


@get(finder_paths("/packs/place/{name:str}"), include_in_schema=False)
async def place_pack(scope: Scope, name: FromPath[str]) -> Answer:
    """Return the pack of a place: `101.json`. A merged id leads to its successor."""
    language, release, stem = path_language(scope), release_of(scope), _stem(name)
    if not stem.isascii() or not stem.isdecimal() or len(stem) > 16:
        raise ServiceProblem("not-found", f"There is no pack {name[:60]!r}.")
    row = find_row(release, int(stem), paths_of("/packs/place/{id}.json", language)[0])
    pack = await asyncio.to_thread(pack_of_place, release, row, _hour(), language)
    return json_answer(pack, HOUR)


@get(finder_paths("/packs/search.json"), include_in_schema=False, dependencies=PLACE_TEXT)
async def search_pack(scope: Scope, text: NamedDependency[str], mode: ModeText = "free") -> Answer:
    """Return the first page of a search with the address of its page."""
    language, release = path_language(scope), release_of(scope)
    now = datetime.now(UTC)
    finder = await run_search(scope, text, mode, 1, now)
    if finder.place is None or finder.results is None:
        raise ServiceProblem("unknown-place", finder.problem or "", suggestions=finder.suggestions)
    title = words("site", language).search_title.format(place=finder.place.name)
    query = finder.choices.address(finder.text, finder.mode)
    pack = await asyncio.to_thread(
        pack_of_views,
        release,
        "search",
        title,
        f"{paths_of('/search', language)[0]}?{query}",
        finder.results.places,
        finder.results.total,
        now,
        language,
    )
    return json_answer(pack, MINUTE)


@get(finder_paths("/saved"), include_in_schema=False)
async def saved(scope: Scope) -> Answer:
    """Return the page of the places that a phone has stored. It has no data of its own."""
    w = words("pocket", path_language(scope))
    head = page_head(scope, "/saved", w.title, w.lead, is_indexed=False)
    return page(
        scope,
        "saved.html",
        head,
        words_of="pocket",
        texts=msgspec.json.encode(_texts(w)).decode(),
        f=words("forms", head.language),
    )


def _texts(w: Words) -> dict[str, Any]:
    """Return the texts that web/static/saved.js fills in."""
    names = (
        "is_waiting",
        "is_late",
        "is_refused",
        "age",
        "counted",
        "page",
        "call",
        "discard",
        "dated",
    )
    return {**{name: w[name] for name in names}, **dict(w.by_hours.items())}
