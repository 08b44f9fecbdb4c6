"""Locates places: a point proved by state, ZIP code and city, its precision, county and time zone.

A point outside its state is repaired if the repair is proved (swapped, a lost sign, Web Mercator
meters), else replaced by that of the ZIP code if state, ZIP code and city agree, else rejected. A
point that ZIP code, city or county contradict (`assets.geography.contradictions`) counts as
missing. A place without a point gets that of its ZIP code, city or county, each with its precision.
"""

import numpy as np
import pandas as pd

from assets.geography.city_names import settle_cities, split_street_rests, with_towns
from assets.geography.contradictions import (
    drop_zips,
    outside_zip,
    settle_contradictions,
    withdraw_invented_points,
)
from assets.geography.counties import county_fips_by_name
from assets.geography.evidence import (
    NEAR_MILES,
    StateEvidence,
    as_objects,
    city_fits_zip,
    city_points,
    evidence_of,
    gather_evidence,
    point_of,
    reject,
    town_points,
)
from assets.geography.model import Geography
from assets.geography.points import (
    Bools,
    Texts,
    fold_names,
    mercator_as_degrees,
    miles_between,
    timezones_at,
)
from assets.sources.contract import rows_as_json
from schemas.tables.core import LOCATED, REJECTS
from schemas.vocab.states import STATE_CODES, STATES
from schemas.vocab.statuses import EXACT_PRECISIONS

# A point with more addresses was copied, not measured.
PILE_ADDRESSES = 20
# So was a point with addresses in this many ZIP codes, since no building is in three.
PILE_ZIPS = 3


def locate(places: pd.DataFrame, geography: Geography) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return (located, rejects) of places in the columns of `PLACES`; every row is in one of the
    two.

    A point of the geocoder (`location_method`) is not evidence of the state, from which it was
    computed. It counts if it is in the state and near the ZIP code. Reasons: `state_unknown`,
    `state_zip_conflict`, `point_outside_state`, `no_location`. Confidential places get the point of
    their city and no street.
    """
    evidence = evidence_of(geography)
    places = with_towns(split_street_rests(places, geography), geography)
    work = gather_evidence(places, geography)
    _settle_state(work, geography, evidence)
    _settle_point(work, geography, evidence)
    _take_piles_apart(work)
    _fill_zip(work, evidence)
    places = places.assign(city=settle_cities(places, work, geography).to_numpy())
    # The ZIP code of a confidential place would tell more than the point of its city.
    work.loc[work["is_confidential"], ["zip", "zip_county_fips"]] = None
    rejected = work["reject_reason"].notna().to_numpy()
    located = _as_located(places[~rejected], work[~rejected], geography)
    return located, _as_rejects(places[rejected], work[rejected])


# ------------------------------------------------------------------ state


def _settle_state(work: pd.DataFrame, geography: Geography, evidence: StateEvidence) -> None:
    """Fill a missing state from the ZIP code. If they conflict, the one that the city confirms
    wins."""
    missing = work["state"].isna()
    work["state"] = work["state"].where(~missing, work["zip_state"])
    unknown = ~work["state"].isin(STATE_CODES).to_numpy()
    reject(work, unknown, "state_unknown", "state " + work["state"].fillna("missing").astype(str))
    differs = work["zip_state"].notna() & work["zip_state"].ne(work["state"])
    rows = np.flatnonzero(differs.to_numpy() & ~unknown)
    if len(rows):
        _settle_conflicts(work, rows, geography, evidence)


def _settle_conflicts(
    work: pd.DataFrame, rows: np.ndarray, geography: Geography, evidence: StateEvidence
) -> None:
    some = work.iloc[rows]
    in_state = evidence.is_inside(*point_of(some, "source_"), some["state"].to_numpy())
    by_zip = miles_between(*point_of(some, "source_"), *point_of(some, "zip_")) <= NEAR_MILES
    city_of_zip = city_fits_zip(some, geography)
    lat, _ = city_points(some["state"].to_numpy(), some["city"].to_numpy(), geography)
    city_of_state = np.isfinite(lat)
    # A point in the state and next to the ZIP: delivery routes cross state borders.
    both = in_state & by_zip
    for_zip, for_state = city_of_zip * 1 + by_zip, city_of_state * 1 + in_state
    trust_zip = ~both & city_of_zip & (for_zip > for_state)
    trust_state = ~both & city_of_state & (for_state > for_zip)
    index = some.index
    work.loc[index[trust_zip], "state"] = some.loc[trust_zip, "zip_state"]
    drop_zips(work, index[trust_state])
    open_question = np.zeros(len(work), dtype=bool)
    open_question[rows[~(both | trust_zip | trust_state)]] = True
    detail = "state " + work["state"].astype(str) + ", ZIP " + work["zip"].astype(str)
    reject(
        work,
        open_question,
        "state_zip_conflict",
        detail + " is in " + work["zip_state"].astype(str),
    )


# ------------------------------------------------------------------ point


def _settle_point(work: pd.DataFrame, geography: Geography, evidence: StateEvidence) -> None:
    open_rows = work["reject_reason"].isna().to_numpy()
    has_source = (
        open_rows & work["source_lat"].notna().to_numpy() & ~work["is_confidential"].to_numpy()
    )
    rows = np.flatnonzero(has_source)
    _use_source(work, rows, evidence)
    outside = has_source & work["lat"].isna().to_numpy()
    # After `outside`: rows that lose a stray point had one inside the state.
    withdraw_invented_points(work, geography)
    settle_contradictions(work, geography)
    if outside.any():
        some = work[outside]
        agrees = city_fits_zip(some, geography) & some["zip_state"].eq(some["state"]).to_numpy()
        outside[np.flatnonzero(outside)[agrees]] = False
        texts = pd.Series("", index=work.index, dtype=object)
        some = work[work["source_lat"].notna() & work["lat"].isna()]
        points = zip(some["source_lat"], some["source_lng"], some["state"], strict=True)
        texts[some.index] = [f"lat {y:.10g}, lng {x:.10g}, state {state}" for y, x, state in points]
        reject(work, outside, "point_outside_state", texts)
    _use_geocoded(work, evidence, geography)
    work["city_lat"], work["city_lng"] = town_points(work, geography)
    waiting = work["reject_reason"].isna() & work["lat"].isna()
    of_zip = waiting & work["zip_lat"].notna() & ~work["is_confidential"]
    _place(work, of_zip.to_numpy(), "zip_", "zip_centroid", "zip")
    of_city = waiting & ~of_zip & work["city_lat"].notna()
    _place(work, of_city.to_numpy(), "city_", "city_centroid", "city")
    of_county = _use_county(work, (waiting & ~of_zip & ~of_city).to_numpy(), geography)
    nowhere = (waiting & ~of_zip & ~of_city).to_numpy() & ~of_county
    detail = (
        "no point; city "
        + work["city"].astype(str)
        + ", ZIP "
        + work["zip"].fillna("missing").astype(str)
    )
    reject(work, nowhere, "no_location", detail)


def _place(work: pd.DataFrame, rows: Bools, prefix: str, method: str, precision: str) -> None:
    work.loc[rows, ["lat", "lng"]] = work.loc[rows, [f"{prefix}lat", f"{prefix}lng"]].to_numpy()
    work.loc[rows, "location_method"] = method
    work.loc[rows, "location_precision"] = precision


def _use_county(work: pd.DataFrame, rows: Bools, geography: Geography) -> Bools:
    """Move rows to the center of the county that they state, or else of their ZIP code's."""
    some = work[rows]
    has_county = np.zeros(len(work), dtype=bool)
    if some.empty:
        return has_county
    fips = county_fips_by_name(some["state"], some["county_name"])
    agrees = some["zip_state"].eq(some["state"]) & ~some["is_confidential"]
    fips = fips.fillna(some["zip_county_fips"].where(agrees))
    lat, lng = geography.county_rows.points(fips)
    has_county[np.flatnonzero(rows)[np.isfinite(lat)]] = True
    work.loc[some.index, "county_lat"], work.loc[some.index, "county_lng"] = lat, lng
    work.loc[some.index, "named_county_fips"] = as_objects(fips)
    _place(work, has_county, "county_", "county_centroid", "county")
    return has_county


def _use_geocoded(work: pd.DataFrame, evidence: StateEvidence, geography: Geography) -> None:
    """Use the geocoder's point if it is in its state and not outside the ZIP code, if any."""
    open_rows = work["reject_reason"].isna() & work["lat"].isna() & work["geocoded_lat"].notna()
    rows = np.flatnonzero(open_rows & ~work["is_confidential"])
    if len(rows):
        some = work.iloc[rows]
        fits = evidence.is_inside(*point_of(some, "geocoded_"), some["state"].to_numpy())
        fits &= ~outside_zip(some, "geocoded_", geography)
        accepted = np.zeros(len(work), dtype=bool)
        accepted[rows[fits]] = True
        _place(work, accepted, "geocoded_", "geocoder", "street")


def _use_source(work: pd.DataFrame, rows: np.ndarray, evidence: StateEvidence) -> None:
    """Use the publisher's point unchanged, else the first repair that puts it inside its state."""
    lat, lng = (work[f"source_{axis}"].to_numpy()[rows] for axis in ("lat", "lng"))
    state = work["state"].to_numpy()[rows]
    remaining = np.arange(len(rows))
    metres = (np.abs(lat) > 180) | (np.abs(lng) > 180)
    for method, (a, b) in (
        ("source", (lat, lng)),
        ("source_swapped", (lng, lat)),
        (
            "source_web_mercator",
            mercator_as_degrees(np.where(metres, lng, np.nan), np.where(metres, lat, np.nan)),
        ),
        ("source_sign", (lat, -lng)),
        ("source_sign", (-lat, lng)),
        ("source_sign", (-lat, -lng)),
    ):
        inside = evidence.is_inside(a[remaining], b[remaining], state[remaining])
        hit = remaining[inside]
        index = work.index[rows[hit]]
        work.loc[index, "lat"], work.loc[index, "lng"] = a[hit], b[hit]
        work.loc[index, "location_method"] = method
        remaining = remaining[~inside]
        if not len(remaining):
            break
    # Without a street the point is that of the ZIP code or town, if one is stated.
    by_zip = pd.Series("zip", work.index).where(work["zip"].notna(), "city")
    has_more = work["address"].notna() | (work["zip"].isna() & work["city"].eq(""))
    own = work["own_precision"].where(
        work["own_precision"].notna(), by_zip.where(~has_more, "street")
    )
    work["location_precision"] = own.where(work["lat"].notna(), None)


def _take_piles_apart(work: pd.DataFrame) -> None:
    """Replace points copied to many addresses by that of the ZIP code, if it is known."""
    exact = work["location_precision"].isin(EXACT_PRECISIONS) & work["address"].notna()
    sizes = work[exact].groupby(["lat", "lng"])[["address", "zip"]].nunique()
    of_many_zips = sizes.min(axis=1) >= PILE_ZIPS
    piles = sizes[(sizes["address"] > PILE_ADDRESSES) | of_many_zips].reset_index()[["lat", "lng"]]
    if piles.empty:
        return
    marked = work.reset_index()[["index", "lat", "lng"]].merge(piles, on=["lat", "lng"])["index"]
    piled = work.index.isin(marked) & work["location_precision"].isin(EXACT_PRECISIONS).to_numpy()
    work.loc[piled, "location_precision"] = "zip"
    own_zip = piled & work["zip_lat"].notna().to_numpy()
    _place(work, own_zip, "zip_", "zip_centroid", "zip")


def _fill_zip(work: pd.DataFrame, evidence: StateEvidence) -> None:
    """Fill a missing ZIP code from the point if the nearest is certain and has the row's city."""
    exact = work["location_precision"].isin(EXACT_PRECISIONS)
    rows = work.index[work["zip"].isna() & exact & ~work["is_confidential"] & work["city"].ne("")]
    if len(rows) == 0:
        return
    some = work.loc[rows]
    zips = evidence.sure_zip(*point_of(some, ""))
    agrees = fold_names(zips["place_name"]).to_numpy() == some["city"].to_numpy()
    agrees &= as_objects(zips["state"]) == some["state"].to_numpy()
    work.loc[rows[agrees], "zip"] = as_objects(zips["zip"])[agrees]


# ------------------------------------------------------------------ results


def _as_located(places: pd.DataFrame, work: pd.DataFrame, geography: Geography) -> pd.DataFrame:
    work = work.reset_index(drop=True)
    located = places.reset_index(drop=True)
    of_geocoder = work["location_method"].eq("geocoder")
    work["census_tract"] = work["census_tract"].where(of_geocoder, None)
    for name in ("state", "zip", "location_precision", "location_method", "census_tract"):
        located[name] = pd.Series(work[name], dtype="str")
    located["lat"], located["lng"] = work["lat"], work["lng"]
    located["address"] = located["address"].mask(work["is_confidential"])
    fips = _county_fips(work, geography)
    located["county_fips"] = pd.Series(fips, dtype="str")
    official = located["county_fips"].map(geography.county_names).astype("str")
    located["county_name"] = official.where(official.notna(), located["county_name"])
    # On water, which has only nautical time, the zone is that of the ZIP code.
    zones = pd.Series(timezones_at(*point_of(work, "")), index=work.index, dtype=object)
    at_sea = zones.isna() | zones.str.startswith("Etc/", na=True)
    zones = zones.where(~(at_sea & work["zip_timezone"].notna()), work["zip_timezone"])
    located["timezone"] = pd.Series(as_objects(zones), dtype="str")
    # Hours are parsed afterwards, since they need the time zone.
    return located[[name for name in LOCATED.field_names if name in located]]


def _county_fips(work: pd.DataFrame, geography: Geography) -> Texts:
    """Return counties by polygon for publishers' points, by ZIP for others, or the other."""
    by_zip = work["zip_county_fips"].where(work["zip_state"].eq(work["state"]))
    by_tract = work["census_tract"].astype("str").str[:5].astype(object)
    by_tract = by_tract.where(by_tract.isin(geography.zips["county_fips"].dropna()))
    # The middle of a county's ZIP codes may be outside it: the named county stays.
    by_name = work["named_county_fips"].where(work["location_method"].eq("county_centroid"))
    by_tract = by_tract.where(by_tract.notna(), by_name)
    if geography.boundaries is None:
        return as_objects(by_tract.where(by_tract.notna(), by_zip))
    by_polygon = pd.Series(
        geography.boundaries.county_of(*point_of(work, "")), index=work.index, dtype=object
    )
    state_fips = work["state"].map({s.code: s.fips for s in STATES.values()})
    by_polygon = by_polygon.where(by_polygon.str[:2].eq(state_fips))
    zip_first = work["location_method"].eq("zip_centroid")
    first, second = by_zip.where(zip_first, by_polygon), by_polygon.where(zip_first, by_zip)
    first = by_tract.where(by_tract.notna(), first)
    return as_objects(first.where(first.notna(), second))


def _as_rejects(places: pd.DataFrame, work: pd.DataFrame) -> pd.DataFrame:
    rejects = places[["source_id", "file_name", "source_row", "source_key"]].reset_index(drop=True)
    for name in ("reject_reason", "reject_detail"):
        rejects[name] = pd.Series(work[name].to_numpy(), dtype="str")
    rejects["row_json"] = pd.Series(rows_as_json(places), dtype="str")
    return rejects[REJECTS.field_names]
