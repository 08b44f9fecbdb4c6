"""Points in the right state and the wrong town: the ZIP code and the city of the address agree
against them.

Publishers geocode "432 West 46th Street, New York" in Brooklyn, or give the middle of Manhattan for
a pantry on Staten Island. Such a point would send a family there.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd

from assets.geography.model import Geography
from assets.geography.points import Bools, Floats, PointIndex, Texts, folded, miles_between

# A ZIP code's point stands for an area about as wide as ZIP codes lie apart around it.
_SPACINGS = 3.0
_LEAST_SPACING_MILES = 1.0
_NEIGHBOURS = 3
# So many ZIP codes lie nearer to a stray point than its own, and none of them is of the city.
_NEARER = 8


class Strays:
    """Detects points that are in another town; indexes are built once."""

    def __init__(self, geography: Geography) -> None:
        zips = geography.zips
        usable = zips["lat"].notna() & ~zips["is_quality_low"].fillna(False).astype(bool)
        standard = zips[usable & zips["zip_kind"].eq("standard")]
        lat, lng = (standard[axis].to_numpy(dtype=float) for axis in ("lat", "lng"))
        self._names = folded(standard["place_name"]).to_numpy(dtype=object)
        self._index = PointIndex(lat, lng) if len(standard) > _NEARER else None
        self._sound = frozenset(zips.loc[usable, "zip"])

    def are(
        self, lat: Floats, lng: Floats, zips: Texts, zip_lat: Floats, zip_lng: Floats, city: Texts
    ) -> Bools:
        """Return which points lie elsewhere than a ZIP code (text and point) whose place is
        `city` (folded)."""
        found = np.zeros(len(lat), dtype=bool)
        if self._index is None:
            return found
        away = miles_between(lat, lng, zip_lat, zip_lng)
        far = np.flatnonzero(away > _SPACINGS * _LEAST_SPACING_MILES)
        far = far[[code in self._sound for code in zips[far]]] if len(far) else far
        if len(far) == 0:
            return found
        # The first of the nearest is the ZIP code itself, or one that stands for it.
        around, _ = self._index.nearest(zip_lat[far], zip_lng[far], _NEIGHBOURS + 1)
        far = far[away[far] > _SPACINGS * around[:, -1]]
        if len(far) == 0:
            return found
        miles, row = self._index.nearest(lat[far], lng[far], _NEARER)
        is_of_city = (self._names[row.astype(int)] == city[far, None]).any(axis=1)
        found[far] = (miles[:, -1] < away[far]) & ~is_of_city
        return found


@lru_cache(maxsize=2)
def strays_of(geography: Geography) -> Strays:
    """Return the strays of a geography, indexed once for all sources."""
    return Strays(geography)


def drop_strays(work: pd.DataFrame, geography: Geography) -> None:
    """Take the point from every row of `assets.geography.place_points` that has a stray one."""
    agrees = work["lat"].notna() & work["city"].eq(work["zip_city"]) & work["city"].ne("")
    agrees &= work["location_precision"].isin(["street", "rooftop"])
    agrees &= work["zip_state"].eq(work["state"])
    some = work[agrees]
    lat, lng, zip_lat, zip_lng = (
        some[name].to_numpy(dtype=float) for name in ("lat", "lng", "zip_lat", "zip_lng")
    )
    code, city = (some[name].to_numpy(dtype=object) for name in ("zip", "city"))
    index = some.index[strays_of(geography).are(lat, lng, code, zip_lat, zip_lng, city)]
    work.loc[index, ["lat", "lng"]] = np.nan
    work.loc[index, ["location_method", "location_precision"]] = None
