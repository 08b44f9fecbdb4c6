"""The page of a place, and its card to print."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import urlencode

import segno
from litestar import get
from litestar.params import FromPath, QueryParameter
from litestar.types import Scope

from schemas.hours.clock_words import capital
from schemas.vocab.statuses import EXACT_PRECISIONS
from serving.context import context_of
from serving.http.answers import MINUTE, Answer
from serving.http.errors import ServiceProblem, release_of
from serving.places import json_ld
from serving.places.listings import find_row
from serving.places.view import distance_words
from serving.processes.notifications import can_text
from serving.render.page import Head, as_published, page, page_head, page_of_minute
from serving.render.street_map import street_map_of
from serving.render.words import Language, finder_paths, path_language, paths_of, words
from serving.site.place_page import PlacePage, miles_from, place_page
from serving.site.result_map import map_data, pin_of
from serving.site.sheet_routes import QR_MASK
from serving.site.site import place_of, problem_of_place
from warehouse.index.reader import OpenRelease

_WORDS = "site"
NearText = Annotated[str, QueryParameter(name="near", max_length=200)]


@get(finder_paths("/place/{resource_id:int}"), include_in_schema=False)
async def place(scope: Scope, resource_id: FromPath[int], near: NearText = "") -> Answer:
    """Return the page of a place. A merged id leads to its successor; one that is gone says so.

    `near`: where the reader is, for the distance.
    """
    language, release, now = path_language(scope), release_of(scope), datetime.now(UTC)
    row = find_row(release, resource_id, paths_of("/place/{id}", language)[0])

    async def make() -> tuple[Answer, None]:
        return await _place_page(scope, release, row, near, now), None

    answer, _ = await page_of_minute(scope, now, make)
    return answer


async def _place_page(
    scope: Scope, release: OpenRelease, row: int, near: str, now: datetime
) -> Answer:
    language, url = path_language(scope), context_of(scope).settings.url
    contents = await asyncio.to_thread(place_page, release, row, now, language, url)
    start, away = None, None
    if near.strip():
        try:
            start = await place_of(release, near)
        except ServiceProblem as problem:
            away = problem_of_place(problem, near, language)
    miles = miles_from(release, row, start) if start else None
    if start and miles is not None:
        distance = distance_words(miles, language)
        near_miles = words(_WORDS, language).near_miles
        away = capital(near_miles.format(distance=distance, place=start.name))
    view, mw, data, start_name = contents.view, words("map", language), None, None
    if view.record["lat"] is not None and not view.is_confidential:
        if start:
            start_name = mw.you if start.is_device else start.name
        data = map_data(
            release,
            street_map_of(context_of(scope).settings),
            [pin_of(view, None)],
            language,
            state=view.record["state"],
            start=start.start if start else None,
            start_name=start_name,
        )
    head = replace(_head(scope, contents, language, near), has_map=data is not None)
    return page(
        scope,
        "place.html",
        head,
        max_age=MINUTE,
        words_of=_WORDS,
        place=contents.view,
        detail=contents.detail,
        contents=contents,
        crumbs=[*_above(contents, language), ("", as_published(contents.view.name, language))],
        near=near,
        can_text=can_text(context_of(scope).settings) and not contents.view.is_confidential,
        away=away,
        mw=mw,
        map_data=data,
        start_name=start_name,
        is_rough=view.record["location_precision"] not in EXACT_PRECISIONS,
    )


@get(finder_paths("/place/{resource_id:int}/card"), include_in_schema=False)
async def card(scope: Scope, resource_id: FromPath[int]) -> Answer:
    """Return one sheet to print: hours, address, documents, and a QR code back to the page."""
    language, release, now = path_language(scope), release_of(scope), datetime.now(UTC)
    row = find_row(release, resource_id, paths_of("/place/{id}/card", language)[0])
    url = context_of(scope).settings.url
    contents = await asyncio.to_thread(place_page, release, row, now, language, url)
    title = words(_WORDS, language).card_title.format(name=contents.view.name)
    address = url + contents.view.path
    return page(
        scope,
        "place_card.html",
        page_head(
            scope, f"/place/{resource_id}/card", title, title, is_indexed=False, is_bare=True
        ),
        max_age=MINUTE,
        words_of=_WORDS,
        place=contents.view,
        detail=contents.detail,
        contents=contents,
        address=address,
        code=segno.make(address, error="m", mask=QR_MASK).svg_data_uri(scale=4, border=2),
        today=release.local_day(row, now),
    )


def _head(scope: Scope, contents: PlacePage, language: Language, near: str) -> Head:
    view, url = contents.view, context_of(scope).settings.url
    town = ", ".join(part for part in (view.record["city"], view.record["state"]) if part)
    w, t = words(_WORDS, language), words("layout", language)
    trail = [
        (paths_of("/", language)[0], t.home),
        *_above(contents, language),
        (view.path, view.name),
    ]
    return page_head(
        scope,
        f"/place/{view.id}",
        f"{view.name}, {town}" if town else view.name,
        f"{view.type_label}. {view.address}. {w.around}: {town}." if town else view.type_label,
        query=urlencode({"near": near}) if near else "",
        image=f"/og/resource/{view.id}",
        json_ld=[json_ld.place(url, view), json_ld.breadcrumbs(url, trail)],
        alternates=(
            ("application/json", f"/api/resources/{view.id}", "JSON"),
            (
                "application/json+oembed",
                "/oembed?" + urlencode({"url": f"{url}/place/{view.id}", "format": "json"}),
                view.name,
            ),
        ),
        is_indexed=not near,
    )


def _above(contents: PlacePage, language: Language) -> list[tuple[str, str]]:
    return [(paths_of(link.path, language)[0], link.name) for link in contents.above]
