"""Builds the evidence for `assets.geography.place_points`: from a row, its ZIP code and city."""

import numpy as np
import pandas as pd

from assets.geography.counties import county_fips_by_name
from assets.geography.model import Geography
from assets.geography.points import Bools, Floats, Texts, fold_names, miles_between
from assets.geography.state_evidence import NEAR_MILES

# Two numbers this small mean "unknown" in publishers' files.
_ZERO_DEGREES = 0.01


def gather_evidence(places: pd.DataFrame, geography: Geography) -> pd.DataFrame:
    """Return the rows' own evidence and that of their ZIP."""
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
    _set_geocoded_apart(work, places)
    _join_zip(work, geography)
    work["county_name"] = as_objects(places["county_name"])
    work["named_county_fips"] = pd.Series(None, index=work.index, dtype=object)
    for name in ("location_method", "location_precision", "reject_reason", "reject_detail"):
        work[name] = pd.Series(None, index=work.index, dtype=object)
    return work.assign(lat=np.nan, lng=np.nan)


def _set_geocoded_apart(work: pd.DataFrame, places: pd.DataFrame) -> None:
    of_geocoder = np.zeros(len(work), dtype=bool)
    work["census_tract"] = pd.Series(None, index=work.index, dtype=object)
    if "location_method" in places:
        of_geocoder = places["location_method"].eq("geocoder").fillna(False).to_numpy(dtype=bool)
        work["census_tract"] = as_objects(places["census_tract"])
    for axis in ("lat", "lng"):
        work[f"geocoded_{axis}"] = work[f"source_{axis}"].where(of_geocoder)
        work[f"source_{axis}"] = work[f"source_{axis}"].mask(of_geocoder)


def as_objects(column: pd.Series) -> Texts:
    return np.asarray(column.astype(object).where(column.notna(), None), dtype=object)


def _join_zip(work: pd.DataFrame, geography: Geography) -> None:
    zips = geography.zip_rows
    row = zips.index.get_indexer(pd.Index(work["zip"]))
    for name, values in zips.texts.items():
        work[f"zip_{name.removeprefix('zip_')}"] = values[row]
    work["zip_city"] = zips.city[row]
    work["zip_lat"], work["zip_lng"] = zips.lat[row], zips.lng[row]
    work["zip_extent"], work["zip_is_doubtful"] = zips.extent[row], zips.is_doubtful[row]


def city_points(state: Texts, city: Texts, geography: Geography) -> tuple[Floats, Floats]:
    keys = pd.Series(state).fillna("").astype(object) + "|" + pd.Series(city)
    return geography.city_rows.points(keys)


def town_points(work: pd.DataFrame, geography: Geography) -> tuple[Floats, Floats]:
    """Return points of the cities; of several towns of a name, that in the county named."""
    state, city = work["state"].to_numpy(), work["city"].to_numpy()
    lat, lng = city_points(state, city, geography)
    fips = county_fips_by_name(work["state"], work["county_name"])
    county = fold_names(fips.map(geography.county_names).astype("str"))
    in_county = city_points(state, (work["city"] + " " + county).to_numpy(), geography)
    has_own = np.isfinite(in_county[0]) & county.ne("").to_numpy()
    return np.where(has_own, in_county[0], lat), np.where(has_own, in_county[1], lng)


def city_fits_zip(work: pd.DataFrame, geography: Geography) -> Bools:
    """Check whether the city is the ZIP's place name, or a place near the ZIP's point."""
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
