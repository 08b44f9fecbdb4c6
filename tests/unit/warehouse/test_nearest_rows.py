"""Our call of the R-tree beside rtree's own."""

from __future__ import annotations

import numpy as np
import pytest
from rtree.exceptions import RTreeError

from warehouse.index.nearest import NearestRows

CHANCE = np.random.default_rng(20261122)
POINTS = CHANCE.normal(size=(3_000, 3)) * 6e6


def test_finds_what_rtree_finds():
    rows = np.arange(0, 6_000, 2, dtype=np.int64)
    tree = NearestRows(rows, POINTS)
    for at in (CHANCE.normal(size=(200, 3)) * 6e6).tolist():
        for count in (1, 11, 256):
            assert sorted(tree.nearest(tuple(at), count)) == sorted(tree._tree.nearest(at, count))


def test_gives_all_that_share_the_last_distance():
    heap = np.repeat(POINTS[:1], 40, axis=0)
    tree = NearestRows(np.arange(40, dtype=np.int64), heap)
    assert sorted(tree.nearest(tuple(POINTS[0].tolist()), 3)) == list(range(40))


def test_asks_for_more_than_there_are():
    tree = NearestRows(np.arange(3, dtype=np.int64), POINTS[:3])
    assert sorted(tree.nearest((0.0, 0.0, 0.0), 10)) == [0, 1, 2]


def test_tells_of_a_failure_of_the_library():
    tree = NearestRows(np.arange(3, dtype=np.int64), POINTS[:3])
    tree._tree.close()
    with pytest.raises(RTreeError, match="NULL"):
        tree.nearest((0.0, 0.0, 0.0), 2)
