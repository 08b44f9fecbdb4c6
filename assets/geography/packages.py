"""Reads ZIP codes and cities without official files or network.

ZIP codes come from the package `zipcodes`, cities of 500 people and more from `tables/`.
"""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import zipcodes

from assets.geography.counties import (
    counties,
    county_fips_by_name,
    county_fips_by_place,
    read_packaged_table,
)
from assets.geography.points import PointIndex, fold_names, miles_between, timezones_at
from schemas.tables.core import CITIES, ZIPS
from schemas.vocab.states import MILITARY_CODES, STATE_CODES

_KINDS = {"STANDARD": "standard", "PO BOX": "po_box", "UNIQUE": "unique", "MILITARY": "military"}
# A ZIP farther from the city of its name has a doubtful point.
QUALITY_MILES = 20.0
# A named place without its own ZIP is represented by the nearest one within this distance.
REPRESENTATIVE_MILES = 10.0


def _read_zips() -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = zipcodes.list_all()  # type: ignore[no-untyped-call]
    return records


@cache
def _zip_records() -> tuple[dict[str, Any], ...]:
    states = {*STATE_CODES, *MILITARY_CODES}
    return tuple(r for r in _read_zips() if r["state"] in states)


def zips_from_packages() -> pd.DataFrame:
    """Return ZIP codes in the columns of `core_geography__zips`; population is unknown.

    Military ZIPs have neither point nor state: they are addresses, not places. The county vintage
    is that of 2020 (Connecticut's eight counties). The freely associated states are left out.
    """
    frame = _zips_as_published()
    frame["county_fips"] = _county_fips(frame)
    names = counties().set_index("county_fips")["county_name"]
    frame["county_name"] = frame["county_fips"].map(names).astype("str")
    frame["timezone"] = timezones_at(frame["lat"].to_numpy(), frame["lng"].to_numpy())
    frame["population"] = pd.array([pd.NA] * len(frame), dtype="Int64")
    frame["is_quality_low"] = _disagrees_with_city(frame, geonames_cities())
    return as_table(frame, ZIPS.field_names).sort_values("zip", ignore_index=True)


def _zips_as_published() -> pd.DataFrame:
    records = _zip_records()
    frame = pd.DataFrame(
        {
            "zip": [r["zip_code"] for r in records],
            "zip_kind": [_KINDS[r["zip_code_type"]] for r in records],
            "place_name": [r["city"] for r in records],
            "state": [r["state"] for r in records],
            "county_name": [r["county"] for r in records],
            "lat": [float(r["lat"] or 0) for r in records],
            "lng": [float(r["long"] or 0) for r in records],
        }
    )
    military = frame["zip_kind"].eq("military") | frame["state"].isin(MILITARY_CODES)
    frame.loc[military, "zip_kind"] = "military"
    frame.loc[military, ["state", "county_name"]] = None
    frame.loc[military | frame["lat"].eq(0), ["lat", "lng"]] = np.nan
    return frame


def _county_fips(zips: pd.DataFrame) -> pd.Series:
    """Look up by county name, else island, else the one county of all ZIPs of the place name."""
    fips = county_fips_by_name(zips["state"], zips["county_name"])
    fips = fips.fillna(county_fips_by_place(zips["state"], zips["place_name"]))
    with_fips = zips.assign(fips=fips).dropna(subset=["fips", "state"])
    per_place = with_fips.groupby(["state", "place_name"])["fips"].agg(["nunique", "first"])
    single = per_place.loc[per_place["nunique"].eq(1), "first"]
    keys = pd.MultiIndex.from_frame(zips[["state", "place_name"]])
    inferred = pd.Series(single.reindex(keys).to_numpy(), index=zips.index, dtype="str")
    return fips.fillna(inferred)


def geonames_cities() -> pd.DataFrame:
    """Read the cities of 500 people and more, by GeoNames.

    Columns `place_name`, `state`, `search_name`, `lat`, `lng`, `population`, `alternates` (folded).
    """
    frame = read_packaged_table("cities").astype({"lat": "float64", "lng": "float64"})
    frame["population"] = pd.to_numeric(frame["population"].replace("", None)).astype("Int64")
    others = frame["other_names"].astype(object)
    frame["alternates"] = [tuple(filter(None, names.split("|"))) for names in others]
    frame["search_name"] = fold_names(frame["place_name"])
    return frame.drop(columns="other_names")


def _disagrees_with_city(zips: pd.DataFrame, cities: pd.DataFrame) -> pd.Series:
    """Return whether the ZIP's point is far from every city with its place name in its state."""
    keyed = zips.assign(search_name=fold_names(zips["place_name"]), row=zips.index)
    pairs = keyed.merge(cities, on=["state", "search_name"], suffixes=("", "_city"))
    gap = miles_between(
        pairs["lat"].to_numpy(),
        pairs["lng"].to_numpy(),
        pairs["lat_city"].to_numpy(),
        pairs["lng_city"].to_numpy(),
    )
    least = pd.Series(gap, index=pairs["row"]).groupby(level=0).min()
    return least.gt(QUALITY_MILES).reindex(zips.index, fill_value=False).astype("boolean")


def cities_from_packages(zips: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return named places in the columns of `core_geography__cities`: GeoNames cities and ZIP place
    names.

    Passing `zips` saves a second call of `zips_from_packages`.
    """
    zip_table = zips_from_packages() if zips is None else zips
    return unite_cities(geonames_cities(), zip_table, zip_place_names())


def zip_place_names() -> pd.DataFrame:
    """Return every accepted name of a ZIP: `zip`, `place_name`, `is_default` (the post's own)."""
    rows = [
        (record["zip_code"], name, name == record["city"])
        for record in _zip_records()
        if record["state"] in STATE_CODES
        for name in [record["city"], *record["acceptable_cities"]]
    ]
    return pd.DataFrame(rows, columns=["zip", "place_name", "is_default"])


def unite_cities(cities: pd.DataFrame, zips: pd.DataFrame, zip_names: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each (state, search_name): the larger city's own point, else the middle of
       its ZIPs.

    `cities` has the columns of `geonames_cities` (`alternates` may be missing); `zip_names` has
    those of `zip_place_names`. The middle is the median, so that one misplaced ZIP does not move
    a town.
    """
    own = cities.sort_values("population", ascending=False, na_position="last", kind="stable")
    own = own.drop_duplicates(["state", "search_name"])
    places = _places_of_zips(zips, zip_names)
    merged = places.merge(own, on=["state", "search_name"], how="outer", suffixes=("_zip", ""))
    merged["place_name"] = merged["place_name"].fillna(merged["place_name_zip"])
    for axis in ("lat", "lng"):
        merged[axis] = merged[axis].fillna(merged[f"{axis}_zip"])
    merged = _with_alternate_names(merged, cities)
    merged = merged.dropna(subset=["lat", "lng"])
    merged = merged[merged["search_name"].ne("")].reset_index(drop=True)
    merged["zip"] = _representative_zip(merged, zips, zip_names)
    return as_table(merged, CITIES.field_names).sort_values(
        ["state", "search_name"], ignore_index=True
    )


def _name_zips(zips: pd.DataFrame, zip_names: pd.DataFrame) -> pd.DataFrame:
    located = zips.loc[zips["state"].notna(), ["zip", "zip_kind", "state", "lat", "lng"]]
    names = zip_names.merge(located, on="zip")
    names["search_name"] = fold_names(names["place_name"])
    return names


def _places_of_zips(zips: pd.DataFrame, zip_names: pd.DataFrame) -> pd.DataFrame:
    """Return (state, search_name) with the middle of its ZIPs, default names first."""
    names = _name_zips(zips, zip_names).dropna(subset=["lat"])
    keys = ["state", "search_name"]
    has_default = names.groupby(keys)["is_default"].transform("any")
    names = names[names["is_default"] | ~has_default].sort_values("zip", kind="stable")
    groups = names.groupby(keys, as_index=False)
    return groups.agg(
        place_name=("place_name", "first"), lat=("lat", "median"), lng=("lng", "median")
    )


def _with_alternate_names(places: pd.DataFrame, cities: pd.DataFrame) -> pd.DataFrame:
    """Return population and point for names that GeoNames lists as alternatives of a city at the
    same place.

    "New York" is listed there as "New York City"; people search for both. A name with its own
    population must have about the other's.
    """
    if "alternates" not in cities:
        return places
    columns = ["state", "alternates", "lat", "lng", "population"]
    spread = cities[columns].explode("alternates").dropna(subset=["alternates"])
    # Names in other scripts, most alternates, fold to an empty text.
    spread = spread[spread["alternates"].str.contains("[0-9A-Za-z]", regex=True)].copy()
    spread["search_name"] = fold_names(spread["alternates"])
    spread = spread.drop_duplicates(["state", "search_name"]).rename(
        columns={"lat": "lat_other", "lng": "lng_other", "population": "population_other"}
    )
    columns = ["state", "search_name", "lat_other", "lng_other", "population_other"]
    pairs = places.merge(spread[columns], on=["state", "search_name"], how="left")
    gap = miles_between(
        pairs["lat"].to_numpy(),
        pairs["lng"].to_numpy(),
        pairs["lat_other"].to_numpy(),
        pairs["lng_other"].to_numpy(),
    )
    other = pairs["population_other"].astype("float64")
    ratio = pairs["population"].astype("float64").fillna(other) / other
    same = pairs["alternates"].isna() & (gap < QUALITY_MILES) & ratio.between(0.8, 1.25)
    for axis in ("lat", "lng"):
        pairs[axis] = pairs[axis].mask(same, pairs[f"{axis}_other"])
    people = pairs["population_other"].where(same)
    return pairs.assign(population=pairs["population"].fillna(people))


def _representative_zip(
    places: pd.DataFrame, zips: pd.DataFrame, zip_names: pd.DataFrame
) -> pd.Series:
    """Return the place's ZIP nearest its point, standard before PO box, else a near one."""
    names = _name_zips(zips, zip_names)
    rows = places[["state", "search_name", "lat", "lng"]].reset_index(names="row")
    pairs = rows.merge(names, on=["state", "search_name"], suffixes=("", "_zip"))
    pairs["miles"] = miles_between(
        pairs["lat"].to_numpy(),
        pairs["lng"].to_numpy(),
        pairs["lat_zip"].to_numpy(),
        pairs["lng_zip"].to_numpy(),
    )
    pairs["is_other"] = pairs["zip_kind"].ne("standard")
    pairs = pairs.sort_values(["is_other", "miles", "zip"], kind="stable")
    own = pairs.drop_duplicates("row").set_index("row")["zip"].reindex(places.index)
    return own.fillna(_near_zip(places, zips)).astype("str")


def _near_zip(places: pd.DataFrame, zips: pd.DataFrame) -> pd.Series:
    standard = zips[zips["zip_kind"].eq("standard") & zips["lat"].notna()]
    index = PointIndex(standard["lat"].to_numpy(), standard["lng"].to_numpy())
    miles, row = index.nearest(places["lat"].to_numpy(), places["lng"].to_numpy())
    nearest = standard.iloc[row[:, 0]]
    fits = (miles[:, 0] < REPRESENTATIVE_MILES) & (
        nearest["state"].to_numpy() == places["state"].to_numpy()
    )
    return pd.Series(nearest["zip"].to_numpy(), index=places.index).where(fits)


_TYPES = {"string": "str", "integer": "Int64", "number": "float64", "boolean": "boolean"}


def as_table(frame: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Return the named columns in their declared types."""
    types = {f.name: _TYPES[f.type] for f in (*ZIPS.fields, *CITIES.fields)}
    return frame[names].astype({name: types[name] for name in names})
