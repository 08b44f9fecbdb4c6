"""The map: places of a view or of a tile, near ones gathered into clusters."""

import math
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import numpy as np

from schemas.api import map as shapes
from schemas.vocab.resource_types import MODES, RESOURCE_TYPES, TYPE_IDS
from serving.context import Context
from serving.http.errors import invalid
from serving.http.per_release import per_release
from serving.search.query import Types
from serving.search.render import provider
from warehouse.index.map_grid import (
    PLACES_ZOOM,
    Box,
    Cells,
    MapGrid,
    MapPoints,
    level_of,
    zoom_of,
)
from warehouse.index.points import MODE_NUMBERS, MODE_TYPES
from warehouse.index.reader import OpenRelease
from warehouse.index.vector_tiles import TilePoint, encode_tile, mode_members, point_in_tile

MAX_ZOOM = 22
MAX_FEATURES = 1000
# Number of cached grids for choices of types other than the modes.
_MAX_GRIDS = 12
_MODE_SETS = frozenset(MODE_TYPES.values())
_MODE_OF_TYPE = [RESOURCE_TYPES[type_id].mode for type_id in TYPE_IDS]


class View(NamedTuple):
    """Requested view: a box, a zoom, types."""

    box: Box
    zoom: int
    types: Types


class Cluster(NamedTuple):
    """Several places: their middle and attributes."""

    lat: float
    lng: float
    places: int
    expansion_zoom: int
    bounds: list[float]
    modes: list[int]


class Pin(NamedTuple):
    """One place, by its row."""

    row: int


class Grids:
    """The grids of a release: of all places, and of the choices of types requested lately."""

    def __init__(self, release: OpenRelease) -> None:
        modes = MODE_NUMBERS[release.type_codes]
        self._points = MapPoints(
            release.map_order, release.lats, release.lngs, modes, len(MODES) + 1
        )
        self._type_codes = release.type_codes
        self._all = MapGrid(self._points)
        self._of_modes: dict[frozenset[int], MapGrid] = {}
        self._others: dict[frozenset[int], MapGrid] = {}

    def of(self, types: Types) -> MapGrid:
        """Return the grid of some types; None means all."""
        if types is None:
            return self._all
        grids = self._of_modes if types in _MODE_SETS else self._others
        grid = grids.get(types)
        if grid is None:
            grid = grids[types] = MapGrid(self._points, np.isin(self._type_codes, list(types)))
        if grids is self._others and len(grids) > _MAX_GRIDS:
            # All at once: a thread still using one keeps it alive.
            self._others = {types: grid}
        return grid


@per_release
def grids_of(release: OpenRelease) -> Grids:
    """Build the grids of a release."""
    return Grids(release)


def box_of(text: str) -> Box:
    """Parse a box "west,south,east,north" in degrees. Raises ServiceProblem (400) naming `bbox`.

    West greater than east: it crosses the antimeridian, as in RFC 7946. Maps that repeat the world
    may count beyond 180 degrees.
    """
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        raise invalid("bbox", "four numbers: west,south,east,north") from None
    if not all(math.isfinite(edge) for edge in (west, south, east, north)):
        raise invalid("bbox", "four finite numbers")
    if not (-90 <= south <= north <= 90):
        raise invalid("bbox", "south and north between -90 and 90, south first")
    if abs(west) > 540 or abs(east) > 540:
        raise invalid("bbox", "west and east between -540 and 540")
    if east - west >= 360:
        return Box(-180.0, south, 180.0, north)
    return Box(_around(west), south, _around(east), north)


def _around(longitude: float) -> float:
    """Return a longitude within 180 degrees; one that is so already keeps its last bit."""
    return longitude if -180 <= longitude <= 180 else (longitude + 180) % 360 - 180


def gather(grid: MapGrid, cells: Cells) -> Iterator[Cluster | Pin]:
    """Yield the clusters and places of some cells."""
    rows = grid.rows_of(cells.first)
    bounds = np.stack((cells.west, cells.south, cells.east, cells.north), axis=1).tolist()
    properties = zip(
        rows,
        cells.counts.tolist(),
        cells.lat.tolist(),
        cells.lng.tolist(),
        cells.splits.tolist(),
        bounds,
        cells.modes.tolist(),
        strict=True,
    )
    for row, count, lat, lng, splits, reach, modes in properties:
        if count == 1:
            yield Pin(row)
        else:
            yield Cluster(round(lat, 5), round(lng, 5), count, zoom_of(splits), reach, modes)


def render_view(
    context: Context, release: OpenRelease, grids: Grids, view: View, now: datetime
) -> bytes:
    """Return the places in a view as GeoJSON."""
    grid = grids.of(view.types)
    cells, level = grid.in_box(view.box, level_of(view.zoom), MAX_FEATURES)
    items = list(gather(grid, cells))
    head = shapes.MapHead(
        type="FeatureCollection",
        total=int(cells.counts.sum()),
        zoom=view.zoom,
        grid_zoom=zoom_of(level),
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
        data_provider=provider(context, release),
    )
    features = msgspec.json.encode([_feature(release, item, now) for item in items])
    return b"".join((msgspec.json.encode(head)[:-1], b',"features":', features, b"}"))


def _feature(release: OpenRelease, item: Cluster | Pin, now: datetime) -> shapes.MapFeature:
    if isinstance(item, Pin):
        lat, lng = release.point_of(item.row)
        return shapes.MapFeature(
            "Feature", shapes.MapPoint("Point", [lng, lat]), _place(release, item.row, now)
        )
    properties = shapes.ClusterProperties(
        item.places, item.expansion_zoom, item.bounds, shapes.MapModes(*item.modes)
    )
    return shapes.MapFeature("Feature", shapes.MapPoint("Point", [item.lng, item.lat]), properties)


def _place(release: OpenRelease, row: int, now: datetime) -> shapes.PlaceProperties:
    code = int(release.type_codes[row])
    return shapes.PlaceProperties(
        id=release.id_of(row),
        name=name_of(release, row),
        resource_type=TYPE_IDS[code],
        mode=_MODE_OF_TYPE[code],
        hours_status=release.hours_status(row, now),
        verification_status=release.verification_of(row),
        location_precision=release.precision_of(row),
    )


class _PlaceName(msgspec.Struct):
    name: str


_name_decoder = msgspec.json.Decoder(_PlaceName)


def name_of(release: OpenRelease, row: int) -> str:
    """Return name of a place."""
    return _name_decoder.decode(release.read_record(row) + b"}").name


# ---------------------------------------------------------------- tiles


MEDIA_TYPE = b"application/vnd.mapbox-vector-tile"
MAX_TILE_ZOOM = PLACES_ZOOM


def tile(release: OpenRelease, grids: Grids, zoom: int, x: int, y: int, types: Types) -> bytes:
    """Return the tile; empty without places. A tile has only its own places, none of its
    neighbours.

    Constant for the lifetime of the release: nothing in it depends on the time.
    """
    grid = grids.of(types)
    cells, _ = grid.in_tile(zoom, x, y, level_of(zoom), MAX_FEATURES)
    layers: dict[str, list[TilePoint]] = {"clusters": [], "places": []}
    for item in gather(grid, cells):
        if isinstance(item, Pin):
            at = point_in_tile(*release.point_of(item.row), zoom, x, y)
            members = _tile_place(release, item.row)
            layers["places"].append(TilePoint(*at, members, release.id_of(item.row)))
        else:
            at = point_in_tile(item.lat, item.lng, zoom, x, y)
            layers["clusters"].append(TilePoint(*at, _tile_cluster(item)))
    return encode_tile(layers)


def _tile_place(release: OpenRelease, row: int) -> dict[str, Any]:
    type_id = TYPE_IDS[int(release.type_codes[row])]
    properties = {
        "id": release.id_of(row),
        "name": name_of(release, row),
        "resource_type": type_id,
        "mode": RESOURCE_TYPES[type_id].mode,
        "verification_status": release.verification_of(row),
        "location_precision": release.precision_of(row),
    }
    return {key: value for key, value in properties.items() if value is not None}


def _tile_cluster(item: Cluster) -> dict[str, Any]:
    """Flatten a cluster: tiles have no lists and no objects, so one number for each mode and for
    each end."""
    ends = dict(zip(("west", "south", "east", "north"), item.bounds, strict=True))
    return {
        "count": item.places,
        "expansion_zoom": item.expansion_zoom,
        **ends,
        **mode_members(item.modes),
    }
