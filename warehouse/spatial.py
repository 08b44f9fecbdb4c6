"""Who is near: exact nearest, within and count over points on the WGS84 ellipsoid.

Points are indexed as earth-centred metres (ECEF) in three dimensions, so there is no seam at 180 degrees
and no pole. Neighbours rank by chord, which orders like the geodesic at the distances people search.

R-trees answer "nearest"; one k-d tree beside them answers "how many" and "all within", for many points in one
call where they are asked together: SciPy lets other threads in for every call, and handing the interpreter to
and fro costs more than to count. An R-tree may not be called by two threads at once: the service calls it from
its event loop only. Building one in another thread while the loop queries another is safe.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from schemas.values.coordinates import ecef
from warehouse.nearest_rows import NearestRows

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
At = tuple[float, float, float]
# Squared chord (square metres) and row.
Hit = tuple[float, int]

# Beyond this many, gathering all within the radius and sorting is quicker than asking for the nearest.
_MANY = 256
# Two chords closer than this (metres) count as a possible tie and are compared exactly.
_TIE = 1e-3
# Groups lie so far apart (metres) in the fourth dimension of the k-d tree: more than any two points of the earth.
_APART = float(1 << 24)
_point_at = struct.Struct("=ddd").unpack_from


class Cloud:
    """All points of the directory: earth-centred metres by row, as an array and as single numbers."""

    def __init__(self, xyz: Floats) -> None:
        self.xyz = np.ascontiguousarray(xyz)
        # Plain Python numbers out of the same memory: cheaper than NumPy's own for a handful of rows.
        self.packed = self.xyz.reshape(-1).data.cast("B")
        # Rows that are not to be found, and the same sorted; nearly always none.
        self.hidden: frozenset[int] = frozenset()
        self.hidden_rows: Rows = np.empty(0, dtype=np.int64)

    def is_shown(self, rows: Rows) -> NDArray[np.bool_]:
        """Which rows may be found."""
        return ~np.isin(rows, self.hidden_rows)


class GroupTree:
    """One k-d tree over groups of rows (a row may be in several), told apart by a fourth dimension."""

    def __init__(self, groups: Sequence[Rows], xyz: Floats) -> None:
        self._rows = np.concatenate([np.empty(0, dtype=np.int64), *groups])
        levels = np.repeat([self.level(n) for n in range(len(groups))], [len(g) for g in groups])
        # Counting is quicker with large leaves, and the tree smaller.
        self._tree = cKDTree(np.column_stack((xyz[self._rows], levels)), leafsize=64)

    @staticmethod
    def level(number: int) -> float:
        """The fourth coordinate of the points of a group."""
        return number * _APART

    def nearest(self, at: At, level: float, count: int) -> list[int]:
        """The `count` nearest rows of a group, which has as many."""
        _, found = self._tree.query((*at, level), count)
        rows: list[int] = self._rows[np.asarray(found)].tolist()
        return rows

    def within(self, at: At, level: float, chord: float) -> Rows:
        """The rows of a group within the chord (metres), in no order."""
        rows: Rows = self._rows[self._tree.query_ball_point((*at, level), chord)]
        return rows

    def count(self, at: At, level: float, chord: float) -> int:
        """How many rows of a group lie within the chord (metres)."""
        return int(self._tree.query_ball_point((*at, level), chord, return_length=True))

    def counts(self, points: Sequence[tuple[float, float, float, float]], chords: Sequence[float]) -> list[int]:  # fmt: skip
        """How many lie within the chord (metres) of each point, the fourth coordinate of which names the group."""
        counts: list[int] = self._tree.query_ball_point(points, chords, return_length=True).tolist()
        return counts


class PointGroup:
    """Some rows of the directory, indexed; `rows` ascend. `level` finds them in the tree of all groups.

    Without `has_rtree` the k-d tree also answers "nearest": for groups that are seldom asked for.
    """

    def __init__(
        self, rows: Rows, cloud: Cloud, tree: GroupTree, level: float, *, has_rtree: bool
    ) -> None:
        self._rows = rows
        self._cloud = cloud
        self.tree = tree
        self.level = level
        self._rtree = NearestRows(rows, cloud.xyz[rows]) if has_rtree and len(rows) else None

    def __len__(self) -> int:
        return len(self._rows)

    def nearest(self, at: At, count: int, chord: float) -> list[Hit]:
        """The `count` nearest within the chord (metres), by distance, then by row."""
        if count <= 0 or not len(self):
            return []
        if hidden := self._cloud.hidden:
            return [hit for hit in self._nearest(at, count + len(hidden), chord) if hit[1] not in hidden][:count]  # fmt: skip
        return self._nearest(at, count, chord)

    def _nearest(self, at: At, count: int, chord: float) -> list[Hit]:
        if count >= _MANY or count >= len(self):
            return self._within(at, chord, count)
        hits = self._measured(at, self._candidates(at, count + 1))
        inside = [hit for hit in hits if hit[0] <= chord * chord]
        if len(inside) < count:
            # All candidates lie inside only if the group is that small, which was handled above.
            return inside
        last = math.sqrt(inside[count - 1][0])
        if len(hits) == count + 1 and math.sqrt(hits[count][0]) - last > _TIE:
            return inside[:count]
        return self._within(at, min(chord, last + _TIE), count)

    def within(self, at: At, chord: float) -> list[Hit]:
        """All within the chord (metres), by distance, then by row."""
        found = self._within(at, chord)
        if hidden := self._cloud.hidden:
            return [hit for hit in found if hit[1] not in hidden]
        return found

    def _within(self, at: At, chord: float, count: int | None = None) -> list[Hit]:
        rows = self.tree.within(at, self.level, chord + _TIE)
        offsets = self._cloud.xyz[rows] - at
        # Summed in the order of `_measured`: equal points must get equal distances.
        squares = offsets[:, 0] ** 2 + offsets[:, 1] ** 2 + offsets[:, 2] ** 2
        inside = squares <= chord * chord
        rows, squares = rows[inside], squares[inside]
        order = np.lexsort((rows, squares))[:count]
        return list(zip(squares[order].tolist(), rows[order].tolist(), strict=True))

    def measured_within(self, at: At, chord: float) -> tuple[Floats, Rows]:
        """Squared chords and rows of all within the chord (metres), by row. Safe for threads."""
        offsets = self._cloud.xyz[self._rows] - at
        squares = offsets[:, 0] ** 2 + offsets[:, 1] ** 2 + offsets[:, 2] ** 2
        inside = squares <= chord * chord
        if self._cloud.hidden:
            inside &= self._cloud.is_shown(self._rows)
        return squares[inside], self._rows[inside]

    def hidden_within(self, at: At, chord: float) -> int:
        """How many rows that are not to be found lie within the chord (metres)."""
        if not self._cloud.hidden:
            return 0
        rows = self._cloud.hidden_rows[np.isin(self._cloud.hidden_rows, self._rows)]
        offsets = self._cloud.xyz[rows] - at
        return int(((offsets**2).sum(axis=1) <= chord * chord).sum())

    def _candidates(self, at: At, count: int) -> Iterable[int]:
        if self._rtree is not None:
            return self._rtree.nearest(at, count)
        return self.tree.nearest(at, self.level, count)

    def _measured(self, at: At, rows: Iterable[int]) -> list[Hit]:
        ax, ay, az = at
        packed, point_at = self._cloud.packed, _point_at
        hits: list[Hit] = []
        for row in rows:
            x, y, z = point_at(packed, row * 24)
            x -= ax
            y -= ay
            z -= az
            hits.append((x * x + y * y + z * z, row))
        hits.sort()
        return hits


class Selection:
    """A choice of types as few groups as possible; answers over all of them together."""

    def __init__(self, groups: Sequence[PointGroup]) -> None:
        self.groups = tuple(groups)

    def nearest(self, at: At, count: int, chord: float) -> list[Hit]:
        """See `PointGroup.nearest`."""
        if len(self.groups) == 1:
            return self.groups[0].nearest(at, count, chord)
        return sorted(hit for group in self.groups for hit in group.nearest(at, count, chord))[
            :count
        ]

    def within(self, at: At, chord: float) -> list[Hit]:
        """See `PointGroup.within`."""
        return sorted(hit for group in self.groups for hit in group.within(at, chord))

    def measured_within(self, at: At, chord: float) -> tuple[Floats, Rows]:
        """Squared chords and rows of all within the chord (metres), by distance, then by row.

        Measures every point: for many hits. Safe for threads.
        """
        found = [group.measured_within(at, chord) for group in self.groups]
        if not found:
            return np.empty(0), np.empty(0, dtype=np.int64)
        squares = np.concatenate([part[0] for part in found])
        rows = np.concatenate([part[1] for part in found])
        order = np.lexsort((rows, squares))
        return squares[order], rows[order]

    def count_within(self, at: At, chord: float) -> int:
        """How many lie within the chord (metres)."""
        if chord < 1:
            # SciPy's pruning loses the last bits of very small radii.
            return len(self.within(at, chord))
        return sum(
            group.tree.count(at, group.level, chord) - group.hidden_within(at, chord)
            for group in self.groups
        )


def counts_within(asked: Sequence[tuple[Selection, At, float]]) -> list[int]:
    """How many of each selection lie within the chord (metres) of the point, in one call of the tree.

    All selections are of one index.
    """
    counts = [0] * len(asked)
    owners, points, chords = [], [], []
    tree = None
    for n, (selection, at, chord) in enumerate(asked):
        if chord < 1:
            counts[n] = selection.count_within(at, chord)
            continue
        for group in selection.groups:
            tree = group.tree
            owners.append(n)
            points.append((*at, group.level))
            chords.append(chord)
            counts[n] -= group.hidden_within(at, chord)
    if tree is not None:
        for n, count in zip(owners, tree.counts(points, chords), strict=True):
            counts[n] += count
    return counts


class SpatialIndex:
    """All points of a release, ready for any choice of types.

    `modes` names the sets of type codes that get an R-tree of their own. Points must be finite.
    """

    def __init__(
        self,
        lat: Floats,
        lng: Floats,
        type_codes: NDArray[np.uint8],
        modes: Mapping[str, frozenset[int]],
    ) -> None:
        cloud = Cloud(ecef(lat, lng))
        self.xyz = cloud.xyz
        self._cloud = cloud
        if not np.isfinite(cloud.xyz).all():
            raise ValueError("a point without finite coordinates cannot be indexed")
        everything = np.arange(len(lat), dtype=np.int64)
        of_modes = [_rows_of(type_codes, types) for types in modes.values()]
        of_types = {int(code): _rows_of(type_codes, {code}) for code in np.unique(type_codes)}
        indexed = [everything, *of_modes]
        tree = GroupTree([*indexed, *of_types.values()], cloud.xyz)
        groups = [
            PointGroup(rows, cloud, tree, GroupTree.level(n), has_rtree=n < len(indexed))
            for n, rows in enumerate([*indexed, *of_types.values()])
        ]
        self._all = Selection(groups[:1])
        self._by_types = {
            types: Selection([group])
            for types, group in zip(modes.values(), groups[1:], strict=False)
        }
        self._single = dict(zip(of_types, groups[len(indexed) :], strict=True))

    @property
    def hidden(self) -> frozenset[int]:
        """Rows that are not to be found; another object whenever they change."""
        return self._cloud.hidden

    def hide(self, rows: Iterable[int]) -> None:
        """Find these rows no more, and all others again."""
        self._cloud.hidden = frozenset(rows)
        self._cloud.hidden_rows = np.array(sorted(self._cloud.hidden), dtype=np.int64)

    def select(self, types: frozenset[int] | None) -> Selection:
        """The points of some type codes; None means all of them."""
        if types is None:
            return self._all
        known = self._by_types.get(types)
        if known is not None:
            return known
        return Selection([self._single[code] for code in sorted(types) if code in self._single])


def _rows_of(type_codes: NDArray[np.uint8], types: Iterable[int]) -> Rows:
    return np.flatnonzero(np.isin(type_codes, list(types))).astype(np.int64)
