"""Stores the places of a release along a Z-curve over the Web Mercator map: places of one square
are adjacent at any scale."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.tables.serving import MAP_ORDER_SCHEMA
from warehouse.index.columns import numbers, read_arrow, write_arrow

Floats = NDArray[np.float64]
Places = NDArray[np.int32]
Keys = NDArray[np.uint64]

_NAME = "map_order.arrow"
# Cells of the finest grid are 38 m wide at the equator, 30 m at New York.
FINEST = 20
# Northern and southern limits of the map.
MAP_END = 85.0511287798066


class MapOrder(NamedTuple):
    """Finest cell and row of each place, ascending."""

    keys: Keys
    rows: Places


def map_order(lat: Floats, lng: Floats) -> MapOrder:
    """Return the order of points in degrees."""
    keys = _cells(lat, lng)
    order = np.argsort(keys, kind="stable")
    return MapOrder(keys[order], order.astype(np.int32))


def write_map_order(lat: Floats, lng: Floats, folder: Path) -> None:
    """Write the order of points into a release's folder of the service. Raises OSError."""
    write_arrow(pa.table([*map_order(lat, lng)], schema=MAP_ORDER_SCHEMA), folder / _NAME)


def read_map_order(folder: Path, lat: Floats, lng: Floats) -> MapOrder:
    """Map the order of the places of a release; compute it for a release of an earlier version.
    Raises OSError, or pyarrow.ArrowInvalid when damaged."""
    if not (folder / _NAME).exists():
        return map_order(lat, lng)
    table = read_arrow(folder / _NAME)
    return MapOrder(*(numbers(table[name]) for name in MAP_ORDER_SCHEMA.names))


def _cells(lat: Floats, lng: Floats) -> Keys:
    """Return each point's finest cell on the Z-curve; points beyond the map get the last one."""
    across = (lng + 180.0) / 360.0
    sine = np.sin(np.radians(np.clip(lat, -MAP_END, MAP_END)))
    down = 0.5 - np.log((1 + sine) / (1 - sine)) / (4 * np.pi)
    size = 1 << FINEST
    x, y = (
        np.clip(np.floor(part * size), 0, size - 1).astype(np.uint64) for part in (across, down)
    )
    return cell_number(x, y)


def cell_number(x: Keys | np.uint64, y: Keys | np.uint64) -> Keys:
    return np.asarray(_spread(x) | (_spread(y) << np.uint64(1)), dtype=np.uint64)


def cell_position(number: Keys) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return column and row of cells: the inverse of `cell_number`."""
    return _gather(number), _gather(number >> np.uint64(1))


_SPREADING = (
    (16, 0x0000FFFF0000FFFF),
    (8, 0x00FF00FF00FF00FF),
    (4, 0x0F0F0F0F0F0F0F0F),
    (2, 0x3333333333333333),
    (1, 0x5555555555555555),
)


def _spread(number: Keys | np.uint64) -> Keys | np.uint64:
    """Return the bits of numbers with a zero between any two."""
    for shift, mask in _SPREADING:
        number = (number | (number << np.uint64(shift))) & np.uint64(mask)
    return number


_GATHERING = (
    (1, 0x3333333333333333),
    (2, 0x0F0F0F0F0F0F0F0F),
    (4, 0x00FF00FF00FF00FF),
    (8, 0x0000FFFF0000FFFF),
    (16, 0x00000000FFFFFFFF),
)


def _gather(number: Keys) -> NDArray[np.int64]:
    """Return every other bit of numbers, from the lowest on."""
    number = number & np.uint64(0x5555555555555555)
    for shift, mask in _GATHERING:
        number = (number | (number >> np.uint64(shift))) & np.uint64(mask)
    return number.astype(np.int64)
