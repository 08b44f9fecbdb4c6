"""Vector tiles of the map (Mapbox Vector Tile 2.1), layers `clusters` and `places`."""

import math
from typing import Any

from schemas.vocab.resource_types import MODES, RESOURCE_TYPES, TYPE_IDS
from serving.map.view import (
    MAX_FEATURES,
    PLACES_ZOOM,
    Cluster,
    Grids,
    Pin,
    gather,
    level_of,
    name_of,
)
from serving.search.query import Types
from warehouse.index.map_order import MAP_END
from warehouse.index.reader import OpenRelease

MEDIA_TYPE = b"application/vnd.mapbox-vector-tile"
MAX_TILE_ZOOM = PLACES_ZOOM
_EXTENT = 4096
_MEMBERS = (*MODES, "other")


def tile(release: OpenRelease, grids: Grids, zoom: int, x: int, y: int, types: Types) -> bytes:
    """Return the tile; empty where it has no place. A tile holds its own places, and nothing of its
    neighbours.

    The same for the lifetime of the release: nothing in it depends on the hour.
    """
    grid = grids.of(types)
    cells, _ = grid.in_tile(zoom, x, y, level_of(zoom), MAX_FEATURES)
    layers: dict[str, list[dict[str, Any]]] = {"clusters": [], "places": []}
    for item in gather(grid, cells):
        if isinstance(item, Pin):
            lat, lng = release.point_of(item.row)
            layers["places"].append(_feature(lat, lng, (zoom, x, y), _place(release, item.row)))
        else:
            layers["clusters"].append(_feature(item.lat, item.lng, (zoom, x, y), _cluster(item)))
    filled = [{"name": name, "features": found} for name, found in layers.items() if found]
    if not filled:
        return b""
    # Tiles alone need it and shapely, and a start does without.
    import mapbox_vector_tile  # type: ignore[import-untyped]  # noqa: PLC0415

    body: bytes = mapbox_vector_tile.encode(
        filled, default_options={"y_coord_down": True, "extents": _EXTENT}
    )
    return body


def _place(release: OpenRelease, row: int) -> dict[str, Any]:
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


def _cluster(item: Cluster) -> dict[str, Any]:
    """Flatten a cluster: tiles have no lists and no objects, so one number for each mode and for
    each end."""
    ends = dict(zip(("west", "south", "east", "north"), item.bounds, strict=True))
    modes = {name: count for name, count in zip(_MEMBERS, item.modes, strict=True) if count}
    return {"count": item.places, "expansion_zoom": item.expansion_zoom, **ends, **modes}


def _feature(
    lat: float, lng: float, at: tuple[int, int, int], properties: dict[str, Any]
) -> dict[str, Any]:
    from shapely import Point  # noqa: PLC0415

    zoom, x, y = at
    across, down = mercator(lat, lng)
    size = 1 << zoom
    # The last column and row belong to the neighbour.
    inner = [
        min(max(int((part * size - number) * _EXTENT), 0), _EXTENT - 1)
        for part, number in ((across, x), (down, y))
    ]
    feature = {"geometry": Point(*inner), "properties": properties}
    return feature | {"id": properties["id"]} if "id" in properties else feature


def mercator(lat: float, lng: float) -> tuple[float, float]:
    """Return a point on the map: 0 to 1 from west to east and from north to south."""
    sine = math.sin(math.radians(max(-MAP_END, min(MAP_END, lat))))
    return (lng + 180) / 360, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)
