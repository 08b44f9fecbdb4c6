"""Finds points in the right state but the wrong town, contradicted by both ZIP code and city.

Publishers geocode "432 West 46th Street, New York" in Brooklyn, or give the middle of Manhattan for
a pantry on Staten Island. Such a point would send a family there.
"""

from functools import lru_cache

import numpy as np
import pandas as pd

from assets.geography.model import Geography
from assets.geography.points import Bools, Floats, PointIndex, Texts, fold_names, miles_between

# A ZIP code's point represents an area about as wide as the distance to neighbouring ZIP codes.
_SPACINGS = 3.0
_LEAST_SPACING_MILES = 1.0
_NEIGHBOURS = 3
# A point farther from its ZIP code's point than this, and than that area is wide, is in another
# one.
MAX_ZIP_MILES = 50.0
# This many ZIP codes are nearer to a stray point than its own, and none of them is of the city.
_NEARER = 8


class Strays:
    """Detects points in another town; indexes are built once."""

    def __init__(self, geography: Geography) -> None:
        zips = geography.zips
        usable = zips["lat"].notna() & ~zips["is_quality_low"].fillna(False).astype(bool)
        standard = zips[usable & zips["zip_kind"].eq("standard")]
        lat, lng = (standard[axis].to_numpy(dtype=float) for axis in ("lat", "lng"))
        self._names = fold_names(standard["place_name"]).to_numpy(dtype=object)
        self._index = PointIndex(lat, lng) if len(standard) > _NEARER else None
        self._sound = frozenset(zips.loc[usable, "zip"].astype(object))

    def are(
        self, lat: Floats, lng: Floats, zips: Texts, zip_lat: Floats, zip_lng: Floats, city: Texts
    ) -> Bools:
        """Return whether points are outside a ZIP code whose place is `city` (folded)."""
        is_stray = np.zeros(len(lat), dtype=bool)
        if self._index is None:
            return is_stray
        away = miles_between(lat, lng, zip_lat, zip_lng)
        far = np.flatnonzero(away > _SPACINGS * _LEAST_SPACING_MILES)
        far = far[[code in self._sound for code in zips[far]]] if len(far) else far
        if len(far) == 0:
            return is_stray
        # The first of the nearest is the ZIP code itself, or its representative.
        around, _ = self._index.nearest(zip_lat[far], zip_lng[far], _NEIGHBOURS + 1)
        far = far[away[far] > _SPACINGS * around[:, -1]]
        if len(far) == 0:
            return is_stray
        miles, row = self._index.nearest(lat[far], lng[far], _NEARER)
        is_of_city = (self._names[row.astype(int)] == city[far, None]).any(axis=1)
        is_stray[far] = (miles[:, -1] < away[far]) & ~is_of_city
        return is_stray

    def far_from_zip(
        self, lat: Floats, lng: Floats, zip_lat: Floats, zip_lng: Floats
    ) -> tuple[Bools, list[set[str]]]:
        """Return which points are far outside the area of their ZIP code, and for those the places
        (folded names) of the ZIP codes around the point."""
        is_far = miles_between(lat, lng, zip_lat, zip_lng) > MAX_ZIP_MILES
        if self._index is None or not is_far.any():
            return np.zeros(len(lat), dtype=bool), []
        rows = np.flatnonzero(is_far)
        around, _ = self._index.nearest(zip_lat[rows], zip_lng[rows], _NEIGHBOURS + 1)
        away = miles_between(lat[rows], lng[rows], zip_lat[rows], zip_lng[rows])
        is_far[rows] = away > _SPACINGS * around[:, -1]
        _, near = self._index.nearest(lat[is_far], lng[is_far], _NEARER)
        return is_far, [set(self._names[each.astype(int)]) for each in near]


@lru_cache(maxsize=2)
def strays_of(geography: Geography) -> Strays:
    """Return the strays of a geography, indexed once for all sources."""
    return Strays(geography)


def settle_far_points(work: pd.DataFrame, geography: Geography) -> None:
    """Settle rows of `assets.geography.place_points` whose point is far outside the area of their
    ZIP code: if the city is that of the point, the ZIP code is dropped; if it is of neither, or the
    point represents only a ZIP code, the point is dropped. In wide areas a street may be far from
    the middle of its own ZIP code: `drop_strays` decides."""
    has_both = work["lat"].notna() & work["zip_lat"].notna() & work["reject_reason"].isna()
    some = work[has_both & work["zip_state"].eq(work["state"])]
    lat, lng, zip_lat, zip_lng = (
        some[name].to_numpy(dtype=float) for name in ("lat", "lng", "zip_lat", "zip_lng")
    )
    is_far, names = strays_of(geography).far_from_zip(lat, lng, zip_lat, zip_lng)
    if not is_far.any():
        return
    rows = some.index[is_far]
    city = work.loc[rows, "city"]
    by_point = [name != "" and name in near for name, near in zip(city, names, strict=True)]
    by_zip = city.eq(work.loc[rows, "zip_city"]).to_numpy()
    is_wrong_zip = np.array(by_point, dtype=bool) & ~by_zip
    is_street = work.loc[rows, "location_precision"].isin(["street", "rooftop"]).to_numpy()
    wrong = rows[is_wrong_zip]
    work.loc[wrong, ["zip", "zip_state", "zip_county_fips", "zip_timezone"]] = None
    work.loc[wrong, ["zip_lat", "zip_lng"]] = np.nan
    work.loc[wrong, "zip_city"] = ""
    stray = rows[~is_wrong_zip & ~(by_zip & is_street)]
    work.loc[stray, ["lat", "lng"]] = np.nan
    work.loc[stray, ["location_method", "location_precision"]] = None


def drop_strays(work: pd.DataFrame, geography: Geography) -> None:
    """Remove stray points from rows of `assets.geography.place_points`."""
    agrees = work["lat"].notna() & work["city"].eq(work["zip_city"]) & work["city"].ne("")
    agrees &= work["location_precision"].isin(["street", "rooftop"])
    agrees &= work["zip_state"].eq(work["state"])
    some = work[agrees]
    lat, lng, zip_lat, zip_lng = (
        some[name].to_numpy(dtype=float) for name in ("lat", "lng", "zip_lat", "zip_lng")
    )
    code, city = (some[name].to_numpy(dtype=object) for name in ("zip", "city"))
    is_stray = strays_of(geography).are(lat, lng, code, zip_lat, zip_lng, city)
    if is_stray.any():
        index = some.index[is_stray]
        work.loc[index, ["lat", "lng"]] = np.nan
        work.loc[index, ["location_method", "location_precision"]] = None
