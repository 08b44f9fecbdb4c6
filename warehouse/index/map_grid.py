"""All places of a release on square grids of increasing resolution over the Web Mercator map.

Level n has 2**n cells across. Cells are numbered along a Z-curve, so that the cells of one level
within a cell of another, and the places within a cell, are a range of one sorted list. Whole cells
come from tables computed once for the release; cells cut by the edge of a view are counted place by
place, so every count is exact.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warehouse.index.map_order import (
    FINEST,
    Floats,
    Keys,
    MapOrder,
    Places,
    cell_number,
    cell_position,
)

# One more level: single places, even several at one point.
SINGLE = FINEST + 1
# Cells are a quarter of a tile wide, 64 pixels. From this zoom on every place is shown separately.
PLACES_ZOOM = 17
_CELL_LEVELS = 2
# Tables exist up to this level (cells of 20 km); beyond, a view has few enough places.
_KEPT = 11


def level_of(zoom: int) -> int:
    """Return the level of the grid for a zoom."""
    return SINGLE if zoom >= PLACES_ZOOM else zoom + _CELL_LEVELS


def zoom_of(level: int) -> int:
    """Return the lowest zoom that has a level's cells."""
    return min(max(level - _CELL_LEVELS, 0), PLACES_ZOOM)


class Box(NamedTuple):
    """A view in degrees, edges included. `west` greater than `east`: it crosses the
    antimeridian."""

    west: float
    south: float
    east: float
    north: float

    def holds(self, lat: Floats, lng: Floats) -> NDArray[np.bool_]:
        """Select the points inside."""
        if self.west <= self.east:
            across = (lng >= self.west) & (lng <= self.east)
        else:
            across = (lng >= self.west) | (lng <= self.east)
        return np.asarray(across & (lat >= self.south) & (lat <= self.north))


class Cells(NamedTuple):
    """Non-empty cells: first and end of the range of places, their middle and extent.

    `modes` has a row for each cell and a column for each mode: its number of places of that mode.
    `splits` is the first level at which the cell's places are in several cells.
    """

    first: Places
    end: Places
    counts: Places
    lat: Floats
    lng: Floats
    west: Floats
    south: Floats
    east: Floats
    north: Floats
    splits: NDArray[np.int8]
    modes: NDArray[np.int32]

    @property
    def size(self) -> int:
        """Count the cells."""
        return len(self.counts)


class MapPoints:
    """The places of a release along the Z-curve: `lat`, `lng` (degrees) and `modes`, numbers below
    `mode_count`, by row."""

    def __init__(
        self,
        order: MapOrder,
        lat: Floats,
        lng: Floats,
        modes: NDArray[np.uint8],
        mode_count: int,
    ) -> None:
        self.keys, self.rows = order
        self.lat, self.lng, self.modes = lat, lng, modes
        self.mode_count = mode_count


class MapGrid:
    """Some places of a release: all, or those of selected types.

    Safe for threads: two may compute the same table, with the same result.
    """

    def __init__(self, points: MapPoints, mask: NDArray[np.bool_] | None = None) -> None:
        """Index cells. `mask` selects rows of the release."""
        self._points = points
        places = np.arange(len(points.rows)) if mask is None else np.flatnonzero(mask[points.rows])
        self._at = places.astype(np.int32)
        self._tables: dict[int, Cells] = {}

    def __len__(self) -> int:
        return len(self._at)

    def rows_of(self, places: Places) -> list[int]:
        """Return the release rows of cells with a single place (`Cells.first`)."""
        rows: list[int] = self._points.rows[places].tolist()
        return rows

    def in_box(self, box: Box, level: int, most: int) -> tuple[Cells, int]:
        """Return the cells of the places in a view, and their level: the requested one, or a
        coarser one if there would be more than `most` cells."""
        level, cells = self._coarse_enough(box, level, most)
        if cells is not None:
            return cells, level
        table = self._table(_KEPT)
        touched = np.flatnonzero(~_apart(box, table))
        places = self._at[_stretches(table.first[touched], table.end[touched])]
        return self._fine(self._in(box, places), level, most)

    def in_tile(self, zoom: int, x: int, y: int, level: int, most: int) -> tuple[Cells, int]:
        """Return the cells of the places in a map tile, as `in_box`."""
        shift, number = 2 * (FINEST - zoom), int(cell_number(np.uint64(x), np.uint64(y)))
        ends = np.array([number << shift, (number + 1) << shift], dtype=np.uint64)
        span = np.searchsorted(self._points.keys, ends)
        low, high = np.searchsorted(self._at, span)
        while level <= _KEPT:
            table = self._table(level)
            start, end = np.searchsorted(table.first, [low, high])
            if end - start <= most or level <= zoom:
                return self._locate(_take(table, slice(start, end))), level
            level -= 1
        return self._fine(self._at[low:high], level, most)

    def of_level(self, level: int) -> Cells:
        """Return all cells of a level."""
        return self._gather(self._at, level)

    def tiles_of(self, cells: Cells, zoom: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return column and row of the map tile that contains each cell."""
        return cell_position(self._points.keys[cells.first] >> np.uint64(2 * (FINEST - zoom)))

    # ------------------------------------------------------------ how

    def _coarse_enough(self, box: Box, level: int, most: int) -> tuple[int, Cells | None]:
        """Return (level, cells) if the stored tables suffice, else (level, None)."""
        if level > _KEPT and np.count_nonzero(~_apart(box, self._table(_KEPT))) <= most:
            return level, None
        level = min(level, _KEPT)
        while level > 0 and np.count_nonzero(~_apart(box, self._table(level))) > most:
            level -= 1
        table = self._table(level)
        inside = _within(box, table)
        crossing = np.flatnonzero(~inside & ~_apart(box, table))
        places = self._in(box, self._at[_stretches(table.first[crossing], table.end[crossing])])
        whole = self._locate(_take(table, np.flatnonzero(inside)))
        return level, _concatenate(whole, self._gather(places, level))

    def _fine(self, places: Places, level: int, most: int) -> tuple[Cells, int]:
        """Return the cells of some places at a level or a coarser one."""
        keys = self._points.keys[places]
        if len(keys):
            # Cells of a level: one more than adjacent places in different cells.
            splits = np.bincount(_split_levels(keys[:-1], keys[1:]), minlength=SINGLE + 1)
            counts = 1 + np.cumsum(splits)
            while level > 0 and counts[level] > most:
                level -= 1
        return self._gather(places, level), level

    def _in(self, box: Box, places: Places) -> Places:
        rows = self._points.rows[places]
        return places[box.holds(self._points.lat[rows], self._points.lng[rows])]

    def _table(self, level: int) -> Cells:
        """Return all cells of a level; `first` and `end` are positions in this grid's own list."""
        table = self._tables.get(level)
        if table is None:
            table = self._tables[level] = self._sum(self._at, level)
        return table

    def _locate(self, cells: Cells) -> Cells:
        """Return cells whose `first` is a place of `MapPoints`, as `rows_of` expects."""
        return cells._replace(first=self._at[cells.first])

    def _gather(self, places: Places, level: int) -> Cells:
        cells = self._sum(places, level)
        return cells._replace(first=places[cells.first])

    def _sum(self, places: Places, level: int) -> Cells:
        """Return the cells of some places; `first` and `end` are positions among them."""
        points = self._points
        keys, rows = points.keys[places], points.rows[places]
        if level == SINGLE:
            starts = np.arange(len(keys))
        else:
            cell = keys >> np.uint64(2 * (FINEST - level))
            starts = np.flatnonzero(np.r_[True, cell[1:] != cell[:-1]][: len(cell)])
        ends = np.append(starts[1:], len(keys))[: len(starts)]
        counts = (ends - starts).astype(np.int32)
        lat, lng, modes = points.lat[rows], points.lng[rows], points.modes[rows]
        if not len(starts):
            return _no_cells(points.mode_count)
        kinds = [
            np.add.reduceat(modes == m, starts, dtype=np.int32) for m in range(points.mode_count)
        ]
        return Cells(
            first=starts.astype(np.int32),
            end=ends.astype(np.int32),
            counts=counts,
            lat=np.add.reduceat(lat, starts) / counts,
            lng=np.add.reduceat(lng, starts) / counts,
            west=np.minimum.reduceat(lng, starts),
            south=np.minimum.reduceat(lat, starts),
            east=np.maximum.reduceat(lng, starts),
            north=np.maximum.reduceat(lat, starts),
            splits=_split_levels(keys[starts], keys[ends - 1]).astype(np.int8),
            modes=np.stack(kinds, axis=1),
        )


def _no_cells(mode_count: int) -> Cells:
    whole, real = np.empty(0, np.int32), np.empty(0, np.float64)
    return Cells(
        whole,
        whole,
        whole,
        real,
        real,
        real,
        real,
        real,
        real,
        np.empty(0, np.int8),
        np.empty((0, mode_count), np.int32),
    )


def _take(cells: Cells, which: slice | NDArray[np.int64]) -> Cells:
    columns: tuple[NDArray[Any], ...] = tuple(cells)
    return Cells(*(column[which] for column in columns))


def _concatenate(one: Cells, other: Cells) -> Cells:
    columns: Iterable[tuple[NDArray[Any], NDArray[Any]]] = zip(one, other, strict=True)
    return Cells(*(np.concatenate(pair) for pair in columns))


def _within(box: Box, cells: Cells) -> NDArray[np.bool_]:
    """Return cells whose places are all inside the view."""
    if box.west <= box.east:
        across = (cells.west >= box.west) & (cells.east <= box.east)
    else:
        across = (cells.west >= box.west) | (cells.east <= box.east)
    return np.asarray(across & (cells.south >= box.south) & (cells.north <= box.north))


def _apart(box: Box, cells: Cells) -> NDArray[np.bool_]:
    """Return cells whose places are all outside the view."""
    if box.west <= box.east:
        across = (cells.east < box.west) | (cells.west > box.east)
    else:
        across = (cells.west > box.east) & (cells.east < box.west)
    return np.asarray(across | (cells.north < box.south) | (cells.south > box.north))


def _stretches(first: Places, end: Places) -> NDArray[np.int64]:
    """Concatenate the numbers of some ranges."""
    lengths = (end - first).astype(np.int64)
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(
        np.arange(total) + np.repeat(first - (ends - lengths), lengths), dtype=np.int64
    )


def _split_levels(one: Keys, other: Keys) -> NDArray[np.int64]:
    """Return the coarsest level that separates two finest cells; `SINGLE` if equal."""
    difference = (one ^ other).astype(np.float64)
    # Below 2**53 a double is exact, and its exponent the number of bits.
    bits = np.frexp(difference)[1]
    return np.asarray(np.where(difference > 0, FINEST - (bits - 1) // 2, SINGLE), dtype=np.int64)
