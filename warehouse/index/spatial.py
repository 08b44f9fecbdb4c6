"""Indexes places in one R-tree: exact nearest, within and count on the WGS84 ellipsoid.

Points are earth-centred metres (ECEF) in three dimensions, so there is no seam at 180 degrees and
no pole. Neighbours rank by chord, which orders like the geodesic at search distances.

The tree is packed along a Hilbert curve, as releases never change: its leaves are the stored blocks
of neighbouring places of one group (`warehouse.index.blocks`), its nodes are runs of blocks. All
are arrays, so that a query takes some twenty NumPy calls and opening a release builds nothing.
Among many blocks, those entirely within the radius are counted without reading them. The index is
safe for threads; only `hide` belongs to one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.tables.serving import BLOCK_SIZE
from warehouse.index.blocks import Blocks, group_of_type

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
At = tuple[float, float, float]
# Squared chord (square metres) and row.
Hit = tuple[float, int]

# Blocks per node.
_NODE_SIZE = 16
# Up to this many blocks are all measured: selecting among them would cost more.
_FEW = 24
# Boxes grow by this margin (metres), so that rounding loses no place on the edge.
_SLACK = 1e-3
# Nearest search: first radius in metres, and the factor of each next one.
_FIRST_REACH, _WIDER = 20_000.0, 4.0
_NONE: Rows = np.empty(0, dtype=np.int64)


class Within(NamedTuple):
    """Squared chords (m²) and rows within a radius, by distance, ties by row."""

    squares: Floats
    rows: Rows

    def hits(self, first: int = 0, last: int | None = None) -> list[Hit]:
        """Return some hits as pairs."""
        part = slice(first, last)
        return list(zip(self.squares[part].tolist(), self.rows[part].tolist(), strict=True))

    def nearest_hit(self) -> Hit | None:
        """Return the nearest hit; None without any."""
        if not len(self.rows):
            return None
        at = int(self.squares.argmin())
        return float(self.squares[at]), int(self.rows[at])

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


def within_of(hits: Sequence[Hit]) -> Within:
    """Return hits as arrays."""
    squares, rows = zip(*hits, strict=True) if hits else ((), ())
    return Within(np.array(squares, dtype=np.float64), np.array(rows, dtype=np.int64))


class _Tree:
    """The blocks of all groups, and the nodes over them. Hidden places are infinitely far away.

    Boxes are six numbers, the low corner and the negated high corner, so that one comparison finds
    overlapping boxes.
    """

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self.rows, self.xyz, self.low, self.high = blocks[1:]
        self.sizes = np.count_nonzero(self.rows >= 0, axis=1)
        groups = np.arange(int(blocks.group.max(initial=-1)) + 2)
        edges = np.searchsorted(blocks.group, groups)  # blocks are ordered by group
        first = [np.arange(a, b, _NODE_SIZE) for a, b in pairwise(edges)]
        firsts = np.concatenate([_NONE, *first])
        self._members = firsts[:, None] + np.arange(_NODE_SIZE)
        is_member = self._members < edges[np.searchsorted(edges, firsts, side="right")][:, None]
        boxes = np.concatenate([self.low, -self.high], axis=1)
        member_boxes = boxes[np.where(is_member, self._members, 0)].transpose(0, 2, 1)
        # C-ordered like the blocks: see `Blocks`.
        self._member_boxes = np.where(is_member[:, None, :], member_boxes, np.inf).copy("C")
        self._boxes = np.ascontiguousarray(self._member_boxes.min(axis=2).T)
        self._nodes = np.searchsorted(firsts, edges).tolist()

    def show_without(self, hidden: Rows) -> None:
        """Exclude exactly these rows from results."""
        is_shown = self.rows >= 0
        self.xyz = self._blocks.xyz
        if len(hidden):
            is_shown &= ~np.isin(self.rows, hidden)
            self.xyz = np.where(is_shown[:, None, :], self.xyz, np.inf)
        self.sizes = np.count_nonzero(is_shown, axis=1)

    def overlapping(self, at: At, group: int, chord: float) -> Rows:
        """Find the blocks of a group that may overlap a ball."""
        if group + 1 >= len(self._nodes):
            return _NONE
        (x, y, z), reach = at, chord + _SLACK
        edges = (x + reach, y + reach, z + reach, reach - x, reach - y, reach - z)
        ball = np.array(edges)[:, None]
        first, last = self._nodes[group], self._nodes[group + 1]
        nodes = np.logical_and.reduce(self._boxes[:, first:last] <= ball).nonzero()[0] + first
        is_near = np.logical_and.reduce(self._member_boxes.take(nodes, 0) <= ball, axis=1)
        blocks: Rows = self._members.take(nodes, 0)[is_near]
        return blocks

    def bounds(self, at: Floats, blocks: Rows) -> tuple[Floats, Floats]:
        """Return squared chords from a point to the nearest and farthest part of each block."""
        below, above = self.low[blocks] - at, self.high[blocks] - at
        nearest = np.maximum(np.maximum(below, -above), 0.0)
        return _sum_squares(nearest), _sum_squares(np.maximum(-below, above))

    def measure(self, at: Floats, blocks: Rows, reach: float) -> Within:
        """Return the places of some blocks within a squared chord, unordered."""
        parts = self.xyz.take(blocks, 0)
        parts -= at[:, None]
        squares = _sum_squares(parts).reshape(-1)
        inside = (squares <= reach).nonzero()[0]
        return Within(squares.take(inside), self.rows.take(blocks, 0).reshape(-1).take(inside))


def _sum_squares(parts: Floats) -> Floats:
    """Return squared lengths along the second axis. Overwrites its argument."""
    np.square(parts, out=parts)
    # Always summed in this order: equal points must get equal distances.
    lengths: Floats = parts[:, 0] + parts[:, 1]
    lengths += parts[:, 2]
    return lengths


class _Ball:
    """The places of some groups within a chord of a point."""

    def __init__(self, tree: _Tree, groups: Sequence[int], at: At, chord: float) -> None:
        self._tree, self._at, self._reach = tree, np.array(at), chord * chord
        parts = [tree.overlapping(at, group, chord) for group in groups]
        self._blocks = parts[0] if len(parts) == 1 else np.concatenate([_NONE, *parts])
        # A few blocks are measured immediately, whatever the query.
        self._few = self._measure() if len(self._blocks) <= _FEW else None

    def _measure(self) -> Within:
        return self._tree.measure(self._at, self._blocks, self._reach)

    def inside(self) -> Within:
        """Find all, unordered."""
        return self._measure() if self._few is None else self._few

    def count(self) -> int:
        """Count all."""
        if self._few is not None:
            return len(self._few.rows)
        _, farthest = self._tree.bounds(self._at, self._blocks)
        is_cut = farthest > self._reach
        hits = self._tree.measure(self._at, self._blocks[is_cut], self._reach)
        return len(hits.rows) + int(self._tree.sizes[self._blocks[~is_cut]].sum())

    def nearest(self, count: int) -> Within:
        """Find at least the `count` nearest, in order."""
        if self._few is not None or count >= BLOCK_SIZE * len(self._blocks):
            return self.inside().nearest(count)
        nearest, farthest = self._tree.bounds(self._at, self._blocks)
        order = np.argsort(farthest)
        places_within = np.cumsum(self._tree.sizes[self._blocks[order]])
        # This many blocks have enough places within their farthest parts.
        enough = int(np.searchsorted(places_within, count))
        bound = farthest[order[enough]] if enough < len(order) else np.inf
        needed = self._blocks[nearest <= min(bound, self._reach)]
        return self._tree.measure(self._at, needed, self._reach).nearest(count)


class Selection:
    """Selected types as the fewest groups; answers over all of them together."""

    def __init__(self, tree: _Tree, groups: Sequence[int]) -> None:
        self._tree = tree
        self._groups = tuple(groups)

    def nearest(self, at: At, count: int, chord: float) -> list[Hit]:
        """Find the `count` nearest within the chord (metres), by distance, then by row."""
        count, reach = max(count, 0), min(chord, _FIRST_REACH)
        while True:
            hits = self._ball(at, reach).nearest(count)
            if len(hits.rows) >= count or reach >= chord:
                return hits.hits(0, count)
            reach = min(chord, reach * _WIDER)

    def page(self, at: At, chord: float, first: int, limit: int) -> tuple[int, list[Hit]]:
        """Count all within the chord (metres), and find the `limit` nearest after `first` others,
        by distance, then by row.
        """
        ball, last = self._ball(at, chord), first + limit
        total = ball.count()
        return total, ball.nearest(last).hits(first, last) if first < total else []

    def within(self, at: At, chord: float) -> Within:
        """Find all within the chord (metres), by distance, then by row."""
        return self.inside(at, chord).in_order()

    def inside(self, at: At, chord: float) -> Within:
        """Find all within the chord (metres), unordered."""
        return self._ball(at, chord).inside()

    def count(self, at: At, chord: float) -> int:
        """Count all within the chord (metres)."""
        return self._ball(at, chord).count()

    def count_around_each(self, points: Floats, chord: float) -> Rows:
        """Count all within the chord (metres) of each point, a row of coordinates. Measures the
        places around all of them: for neighbouring points."""
        centre = points.mean(axis=0)
        x, y, z = centre.tolist()
        spread = float(np.sqrt(_sum_squares(points - centre).max(initial=0.0)))
        parts = [self._tree.overlapping((x, y, z), g, chord + spread) for g in self._groups]
        xyz = self._tree.xyz.take(np.concatenate([_NONE, *parts]), 0)
        from_each = xyz.transpose(1, 0, 2).reshape(1, 3, -1) - points[:, :, None]
        counts: Rows = np.count_nonzero(_sum_squares(from_each) <= chord * chord, axis=1)
        return counts

    def _ball(self, at: At, chord: float) -> _Ball:
        return _Ball(self._tree, self._groups, at, chord)


class SpatialIndex:
    """All points of a release, for any selection of types.

    `modes` lists sets of type codes that have a separate group in the blocks.
    """

    def __init__(self, blocks: Blocks, modes: Mapping[str, frozenset[int]]) -> None:
        self._tree = _Tree(blocks)
        self._all = Selection(self._tree, [0])
        self._by_types = {
            types: Selection(self._tree, [1 + n]) for n, types in enumerate(modes.values())
        }
        self._modes = len(modes)
        self.hidden: frozenset[int] = frozenset()

    def hide(self, rows: Iterable[int]) -> None:
        """Exclude exactly these rows from results."""
        self.hidden = frozenset(rows)
        self._tree.show_without(np.array(sorted(self.hidden), dtype=np.int64))

    def select(self, types: frozenset[int] | None) -> Selection:
        """Return the points of some type codes; None means all of them."""
        if types is None:
            return self._all
        selection = self._by_types.get(types)
        if selection is not None:
            return selection
        return Selection(self._tree, [group_of_type(code, self._modes) for code in sorted(types)])
