"""The map: a view as GeoJSON, and vector tiles."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.api.map import MapView
from schemas.vocab.base_map import BASE_MAP_FOLDER
from schemas.vocab.resource_types import MODES
from serving.context import context_of
from serving.http.answers import HOUR, Answer
from serving.http.errors import KINDS, ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import path_part, query
from serving.http.release_files import release_file
from serving.http.response_cache import of_minute, of_release
from serving.map import view as views
from serving.search.query import choose_types
from serving.search.query_parameters import TypeChoice, finite

GEOJSON = b"application/geo+json"
# Part of the tag of a tile: to be raised when tiles of the same data come out differently.
_TILE_EDITION = 1
_TILE_FILE = re.compile(r"([0-9]{1,7})\.mvt")
_PATTERN = r"^-?[0-9]{1,3}(\.[0-9]+)?(,-?[0-9]{1,3}(\.[0-9]+)?){3}$"

Bbox = Annotated[str, query("bbox", max_length=200, pattern=_PATTERN)]
Zoom = Annotated[float, query("zoom", ge=0, le=views.MAX_ZOOM)]
# A text with a pattern: for an optional choice `null` would be no choice.
MapMode = Annotated[str | None, query("mode", enum=MODES, pattern=f"^({'|'.join(MODES)})$")]
TileZoom = Annotated[int, path_part("tile/zoom", ge=0, le=views.MAX_TILE_ZOOM)]
TileColumn = Annotated[int, path_part("tile/column", ge=0, lt=1 << views.MAX_TILE_ZOOM)]
TileFile = Annotated[str, path_part("tile/row")]


@get(
    "/api/map",
    summary="Clusters and places of a view",
    tags=["search"],
    responses=answers(MapView, "GeoJSON.", media_type="application/geo+json"),
)
async def get_map(
    scope: Scope, bbox: Bbox, zoom: Zoom, mode: MapMode = None, type: TypeChoice = None
) -> Answer:
    """Return the places in a view as GeoJSON, at most 1,000 features. Nearby places are grouped
    into clusters; their counts add up exactly to the places in the view."""
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    view = views.View(views.box_of(bbox), int(finite("zoom", zoom)), choose_types(mode, type))
    key = of_minute(release, now, "map", view)
    grids = await views.grids_of.in_thread(release)
    body = await context.responses.find_or_compute(
        key, lambda: views.render_view(context, release, grids, view, now)
    )
    return Answer(body, media_type=GEOJSON)


@get(
    "/api/tiles/{z:int}/{x:int}/{y_file:str}",
    summary="Vector tile",
    tags=["search"],
    responses=answers(bytes, "A Mapbox Vector Tile.", 404, media_type=views.MEDIA_TYPE.decode())
    | {
        204: ResponseSpec(
            None, description="There is no place in the tile.", generate_examples=False
        )
    },
)
async def get_map_tile(
    scope: Scope,
    z: TileZoom,
    x: TileColumn,
    y_file: TileFile,
    mode: MapMode = None,
    type: TypeChoice = None,
) -> Answer:
    """Return a tile of the same map. Layer `places`: id, name, resource_type, mode,
    verification_status, location_precision. Layer `clusters`: count, expansion_zoom, west, south,
    east, north and a count for each mode. Tiles leave out the opening state, so they do not change
    within a release."""
    release = release_of(scope)
    y = _row_of(y_file, z, x)
    types = choose_types(mode, type)
    grids = await views.grids_of.in_thread(release)
    body = await context_of(scope).responses.find_or_compute(
        of_release(release, "tile", z, x, y, types),
        lambda: views.tile(release, grids, z, x, y, types),
    )
    if not body:
        return Answer(b"", status=204, max_age=HOUR)
    tag = f'W/"{release.release_id}-{_TILE_EDITION}"'.encode()
    return Answer(body, media_type=views.MEDIA_TYPE, max_age=HOUR, headers=((b"etag", tag),))


def _row_of(file: str, zoom: int, column: int) -> int:
    """Return the row in a tile's last path segment, such as `6.mvt`. Raises ServiceProblem (404)
    for an unknown tile."""
    match = _TILE_FILE.fullmatch(file)
    if match is None or max(column, int(match[1])) >= 1 << zoom:
        raise ServiceProblem("not-found", KINDS["not-found"].advice)
    return int(match[1])


@get("/map/{name:str}", include_in_schema=False)
async def base_map(scope: Scope, name: FromPath[str]) -> ASGIResponse:
    """Return a file of the base map: `US.geojson`, `NY.geojson`."""
    missing = ServiceProblem("not-found", f"The base map has no file {name[:60]!r}.")
    return release_file(scope, f"{BASE_MAP_FOLDER}/{name}", missing)


def describe(schema: dict[str, Any]) -> None:
    """Describe the member that tells clusters from places, and the bytes of a tile."""
    for name in ("ClusterProperties", "PlaceProperties"):
        kind = schema["components"]["schemas"][name]["properties"]["kind"]
        kind["description"] = "Distinguishes clusters and places."
    content = schema["paths"]["/api/tiles/{z}/{x}/{y}.mvt"]["get"]["responses"]["200"]["content"]
    content[views.MEDIA_TYPE.decode()]["schema"]["contentMediaType"] = views.MEDIA_TYPE.decode()
