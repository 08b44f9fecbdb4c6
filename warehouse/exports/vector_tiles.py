"""Encodes points as Mapbox Vector Tiles, version 2.1: https://github.com/mapbox/vector-tile-spec."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.vocab.resource_types import MODES

# The square of Web Mercator ends at this latitude, in degrees.
MAP_END = 85.0511287798066
_EXTENT = 4096
_MOVE_TO_ONE_POINT = 9
_POINT = 1
_MODE_MEMBERS = (*MODES, "other")
Floats = NDArray[np.float64]
Members = Mapping[str, str | int | float | bool]


class TilePoint(NamedTuple):
    """A point of a layer: its position in the tile, and its members."""

    x: int
    y: int
    members: Members
    id: int | None = None


def encode_tile(layers: Mapping[str, Sequence[TilePoint]]) -> bytes:
    """Return a tile; empty layers are omitted."""
    # Only tiles need protobuf: the service starts without it.
    from mapbox_vector_tile.Mapbox import (  # type: ignore[import-untyped]  # noqa: PLC0415
        vector_tile_pb2,
    )

    tile = vector_tile_pb2.tile()
    for name, points in layers.items():
        if points:
            _fill(tile.layers.add(name=name, version=2, extent=_EXTENT), points)
    body: bytes = tile.SerializeToString()
    return body


def _fill(layer: Any, points: Iterable[TilePoint]) -> None:
    """Add points to a layer, with every key and value stored once."""
    keys: dict[str, int] = {}
    values: dict[tuple[type, Any], int] = {}
    add = layer.features.add
    for x, y, members, number in points:
        tags = []
        for key, value in members.items():
            tags.append(keys.setdefault(key, len(keys)))
            tags.append(values.setdefault((value.__class__, value), len(values)))
        # Coordinates are zigzag numbers.
        geometry = (_MOVE_TO_ONE_POINT, x << 1, y << 1)
        add(id=number, tags=tags, type=_POINT, geometry=geometry)
    layer.keys.extend(keys)
    for kind, value in values:
        layer.values.add(**{_VALUES[kind]: value})


_VALUES: dict[type, str] = {
    str: "string_value",
    bool: "bool_value",
    int: "int_value",
    float: "double_value",
}


def point_in_tile(across: float, down: float, zoom: int, x: int, y: int) -> tuple[int, int]:
    """Return the position in a tile of a point on the map (`mercator`). The last column and row
    belong to the neighbour."""
    size = 1 << zoom
    return (
        min(max(int((across * size - x) * _EXTENT), 0), _EXTENT - 1),
        min(max(int((down * size - y) * _EXTENT), 0), _EXTENT - 1),
    )


def mercator(lat: Floats, lng: Floats) -> tuple[Floats, Floats]:
    """Return points on the map: 0 to 1 from west to east and from north to south."""
    sine = np.sin(np.radians(np.clip(lat, -MAP_END, MAP_END)))
    return (lng + 180) / 360, 0.5 - np.log((1 + sine) / (1 - sine)) / (4 * np.pi)


def mode_members(counts: Sequence[int]) -> dict[str, int]:
    """Return a member for each mode with places in a cluster: tiles have no lists."""
    return {name: count for name, count in zip(_MODE_MEMBERS, counts, strict=True) if count}
