"""Pages of ZIP codes, cities and counties, for searches for a place by its name."""

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from litestar import get
from litestar.params import FromPath
from litestar.types import Scope

from schemas.hours.clock_words import capital, full_date
from schemas.vocab.states import STATES
from serving.context import context_of
from serving.http.answers import MINUTE, Answer, redirect
from serving.http.errors import ServiceProblem, release_of
from serving.places import json_ld
from serving.render.formats import number
from serving.render.page import page, page_head, page_of_minute
from serving.render.problem_page import advice_page
from serving.render.words import Language, finder_paths, path_language, paths_of, words
from serving.search.start import start_of_city, start_of_county, start_of_text, start_of_zip
from serving.site import area as areas
from serving.site.area_links import city_of, city_path, zip_path
from warehouse.index.reader import OpenRelease

_ZIP = re.compile(r"(\d{5})(-?\d{4})?", re.ASCII)
_MAX_NAME = 80


@get(finder_paths("/zip/{code:str}"), include_in_schema=False)
async def zip_page(scope: Scope, code: FromPath[str]) -> Answer:
    """Return the page of a ZIP code; ZIP+4 leads to it."""
    release, match = release_of(scope), _ZIP.fullmatch(code)
    if match is not None and match[2]:
        return _redirect(scope, zip_path(match[1]))
    place = release.gazetteer.zip(code)
    if place is None:
        return _answer_unknown(scope, "unknown_zip", code)
    try:
        start = start_of_zip(release, code)
    except ServiceProblem:
        return _answer_unknown(scope, "no_point", code)
    return await _page(scope, release, lambda: areas.area_of_zip(release, place, start))


@get(finder_paths("/city/{code:str}/{name:str}"), include_in_schema=False)
async def city_page(scope: Scope, code: FromPath[str], name: FromPath[str]) -> Answer:
    """Return the page of a city by state and name; other spellings lead to it."""
    release, state = release_of(scope), code.upper()
    label = f"{name.replace('-', ' ').title()}, {state}"
    city = city_of(release, name[:_MAX_NAME], state) if state in STATES else None
    if city is None:
        return _answer_unknown(scope, "unknown_city", label, _suggestions(release, label))
    if city_path(city) != f"/city/{code}/{name}":
        return _redirect(scope, city_path(city))
    return await _page(
        scope, release, lambda: areas.area_of_city(release, city, start_of_city(city))
    )


@get(finder_paths("/county/{code:str}"), include_in_schema=False)
async def county_page(scope: Scope, code: FromPath[str]) -> Answer:
    """Return the page of a county by its ANSI/FIPS code."""
    release = release_of(scope)
    county = release.gazetteer.county(code)
    if county is None:
        return _answer_unknown(scope, "unknown_county", code)
    return await _page(
        scope,
        release,
        lambda: areas.area_of_county(release, county, start_of_county(release, county)),
    )


def _redirect(scope: Scope, path: str) -> Answer:
    """Return a redirect to the address under which a page is known."""
    own, _ = paths_of(path, path_language(scope))
    return redirect(own)


def _suggestions(release: OpenRelease, name: str) -> tuple[str, ...]:
    """Return cities that may be meant by a name."""
    try:
        start = start_of_text(release, name)
    except ServiceProblem as problem:
        return problem.suggestions
    return (f"{start.location.city}, {start.location.state}",) if start.location.city else ()


def _answer_unknown(
    scope: Scope, sentence: str, name: str, suggestions: tuple[str, ...] = ()
) -> Answer:
    """Return the page for an address that names no area, with other ways to search."""

    def say(language: Language) -> str:
        return str(words("areas", language)[sentence].format(name=name[:_MAX_NAME]))

    return advice_page(scope, "unknown_place", 404, suggestions, say)


async def _page(scope: Scope, release: OpenRelease, find: Callable[[], areas.Area]) -> Answer:
    now = datetime.now(UTC)

    async def make() -> tuple[Answer, None]:
        language = path_language(scope)
        contents = await asyncio.to_thread(lambda: areas.area_page(release, find(), now, language))
        return _area_page(scope, contents, language), None

    answer, _ = await page_of_minute(scope, now, make)
    return answer


def _area_page(scope: Scope, contents: areas.AreaPage, language: Language) -> Answer:
    area, url = contents.area, context_of(scope).settings.url
    w, t = words("areas", language), words("layout", language)
    state = area.start.location.state
    title = w.title[area.kind].format(name=area.name)
    description = w.description if contents.total else w.description_none
    above = [(paths_of(link.path, language)[0], link.name) for link in area.links.above]
    trail = [
        (paths_of("/", language)[0], t.home),
        *above,
        (paths_of(area.path, language)[0], area.name),
    ]
    head = page_head(
        scope,
        area.path,
        title,
        description.format(name=area.name, total=number(contents.total, language)),
        image=f"/og/atlas/{state}{'-es' if language == 'es' else ''}" if state else None,
        json_ld=[
            json_ld.breadcrumbs(url, trail),
            *([json_ld.item_list(url, title, contents.places)] if contents.places else []),
        ],
    )
    return page(
        scope,
        "area.html",
        head,
        max_age=MINUTE,
        words_of="areas",
        contents=contents,
        area=area,
        crumbs=[*above, ("", area.name)],
        lead=_lead(contents, language),
        days=[(_day(one, i == 0, language), one) for i, one in enumerate(contents.days)],
        query=_query(contents),
        s=words("site", language),
    )


def _lead(contents: areas.AreaPage, language: Language) -> str:
    """Return how many places there are, and how near the nearest is."""
    w, key = words("areas", language), "lead_county" if contents.radius is None else "lead"
    radius = "" if contents.radius is None else f"{contents.radius:g}"
    if contents.total:
        sentence = w[key](contents.total, total=number(contents.total, language), radius=radius)
    else:
        sentence = w[f"{key}_none"].format(radius=radius)
    nearest = contents.places[0].distance if contents.total else None
    return f"{sentence} {w.nearest.format(distance=nearest)}" if nearest else str(sentence)


def _day(one: areas.DayCount, is_today: bool, language: Language) -> str:
    day = capital(full_date(one.day, language))
    return str(words("areas", language).today.format(day=day)) if is_today else day


def _query(contents: areas.AreaPage) -> str:
    """Return the query of the search for the places of an area."""
    query: dict[str, Any] = {"q": contents.area.text}
    if contents.radius is not None:
        query["radius"] = f"{contents.radius:g}"
    return urlencode(query)
