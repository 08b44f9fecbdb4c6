"""Points on the WGS84 ellipsoid: earth-centred coordinates, distances, and how exactly to state
them.

Distances are great-circle arcs over the chord between earth-centred points. The arc agrees with the
geodesic to 0.0001 miles at 150 miles and 0.004 at 500, has no special case at the poles or the
antimeridian, and ranks as the chord ranks, so one spatial index in meters answers every question.
"""

import math
from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from schemas.vocab.statuses import EXACT_PRECISIONS

Floats = NDArray[np.float64]

SEMI_MAJOR_AXIS_M = 6378137.0
ECCENTRICITY_SQUARED = 6.69437999014e-3
MEAN_RADIUS_M = 6371008.8
METRES_PER_MILE = 1609.344

_EXACT = frozenset(EXACT_PRECISIONS)


def ecef(lat: ArrayLike, lng: ArrayLike) -> Floats:
    """Return earth-centred meters, shape (n, 3), of n points in degrees at height 0."""
    phi, lam = np.radians(np.asarray(lat, float)), np.radians(np.asarray(lng, float))
    normal = SEMI_MAJOR_AXIS_M / np.sqrt(1 - ECCENTRICITY_SQUARED * np.sin(phi) ** 2)
    return np.stack(
        [
            normal * np.cos(phi) * np.cos(lam),
            normal * np.cos(phi) * np.sin(lam),
            normal * (1 - ECCENTRICITY_SQUARED) * np.sin(phi),
        ],
        axis=-1,
    )


def ecef_point(lat: float, lng: float) -> tuple[float, float, float]:
    """Return earth-centred meters of one point; `ecef` without the cost of an array."""
    phi, lam = math.radians(lat), math.radians(lng)
    sine, cosine = math.sin(phi), math.cos(phi)
    normal = SEMI_MAJOR_AXIS_M / math.sqrt(1 - ECCENTRICITY_SQUARED * sine * sine)
    return (
        normal * cosine * math.cos(lam),
        normal * cosine * math.sin(lam),
        normal * (1 - ECCENTRICITY_SQUARED) * sine,
    )


@overload
def chord_to_miles(chord_m: float) -> float: ...
@overload
def chord_to_miles(chord_m: Floats) -> Floats: ...
def chord_to_miles(chord_m: float | Floats) -> float | Floats:
    """Convert a straight chord in meters to great-circle miles."""
    if isinstance(chord_m, np.ndarray):
        arc = 2 * MEAN_RADIUS_M * np.arcsin(np.clip(chord_m / (2 * MEAN_RADIUS_M), 0, 1))
        return np.asarray(arc / METRES_PER_MILE)
    half = min(chord_m / (2 * MEAN_RADIUS_M), 1.0)
    return 2 * MEAN_RADIUS_M * math.asin(half) / METRES_PER_MILE


def miles_to_chord(miles: float) -> float:
    """Convert great-circle miles to the chord in meters."""
    half_angle = min(miles * METRES_PER_MILE / (2 * MEAN_RADIUS_M), math.pi / 2)
    return 2 * MEAN_RADIUS_M * math.sin(half_angle)


@overload
def great_circle_miles(lat1: float, lng1: float, lat2: float, lng2: float) -> float: ...
@overload
def great_circle_miles(lat1: Floats, lng1: Floats, lat2: Floats, lng2: Floats) -> Floats: ...
@overload
def great_circle_miles(lat1: float, lng1: float, lat2: Floats, lng2: Floats) -> Floats: ...
def great_circle_miles(
    lat1: float | Floats, lng1: float | Floats, lat2: float | Floats, lng2: float | Floats
) -> float | Floats:
    """Return miles between points in degrees: pairs, arrays, or point and array."""
    if any(isinstance(value, np.ndarray) for value in (lat1, lng1, lat2, lng2)):
        chords: Floats = np.linalg.norm(ecef(lat1, lng1) - ecef(lat2, lng2), axis=-1)
        return chord_to_miles(chords)
    chord = math.dist(ecef_point(float(lat1), float(lng1)), ecef_point(float(lat2), float(lng2)))
    return chord_to_miles(chord)


def round_miles(miles: float, precision: str) -> float:
    """Round a distance to the precision of the point it is measured to, never below one step.

    rooftop, street: 0.1 mile below 10 miles, whole miles beyond. zip: whole miles. county, city and
    anything else: steps of 5 miles. The smallest answer is one step, "this near or nearer": 0.04
    miles is 0.1, and half a mile to the middle of a ZIP area is 1, because 0 would claim to be on
    the spot. Filtering and ranking use the unrounded distance.
    """
    if precision in _EXACT:
        return max(round(miles, 1), 0.1) if miles < 9.95 else float(round(miles))
    step = 1 if precision == "zip" else 5
    return float(max(round(miles / step) * step, step))


def round_in_order(miles: Sequence[float], precisions: Sequence[str]) -> list[float]:
    """Round the distances of one list with `round_miles`, never showing a farther place as nearer.

    A coarse point's distance is moved, where its rounding would break the order, to the rounded
    distance of its nearer or farther neighbor: 7.0, 7.1 (to a county), 7.5 is shown as 7.0, 7.0,
    7.5 and not 7.0, 5.0, 7.5.
    """
    rounded = [
        round_miles(away, precision) for away, precision in zip(miles, precisions, strict=True)
    ]
    if _EXACT.issuperset(precisions):
        return rounded
    order = sorted(range(len(miles)), key=miles.__getitem__)
    ceiling = math.inf
    for place in reversed(order):
        if precisions[place] in _EXACT:
            ceiling = rounded[place]
        rounded[place] = min(rounded[place], ceiling)
    floor = 0.0
    for place in order:
        floor = rounded[place] = max(rounded[place], floor)
    return rounded
