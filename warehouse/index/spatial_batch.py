"""Who is near many points, asked together: one call of the k-d tree for all of them to count, and
one to find.

A call costs as much as ten points of it, and lets other threads in, which costs more (see
`warehouse.index.spatial`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from warehouse.index.spatial import At, GroupTree, Hit, PointGroup, Selection

# The effort is that for the largest number in the call: whoever wants more than this asks alone.
_MOST_TOGETHER = 40


class Sought(NamedTuple):
    """Who lies within the chord (metres) of a point: the `limit` nearest after `offset` others."""

    selection: Selection
    at: At
    chord: float
    offset: int
    limit: int


class Near(NamedTuple):
    """How many there are in all, and those sought, by distance, then by row."""

    total: int
    hits: list[Hit]


def counts_within(asked: Sequence[tuple[Selection, At, float]]) -> list[int]:
    """How many of each selection lie within the chord (metres) of the point. All selections are of
    one index.
    """
    counts = [0] * len(asked)
    owners, points, shifts, chords = [], [], [], []
    tree = None
    for n, (selection, at, chord) in enumerate(asked):
        if chord < 1:
            counts[n] = selection.count_within(at, chord)
            continue
        for group in selection.groups:
            tree = group.tree
            owners.append(n)
            points.append(at)
            shifts.append(group.shift)
            chords.append(chord)
            counts[n] -= group.hidden_within(at, chord)
    if tree is not None:
        for n, count in zip(owners, tree.counts(points, shifts, chords), strict=True):
            counts[n] += count
    return counts


def near_together(asked: Sequence[Sought]) -> list[Near]:
    """What is sought, for each of those who ask. All selections are of one index."""
    totals = counts_within([(sought.selection, sought.at, sought.chord) for sought in asked])
    found: list[list[Hit]] = [[] for _ in asked]
    batch: list[tuple[int, PointGroup, int]] = []
    for n, (selection, at, chord, offset, limit) in enumerate(asked):
        if offset >= totals[n]:
            continue
        group = selection.groups[0]
        needed = group.needs(offset + limit) if len(selection.groups) == 1 else 0
        if 0 < needed <= _MOST_TOGETHER:
            batch.append((n, group, needed))
        else:
            found[n] = selection.nearest(at, offset + limit, chord)[offset:]
    if batch:
        for (n, group, _), hits in zip(batch, _nearest(asked, batch), strict=True):
            _, at, chord, offset, limit = asked[n]
            found[n] = group.settled(hits, at, offset + limit, chord)[offset:]
    return [Near(total, hits) for total, hits in zip(totals, found, strict=True)]


def _nearest(
    asked: Sequence[Sought], batch: Sequence[tuple[int, PointGroup, int]]
) -> list[list[Hit]]:
    tree: GroupTree = batch[0][1].tree
    return tree.nearest(
        [asked[n].at for n, *_ in batch],
        [group.shift for _, group, _ in batch],
        [needed for *_, needed in batch],
    )
