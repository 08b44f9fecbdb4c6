"""Indexes places in R-trees: exact nearest, within and count on the WGS84 ellipsoid.

Points are earth-centred metres (ECEF) in three dimensions, so there is no seam at 180 degrees and
no pole. Neighbours rank by chord, which orders like the geodesic at search distances.

The places of each mode, of each type and all together are a group: pages of up to 64 neighbours,
and an R-tree of the pages' boxes. A query finds the pages that a ball may touch, then measures
their places exactly: fewer calls than a tree of single places, and the count comes with them.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rtree.index import Index, Property

from schemas.values.coordinates import ecef

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
At = tuple[float, float, float]
# Squared chord (square metres) and row.
Hit = tuple[float, int]

PAGE_SIZE = 64
# Balls grow by this margin (metres), so that rounding loses no place on the edge of a box.
_SLACK = 1e-3
# From so many pages on, their boxes are compared before their places are measured.
_MANY_PAGES = 100
# Nearest search: first radius in metres, and the factor of each next one.
_FIRST_REACH, _WIDER = 20_000.0, 4.0


class Within(NamedTuple):
    """Squared chords (m²) and rows of the places within a radius."""

    squares: Floats
    rows: Rows

    def hits(self, first: int = 0, last: int | None = None) -> list[Hit]:
        """Return some hits as pairs."""
        part = slice(first, last)
        return list(zip(self.squares[part].tolist(), self.rows[part].tolist(), strict=True))

    def nearest_hit(self) -> Hit | None:
        """Return the nearest hit, of several the first row; None without any."""
        if not len(self.rows):
            return None
        square = self.squares.min()
        return float(square), int(self.rows[self.squares == square].min())

    def in_order(self) -> Within:
        """Sort by distance, ties by row."""
        return self.take(np.lexsort((self.rows, self.squares)))

    def take(self, positions: NDArray[np.int64]) -> Within:
        """Return the hits at some positions, in their order."""
        return Within(self.squares.take(positions), self.rows.take(positions))

    def nearest(self, count: int) -> Within:
        """Return at least the `count` nearest in order, with all at the distance of the last."""
        if count >= len(self.rows):
            return self.in_order()
        farthest = np.partition(self.squares, count)[count]
        return self.take((self.squares <= farthest).nonzero()[0]).in_order()

    def first(self, count: int, *keys: NDArray[Any]) -> Within:
        """Return the `count` first: by keys, the last counts first, then by distance and row.

        Only the hits that can be among them are sorted.
        """
        keys = (self.squares, *keys)
        chosen, tied = [], np.arange(len(self.rows))
        for key in reversed(keys):
            if 0 < count < len(tied):
                values = key.take(tied)
                last = np.partition(values, count - 1)[count - 1]
                chosen.append(tied[values < last])
                tied, count = tied[values == last], count - len(chosen[-1])
        at = np.concatenate([*chosen, tied])
        order = np.lexsort([key.take(at) for key in (self.rows, *keys)])
        return self.take(at.take(order[: sum(map(len, chosen)) + count]))


def within_of(hits: Sequence[Hit]) -> Within:
    """Return hits as arrays."""
    squares, rows = zip(*hits, strict=True) if hits else ((), ())
    return Within(np.array(squares, dtype=np.float64), np.array(rows, dtype=np.int64))


def _joined(parts: Sequence[Within]) -> Within:
    if len(parts) == 1:
        return parts[0]
    squares, rows = zip(within_of(()), *parts, strict=True)
    return Within(np.concatenate(squares), np.concatenate(rows))


class _Group:
    """Some places in pages of neighbours, under an R-tree of the pages' boxes.

    Page n has the rows `rows[n]` at `xyz[n]`, axis by axis. Empty entries have the row -1 and are
    infinitely far away, as are hidden places.
    """

    def __init__(self, rows: Rows, lat: Floats, lng: Floats, xyz: Floats) -> None:
        # Sort-Tile-Recursive (Leutenegger, Lopez and Edgington 1997): strips of equal latitude,
        # each in pages by longitude. A strip is whole pages, so that no page turns a corner.
        self.size = len(rows)
        pages = math.ceil(len(rows) / PAGE_SIZE)
        strip_size = PAGE_SIZE * math.ceil(math.sqrt(pages))
        by_latitude = rows[np.lexsort((rows, lat[rows]))]
        strips = np.arange(len(rows)) // max(strip_size, 1)
        members = by_latitude[np.lexsort((by_latitude, lng[by_latitude], strips))]
        self.rows = np.full((pages, PAGE_SIZE), -1, dtype=np.int64)
        self.rows.reshape(-1)[: len(members)] = members
        is_place = (self.rows >= 0)[:, None, :]
        points = xyz[self.rows].transpose(0, 2, 1)
        # C-ordered: of any other array, `take` copies the whole.
        self._xyz = np.where(is_place, points, np.inf).copy("C")
        self._low = self._xyz.min(axis=2)
        self._high = np.where(is_place, points, -np.inf).max(axis=2)
        # Neighbouring pages are neighbours in the stream, so small nodes pack well.
        properties = Property(dimension=3, leaf_capacity=20, index_capacity=20, fill_factor=0.9)
        stream = (np.arange(pages), self._low, self._high)
        self._tree = Index(stream if pages else None, properties=properties)
        self._querying = threading.Lock()  # libspatialindex is not safe for threads
        self.show_without(np.empty(0, np.int64))

    def show_without(self, hidden: Rows) -> None:
        """Exclude exactly these rows from results."""
        is_hidden = np.isin(self.rows, hidden)[:, None, :] if len(hidden) else None
        self._shown = self._xyz if is_hidden is None else np.where(is_hidden, np.inf, self._xyz)
        # The number of places on each page.
        self._sizes = np.isfinite(self._shown[:, 0]).sum(axis=1)

    def within(self, at: At, chord: float) -> Within:
        """Find the places within a chord (metres), unordered."""
        return self._measure(self._touched(at, chord), at, chord)

    def count_within(self, at: At, chord: float, wanted: int) -> tuple[int, Within]:
        """Count the places within a chord (metres), and find some of them, unordered: at least the
        `wanted` nearest, and all that are as near as the last of these.

        Only the size of a page counts that is wholly within and farther than the nearest places.
        """
        pages, counted = self._touched(at, chord), 0
        if len(pages) > _MANY_PAGES:
            low, high = self._low.take(pages, 0) - at, self._high.take(pages, 0) - at
            # Of any place of a page, each difference is rounded, squared and summed like these.
            farthest = _squares(np.maximum(-low, high))
            nearest = _squares(np.maximum(np.maximum(low, -high), 0))
            sizes = self._sizes.take(pages)
            by_farthest = farthest.argsort()
            enough = int(sizes.take(by_farthest).cumsum().searchsorted(wanted))
            reach = farthest[by_farthest[enough]] if enough < len(pages) else np.inf
            is_counted = (farthest <= chord * chord) & (nearest > reach)
            counted = int(sizes[is_counted].sum())
            pages = pages[~is_counted]
        measured = self._measure(pages, at, chord)
        return counted + len(measured.rows), measured

    def _touched(self, at: At, chord: float) -> Rows:
        """Return the pages that may have places within a chord."""
        (x, y, z), reach = at, chord + _SLACK
        box = (x - reach, y - reach, z - reach, x + reach, y + reach, z + reach)
        with self._querying:
            return np.array(list(self._tree.intersection(box)), np.int64)

    def _measure(self, pages: Rows, at: At, chord: float) -> Within:
        """Find the places of some pages within a chord, unordered."""
        parts = self._shown.take(pages, 0)
        parts -= np.array(at)[:, None]
        squares = _squares(parts).reshape(-1)
        inside = (squares <= chord * chord).nonzero()[0]
        return Within(squares.take(inside), self.rows.take(pages, 0).reshape(-1).take(inside))


def _squares(differences: Floats) -> Floats:
    """Return the squared lengths of vectors along the second axis, and overwrite the vectors.

    Always summed in this order: equal points must get equal distances.
    """
    np.square(differences, out=differences)
    squares: Floats = differences[:, 0] + differences[:, 1]
    squares += differences[:, 2]
    return squares


class Selection:
    """Places of selected types, as the fewest groups that have exactly these types."""

    def __init__(self, groups: Sequence[_Group]) -> None:
        self._groups = tuple(groups)
        self.size = sum(group.size for group in groups)

    def inside(self, at: At, chord: float) -> Within:
        """Find all within the chord (metres), unordered."""
        return _joined([group.within(at, chord) for group in self._groups])

    def within(self, at: At, chord: float) -> Within:
        """Find all within the chord (metres), by distance, then by row."""
        return self.inside(at, chord).in_order()

    def count(self, at: At, chord: float) -> int:
        """Count all within the chord (metres)."""
        return sum(group.count_within(at, chord, 0)[0] for group in self._groups)

    def page(self, at: At, chord: float, first: int, limit: int) -> tuple[int, list[Hit]]:
        """Count all within the chord (metres), and find the `limit` nearest after `first` others,
        by distance, then by row.
        """
        last = first + limit
        found = [group.count_within(at, chord, last) for group in self._groups]
        total, near = sum(count for count, _ in found), _joined([part for _, part in found])
        return total, near.nearest(last).hits(first, last) if limit and first < total else []

    def nearest(self, at: At, count: int, chord: float) -> list[Hit]:
        """Find the `count` nearest within the chord (metres), by distance, then by row."""
        count, reach = max(count, 0), min(chord, _FIRST_REACH)
        while True:
            inside = self.inside(at, reach)
            if len(inside.rows) >= count or reach >= chord:
                return inside.nearest(count).hits(0, count)
            reach = min(chord, reach * _WIDER)


class SpatialIndex:
    """All points of a release, for any selection of types. Safe for threads, except `hide`."""

    def __init__(
        self,
        lat: Floats,
        lng: Floats,
        type_codes: NDArray[np.uint8],
        modes: Mapping[str, frozenset[int]],
    ) -> None:
        """Index points in degrees by row; `modes` lists sets of type codes that are often asked
        for together. Raises ValueError for a point without finite coordinates."""
        xyz = ecef(lat, lng)
        if not np.isfinite(xyz).all():
            raise ValueError("a point without finite coordinates cannot be indexed")

        def group(is_member: NDArray[np.bool_]) -> _Group:
            return _Group(is_member.nonzero()[0], lat, lng, xyz)

        self._all = group(np.ones(len(lat), dtype=np.bool_))
        self._by_type = {int(n): group(type_codes == n) for n in np.unique(type_codes)}
        self._by_mode = {types: group(np.isin(type_codes, list(types))) for types in modes.values()}
        self.hidden: frozenset[int] = frozenset()

    def hide(self, rows: Iterable[int]) -> None:
        """Exclude exactly these rows from results."""
        self.hidden = frozenset(rows)
        hidden = np.array(sorted(self.hidden), dtype=np.int64)
        for group in (self._all, *self._by_type.values(), *self._by_mode.values()):
            group.show_without(hidden)

    def select(self, types: frozenset[int] | None) -> Selection:
        """Return the points of some type codes; None means all of them."""
        if types is None:
            return Selection([self._all])
        if types in self._by_mode:
            return Selection([self._by_mode[types]])
        return Selection([self._by_type[code] for code in sorted(types) if code in self._by_type])
