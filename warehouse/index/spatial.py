"""Indexes places in one R-tree: exact nearest, within and count on the WGS84 ellipsoid.

Points are earth-centred metres (ECEF) in three dimensions, so there is no seam at 180 degrees and
no pole. Neighbours rank by chord, which orders like the geodesic at the distances people search.

An entry of the tree is a block of neighbouring places of one group (`warehouse.index.blocks`);
groups lie apart along the first axis. The tree chooses blocks, NumPy measures the places in
them. Where the blocks are many, those that lie within the radius as a whole are counted without
looking into them. Queries come as a batch, because a call of the tree or of NumPy costs as much as
several queries. The index is safe for threads; only `hide` belongs to one of them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rtree import index

from schemas.tables.serving import BLOCK_SIZE
from warehouse.index.blocks import Blocks, group_of_type

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
At = tuple[float, float, float]
# Squared chord (square metres) and row.
Hit = tuple[float, int]

# Up to so many blocks for each query are measured at once: choosing among them would cost more.
_FEW = 24
# Groups lie so far apart (metres): no chord of the earth leads from one to the next. At the last of
# some forty, numbers of that size are still told apart to a thousandth of a millimetre.
_APART = float(1 << 25)
# The tree's coordinates are only that exact (metres).
_SLACK = 1e-3
# The nearest are looked for within so many metres first, then within so many times as many.
_FIRST_REACH, _WIDER = 20_000.0, 4.0


class Within(NamedTuple):
    """All within a radius: squared chords (square metres) and rows, nearest first, ties by row,
    unless said otherwise.
    """

    squares: Floats
    rows: Rows

    def hits(self, first: int = 0, last: int | None = None) -> list[Hit]:
        """Return some of them as pairs."""
        part = slice(first, last)
        return list(zip(self.squares[part].tolist(), self.rows[part].tolist(), strict=True))

    def in_order(self) -> Within:
        """Return them nearest first, ties by row."""
        return self.take(np.lexsort((self.rows, self.squares)))

    def take(self, positions: NDArray[np.int64]) -> Within:
        """Return those at some positions, in their order."""
        return Within(self.squares[positions], self.rows[positions])


def within_of(hits: Sequence[Hit]) -> Within:
    """Return hits as arrays."""
    squares, rows = zip(*hits, strict=True) if hits else ((), ())
    return Within(np.array(squares, dtype=np.float64), np.array(rows, dtype=np.int64))


class Near(NamedTuple):
    """The number of all within a radius, and a page of them, nearest first, ties by row."""

    total: int
    hits: list[Hit]


class _Tree:
    """The blocks of all groups in an R-tree. What is hidden lies infinitely far away."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self.group, self.rows, self.xyz, self.low, self.high = blocks
        self.sizes = np.count_nonzero(self.rows >= 0, axis=1)
        self._tree = self._build_index()
        # libspatialindex answers one query at a time.
        self._lock = threading.Lock()

    def _build_index(self) -> index.Index:
        properties = index.Property(
            dimension=3, leaf_capacity=20, index_capacity=20, fill_factor=0.9
        )
        if not len(self.rows):
            return index.Index(properties=properties)
        away = (self.group * _APART)[:, None] * (1.0, 0.0, 0.0)
        numbers = np.arange(len(self.rows), dtype=np.int64)
        return index.Index((numbers, self.low + away, self.high + away), properties=properties)

    def show_without(self, hidden: Rows) -> None:
        """Find these rows no more, and all others again."""
        is_shown = self.rows >= 0
        self.xyz = self._blocks.xyz
        if len(hidden):
            is_shown &= ~np.isin(self.rows, hidden)
            self.xyz = np.where(is_shown[:, None, :], self.xyz, np.inf)
        self.sizes = np.count_nonzero(is_shown, axis=1)

    def overlapping(self, at: Floats, group: Rows, chord: Floats) -> tuple[Rows, Rows]:
        """Find the blocks that may reach into each ball: queries, ascending, and blocks in pairs."""
        centre = at.copy()
        centre[:, 0] += group * _APART
        reach = chord[:, None] + _SLACK
        low, high = centre - reach, centre + reach
        if len(at) == 1:
            # A batch begins with room for two blocks and asks again for more.
            box = (*low[0].tolist(), *high[0].tolist())
            with self._lock:
                one = np.array(list(self._tree.intersection(box)), dtype=np.int64)
            return np.zeros(len(one), dtype=np.int64), one
        with self._lock:
            blocks, counts = self._tree.intersection_v(low, high)  # type: ignore[no-untyped-call]
        return np.repeat(np.arange(len(at)), counts.astype(np.int64)), blocks

    def bounds(self, at: Floats, blocks: Rows) -> tuple[Floats, Floats]:
        """Return squared chords from each point to the nearest and farthest part of a block's box."""
        below, above = self.low[blocks] - at, self.high[blocks] - at
        nearest = np.maximum(np.maximum(below, -above), 0.0)
        return _sum_squares(nearest), _sum_squares(np.maximum(-below, above))

    def squares(self, at: Floats, blocks: Rows) -> Floats:
        """Return squared chords from each point to the places of a block."""
        return _sum_squares(self.xyz[blocks] - at[:, :, None])


def _sum_squares(parts: Floats) -> Floats:
    """Return squared lengths; the parts lie along the second axis. Changes its argument."""
    np.square(parts, out=parts)
    # Summed in this order everywhere: equal points must get equal distances.
    lengths: Floats = parts[:, 0] + parts[:, 1]
    lengths += parts[:, 2]
    return lengths


class _Candidates:
    """The blocks that may hold what some queries of one index look for."""

    def __init__(self, blocks: _Tree, asked: Sequence[tuple[Selection, At, float]]) -> None:
        asks = [
            (n, group, at, chord)
            for n, (selection, at, chord) in enumerate(asked)
            for group in selection.groups
        ]
        owners, groups, points, chords = zip(*asks, strict=True) if asks else ((), (), (), ())
        at = np.array(points, dtype=float).reshape(-1, 3)
        ask, self.found = blocks.overlapping(
            at, np.array(groups, dtype=np.int64), np.array(chords, dtype=float)
        )
        self.blocks = blocks
        self.at, self.reach = at[ask], np.square(np.array(chords, dtype=float))[ask]
        self.query = np.array(owners, dtype=np.int64)[ask]
        self.queries = len(asked)
        self.is_few = len(self.found) <= _FEW * self.queries
        if self.is_few:
            self.squares = blocks.squares(self.at, self.found)
            self.is_within = self.squares <= self.reach[:, None]
        else:
            self.nearest, self.farthest = blocks.bounds(self.at, self.found)

    def totals(self) -> list[int]:
        """Count what lies within the radius of each query."""
        if self.is_few:
            inside = np.count_nonzero(self.is_within, axis=1)
        else:
            inside = self.blocks.sizes[self.found]
            is_cut = self.farthest > self.reach
            squares = self.blocks.squares(self.at[is_cut], self.found[is_cut])
            inside[is_cut] = np.count_nonzero(squares <= self.reach[is_cut][:, None], axis=1)
        counted = np.bincount(self.query, weights=inside, minlength=self.queries)
        return [int(total) for total in counted.tolist()]

    def within(self, counts: Sequence[int]) -> list[Within]:
        """Find what lies within the radius of each query: at least the `counts` nearest of it."""
        ends = np.searchsorted(self.query, np.arange(self.queries + 1)).tolist()
        if self.is_few:
            squares, is_within, found = self.squares, self.is_within, self.found
        else:
            chosen = np.flatnonzero(self._are_needed(ends, counts))
            squares = self.blocks.squares(self.at[chosen], self.found[chosen])
            is_within = squares <= self.reach[chosen][:, None]
            found = self.found[chosen]
            ends = np.searchsorted(chosen, ends).tolist()
        rows = self.blocks.rows[found]
        parts = zip(map(slice, ends, ends[1:]), counts, strict=True)
        return [
            _nearest_first(squares[part][is_within[part]], rows[part][is_within[part]], count)
            for part, count in parts
        ]

    def inside(self) -> Within:
        """Find what lies within the radius of the only query, in no order."""
        squares = self.squares if self.is_few else self.blocks.squares(self.at, self.found)
        is_within = squares <= self.reach[:, None]
        return Within(squares[is_within], self.blocks.rows[self.found][is_within])

    def _are_needed(self, ends: Sequence[int], counts: Sequence[int]) -> NDArray[np.bool_]:
        """Tell the blocks that may hold one of the `counts` nearest of a query."""
        is_needed: NDArray[np.bool_] = self.nearest <= self.reach
        for first, last, count in zip(ends, ends[1:], counts, strict=False):
            if count < BLOCK_SIZE * (last - first):
                part = slice(first, last)
                is_needed[part] &= self.nearest[part] <= self._bound_chord(part, count)
        return is_needed

    def _bound_chord(self, part: slice, count: int) -> float:
        """Return a squared chord within which a query has `count` places; infinite if it has not."""
        farthest = self.farthest[part]
        order = np.argsort(farthest)
        held = np.cumsum(self.blocks.sizes[self.found[part]][order])
        enough = int(np.searchsorted(held, count))
        return float(farthest[order[enough]]) if enough < len(order) else np.inf


def _nearest_first(squares: Floats, rows: Rows, count: int) -> Within:
    """Sort at least the `count` nearest, with all that are as far as the last of them."""
    if count < len(squares):
        is_near = squares <= np.partition(squares, count)[count]
        squares, rows = squares[is_near], rows[is_near]
    return Within(squares, rows).in_order()


class Selection:
    """A choice of types as few groups as possible; answers over all of them together."""

    def __init__(self, blocks: _Tree, groups: Sequence[int]) -> None:
        self.blocks = blocks
        self.groups = tuple(groups)

    def nearest(self, at: At, count: int, chord: float) -> list[Hit]:
        """Find the `count` nearest within the chord (metres), by distance, then by row."""
        count, reach = max(count, 0), min(chord, _FIRST_REACH)
        while True:
            found = _Candidates(self.blocks, [(self, at, reach)]).within([count])[0]
            if len(found.rows) >= count or reach >= chord:
                return found.hits(0, count)
            reach = min(chord, reach * _WIDER)

    def within(self, at: At, chord: float) -> Within:
        """Find all within the chord (metres), by distance, then by row."""
        return self.inside(at, chord).in_order()

    def inside(self, at: At, chord: float) -> Within:
        """Find all within the chord (metres), in no order."""
        return _Candidates(self.blocks, [(self, at, chord)]).inside()

    def count(self, at: At, chord: float) -> int:
        """Count all within the chord (metres)."""
        return _Candidates(self.blocks, [(self, at, chord)]).totals()[0]


class Sought(NamedTuple):
    """A query: the `limit` nearest within the chord (metres) of a point, after `offset` others."""

    selection: Selection
    at: At
    chord: float
    offset: int
    limit: int


def counts_within(asked: Sequence[tuple[Selection, At, float]]) -> list[int]:
    """Count for each query what of the selection lies within the chord (metres) of the point.

    All selections are of one index.
    """
    return _Candidates(asked[0][0].blocks, asked).totals()


def near_together(asked: Sequence[Sought]) -> list[Near]:
    """Answer queries of one index together."""
    candidates = _Candidates(
        asked[0].selection.blocks, [(sought.selection, sought.at, sought.chord) for sought in asked]
    )
    totals = candidates.totals()
    lasts = [sought.offset + sought.limit for sought in asked]
    found = candidates.within(
        [
            last if sought.offset < total else 0
            for last, sought, total in zip(lasts, asked, totals, strict=True)
        ]
    )
    return [
        Near(total, near.hits(sought.offset, last))
        for total, near, sought, last in zip(totals, found, asked, lasts, strict=True)
    ]


class SpatialIndex:
    """All points of a release, ready for any choice of types.

    `modes` names the sets of type codes that have a group of their own in the blocks.
    """

    def __init__(self, blocks: Blocks, modes: Mapping[str, frozenset[int]]) -> None:
        self._blocks = _Tree(blocks)
        self._all = Selection(self._blocks, [0])
        self._by_types = {
            chosen: Selection(self._blocks, [1 + n]) for n, chosen in enumerate(modes.values())
        }
        self._modes = len(modes)
        self.hidden: frozenset[int] = frozenset()

    def hide(self, rows: Iterable[int]) -> None:
        """Find these rows no more, and all others again."""
        self.hidden = frozenset(rows)
        self._blocks.show_without(np.array(sorted(self.hidden), dtype=np.int64))

    def select(self, types: frozenset[int] | None) -> Selection:
        """The points of some type codes; None means all of them."""
        if types is None:
            return self._all
        known = self._by_types.get(types)
        if known is not None:
            return known
        return Selection(self._blocks, [group_of_type(code, self._modes) for code in sorted(types)])
