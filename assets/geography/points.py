"""Computes on arrays of points: distances, nearest ZIP codes, time zones."""

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.spatial import cKDTree
from tzfpy import get_tz

from schemas.values.coordinates import chord_to_miles, ecef, miles_to_chord
from schemas.values.names import fold_name

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Texts = npt.NDArray[np.object_]
Rows = npt.NDArray[np.int64]

_MERCATOR_RADIUS_M = 6378137.0


def miles_between(lat: Floats, lng: Floats, lat2: Floats, lng2: Floats) -> Floats:
    """Return great-circle miles between pairs of points; NaN where a point is missing."""
    chord = np.linalg.norm(ecef(lat, lng) - ecef(lat2, lng2), axis=-1)
    return chord_to_miles(np.asarray(chord))


class PointIndex:
    """Nearest-neighbor search over reference points, exact across the date line."""

    def __init__(self, lat: Floats, lng: Floats) -> None:
        self._tree = cKDTree(ecef(lat, lng))

    def nearest(self, lat: Floats, lng: Floats, count: int = 1) -> tuple[Floats, Floats]:
        """Return (miles, row) of the `count` nearest reference points, each of shape (n, count)."""
        chord, row = self._tree.query(ecef(lat, lng), k=np.arange(1, count + 1))
        return chord_to_miles(np.asarray(chord)), row

    def pairs_within(self, miles: float) -> Rows:
        """Return pairs of reference points within a distance, shape (n, 2), smaller row first."""
        pairs = self._tree.query_pairs(miles_to_chord(miles), output_type="ndarray")
        return np.asarray(pairs, dtype=np.int64)


def mercator_as_degrees(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return (lat, lng) of Web Mercator meters (EPSG:3857)."""
    lat = np.degrees(2 * np.arctan(np.exp(np.clip(y / _MERCATOR_RADIUS_M, -20, 20))) - np.pi / 2)
    return lat, np.degrees(x / _MERCATOR_RADIUS_M)


def timezones_at(lat: Floats, lng: Floats) -> Texts:
    """Return each point's IANA zone, None without a point; equal points are looked up once."""
    frame = pd.DataFrame({"lat": lat, "lng": lng})
    unique = frame.drop_duplicates().dropna()
    zones = [get_tz(x, y) or None for x, y in zip(unique["lng"], unique["lat"], strict=True)]
    zone_of_point = unique.assign(zone=np.array(zones, dtype=object))
    merged = frame.merge(zone_of_point, on=["lat", "lng"], how="left")["zone"]
    return np.asarray(merged.astype(object).where(merged.notna(), None), dtype=object)


def fold_names(names: pd.Series) -> pd.Series:
    """Return names folded for comparison, missing as ""; each distinct name is folded once."""
    codes, unique = pd.factorize(names)
    # Python iterates over Arrow's texts twenty times slower than over its own.
    folded = (fold_name(str(name)) for name in np.asarray(unique, dtype=object))
    table = np.array([*folded, ""], dtype=object)
    return pd.Series(table[codes], index=names.index, dtype="str")
