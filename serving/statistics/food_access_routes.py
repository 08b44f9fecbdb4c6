"""Food access measure: documents, files, the map page."""

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.api.coverage import NationalAccess, StateAccess
from schemas.vocab.food_access import ACCESS_FOLDER, COUNTIES_CSV, COUNTY_MAP, ZIPS_CSV
from serving.http.answers import HOUR, Answer, Header
from serving.http.errors import ServiceProblem, release_of
from serving.http.files import release_document, release_file
from serving.http.openapi import answers
from serving.http.per_state import per_state, state_of
from serving.render.page import page, page_head
from serving.render.words import path_language, words
from serving.statistics import food_access as access
from serving.statistics import food_access as access_map

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
    return await release_document(scope, access.national_access, HOUR)


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
    return await release_document(scope, lambda r, s: access.state_access(r, s, code), HOUR)


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
    values = await access_map.map_values.in_thread(release, language)
    return page(scope, "coverage_map.html", head, words_of="coverage_map", **values)
