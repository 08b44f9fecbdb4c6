"""Settles points that contradict the ZIP code, city or county of their own record.

Publishers geocode "432 West 46th Street, New York" in Brooklyn, give the center of Manhattan for a
pantry on Staten Island, or invent points around the center of a city. Such a point would send a
family there. A point is outside its ZIP code if it is beyond the code's area, by a margin, and
other ZIP codes are nearer. Then the city decides which of the two is wrong; if it fits both or
neither, the point is.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pandas as pd

from assets.geography.counties import county_fips_by_name
from assets.geography.evidence import NEAR_MILES, as_objects, city_points, point_of
from assets.geography.model import Geography
from assets.geography.points import (
    Bools,
    Floats,
    PointIndex,
    Texts,
    fold_names,
    miles_between,
)
from schemas.values.coordinates import chord_to_miles, ecef

# Areas are not circles: a point may be this far outside, and half as far again as the area extends.
MARGIN_MILES = 3.0
_MARGIN_OF_EXTENT = 0.5
# This many ZIP codes are nearer to a point that is outside its own; islands have no neighbors.
_NEARER = 3
# Number of ZIP codes around a point whose names count as those of the spot.
_AROUND = 8
# The point of a town or county has a wider margin.
_VAGUE_MILES = 50.0
_EXACT = ("rooftop", "street", "zip")
# A point this far from the record's town, and from every ZIP code of its name, is not in the town.
_TOWN_MILES = 25.0

# A list has invented points if this many are within a mile, and at least half of them are outside
# their ZIP codes. Addresses in a dense neighborhood agree with theirs.
_CLUSTER_MILES, _CLUSTER_POINTS, _CLUSTER_SHARE = 1.0, 10, 0.5
# If this share of its points is invented, no point of the list counts.
_LIST_SHARE = 0.5


class ZipAreas:
    """The standard ZIP codes around points; indexed once."""

    def __init__(self, geography: Geography) -> None:
        zips = geography.zips
        standard = zips[zips["zip_kind"].eq("standard") & zips["lat"].notna()]
        self._names = fold_names(standard["place_name"]).to_numpy(dtype=object)
        self._places = standard["place_name"].astype(object).to_numpy()
        self._states = standard["state"].astype(object).to_numpy()
        self._counties = standard["county_fips"].astype(object).to_numpy()
        points = (standard[axis].to_numpy(dtype=float) for axis in ("lat", "lng"))
        self._index = PointIndex(*points) if len(standard) > _AROUND else None

    def count_nearer(self, lat: Floats, lng: Floats, miles: Floats) -> Floats:
        """Return how many ZIP codes, at most eight, are nearer to each point than its miles."""
        if self._index is None:
            return np.zeros(len(lat))
        around, _ = self._index.nearest(lat, lng, _AROUND)
        return np.asarray((around < miles[:, None]).sum(axis=1))

    def _around(self, lat: Floats, lng: Floats) -> npt.NDArray[np.int64]:
        """Return the rows of the ZIP codes around each point, none without enough ZIP codes."""
        if self._index is None or len(lat) == 0:
            return np.zeros((len(lat), 0), dtype=np.int64)
        return self._index.nearest(lat, lng, _AROUND)[1].astype(np.int64)

    def sole_name(self, lat: Floats, lng: Floats, state: Texts) -> Texts:
        """Return the place name of the three ZIP codes nearest to each point, or of one that is
        twice as near as the next; None if the names differ or one is in another state."""
        if self._index is None or len(lat) == 0:
            return np.full(len(lat), None, dtype=object)
        miles, row = self._index.nearest(lat, lng, _NEARER)
        rows = row.astype(int)
        same = (self._names[rows] == self._names[rows[:, :1]]).all(axis=1)
        same |= miles[:, 0] <= miles[:, 1] / 2
        same &= miles[:, 0] <= NEAR_MILES
        rows = np.where((miles[:, 0] <= miles[:, 1] / 2)[:, None], rows[:, :1], rows)
        same &= (self._states[rows] == state[:, None]).all(axis=1)
        names: Texts = self._places[rows[:, 0]]
        names[~same] = None
        return names

    def has_name(self, lat: Floats, lng: Floats, city: Texts) -> Bools:
        """Return whether a ZIP code around the point has the (folded) name."""
        same = self._names[self._around(lat, lng)] == city[:, None]
        return np.asarray(same.any(axis=1) & (city != ""), dtype=bool)

    def is_around(self, lat: Floats, lng: Floats, fips: Texts) -> Bools:
        """Return whether a ZIP code around the point is in the county."""
        same = self._counties[self._around(lat, lng)] == fips[:, None]
        return np.asarray(same.any(axis=1), dtype=bool)


@lru_cache(maxsize=2)
def zip_areas(geography: Geography) -> ZipAreas:
    """Return the ZIP codes of a geography, indexed once for all sources."""
    return ZipAreas(geography)


def outside_zip(work: pd.DataFrame, prefix: str, geography: Geography) -> Bools:
    """Return whether points of `assets.geography.place_points` are outside their ZIP codes."""
    lat, lng, zip_lat, zip_lng, extent = (
        work[name].to_numpy(dtype=float)
        for name in (f"{prefix}lat", f"{prefix}lng", "zip_lat", "zip_lng", "zip_extent")
    )
    miles = miles_between(lat, lng, zip_lat, zip_lng)
    is_vague = ~work["location_precision"].isin(_EXACT).to_numpy() & (prefix == "")
    margin = np.where(is_vague, _VAGUE_MILES, MARGIN_MILES + _MARGIN_OF_EXTENT * extent)
    outside = (miles > extent + margin) & ~work["zip_is_doubtful"].to_numpy(dtype=bool)
    outside &= work["zip_state"].eq(work["state"]).to_numpy()
    rows = np.flatnonzero(outside)
    if len(rows):
        nearer = zip_areas(geography).count_nearer(lat[rows], lng[rows], miles[rows])
        outside[rows[nearer < _NEARER]] = False
    return np.asarray(outside, dtype=bool)


def withdraw_invented_points(work: pd.DataFrame, geography: Geography) -> None:
    """Remove points that a list invented: many close together, with addresses that are not.

    If most points of a list are invented, all are removed.
    """
    checked = work["lat"].notna() & work["location_precision"].isin(_EXACT)
    checked &= work["zip_lat"].notna() & work["reject_reason"].isna()
    outside = outside_zip(work, "", geography) & checked.to_numpy()
    for name in work["list"][outside].unique():
        of_list = np.flatnonzero((checked & work["list"].eq(name)).to_numpy())
        invented = _in_clusters(work.iloc[of_list], outside[of_list])
        if invented.mean() > _LIST_SHARE:
            invented[:] = True
        _drop_points(work, work.index[of_list[invented]])


def _in_clusters(some: pd.DataFrame, outside: Bools) -> Bools:
    """Return which points are in a cluster around a point outside its ZIP code, most of which are
    outside theirs."""
    metres = ecef(some["lat"].to_numpy(float), some["lng"].to_numpy(float))
    found = np.zeros(len(some), dtype=bool)
    for row in np.flatnonzero(outside):
        gap = chord_to_miles(np.linalg.norm(metres - metres[row], axis=1))
        near = gap <= _CLUSTER_MILES
        addresses = some["address"][near].nunique()
        if addresses >= _CLUSTER_POINTS and outside[near].mean() >= _CLUSTER_SHARE:
            found |= near
    return found


def settle_contradictions(work: pd.DataFrame, geography: Geography) -> None:
    """Drop points that contradict their record, or the ZIP code if the city fits the point only.

    A PO box may be in another part of the city. Without a ZIP code, county and city decide.
    """
    is_open = work["lat"].notna() & work["reject_reason"].isna() & ~work["is_confidential"]
    some = work[is_open]
    if some.empty:
        return
    lat, lng, city = *point_of(some, ""), some["city"].to_numpy(dtype=object)
    town_miles = _town_miles(some, geography)
    at_point = zip_areas(geography).has_name(lat, lng, city) | (town_miles <= MARGIN_MILES)
    outside = outside_zip(some, "", geography)
    gap = miles_between(
        *city_points(some["state"].to_numpy(), city, geography), *point_of(some, "zip_")
    )
    is_beside = gap <= some["zip_extent"].to_numpy(dtype=float) + MARGIN_MILES
    at_zip = ((some["city"].eq(some["zip_city"]) & some["city"].ne("")) | is_beside).to_numpy(bool)
    wrong_zip = some.index[outside & at_point & ~at_zip]
    is_box = outside & at_point & at_zip & ~some["zip_kind"].eq("standard").to_numpy()
    stray = outside & ~is_box
    stray |= _is_outside_county(some, at_point, geography)
    # Without a ZIP code the town decides.
    stray |= some["zip_lat"].isna().to_numpy() & ~at_point & (town_miles > _TOWN_MILES)
    # Publishers take the county from the ZIP code.
    stray &= ~some.index.isin(wrong_zip)
    drop_zips(work, wrong_zip)
    _drop_points(work, some.index[stray])


def _is_outside_county(some: pd.DataFrame, at_point: Bools, geography: Geography) -> Bools:
    """Return whether no ZIP code around the point is in the county of the record, and the point is
    beyond the record's ZIP code in that county, or has no ZIP code and is in another town."""
    fips = as_objects(county_fips_by_name(some["state"], some["county_name"]))
    named = np.flatnonzero(pd.notna(fips))
    outside = np.zeros(len(some), dtype=bool)
    if len(named) == 0:
        return outside
    rows, lat, lng = some.iloc[named], *point_of(some.iloc[named], "")
    away = ~zip_areas(geography).is_around(lat, lng, fips[named])
    miles = miles_between(lat, lng, *point_of(rows, "zip_"))
    beyond = miles > rows["zip_extent"].to_numpy(dtype=float)
    beyond &= rows["zip_county_fips"].to_numpy(dtype=object) == fips[named]
    without_zip = rows["zip_lat"].isna().to_numpy() & ~at_point[named]
    outside[named] = away & (beyond | without_zip)
    return outside


def _town_miles(some: pd.DataFrame, geography: Geography) -> Floats:
    """Return the miles to the nearest town of the record's city name in its state, NaN for none."""
    towns = geography.towns
    rows = some[["state", "city", "lat", "lng"]].reset_index(drop=True).reset_index(names="row")
    pairs = rows.merge(towns, on=["state", "city"], suffixes=("", "_town"))
    columns = ("lat", "lng", "lat_town", "lng_town")
    miles = miles_between(*(pairs[name].to_numpy(dtype=float) for name in columns))
    nearest = pd.Series(miles, index=pairs["row"]).groupby(level=0).min()
    return np.asarray(nearest.reindex(rows["row"]), dtype=float)


def drop_zips(work: pd.DataFrame, rows: pd.Index) -> None:
    """Remove the ZIP codes of rows, and what is known by them."""
    work.loc[rows, ["zip", "zip_state", "zip_county_fips", "zip_timezone", "zip_kind"]] = None
    work.loc[rows, ["zip_lat", "zip_lng", "zip_extent"]] = np.nan
    work.loc[rows, "zip_city"] = ""


def _drop_points(work: pd.DataFrame, rows: pd.Index) -> None:
    work.loc[rows, ["lat", "lng"]] = np.nan
    work.loc[rows, ["location_method", "location_precision"]] = None
