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
from assets.geography.points import (
    Bools,
    Floats,
    PointIndex,
    fold_names,
    miles_between,
    timezones_at,
)
from schemas.tables.core import CITIES, ZIPS
from schemas.values.coordinates import chord_to_miles, ecef
from schemas.vocab.states import MILITARY_CODES, STATE_CODES

_KINDS = {"STANDARD": "standard", "PO BOX": "po_box", "UNIQUE": "unique", "MILITARY": "military"}
# A ZIP code farther from the city of its name has a doubtful point.
QUALITY_MILES = 20.0
# A named place without its own ZIP is represented by the nearest one within this distance.
REPRESENTATIVE_MILES = 10.0
# Points of two lists this near, with one name, are of one town.
SAME_TOWN_MILES = 10.0
# So are points this near with about the same population: an official point is any in the limits.
ALIKE_MILES = 40.0
# A town this far beyond the area of a ZIP code of its name is another town.
TOWN_MILES = 10.0
# A name that the post only accepts does not move an official place or a town of this size.
LARGE_TOWN = 50_000
# If no list has the area of a ZIP code, it extends half as far as the third-nearest one.
_NEIGHBORS, LEAST_EXTENT_MILES = 3, 0.5


@cache
def _zip_records() -> tuple[dict[str, Any], ...]:
    records: list[dict[str, Any]] = zipcodes.list_all()  # type: ignore[no-untyped-call]
    states = {*STATE_CODES, *MILITARY_CODES}
    return tuple(record for record in records if record["state"] in states)


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
    frame["extent_miles"] = extent_of_neighbors(frame)
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


def extent_of_neighbors(zips: pd.DataFrame) -> pd.Series:
    """Return how far each ZIP code's area extends from its point, in miles: about half the distance
    to the third-nearest standard ZIP code."""
    has_point = zips["lat"].notna()
    standard = zips[has_point & zips["zip_kind"].eq("standard")]
    extent = pd.Series(np.nan, index=zips.index)
    if len(standard) > _NEIGHBORS:
        index = PointIndex(standard["lat"].to_numpy(float), standard["lng"].to_numpy(float))
        lat, lng = (zips.loc[has_point, axis].to_numpy(float) for axis in ("lat", "lng"))
        miles, _ = index.nearest(lat, lng, _NEIGHBORS + 1)
        extent[has_point] = np.maximum(miles[:, -1] / 2, LEAST_EXTENT_MILES)
    return extent


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
    """Return whether the ZIP code's point is far from every city with its place name in its state,
    and from the other ZIP codes of its sectional center."""
    keyed = zips.assign(search_name=fold_names(zips["place_name"]), row=zips.index)
    pairs = keyed.merge(cities, on=["state", "search_name"], suffixes=("", "_city"))
    gap = miles_between(
        pairs["lat"].to_numpy(),
        pairs["lng"].to_numpy(),
        pairs["lat_city"].to_numpy(),
        pairs["lng_city"].to_numpy(),
    )
    least = pd.Series(gap, index=pairs["row"]).groupby(level=0).min()
    far = keyed.loc[least.index[least.gt(QUALITY_MILES)]]
    center = zips["zip"].str[:3]
    others = zips.assign(center=center)[["zip", "center", "lat", "lng"]].dropna()
    pairs = far.assign(center=center).merge(others, on="center", suffixes=("", "_other"))
    pairs = pairs[pairs["zip"].ne(pairs["zip_other"])]
    columns = ("lat", "lng", "lat_other", "lng_other")
    gap = miles_between(*(pairs[name].to_numpy(dtype=float) for name in columns))
    with_others = pairs.loc[gap <= QUALITY_MILES, "row"]
    is_doubtful = zips.index.isin(far.index) & ~zips.index.isin(with_others)
    return pd.Series(is_doubtful, index=zips.index, dtype="boolean")


def cities_from_packages(zips: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return named places in the columns of `core_geography__cities`: cities of GeoNames and names
    of ZIP codes.

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
    """Return one row for each (state, search_name): the town that agrees with the ZIP codes of its
    name, else the middle of those; without ZIP codes the most populous town.

    `cities` has the columns of `geonames_cities`, official ones also `is_official` and
    `area_sq_miles`; `zip_names` has those of `zip_place_names`.
    Other towns of the name in the state have their county in the name: "Chatham (Cook County)".
    """
    towns = join_towns(cities)
    ranked = _rank_towns(towns, zips, zip_names)
    keys = ["state", "search_name"]
    named = ranked.drop_duplicates(keys)
    others = ranked[ranked.duplicated(keys) & ranked["population"].notna()]
    named = _with_alternate_names(named.reset_index(drop=True), towns)
    merged = pd.concat([named, _with_county_names(others, named, zips)], ignore_index=True)
    merged = merged.dropna(subset=["lat", "lng"]).drop_duplicates(keys)
    merged = merged[merged["search_name"].ne("")].reset_index(drop=True)
    merged["zip"] = _representative_zip(merged, zips, zip_names)
    return as_table(merged, CITIES.field_names).sort_values(keys, ignore_index=True)


def join_towns(cities: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each town; lists may have its points some miles apart.

    Rows of one name and state within `SAME_TOWN_MILES`, or within the area of one of them, are one
    town. Name and point are those of the most populous unofficial row, if any; the population is
    the official one, if known.
    """
    rows = cities.reindex(columns=[*dict.fromkeys([*cities, "is_official", "area_sq_miles"])])
    rows["is_official"] = rows["is_official"].eq(True)
    order = rows.sort_values("population", ascending=False, na_position="last", kind="stable")
    rows = order.sort_values("is_official", kind="stable", ignore_index=True)
    keys = ["state", "search_name"]
    area = rows["area_sq_miles"].astype("float64").fillna(0.0)
    reach = np.maximum(SAME_TOWN_MILES, 2 * np.sqrt(area.to_numpy() / np.pi))
    metres = ecef(rows["lat"].to_numpy(float), rows["lng"].to_numpy(float))
    people = rows["population"].to_numpy(dtype=float, na_value=np.nan)
    official = rows["is_official"].to_numpy(dtype=bool)
    town = np.arange(len(rows))
    for group in rows.groupby(keys, sort=False).indices.values():
        firsts = group[:1]
        for row in group[1:]:
            gap = chord_to_miles(np.linalg.norm(metres[firsts] - metres[row], axis=1))
            is_alike = (gap <= ALIKE_MILES) & _are_alike(people[firsts], people[row])
            is_alike &= official[firsts] != official[row]
            same = is_alike | (gap <= np.maximum(reach[firsts], reach[row]))
            town[row] = firsts[np.where(same, gap, np.inf).argmin()] if same.any() else row
            firsts = firsts if same.any() else np.append(firsts, row)
    rows["town"] = town
    joined = rows.loc[rows["town"].eq(rows.index)].set_index("town")
    official_first = rows.sort_values("is_official", ascending=False, kind="stable")
    joined["is_official"] = rows.groupby("town")["is_official"].any()
    joined["population"] = official_first.groupby("town")["population"].first()
    return joined.reset_index(drop=True)


def _rank_towns(towns: pd.DataFrame, zips: pd.DataFrame, zip_names: pd.DataFrame) -> pd.DataFrame:
    """Return the towns and the middles of ZIP codes that no town agrees with, in order: those
    that agree with the ZIP codes of their name first, then by population.

    The middle is the median, so that one misplaced ZIP code does not move a town.
    """
    keys = ["state", "search_name"]
    names = _name_zips(zips, zip_names)
    names = names[names["lat"].notna()]
    has_default = names.groupby(keys)["is_default"].transform("any")
    names = names[names["is_default"] | ~has_default].sort_values("zip", kind="stable")
    rows = towns.reset_index(names="town")
    pairs = rows.merge(names, on=keys, suffixes=("", "_zip"))
    gap = miles_between(*(pairs[c].to_numpy(float) for c in ("lat", "lng", "lat_zip", "lng_zip")))
    near = pairs.loc[gap <= pairs["extent_miles"].to_numpy(float) + TOWN_MILES, "town"]
    rows["agrees"] = rows["town"].isin(near)
    # A ZIP code moves no town if its own point is doubtful.
    has_town = _is_in(names, rows.loc[rows["agrees"], keys], keys)
    has_town |= _is_in(names, rows[keys], keys) & names["is_quality_low"].to_numpy(dtype=bool)
    is_large = rows["is_official"] | (rows["population"] >= LARGE_TOWN).fillna(False)
    has_town |= _is_in(names, rows.loc[is_large, keys], keys) & ~names["is_default"].to_numpy()
    open_names = names[~has_town]
    # The point of a PO box ZIP code is the least sure.
    is_standard = open_names["zip_kind"].eq("standard")
    has_standard = is_standard.groupby([open_names[key] for key in keys]).transform("any")
    middles = open_names[is_standard | ~has_standard].groupby(keys, as_index=False)
    middles = middles.agg(
        place_name=("place_name", "first"), lat=("lat", "median"), lng=("lng", "median")
    )
    ranked = pd.concat([rows, middles.assign(agrees=True)], ignore_index=True)
    ranked["population"] = ranked["population"].astype("Int64")
    return ranked.sort_values(
        ["agrees", "population"], ascending=False, na_position="last", kind="stable"
    )


def _is_in(rows: pd.DataFrame, others: pd.DataFrame, keys: list[str]) -> Bools:
    mine, theirs = (pd.MultiIndex.from_frame(frame[keys]) for frame in (rows, others))
    return np.asarray(mine.isin(theirs))


def _with_county_names(
    others: pd.DataFrame, named: pd.DataFrame, zips: pd.DataFrame
) -> pd.DataFrame:
    """Return the other towns of a name with their county in the name.

    A town in the same county as the first or a more populous one is left out, since its name would
    be the same.
    """
    located = zips[zips["zip_kind"].eq("standard") & zips["county_name"].notna()]
    located = located[located["lat"].notna()]
    if others.empty or located.empty:
        return others.head(0)
    index = PointIndex(located["lat"].to_numpy(float), located["lng"].to_numpy(float))

    def county(rows: pd.DataFrame) -> pd.Series:
        _, nearest = index.nearest(rows["lat"].to_numpy(float), rows["lng"].to_numpy(float))
        return pd.Series(located["county_name"].to_numpy()[nearest[:, 0]], index=rows.index)

    keys = ["state", "search_name", "county"]
    first = named.dropna(subset=["lat"])
    both = pd.concat([first.assign(county=county(first)), others.assign(county=county(others))])
    told = both.drop_duplicates(keys).iloc[len(first) :]
    names = told["place_name"].astype("str") + " (" + told["county"].astype("str") + ")"
    return told.assign(place_name=names, search_name=fold_names(names)).drop(columns="county")


def _name_zips(zips: pd.DataFrame, zip_names: pd.DataFrame) -> pd.DataFrame:
    columns = ["zip", "zip_kind", "state", "lat", "lng", "extent_miles", "is_quality_low"]
    nameless = zips[~zips["zip"].isin(zip_names["zip"]) & zips["place_name"].notna()]
    own = nameless[["zip", "place_name"]].assign(is_default=True)
    located = zips.loc[zips["state"].notna(), columns]
    names = pd.concat([zip_names, own], ignore_index=True).merge(located, on="zip")
    names["search_name"] = fold_names(names["place_name"])
    return names


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
    people = pairs["population"].astype("float64").fillna(other)
    same = pairs["alternates"].isna() & (gap < TOWN_MILES) & _are_alike(people, other)
    for axis in ("lat", "lng"):
        pairs[axis] = pairs[axis].mask(same, pairs[f"{axis}_other"])
    known = pairs["population"].fillna(pairs["population_other"].where(same))
    return pairs.assign(population=known)


def _are_alike(people: Floats | pd.Series, others: Floats | pd.Series | float) -> Bools:
    """Return whether two lists may mean these numbers of people as those of one town."""
    return np.asarray((people >= 0.8 * others) & (people <= 1.25 * others), dtype=bool)


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
    # A ZIP code of the name may belong to another town.
    pairs = pairs[pairs["miles"].le(pairs["extent_miles"].astype("float64") + TOWN_MILES)].copy()
    pairs["is_other"] = pairs["zip_kind"].ne("standard")
    pairs = pairs.sort_values(["is_other", "miles", "zip"], kind="stable")
    own = pairs.drop_duplicates("row").set_index("row")["zip"].reindex(places.index)
    standard = zips[zips["zip_kind"].eq("standard") & zips["lat"].notna()]
    index = PointIndex(standard["lat"].to_numpy(), standard["lng"].to_numpy())
    miles, row = index.nearest(places["lat"].to_numpy(), places["lng"].to_numpy())
    nearest = standard.iloc[row[:, 0]]
    fits = (miles[:, 0] < REPRESENTATIVE_MILES) & (
        nearest["state"].to_numpy() == places["state"].to_numpy()
    )
    near = pd.Series(nearest["zip"].to_numpy(), index=places.index).where(fits)
    return own.fillna(near).astype("str")


_TYPES = {"string": "str", "integer": "Int64", "number": "float64", "boolean": "boolean"}


def as_table(frame: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Return the named columns in their declared types."""
    types = {f.name: _TYPES[f.type] for f in (*ZIPS.fields, *CITIES.fields)}
    return frame[names].astype({name: types[name] for name in names})
