"""Who is near: exact nearest, within and count over points on the WGS84 ellipsoid.

Points are indexed as earth-centred metres (ECEF) in three dimensions, so there is no seam at 180
degrees and no pole. Neighbours rank by chord, which orders like the geodesic at the distances
people search.

R-trees answer "nearest" for one point; one k-d tree beside them answers "how many" and "all
within", and everything that is asked for many points together (`warehouse.index.spatial_batch`):
SciPy lets other threads in for every call, and handing the interpreter to and fro costs more than
to count. An R-tree may not be called by two threads at once: the service calls it from its event
loop only. Building one in another thread while the loop queries another is safe.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from schemas.values.coordinates import ecef
from warehouse.index.nearest import NearestRows

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
At = tuple[float, float, float]
# Squared chord (square metres) and row.
Hit = tuple[float, int]

# Beyond this many, gathering all within the radius and sorting is quicker than asking for the
# nearest.
_MANY = 256
# Two chords closer than this (metres) count as a possible tie and are compared exactly.
_TIE = 1e-3
# Groups lie so far apart (metres) in the k-d tree: no chord of the earth leads from one to the
# next. At the last of some forty, numbers of that size are still told apart to a thousandth of a
# millimetre.
_APART = float(1 << 25)
_point_at = struct.Struct("=ddd").unpack_from


class Cloud:
    """All points of the directory: earth-centred metres by row, as an array and as single numbers."""

    def __init__(self, xyz: Floats) -> None:
        self.xyz = np.ascontiguousarray(xyz)
        # Plain Python numbers out of the same memory: cheaper than NumPy's own for a handful of
        # rows.
        self.packed = self.xyz.reshape(-1).data.cast("B")
        # Rows that are not to be found, and the same sorted; nearly always none.
        self.hidden: frozenset[int] = frozenset()
        self.hidden_rows: Rows = np.empty(0, dtype=np.int64)

    def is_shown(self, rows: Rows) -> NDArray[np.bool_]:
        """Which rows may be found."""
        return ~np.isin(rows, self.hidden_rows)


class GroupTree:
    """One k-d tree over groups of rows (a row may be in several), which lie side by side along the
    first axis.

    A group is named by its `shift` (metres), which is added to the first coordinate of all its
    points.
    """

    def __init__(self, groups: Sequence[Rows], xyz: Floats) -> None:
        self._rows = np.concatenate([np.empty(0, dtype=np.int64), *groups])
        self._xyz = xyz
        shifted = xyz[self._rows]
        shifted[:, 0] += np.repeat(
            [self.shift(n) for n in range(len(groups))], [len(g) for g in groups]
        )
        self._tree = cKDTree(shifted, leafsize=32)

    @staticmethod
    def shift(number: int) -> float:
        """Where the group of this number lies (metres)."""
        return number * _APART

    def nearest(
        self, points: Sequence[At], shifts: Sequence[float], counts: Sequence[int]
    ) -> list[list[Hit]]:
        """As many nearest rows of each point's group as its count says, by distance, then by row.

        The group must have as many. All are looked for in one call, with the effort for the largest
        count.
        """
        at = np.array(points)
        _, found = self._tree.query(_shifted(points, shifts), max(counts))
        rows = self._rows[found.reshape(len(points), -1)]
        offsets = self._xyz[rows] - at[:, None]
        # Summed in the order of `PointGroup._nearest`: equal points must get equal distances.
        squares = offsets[..., 0] ** 2 + offsets[..., 1] ** 2 + offsets[..., 2] ** 2
        told = zip(squares.tolist(), rows.tolist(), counts, strict=True)
        return [sorted(zip(near[:count], own[:count], strict=True)) for near, own, count in told]

    def within(self, at: At, shift: float, chord: float) -> Rows:
        """The rows of a group within the chord (metres), in no order."""
        x, y, z = at
        rows: Rows = self._rows[self._tree.query_ball_point((x + shift, y, z), chord)]
        return rows

    def count(self, at: At, shift: float, chord: float) -> int:
        """How many rows of a group lie within the chord (metres)."""
        return self.counts([at], [shift], [chord])[0]

    def counts(
        self, points: Sequence[At], shifts: Sequence[float], chords: Sequence[float]
    ) -> list[int]:
        """How many rows of the group lie within the chord (metres), for each point."""
        found = self._tree.query_ball_point(_shifted(points, shifts), chords, return_length=True)
        counts: list[int] = found.tolist()
        return counts


def _shifted(points: Sequence[At], shifts: Sequence[float]) -> list[At]:
    return [(x + shift, y, z) for (x, y, z), shift in zip(points, shifts, strict=True)]


class PointGroup:
    """Some rows of the directory, indexed; `rows` ascend. `shift` finds them in the tree of all
    groups.

    Without `has_rtree` the k-d tree also answers "nearest": for groups that are seldom asked for.
    """

    def __init__(
        self, rows: Rows, cloud: Cloud, tree: GroupTree, shift: float, *, has_rtree: bool
    ) -> None:
        self._rows = rows
        self._cloud = cloud
        self.tree = tree
        self.shift = shift
        self._rtree = NearestRows(rows, cloud.xyz[rows]) if has_rtree and len(rows) else None

    def __len__(self) -> int:
        return len(self._rows)

    def nearest(self, at: At, count: int, chord: float) -> list[Hit]:
        """The `count` nearest within the chord (metres), by distance, then by row."""
        if count <= 0 or not len(self):
            return []
        if needed := self.needs(count):
            return self.settled(self._nearest(at, needed), at, count, chord)
        return self._shown(self._within(at, chord, count + len(self._cloud.hidden)), count)

    def needs(self, count: int) -> int:
        """How many nearest rows tell the `count` nearest that may be found; 0: it is quicker to
        measure all within.
        """
        count += len(self._cloud.hidden)
        return 0 if count >= _MANY or count >= len(self) else count + 1

    def settled(self, hits: list[Hit], at: At, count: int, chord: float) -> list[Hit]:
        """What `nearest` answers, from as many nearest rows as it `needs`, by distance, then by
        row.
        """
        return self._shown(self._settled(hits, at, count + len(self._cloud.hidden), chord), count)

    def _shown(self, hits: list[Hit], count: int) -> list[Hit]:
        hidden = self._cloud.hidden
        return [hit for hit in hits if hit[1] not in hidden][:count] if hidden else hits

    def _settled(self, hits: list[Hit], at: At, count: int, chord: float) -> list[Hit]:
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
        rows = self.tree.within(at, self.shift, chord + _TIE)
        offsets = self._cloud.xyz[rows] - at
        # Summed in the order of `_nearest`: equal points must get equal distances.
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

    def _nearest(self, at: At, count: int) -> list[Hit]:
        if self._rtree is None:
            return self.tree.nearest([at], [self.shift], [count])[0]
        ax, ay, az = at
        packed, point_at = self._cloud.packed, _point_at
        hits: list[Hit] = []
        for row in self._rtree.nearest(at, count):
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
            group.tree.count(at, group.shift, chord) - group.hidden_within(at, chord)
            for group in self.groups
        )


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
            PointGroup(rows, cloud, tree, GroupTree.shift(n), has_rtree=n < len(indexed))
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
