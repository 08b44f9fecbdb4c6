"""Food access documents, with the method and limitations of the figures, and the map of states.

Each state is a square with its share, color and hatching, on a grid instead of shapes: no
boundaries are needed, small states are as readable as large ones. A table has the same figures.
"""

from typing import Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.api import coverage as shapes
from schemas.api.coverage import NationalAccess, StateAccess
from schemas.tables.core import AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS
from schemas.vocab.food_access import (
    ACCESS_CLASSES,
    ACCESS_FOLDER,
    COUNTIES_CSV,
    COUNTY_MAP,
    NATION,
    NOTHING_LISTED,
    ZIPS_CSV,
    class_of,
)
from schemas.vocab.states import STATES, sort_by_name
from serving.http.answers import HOUR, Answer, Header
from serving.http.caching import per_release
from serving.http.errors import ServiceProblem, release_of
from serving.http.files import find_file, release_document, release_file
from serving.http.openapi import answers
from serving.http.per_state import per_state, state_of
from serving.reference.organization import organization_head
from serving.reference.surfaces import address
from serving.reference.totals import head_of
from serving.render.page import page, page_head
from serving.render.words import Language, path_language, words
from serving.settings import Settings
from warehouse.duckdb import table_names
from warehouse.index.reader import OpenRelease
from warehouse.index.statistics import AccessFigures, Row, counties_of, read_access, zips_of

_UNNAMED = ("state", "population_source")
_LIMITS = [
    "Distances are great-circle miles, not miles on a road or a bus line, and say nothing about "
    "time, cost, rivers or mountains.",
    "The point of a ZIP code represents all its residents. ZIP codes are large in the country, "
    "and some points are far from the town: residents of ZIP codes with a doubtful point are "
    "counted as rough_population.",
    "Only listed places count. Where no list of pantries has been taken in, a long distance means "
    "that the list is missing, not the food: compare free_food_count.",
    "A place that is known by its ZIP code only has the point of that ZIP code, so that its "
    "distance from there is 0. inexact_population counts the residents whose nearest place is "
    "such a one; exact_share says how many places are exact.",
    "A place within reach may be closed, serve another town, or ask for papers. "
    "people_share_known_hours_within_5_miles counts only places whose opening hours can be read "
    "and are recent enough to be asserted; even those are not always open.",
    "School meals, summer meals, shops, WIC and SNAP offices do not count as free food here; "
    "shops that take EBT are counted apart.",
]


@per_release
def access_of(release: OpenRelease) -> AccessFigures:
    """Return the figures by state, read once per release. Reads the database the first time: call
    it in a thread.

    Raises ServiceProblem (503) for a release without them.
    """
    with release.cursor() as db:
        if not {t.name for t in (AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS)} <= table_names(db):
            text = f"Release {release.release_id} has no distances to free food."
            raise ServiceProblem("not-in-release", text)
        return read_access(db)


def national_access(release: OpenRelease, settings: Settings) -> shapes.NationalAccess:
    """Return the nation and all states."""
    figures = access_of(release)
    areas = [area_of(figures, code) for code in sorted(STATES)]
    return shapes.NationalAccess(
        **_head(release, settings, figures),
        classes=[
            shapes.AccessClassMeaning(c.id, c.minimum, c.label, c.label_es) for c in ACCESS_CLASSES
        ],
        counties=figures.counties,
        counties_without_free_food=figures.counties_without_free_food,
        resources_without_county=len(release) - figures.resources_in_counties,
        links=_links(release, settings),
        national=area_of(figures, NATION),
        states=areas,
    )


def state_access(release: OpenRelease, settings: Settings, code: str) -> shapes.StateAccess:
    """Return a state by county and ZIP code."""
    figures = access_of(release)
    with release.cursor() as db:
        counties, zips = counties_of(db, code), zips_of(db, code)
    return shapes.StateAccess(
        **_head(release, settings, figures),
        state=code,
        name=STATES[code].name,
        total=area_of(figures, code),
        counties=[shapes.CountyAccess(**_without(row, "population_source")) for row in counties],
        zips=[shapes.ZipAccess(**_without(row, *_UNNAMED)) for row in zips],
    )


def _without(row: Row, *names: str) -> Row:
    return {name: value for name, value in row.items() if name not in names}


def area_of(figures: AccessFigures, code: str) -> Any:
    """Return a state or the nation as `AreaAccess`."""
    row = figures.areas[code]
    name = "United States" if code == NATION else STATES[code].name
    kind = class_of(map_share(figures, row), row["free_food_count"])
    return shapes.AreaAccess(**row, name=name, map_class=kind.id)


def map_share(figures: AccessFigures, row: Row) -> float | None:
    """Return the share that the maps show: of residents, or of ZIP codes in a release without
    numbers of residents."""
    is_known = is_population_known(figures)
    name = "people_share_within_5_miles" if is_known else "zip_share_within_5_miles"
    share: float | None = row[name]
    return share


def is_population_known(figures: AccessFigures) -> bool:
    return figures.areas[NATION]["zip_population"] is not None


def _head(release: OpenRelease, settings: Settings, figures: AccessFigures) -> dict[str, Any]:
    return {
        **head_of(release),
        "organization": organization_head(settings),
        "is_population_known": is_population_known(figures),
        "population_sources": figures.population_sources,
        "methodology": _method(figures),
    }


def _method(figures: AccessFigures) -> shapes.AccessMethod:
    nation = figures.areas[NATION]
    zip_count, unknown_count = nation["zip_area_count"], nation["zip_without_population_count"]
    connecticut = (
        " Connecticut's counties have no population: the estimates count it by planning regions."
        if figures.population_sources
        else ""
    )
    people = (
        f"Residents: {'; '.join(figures.population_sources)}."
        if figures.population_sources
        else "This release was built without residents by ZIP code or county."
    )
    return shapes.AccessMethod(
        measure=(
            "From the point of each ZIP code to the nearest listed place with free food (search "
            "mode `free`), in great-circle miles on the ellipsoid, rounded to hundredths. A place "
            "is within a radius when its rounded distance is not more. Every distance of the "
            "documents is in the CSV of ZIP codes."
        ),
        residents=f"{people} Means, medians and shares weigh each ZIP code by its residents.",
        areas=(
            "The residents of a ZIP code count whole for its state and for the county where most "
            "of its addresses are, so zip_population of a county differs from its population; "
            "counts of places by county follow each place's own county."
        ),
        unknown=(
            f"{unknown_count:,} of {zip_count:,} ZIP codes have no known residents (PO boxes, "
            "single organizations, the island areas, and every ZIP code where the release has no "
            "estimates). They weigh nothing and are counted in "
            f"zip_without_population_count.{connecticut} Unknown values are null, never 0."
        ),
        limits=_LIMITS,
    )


def has_county_map(release: OpenRelease) -> bool:
    """Return whether the release was built with boundaries, so that it has the map of counties."""
    return find_file(release, f"{ACCESS_FOLDER}/{COUNTY_MAP}") is not None


def _links(release: OpenRelease, settings: Settings) -> dict[str, str]:
    names = [
        "access_state",
        "access_counties",
        "access_zips",
        "coverage_map",
        "coverage_map_es",
        "coverage",
    ]
    if has_county_map(release):
        names.append("county_map")
    return {name: address(settings.url, name) for name in names}


# Rows of the grid from north to south; a dot is an empty square.
# ---------------------------------------------------------------- map of states

_GRID = """
AK .  .  .  .  .  .  .  .  .  .  ME
.  .  .  .  .  .  .  .  .  .  VT NH
.  WA ID MT ND MN WI MI .  NY MA RI
.  OR NV WY SD IA IL IN OH PA NJ CT
.  CA UT CO NE MO KY WV VA MD DE .
.  .  AZ NM KS AR TN NC SC DC .  .
.  .  .  .  OK LA MS AL GA .  .  .
.  HI .  .  TX .  .  .  .  FL .  .
.  AS GU MP .  .  .  .  .  .  PR VI
"""
TILES: dict[str, tuple[int, int]] = {
    code: (column, row)
    for row, line in enumerate(_GRID.strip().splitlines())
    for column, code in enumerate(line.split())
    if code != "."
}
STEP, SIZE = 64, 60
assert set(TILES) == set(STATES), "every state and territory has a square"


@per_release
def map_values(release: OpenRelease, language: Language) -> dict[str, Any]:
    """Return the context of `coverage_map.html`. Reads the database the first time: call it in a
    thread."""
    figures = access_of(release)
    by_name = sort_by_name(STATES, language)
    return {
        "is_population_known": is_population_known(figures),
        "sources": figures.population_sources,
        "classes": [(c, _label(c, language)) for c in ACCESS_CLASSES],
        "tiles": [_tile(figures, code, language) for code in TILES],
        "rows": [_line(figures, code, language) for code in [NATION, *by_name]],
        "columns": max(x for x, _ in TILES.values()) + 1,
        "height": max(y for _, y in TILES.values()) + 1,
        "step": STEP,
        "size": SIZE,
        "has_county_map": has_county_map(release),
        "states": [(code, STATES[code].names[language]) for code in by_name],
        "counties": figures.counties,
        "counties_without": figures.counties_without_free_food,
    }


def _name(code: str, language: Language) -> str:
    if code == NATION:
        return str(words("coverage_map", language).nation)
    return STATES[code].names[language]


def _label(kind: Any, language: Language) -> str:
    label: str = kind.label_es if language == "es" else kind.label
    return label


def _tile(figures: AccessFigures, code: str, language: Language) -> dict[str, Any]:
    row = figures.areas[code]
    share = map_share(figures, row)
    kind = class_of(share, row["free_food_count"])
    text = "" if kind.minimum is None or share is None else f"{share:.0%}"
    column, line = TILES[code]
    label = f"{_name(code, language)}: {text or _label(kind, language)}"
    # The darkest squares carry white letters (WCAG 2.2, 1.4.3).
    ink = "#fff" if kind.id == "most" else "#1a1a1a"
    return {
        "code": code,
        "x": column * STEP,
        "y": line * STEP,
        "kind": kind.id,
        "shown": text,
        "label": label,
        "fill": kind.color,
        "ink": ink,
    }


def _line(figures: AccessFigures, code: str, language: Language) -> dict[str, Any]:
    """Return a row of the table. Distances of a state without listings are omitted: they lead to
    another state."""
    row: Row = figures.areas[code]
    kind = class_of(map_share(figures, row), row["free_food_count"])
    is_measured = kind is not NOTHING_LISTED
    names = [
        "people_share_within_1_mile",
        "people_share_within_5_miles",
        "people_share_within_10_miles",
        "people_share_known_hours_within_5_miles",
        "zip_share_within_5_miles",
    ]
    return {
        "code": code,
        "name": _name(code, language),
        "free": f"{row['free_food_count']:,}",
        "hours": _percent(row["hours_known_share"]),
        "exact": _percent(row["exact_share"]),
        "people": "–" if row["zip_population"] is None else f"{row['zip_population']:,}",
        "median": f"{row['median_free_miles']:.1f}"
        if is_measured and row["median_free_miles"] is not None
        else "–",
        "shares": [_percent(row[name] if is_measured else None) for name in names],
        "label": _label(kind, language),
    }


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


# ---------------------------------------------------------------- addresses

# The map is drawn in the page: no script, no picture from elsewhere.
_GUARDS: tuple[Header, ...] = (
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
        b"frame-ancestors 'self'",
    ),
)


@get(
    "/api/v1/access.json",
    summary="Distance to free food",
    tags=["statistics"],
    responses=answers(NationalAccess, "The nation and every state, with method and limits."),
)
async def get_access(scope: Scope) -> Answer:
    """Return the distances of residents from listed free food, by state; method, sources and
    limits."""
    return await release_document(scope, national_access, HOUR)


@per_state(
    "/api/v1/access/{state}.json",
    summary="Distance to free food in a state",
    tags=["statistics"],
    responses=answers(StateAccess, "Counties and ZIP codes of the state.", 404),
)
async def get_state_access(scope: Scope) -> Answer:
    """Return counties and ZIP codes of a state: places, residents, distances; 404 for an unknown
    code."""
    code = state_of(scope)
    return await release_document(scope, lambda r, s: state_access(r, s, code), HOUR)


def _file(
    path: str, name: str, operation_id: str, summary: str, description: str
) -> HTTPRouteHandler:
    @get(
        path,
        operation_id=operation_id,
        summary=summary,
        description=description,
        tags=["statistics"],
        responses=answers(str, "The file.", 416, media_type="text/csv"),
    )
    async def download(scope: Scope) -> ASGIResponse:
        text = f"Release {release_of(scope).release_id} has no file {name}."
        return release_file(
            scope, f"{ACCESS_FOLDER}/{name}", ServiceProblem("not-in-release", text)
        )

    return download


get_access_by_county = _file(
    "/api/v1/access/counties.csv",
    COUNTIES_CSV,
    "downloadAccessByCounty",
    "All counties as CSV",
    "Columns as in `counties` of `/api/v1/access/{state}.json`, for all states; empty for "
    "unknown. Byte ranges, ready-made gzip.",
)
get_access_by_zip = _file(
    "/api/v1/access/zips.csv",
    ZIPS_CSV,
    "downloadAccessByZip",
    "All ZIP codes as CSV",
    "Columns as in `zips` of `/api/v1/access/{state}.json`, for all states; empty for unknown. "
    "Byte ranges, ready-made gzip.",
)


@get("/coverage/counties.svg", include_in_schema=False)
async def county_map(scope: Scope) -> ASGIResponse:
    """Return the map of counties; 404 in a release that was built without boundaries."""
    missing = ServiceProblem(
        "not-found",
        "This release was built without county boundaries, so it has no county map. /coverage/map "
        "shows the states.",
    )
    return release_file(scope, f"{ACCESS_FOLDER}/{COUNTY_MAP}", missing, _GUARDS)


@get(["/coverage/map", "/es/coverage/map"], include_in_schema=False)
async def map_page(scope: Scope) -> Answer:
    """Return the map of states for readers, in English or Spanish."""
    language = path_language(scope)
    release, w = release_of(scope), words("coverage_map", language)
    head = page_head(scope, "/coverage/map", w.title, w.map)
    values = await map_values.in_thread(release, language)
    return page(scope, "coverage_map.html", head, **values)
