import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from schemas.values.coordinates import (
    chord_to_miles,
    ecef,
    ecef_point,
    great_circle_miles,
    miles_to_chord,
    round_in_order,
    round_miles,
)
from tests.support.cases import labelled

_GEOD = Geod(ellps="WGS84")
LATS = st.floats(-89, 89)
LNGS = st.floats(-180, 180)


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("same point", (42.5, -70.9), (42.5, -70.9)),
        ("within a city", (40.7157, -73.9863), (40.7306, -73.9352)),
        ("Fairbanks", (64.84, -147.72), (64.75, -147.35)),
        ("across the antimeridian", (51.9, 179.6), (51.9, -179.6)),
        ("Guam to Rota", (13.44, 144.79), (14.15, 145.21)),
        ("Boston to New York", (42.36, -71.06), (40.71, -74.01)),
    ],
)
def test_distance_agrees_with_the_geodesic(
    name: str, start: tuple[float, float], end: tuple[float, float]
) -> None:
    exact = _GEOD.inv(start[1], start[0], end[1], end[0])[2] / 1609.344
    assert great_circle_miles(*start, *end) == pytest.approx(exact, abs=0.001)


@given(LATS, LNGS, LATS, LNGS)
def test_one_pair_and_arrays_agree(lat1: float, lng1: float, lat2: float, lng2: float) -> None:
    one = great_circle_miles(lat1, lng1, lat2, lng2)
    many = great_circle_miles(lat1, lng1, np.array([lat2, lat1]), np.array([lng2, lng1]))
    # Near the far side of the earth the arc of a rounded chord loses digits.
    assert many[0] == pytest.approx(one, abs=0.01)
    assert many[1] == pytest.approx(0, abs=1e-6)
    assert ecef(lat1, lng1) == pytest.approx(np.array(ecef_point(lat1, lng1)), abs=1e-6)


@given(st.floats(0, 6000))
def test_chord_and_arc_are_inverse(miles: float) -> None:
    assert chord_to_miles(miles_to_chord(miles)) == pytest.approx(miles, abs=1e-6)


def test_no_arc_is_longer_than_half_the_earth() -> None:
    assert chord_to_miles(miles_to_chord(1e9)) == pytest.approx(math.pi * 6371008.8 / 1609.344)


def test_shape_of_many_points() -> None:
    assert ecef([10.0, 20.0, 30.0], [1.0, 2.0, 3.0]).shape == (3, 3)


@labelled("miles, precision, expected")
def test_round_miles(miles: float, precision: str, expected: float) -> None:
    assert round_miles(miles, precision) == expected


@labelled("places, miles_shown")
def test_a_list_reads_in_order(places: list[tuple[float, str]], miles_shown: list[float]) -> None:
    rounded = round_in_order([miles for miles, _ in places], [precision for _, precision in places])
    assert rounded == miles_shown


@given(
    st.lists(
        st.tuples(
            st.floats(0, 600), st.sampled_from(["rooftop", "street", "zip", "county", "city"])
        )
    )
)
def test_rounding_preserves_the_order_of_distances(places: list[tuple[float, str]]) -> None:
    rounded = round_in_order([miles for miles, _ in places], [precision for _, precision in places])
    order = sorted(range(len(places)), key=lambda place: places[place][0])
    assert [rounded[place] for place in order] == sorted(rounded)
    exact = [n for n, (_, precision) in enumerate(places) if precision in ("rooftop", "street")]
    assert [rounded[n] for n in exact] == [round_miles(*places[n]) for n in exact]
