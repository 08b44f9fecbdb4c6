"""Pages of ZIP codes, cities and counties: free food there, by day, and whom to ask.

All of it is computed from the release on request; nothing is stored for a page.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal, NamedTuple
from urllib.parse import urlencode

import numpy as np
from litestar import get
from litestar.params import FromPath
from litestar.types import Scope
from numpy.typing import NDArray

from schemas.api.area_help import AreaContact, AreaHelp
from schemas.hours.clock_words import capital, full_date
from schemas.values.coordinates import ecef, miles_to_chord
from schemas.vocab.resource_types import MODES
from schemas.vocab.states import STATES
from serving.context import context_of
from serving.http.answers import MINUTE, Answer, redirect
from serving.http.caching import per_release
from serving.http.errors import ServiceProblem, release_of
from serving.places import json_ld
from serving.places.view import PlaceView, place_view, views_of
from serving.render.formats import number
from serving.render.page import page, page_head, page_of_minute
from serving.render.problem_page import advice_page
from serving.render.words import Language, finder_paths, path_language, paths_of, words
from serving.search.area_help import FAR_MILES, contacts_for, help_where_far
from serving.search.openings import levels_within, window_of
from serving.search.parameters import WEEKDAYS
from serving.search.rank import opening_ranks
from serving.search.start import Start, start_of_city, start_of_county, start_of_text, start_of_zip
from serving.site.area_links import (
    Links,
    city_of,
    city_path,
    county_path,
    links_of_city,
    links_of_county,
    links_of_zip,
    zip_path,
)
from warehouse.index.gazetteer import City, County, ZipPlace
from warehouse.index.points import MODE_NUMBERS, MODE_TYPES
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit, Within
from warehouse.index.statistics import read_county_ids

Rows = NDArray[np.int64]
Kind = Literal["zip", "city", "county"]
SHOWN = 10
# A page is about the least of these distances (miles) with as many places as it shows.
_RADII = (2.0, 5.0, 10.0, 25.0, FAR_MILES)
_FREE = MODE_TYPES["free"]
_OTHER_MODES = ("snap", "wic", "school", "summer", "health")
_ZIP = re.compile(r"(\d{5})(-?\d{4})?", re.ASCII)
_MAX_NAME = 80


class Area(NamedTuple):
    """An area that has a page. `text`: its text for the search. `note`: a key of
    `content/messages/areas.yaml` on its point.
    """

    kind: Kind
    path: str
    name: str
    text: str
    start: Start
    links: Links
    fips: str | None = None
    note: str | None = None


class DayCount(NamedTuple):
    """A coming day: places that are open at some time of it, those that are by hours too old to be
    asserted, and the others of which that is not known."""

    day: date
    weekday: str
    open: int
    usual: int
    unknown: int


class ModeCount(NamedTuple):
    """Places of another mode in the area."""

    mode: str
    total: int


@dataclass(frozen=True)
class AreaPage:
    """Data of the page of an area.

    `radius` in miles: it has `total` places with free food; None for a county. `places` are those
    to go to first: open now, usually open now, later today, then the nearest. `far` is set if
    nothing is near. `contacts` serve the area in any case.
    """

    area: Area
    places: list[PlaceView]
    total: int
    radius: float | None
    days: list[DayCount]
    without_hours: int
    others: list[ModeCount]
    contacts: list[AreaContact]
    far: AreaHelp | None


def area_of_zip(release: OpenRelease, place: ZipPlace, start: Start) -> Area:
    """Return the area of a ZIP code."""
    town = ", ".join(part for part in (place.name, place.state) if part)
    note = place.kind if place.kind in {"po_box", "unique"} else None
    if place.lat is None:
        note = "from_city"
    elif place.is_quality_low:
        note = note or "rough"
    name = f"{place.zip} ({town})" if town else place.zip
    links = links_of_zip(release, place, start)
    return Area("zip", zip_path(place.zip), name, place.zip, start, links, note=note)


def area_of_city(release: OpenRelease, city: City, start: Start) -> Area:
    """Return the area of a city."""
    name = f"{city.name}, {city.state}"
    return Area("city", city_path(city), name, name, start, links_of_city(release, city))


def area_of_county(release: OpenRelease, county: County, start: Start) -> Area:
    """Return the area of a county."""
    name = f"{county.name}, {county.state}"
    links = links_of_county(release, county)
    return Area("county", county_path(county.fips), name, name, start, links, county.fips)


def area_page(release: OpenRelease, area: Area, now: datetime, language: Language) -> AreaPage:
    """Return the context of an area's page. Reads the database: call it in a thread."""
    supply = _in_county(release, area, now) if area.fips else _around(release, area.start, now)
    days, without_hours = _days(release, supply, now)
    return AreaPage(
        area=area,
        # A county's middle is not a person's location: distances are not shown.
        places=[place_view(release, row, now, language) for _, row in supply.hits]
        if supply.radius is None
        else views_of(release, supply.hits, now, language),
        total=len(supply.free),
        radius=supply.radius,
        days=days,
        without_hours=without_hours,
        others=supply.others,
        contacts=contacts_for(release, area.start),
        far=None if len(supply.free) else help_where_far(release, area.start, _FREE),
    )


# ---------------------------------------------------------------- places


class _Supply(NamedTuple):
    """Rows with free food within a radius (None: in the county), the first `hits`, and the rest."""

    free: Rows
    hits: list[Hit]
    radius: float | None
    others: list[ModeCount]


def _around(release: OpenRelease, start: Start, now: datetime) -> _Supply:
    for radius in _RADII:
        chord = miles_to_chord(radius)
        free = release.spatial.select(_FREE).inside(start.at, chord)
        if len(free.rows) >= SHOWN:
            break
    hits = free.first(SHOWN, opening_ranks(release, free.rows, now)).hits()
    rows = release.spatial.select(None).inside(start.at, chord).rows
    return _Supply(free.rows, hits, radius, _count_modes(release, rows))


def _count_modes(release: OpenRelease, rows: Rows) -> list[ModeCount]:
    """Count the places of the other modes."""
    modes = MODE_NUMBERS[release.type_codes.take(rows)]
    counts = np.bincount(modes, minlength=len(MODES)).tolist()
    totals = (ModeCount(mode, counts[MODES.index(mode)]) for mode in _OTHER_MODES)
    return [one for one in totals if one.total]


@per_release
def _county_rows(release: OpenRelease) -> dict[str, Rows]:
    """Read the places of all counties once: a query takes longer than the rest of a page."""
    with release.cursor() as db:
        ids = read_county_ids(db)
    return {county: np.searchsorted(release.ids, of_county) for county, of_county in ids.items()}


def _in_county(release: OpenRelease, area: Area, now: datetime) -> _Supply:
    rows = _county_rows(release).get(area.fips or "", np.empty(0, np.int64))
    if hidden := release.spatial.hidden:
        rows = rows[~np.isin(rows, list(hidden))]
    free = rows[np.isin(release.type_codes[rows], list(_FREE))]
    points = ecef(release.lats[free], release.lngs[free])
    squares = np.square(points - np.array(area.start.at)).sum(axis=1)
    hits = Within(squares, free).first(SHOWN, opening_ranks(release, free, now)).hits()
    return _Supply(free, hits, None, _count_modes(release, rows))


def _days(release: OpenRelease, supply: _Supply, now: datetime) -> tuple[list[DayCount], int]:
    """Count the places by the coming seven days, today first; and those without certain hours."""
    if not supply.hits:
        return [], 0
    rows, (_, first) = supply.free, supply.hits[0]
    today = release.local_day(first, now)
    days = [today + timedelta(days=n) for n in range(len(WEEKDAYS))]
    windows = [window_of(day.weekday(), None, None) for day in days]
    counts = []
    for day, levels in zip(days, levels_within(release, rows, windows, now), strict=True):
        open_count, usual, unknown, _ = np.bincount(levels, minlength=4).tolist()
        counts.append(DayCount(day, WEEKDAYS[day.weekday()], open_count, usual, unknown))
    return counts, int(np.count_nonzero(~release.are_hours_shown(rows, now)))


# ---------------------------------------------------------------- routes


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
    return await _page(scope, release, lambda: area_of_zip(release, place, start))


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
    return await _page(scope, release, lambda: area_of_city(release, city, start_of_city(city)))


@get(finder_paths("/county/{code:str}"), include_in_schema=False)
async def county_page(scope: Scope, code: FromPath[str]) -> Answer:
    """Return the page of a county by its ANSI/FIPS code."""
    release = release_of(scope)
    county = release.gazetteer.county(code)
    if county is None:
        return _answer_unknown(scope, "unknown_county", code)
    await _county_rows.in_thread(release)
    return await _page(
        scope,
        release,
        lambda: area_of_county(release, county, start_of_county(release, county)),
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


async def _page(scope: Scope, release: OpenRelease, find: Callable[[], Area]) -> Answer:
    now = datetime.now(UTC)

    async def make() -> tuple[Answer, None]:
        language = path_language(scope)
        contents = area_page(release, find(), now, language)
        return _area_page(scope, contents, language), None

    answer, _ = await page_of_minute(scope, now, make)
    return answer


def _area_page(scope: Scope, contents: AreaPage, language: Language) -> Answer:
    area, url = contents.area, context_of(scope).settings.url
    query = {"q": area.text}
    if contents.radius is not None:
        query["radius"] = f"{contents.radius:g}"
    days = [capital(full_date(one.day, language)) for one in contents.days]
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
        contents=contents,
        area=area,
        crumbs=[*above, ("", area.name)],
        lead=_lead(contents, language),
        days=[
            (name if i else w.today.format(day=name), one)
            for i, (name, one) in enumerate(zip(days, contents.days, strict=True))
        ],
        query=urlencode(query),
        s=words("site", language),
    )


def _lead(contents: AreaPage, language: Language) -> str:
    """Return how many places there are, and how near the nearest is."""
    w, key = words("areas", language), "lead_county" if contents.radius is None else "lead"
    radius = "" if contents.radius is None else f"{contents.radius:g}"
    if contents.total:
        sentence = w[key](contents.total, total=number(contents.total, language), radius=radius)
    else:
        sentence = w[f"{key}_none"].format(radius=radius)
    nearest = contents.places[0].distance if contents.total else None
    return f"{sentence} {w.nearest.format(distance=nearest)}" if nearest else str(sentence)
