"""The spatial index against brute force, over the whole globe and with many equal points."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.values.coordinates import ecef, ecef_point, miles_to_chord
from tests.support.examples import examples
from warehouse.index.spatial import SpatialIndex, Within

PLACES = {
    "New York": (40.7157, -73.9863),
    "Fairbanks": (64.8378, -147.7164),
    "Adak": (51.88, -176.6581),
    "Attu, beyond 180 degrees": (52.9, 173.16),
    "Guam": (13.4443, 144.7937),
    "north pole": (90.0, 0.0),
    "south pole": (-90.0, 45.0),
    "on the antimeridian": (52.0, 180.0),
    "on the antimeridian, other sign": (52.0, -180.0),
}
MODES = {"a": frozenset({0, 1}), "b": frozenset({2})}

points = st.one_of(
    st.tuples(st.floats(-90, 90), st.floats(-180, 180)),
    st.sampled_from(list(PLACES.values())),
    st.tuples(
        st.integers(-2, 2).map(lambda n: 52 + n / 100),
        st.sampled_from([-180.0, -179.99, 180.0, 179.99]),
    ),
)
crowds = st.lists(st.tuples(points, st.integers(0, 3)), min_size=1, max_size=60)
selections = st.one_of(st.none(), st.frozensets(st.integers(0, 4), min_size=1))


def make(crowd: list[tuple[tuple[float, float], int]]) -> SpatialIndex:
    lat = np.array([p[0] for p, _ in crowd], dtype=float)
    lng = np.array([p[1] for p, _ in crowd], dtype=float)
    return index_of(lat, lng, np.array([t for _, t in crowd], dtype=np.uint8))


def index_of(lat, lng, types) -> SpatialIndex:
    return SpatialIndex(lat, lng, types, MODES)


def brute(
    crowd: list[tuple[tuple[float, float], int]],
    types: list[int],
    at: tuple[float, float, float],
    chord: float,
    wanted_types: frozenset[int] | None,
) -> list[tuple[float, int]]:
    hits = []
    for row, (x, y, z) in enumerate(ecef(*np.array([p for p, _ in crowd]).T).tolist()):
        dx, dy, dz = x - at[0], y - at[1], z - at[2]
        square = dx * dx + dy * dy + dz * dz
        if square <= chord * chord and (wanted_types is None or types[row] in wanted_types):
            hits.append((square, row))
    return sorted(hits)


@examples(300)
@given(
    crowd=crowds,
    at=points,
    count=st.integers(0, 80),
    miles=st.one_of(st.just(0.0), st.floats(0, 13_000)),
    types=selections,
)
def test_agrees_with_brute_force(crowd, at, count, miles, types):
    index, centre, chord = make(crowd), ecef_point(*at), miles_to_chord(miles)
    expected = brute(crowd, [t for _, t in crowd], centre, chord, types)
    selection = index.select(types)
    assert selection.within(centre, chord).hits() == expected
    assert selection.nearest(centre, count, chord) == expected[:count]
    assert selection.count(centre, chord) == len(expected)
    first = count // 3
    page = (len(expected), expected[first : first + count])
    assert selection.page(centre, chord, first, count) == page
    index.hide([0])
    hits_shown = [hit for hit in expected if hit[1]]
    page = (len(hits_shown), hits_shown[first : first + count])
    assert selection.page(centre, chord, first, count) == page
    assert selection.count(centre, chord) == len(hits_shown)
    assert selection.within(centre, chord).hits() == hits_shown
    index.hide([])
    assert selection.within(centre, chord).hits() == expected


@pytest.mark.parametrize("count", [1, 10, 299, 300, 301, 1000])
def test_hundreds_at_one_centroid_come_in_id_order(count):
    crowd = [((40.0, -75.0), row % 2) for row in range(300)] + [((40.1, -75.0), 0)] * 5
    hits = (
        make(crowd)
        .select(frozenset({0, 1}))
        .nearest(ecef_point(40.0, -75.1), count, miles_to_chord(50))
    )
    assert [row for _, row in hits] == list(range(min(count, 305)))


def test_points_without_coordinates_are_refused():
    with pytest.raises(ValueError, match="finite"):
        make([((math.nan, 0.0), 0)])


@pytest.mark.parametrize("hidden", [[], [5, 6, 7], list(range(60))])
def test_a_page_is_a_part_of_all_within(hidden):
    chance = np.random.default_rng(3)
    lat, lng = (
        np.round(chance.uniform(24, 50, 2000), 1),
        np.round(chance.uniform(-120, -70, 2000), 1),
    )
    index = index_of(lat, lng, chance.integers(0, 5, 2000).astype(np.uint8))
    index.hide(hidden)
    wanted_types = [
        index.select(types)
        for types in (None, MODES["a"], MODES["b"], frozenset({3}), frozenset({1, 4}))
    ]
    for _ in range(400):
        selection = wanted_types[chance.integers(5)]
        at = ecef_point(chance.uniform(24, 50), chance.uniform(-120, -70))
        chord = float(chance.choice([1e4, 1e5, 1e6, 1e7]))
        first, limit = int(chance.integers(0, 30)), int(chance.integers(1, 120))
        near, within = selection.page(at, chord, first, limit), selection.within(at, chord).hits()
        assert near == (len(within), within[first : first + limit])
        assert near[1] == selection.nearest(at, first + limit, chord)[first:]


def _city() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return 40,000 places of a city, many at one point, with 5,000 far from it, and their types."""
    chance = np.random.default_rng(11)
    lat = np.concatenate([chance.normal(40.7, 0.1, 40_000), chance.uniform(25, 49, 5_000)])
    lng = np.concatenate([chance.normal(-74, 0.1, 40_000), chance.uniform(-120, -70, 5_000)])
    crowded = chance.integers(0, 40_000, 3_000)
    lat[crowded], lng[crowded] = 40.72, -73.98
    return lat, lng, chance.integers(0, 4, len(lat)).astype(np.uint8)


CITY = _city()


@pytest.fixture(scope="module")
def city() -> SpatialIndex:
    return index_of(*CITY)


@examples(200)
@given(
    at=st.tuples(st.floats(40.3, 41.1), st.floats(-74.4, -73.6)),
    miles=st.one_of(st.floats(0, 60), st.just(500.0)),
    first=st.integers(0, 4_000),
    limit=st.integers(0, 200),
    types=st.sampled_from([None, MODES["a"], MODES["b"], frozenset({1, 3}), frozenset()]),
    hidden=st.sampled_from([0, 1, 500, 20_000]),
)
def test_a_page_of_a_dense_city_is_that_of_a_recount(city, at, miles, first, limit, types, hidden):
    """Far more pages than are measured one by one."""
    centre, chord = np.array(ecef_point(*at)), miles_to_chord(miles)
    lat, lng, all_types = CITY
    x, y, z = np.square(ecef(lat, lng) - centre).T
    squares = x + y + z
    is_shown = np.ones(len(lat), dtype=bool) if types is None else np.isin(all_types, list(types))
    is_shown[:hidden] = False
    rows = (is_shown & (squares <= chord * chord)).nonzero()[0]
    expected = rows[np.lexsort((rows, squares[rows]))][first : first + limit]
    city.hide(range(hidden))
    selection = city.select(types)
    total, hits = selection.page(tuple(centre), chord, first, limit)
    assert (total, selection.count(tuple(centre), chord)) == (len(rows), len(rows))
    assert hits == list(zip(squares[expected].tolist(), expected.tolist(), strict=True))


few_values = st.integers(0, 4)


@examples(200)
@given(
    hits=st.lists(st.tuples(few_values, few_values, few_values), max_size=60),
    count=st.integers(0, 70),
)
def test_the_first_by_keys_are_those_of_a_sorted_list(hits, count):
    rows = np.random.default_rng(len(hits)).permutation(len(hits))
    squares, key, higher_key = np.array(hits, dtype=float).reshape(-1, 3).T
    order = np.lexsort((rows, squares, key, higher_key))[:count]
    first = Within(squares, rows).first(count, key, higher_key)
    assert first.rows.tolist() == rows[order].tolist()
    assert first.squares.tolist() == squares[order].tolist()


def test_threads_may_ask_at_once():
    """Filtered searches come from threads."""
    chance = np.random.default_rng(7)
    lat, lng = chance.uniform(24, 50, 5000), chance.uniform(-120, -70, 5000)
    index = index_of(lat, lng, chance.integers(0, 4, 5000).astype(np.uint8))
    centres = [ecef_point(chance.uniform(24, 50), chance.uniform(-120, -70)) for _ in range(300)]

    def ask(at):
        selection = index.select(MODES["a"])
        return selection.nearest(at, 20, 1e7), selection.count(at, 3e5)

    alone = [ask(at) for at in centres]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, centres)) == alone


def test_an_index_without_places_has_nothing_near():
    index = index_of(np.empty(0), np.empty(0), np.empty(0, dtype=np.uint8))
    at = ecef_point(40.0, -75.0)
    for selection in (index.select(None), index.select(MODES["a"]), index.select(frozenset({9}))):
        assert (selection.nearest(at, 5, 1e7), selection.count(at, 1e7)) == ([], 0)
