"""Evidence of where a place is: its row, ZIP code and city, and whether a point is in its state.

Polygons decide the state of a point; without them, or outside all of them, the ZIP codes around it.
"""

from functools import lru_cache

import numpy as np
import pandas as pd

from assets.geography.counties import county_fips_by_name
from assets.geography.model import Geography
from assets.geography.points import Bools, Floats, PointIndex, Texts, fold_names, miles_between

# A ZIP code of the state within this distance shows that the point is in the state.
NEAR_MILES = 15.0
# So does the nearest ZIP code within this distance: they are far apart in the West and Alaska.
NEAREST_MILES = 40.0


class StateEvidence:
    """Tests of points against states; indexes are built once."""

    def __init__(self, geography: Geography) -> None:
        zips = geography.zips
        usable = zips["lat"].notna() & zips["state"].notna()
        self._zips = zips.loc[usable, ["zip", "state", "zip_kind", "place_name", "lat", "lng"]]
        self._boundaries = geography.boundaries
        self._by_state: dict[str, PointIndex] = {}
        self._all = self._index(self._zips)
        self._states = self._zips["state"].to_numpy(dtype=object)

    @staticmethod
    def _index(zips: pd.DataFrame) -> PointIndex:
        return PointIndex(zips["lat"].to_numpy(float), zips["lng"].to_numpy(float))

    def is_near_zip_of(self, lat: Floats, lng: Floats, state: Texts) -> Bools:
        """Return whether the ZIP codes around a point place it in its state."""
        near = np.zeros(len(lat), dtype=bool)
        for code in pd.unique(state):
            if code not in self._by_state:
                own = self._zips[self._zips["state"].eq(code)]
                if own.empty:
                    continue
                self._by_state[code] = self._index(own)
            mine = np.flatnonzero(state == code)
            miles, _ = self._by_state[code].nearest(lat[mine], lng[mine])
            near[mine] = miles[:, 0] <= NEAR_MILES
        far = np.flatnonzero(~near)
        if len(far):
            miles, row = self._all.nearest(lat[far], lng[far])
            nearest = self._states[row[:, 0].astype(int)]
            near[far] = (nearest == state[far]) & (miles[:, 0] <= NEAREST_MILES)
        return near

    def is_inside(self, lat: Floats, lng: Floats, state: Texts) -> Bools:
        """Return whether every point is in its state; False for missing and impossible points.

        A point in another state's polygon is inside only within the tolerance of the simplified
        border. The ZIP codes around a point in no polygon (a pier, a small island) decide.
        """
        inside = np.zeros(len(lat), dtype=bool)
        possible = np.flatnonzero((np.abs(lat) <= 90) & (np.abs(lng) <= 180))
        by_zip = possible
        if self._boundaries is not None and len(possible):
            states = self._boundaries.state_of(lat[possible], lng[possible])
            is_nowhere = pd.isna(states)
            inside[possible] = states == state[possible]
            by_zip = possible[is_nowhere]
            other = possible[~inside[possible] & ~is_nowhere]
            if len(other):
                inside[other] = self._boundaries.is_beside(lat[other], lng[other], state[other])
        if len(by_zip):
            inside[by_zip] = self.is_near_zip_of(lat[by_zip], lng[by_zip], state[by_zip])
        return inside

    def sure_zip(self, lat: Floats, lng: Floats) -> pd.DataFrame:
        """Return `zip`, `state`, `place_name` of the nearest standard ZIP code; missing unless the
        next one is at least twice as far.
        """
        standard = self._zips[self._zips["zip_kind"].eq("standard")]
        miles, row = self._index(standard).nearest(lat, lng, count=2)
        sure = (miles[:, 0] <= NEAR_MILES) & (miles[:, 0] <= miles[:, 1] / 2)
        zips = standard.iloc[row[:, 0].astype(int)][["zip", "state", "place_name"]]
        return zips.reset_index(drop=True).where(pd.Series(sure), axis=0)


@lru_cache(maxsize=2)
def evidence_of(geography: Geography) -> StateEvidence:
    """Return the evidence of a geography, indexed once for all sources."""
    return StateEvidence(geography)


# Two numbers this small mean "unknown" in publishers' files.
_ZERO_DEGREES = 0.01


def gather_evidence(places: pd.DataFrame, geography: Geography) -> pd.DataFrame:
    """Return the evidence of the rows themselves and of their ZIP codes."""
    work = pd.DataFrame(
        {
            "state": as_objects(places["state"]),
            "zip": as_objects(places["zip"]),
            "city": fold_names(places["city"]).to_numpy(dtype=object),
            "address": as_objects(places["address"].str.casefold()),
            "list": as_objects(places["source_id"] + "|" + places["compiled_from"].fillna("")),
            "own_precision": as_objects(places["location_precision"]),
            "is_confidential": places["is_confidential"].fillna(False).to_numpy(dtype=bool),
            "source_lat": places["lat"].to_numpy(dtype=float, na_value=np.nan),
            "source_lng": places["lng"].to_numpy(dtype=float, na_value=np.nan),
        }
    )
    nothing = work[["source_lat", "source_lng"]].abs().lt(_ZERO_DEGREES).all(axis=1)
    nothing |= work[["source_lat", "source_lng"]].isna().any(axis=1)
    work.loc[nothing, ["source_lat", "source_lng"]] = np.nan
    # A geocoder's point is separate from the publisher's.
    of_geocoder = np.zeros(len(work), dtype=bool)
    work["census_tract"] = pd.Series(None, index=work.index, dtype=object)
    if "location_method" in places:
        of_geocoder = places["location_method"].eq("geocoder").fillna(False).to_numpy(dtype=bool)
        work["census_tract"] = as_objects(places["census_tract"])
    for axis in ("lat", "lng"):
        work[f"geocoded_{axis}"] = work[f"source_{axis}"].where(of_geocoder)
        work[f"source_{axis}"] = work[f"source_{axis}"].mask(of_geocoder)
    zips = geography.zip_rows
    row = zips.index.get_indexer(pd.Index(work["zip"]))
    for name, values in zips.texts.items():
        work[f"zip_{name.removeprefix('zip_')}"] = values[row]
    work["zip_city"] = zips.city[row]
    work["zip_lat"], work["zip_lng"] = zips.lat[row], zips.lng[row]
    work["zip_extent"], work["zip_is_doubtful"] = zips.extent[row], zips.is_doubtful[row]
    work["county_name"] = as_objects(places["county_name"])
    work["named_county_fips"] = pd.Series(None, index=work.index, dtype=object)
    for name in ("location_method", "location_precision", "reject_reason", "reject_detail"):
        work[name] = pd.Series(None, index=work.index, dtype=object)
    return work.assign(lat=np.nan, lng=np.nan)


def as_objects(column: pd.Series) -> Texts:
    return np.asarray(column.astype(object).where(column.notna(), None), dtype=object)


def city_points(state: Texts, city: Texts, geography: Geography) -> tuple[Floats, Floats]:
    keys = pd.Series(state).fillna("").astype(object) + "|" + pd.Series(city)
    return geography.city_rows.points(keys)


def town_points(work: pd.DataFrame, geography: Geography) -> tuple[Floats, Floats]:
    """Return the points of the cities; of several towns of a name, that in the stated county."""
    state, city = work["state"].to_numpy(), work["city"].to_numpy()
    lat, lng = city_points(state, city, geography)
    fips = county_fips_by_name(work["state"], work["county_name"])
    county = fold_names(fips.map(geography.county_names).astype("str"))
    in_county = city_points(state, (work["city"] + " " + county).to_numpy(), geography)
    has_own = np.isfinite(in_county[0]) & county.ne("").to_numpy()
    return np.where(has_own, in_county[0], lat), np.where(has_own, in_county[1], lng)


def city_fits_zip(work: pd.DataFrame, geography: Geography) -> Bools:
    """Check whether the city is the name of the ZIP code, or near its point."""
    lat, lng = city_points(work["zip_state"].to_numpy(), work["city"].to_numpy(), geography)
    beside = miles_between(lat, lng, *point_of(work, "zip_")) <= NEAR_MILES
    same = work["city"].eq(work["zip_city"]) & work["city"].ne("")
    return np.asarray(same | beside, dtype=bool)


def point_of(work: pd.DataFrame, prefix: str) -> tuple[Floats, Floats]:
    return work[f"{prefix}lat"].to_numpy(), work[f"{prefix}lng"].to_numpy()


def reject(work: pd.DataFrame, rows: Bools, reason: str, detail: pd.Series) -> None:
    first = rows & work["reject_reason"].isna().to_numpy()
    work.loc[first, "reject_reason"] = reason
    work.loc[first, "reject_detail"] = detail[first]
