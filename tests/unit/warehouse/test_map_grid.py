"""Clusters against brute force: every place of a view is in exactly one of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from warehouse.index.map_grid import SINGLE, Box, MapGrid, MapPoints
from warehouse.index.map_order import FINEST, map_order, read_map_order, write_map_order

RNG = np.random.default_rng(20261101)
MODES = 3


def _some(count, south, north, west, east):
    return RNG.uniform(south, north, count), RNG.uniform(west, east, count)


# The mainland, a city, Alaska on both sides of the antimeridian, Guam, Samoa, the poles, a heap at
# one point.
_PARTS = [
    _some(1500, 25, 49, -124, -67),
    _some(800, 40.6, 40.9, -74.1, -73.8),
    _some(200, 51, 71, -179.9, -130),
    _some(40, 51.2, 53.2, 172, 179.9),
    _some(60, 13.2, 13.7, 144.6, 145.0),
    _some(30, -14.4, -14.1, -170.9, -169.4),
    (np.array([90.0, -90.0, 0.0, 85.2]), np.array([0.0, 0.0, -180.0, 180.0])),
    (np.full(40, 35.0), np.full(40, -100.0)),
]
LAT, LNG = (np.concatenate(part) for part in zip(*_PARTS, strict=True))
MODE = RNG.integers(0, MODES, len(LAT)).astype(np.uint8)
POINTS = MapPoints(map_order(LAT, LNG), LAT, LNG, MODE, MODES)
ALL, ODD = MapGrid(POINTS), MapGrid(POINTS, MODE == 1)

latitudes = st.one_of(st.floats(-90, 90), st.floats(24, 72), st.sampled_from([float(LAT[0]), 35.0]))
longitudes = st.one_of(
    st.floats(-180, 180), st.sampled_from([-180.0, 180.0, float(LNG[0]), -100.0, 179.0, -179.0])
)
boxes = st.builds(
    lambda w, e, one, two: Box(w, min(one, two), e, max(one, two)),
    longitudes,
    longitudes,
    latitudes,
    latitudes,
)
levels = st.integers(0, SINGLE)


def in_box(box, lat, lng):
    across = (
        box.west <= lng <= box.east if box.west <= box.east else lng >= box.west or lng <= box.east
    )
    return across and box.south <= lat <= box.north


def rows_in(box, only=None):
    return [
        row
        for row, at in enumerate(zip(LAT, LNG, strict=True))
        if in_box(box, *at) and (only is None or MODE[row] == only)
    ]


@examples(150)
@given(box=boxes, level=levels, most=st.sampled_from([3, 40, 500, 5000]))
def test_a_view_has_every_place_once(box, level, most):
    for grid, only in ((ALL, None), (ODD, 1)):
        cells, level_used = grid.in_box(box, level, most)
        rows = rows_in(box, only)
        assert int(cells.counts.sum()) == len(rows)
        assert cells.modes.sum(axis=0).tolist() == np.bincount(MODE[rows], minlength=MODES).tolist()
        assert cells.size <= most
        assert level_used <= level
        singles = grid.rows_of(cells.first[cells.counts == 1])
        assert set(singles) <= set(rows)
        assert len(set(singles)) == len(singles)
        assert (cells.west <= cells.lng + 1e-9).all()
        assert (cells.lng <= cells.east + 1e-9).all()
        for south, north, west, east in zip(
            cells.south, cells.north, cells.west, cells.east, strict=True
        ):
            assert in_box(box, south, west)
            assert in_box(box, north, east)


NAMED = {
    "the world": Box(-180, -90, 180, 90),
    "the mainland": Box(-125, 24, -66, 50),
    "across the antimeridian": Box(170, 50, -130, 72),
    "nearly round the world": Box(-99.9, -90, -100.1, 90),
    "Guam": Box(144, 13, 146, 14),
    "the city": Box(-74.05, 40.65, -73.9, 40.8),
    "nothing": Box(10, 40, 20, 50),
    "one point": Box(-100, 35, -100, 35),
}


@pytest.mark.parametrize("box", NAMED.values(), ids=NAMED)
@pytest.mark.parametrize("level", [0, 2, 6, 11, 12, 16, FINEST, SINGLE])
def test_counts_of_named_views(box, level):
    cells, _ = ALL.in_box(box, level, 10_000)
    assert int(cells.counts.sum()) == len(rows_in(box))


@pytest.mark.parametrize("zoom", [0, 1, 3, 6, 10])
def test_tiles_part_the_places(zoom):
    """The tiles of a zoom have every place once at any level."""
    size = 1 << zoom
    across = np.minimum(((LNG + 180) / 360 * size).astype(int), size - 1)
    total, counts = 0, np.bincount(across, minlength=size)
    for x in np.flatnonzero(counts).tolist():
        in_column = 0
        for y in range(size) if zoom < 5 else _rows_of_tiles(zoom, x):
            cells, _ = ALL.in_tile(zoom, x, y, min(zoom + 2, SINGLE), 5000)
            in_column += int(cells.counts.sum())
        assert in_column == counts[x]
        total += in_column
    assert total == len(LAT)


def _rows_of_tiles(zoom, x):
    size = 1 << zoom
    sine = np.sin(np.radians(np.clip(LAT, -85.0511287798066, 85.0511287798066)))
    down = np.clip(
        ((0.5 - np.log((1 + sine) / (1 - sine)) / (4 * np.pi)) * size).astype(int), 0, size - 1
    )
    across = np.minimum(((LNG + 180) / 360 * size).astype(int), size - 1)
    return sorted(set(down[across == x].tolist()))


def test_a_tile_equals_its_four_parts():
    for zoom, x, y in ((4, 4, 6), (8, 75, 96), (11, 602, 769)):
        whole = ALL.in_tile(zoom, x, y, zoom + 2, 5000)[0]
        parts = [
            ALL.in_tile(zoom + 1, 2 * x + i, 2 * y + j, zoom + 3, 5000)[0]
            for i in (0, 1)
            for j in (0, 1)
        ]
        assert int(whole.counts.sum()) == sum(int(part.counts.sum()) for part in parts)


def test_a_cluster_parts_at_the_level_it_names():
    world = NAMED["the world"]
    cells, _ = ALL.in_box(world, 5, 10_000)
    for cell in np.flatnonzero(cells.counts > 1).tolist():
        box = Box(
            *(float(column[cell]) for column in (cells.west, cells.south, cells.east, cells.north))
        )
        # Other cells' places may lie in the same box; the cell's own are found by its count.
        splits = int(cells.splits[cell])
        assert ALL.in_box(box, splits, 10_000)[0].size > 1
        if splits <= FINEST:
            assert splits > 5


def test_places_at_one_point_part_only_as_single_places():
    point = NAMED["one point"]
    heap, _ = ALL.in_box(point, FINEST, 100)
    assert (heap.size, heap.counts.tolist(), heap.splits.tolist()) == (1, [40], [SINGLE])
    assert ALL.in_box(point, SINGLE, 100)[0].size == 40
    assert ALL.in_box(point, SINGLE, 39)[0].counts.tolist() == [40], "too many: gathered again"


def test_no_places():
    none = np.empty(0)
    empty = MapGrid(MapPoints(map_order(none, none), none, none, none.astype(np.uint8), MODES))
    for level in (3, 15, SINGLE):
        assert empty.in_box(NAMED["the world"], level, 10)[0].size == 0
        assert empty.in_tile(1, 0, 0, level, 10)[0].size == 0


@pytest.mark.parametrize("is_stored", {"stored": True, "of an earlier version": False}.values())
def test_the_order_of_a_release_is_that_of_its_points(tmp_path, is_stored):
    if is_stored:
        write_map_order(LAT, LNG, tmp_path)
    order, expected = read_map_order(tmp_path, LAT, LNG), map_order(LAT, LNG)
    assert (order.keys.tolist(), order.rows.tolist()) == (
        expected.keys.tolist(),
        expected.rows.tolist(),
    )
    assert sorted(expected.rows.tolist()) == list(range(len(LAT)))
