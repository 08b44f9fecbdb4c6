"""Measures how near listed food is by ZIP code, county and state; writes CSV files and a map."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import dagster as dg
import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.spatial import cKDTree

from assets.geography.assets import boundaries_vintage
from assets.geography.counties import counties
from assets.geography.official_files import population
from assets.steps.tables import outputs, outs_of, product_of, read
from assets.steps.workspace import Workspace
from schemas.tables.core import AREA_ACCESS, COUNTY_TOTALS, RESOURCES, ZIP_ACCESS, ZIPS
from schemas.values.coordinates import chord_to_miles, ecef, miles_to_chord
from schemas.vocab.food_access import (
    COUNTIES_CSV,
    COUNTY_MAP,
    COUNTY_RESIDENTS,
    FREE_RADII,
    FREE_TYPES,
    MILE_DECIMALS,
    NATION,
    PEOPLE_RADII,
    SHARE_DECIMALS,
    SHARE_MILES,
    SNAP_RADII,
    SNAP_TYPE,
    ZIP_RESIDENTS,
    ZIPS_CSV,
)
from schemas.vocab.resource_types import MODES, PANTRY_CLASS, TYPES_BY_MODE
from schemas.vocab.states import CODE_BY_FIPS, STATE_CODES
from schemas.vocab.statuses import EXACT_PRECISIONS
from warehouse.gzip_files import write_gzip

# Columns of the resources that the measure is made from.
ACCESS_COLUMNS = [
    "resource_type",
    "state",
    "county_fips",
    "lat",
    "lng",
    "location_precision",
    "is_hours_current",
    "is_active",
]
ZIP_COLUMNS = [
    "zip",
    "zip_kind",
    "state",
    "county_fips",
    "lat",
    "lng",
    "population",
    "is_quality_low",
]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
# Half of the last decimal: a distance of this much more still rounds to the radius.
_HALF_STEP = 0.5 * 10**-MILE_DECIMALS


@dataclass(frozen=True, eq=False)
class _Points:
    """Places as a k-d tree over their distinct points; `exact` marks exact points."""

    tree: cKDTree
    distinct: cKDTree
    exact: Bools

    @classmethod
    def of(cls, places: pd.DataFrame) -> Self:
        exact = places["location_precision"].isin(EXACT_PRECISIONS)
        # Many places may share one point: it is exact if any of them says so, whichever comes
        # first.
        points = exact.groupby([places["lat"], places["lng"]]).any()
        lat, lng = (points.index.get_level_values(n).to_numpy(float) for n in ("lat", "lng"))
        every = ecef(places["lat"].to_numpy(float), places["lng"].to_numpy(float))
        return cls(cKDTree(every), cKDTree(ecef(lat, lng)), points.to_numpy(bool))

    def nearest(self, at: Floats) -> tuple[Floats, Ints]:
        """Return (rounded miles, row) of the nearest; (nan, -1) without any place."""
        if not self.distinct.n:
            return np.full(len(at), np.nan), np.full(len(at), -1)
        chord, row = self.distinct.query(at)
        return np.asarray(chord_to_miles(np.asarray(chord))).round(MILE_DECIMALS), row

    def within(self, at: Floats, miles: float) -> Ints:
        """Return how many places lie within the radius of every point."""
        if not self.tree.n or not len(at):
            return np.zeros(len(at), dtype=np.int64)
        chord = miles_to_chord(miles + _HALF_STEP)
        counts = self.tree.query_ball_point(at, chord, return_length=True)
        return np.asarray(counts, dtype=np.int64)


def zip_access(zips: pd.DataFrame, resources: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each ZIP code with a point and a state, in the columns of `ZIP_ACCESS`.

    `zips` has `ZIP_COLUMNS`, `resources` has `ACCESS_COLUMNS`.
    """
    is_placed = zips["lat"].notna() & zips["lng"].notna() & zips["state"].isin(STATE_CODES)
    access = zips.loc[is_placed, ZIP_COLUMNS].reset_index(drop=True)
    at = ecef(access["lat"].to_numpy(float), access["lng"].to_numpy(float)).reshape(-1, 3)
    active = resources[resources["is_active"]]
    free = active[active["resource_type"].isin(FREE_TYPES)]
    points = _Points.of(free)
    with_hours = _Points.of(free[free["is_hours_current"]])
    exact = _Points.of(free[free["location_precision"].isin(EXACT_PRECISIONS)])
    shops = _Points.of(active[active["resource_type"].eq(SNAP_TYPE)])
    miles, row = points.nearest(at)
    access["nearest_free_miles"] = miles
    is_exact = pd.array(np.append(points.exact, False)[row], dtype="boolean")
    access["is_nearest_free_exact"] = pd.Series(is_exact).mask(np.isnan(miles))
    access["nearest_free_known_hours_miles"] = with_hours.nearest(at)[0]
    access["nearest_snap_miles"] = shops.nearest(at)[0]
    for radius in FREE_RADII:
        access[f"free_within_{radius}_count"] = points.within(at, radius)
    for radius in SNAP_RADII:
        access[f"snap_within_{radius}_count"] = shops.within(at, radius)
    access["free_known_hours_within_25_count"] = with_hours.within(at, SHARE_MILES)
    access["free_exact_within_25_count"] = exact.within(at, SHARE_MILES)
    around = access[f"free_within_{SHARE_MILES}_count"]
    access["hours_known_share"] = _share(access["free_known_hours_within_25_count"], around)
    access["exact_share"] = _share(access["free_exact_within_25_count"], around)
    access["population"] = access["population"].astype("Int64")
    access["population_source"] = _source(access["population"], ZIP_RESIDENTS)
    return access[ZIP_ACCESS.field_names].sort_values("zip", ignore_index=True)


def _share(part: pd.Series, whole: pd.Series) -> pd.Series:
    """Return shares of the wholes that are not 0, rounded."""
    ratio = part.astype("Float64") / whole.astype("Float64").mask(whole.eq(0).fillna(True))
    return ratio.astype("float64").round(SHARE_DECIMALS)


def _source(people: pd.Series, source: str) -> pd.Series:
    return pd.Series(source, index=people.index, dtype="str").where(people.notna())


# ------------------------------------------------------------------ areas


def people_measures(zips: pd.DataFrame, area: pd.Series) -> pd.DataFrame:
    """Return the measure by area, weighted by the residents of ZIP codes; index: the areas that
    occur.

    `zips` is in the columns of `ZIP_ACCESS`; a ZIP code whose area is missing counts nowhere.
    """
    people = zips["population"].astype("Float64").astype("float64")
    weight = people.fillna(0.0)
    miles = zips["nearest_free_miles"]
    hours = zips["nearest_free_known_hours_miles"]
    columns = pd.DataFrame(
        {
            "zip_area_count": 1,
            "zip_without_population_count": people.isna().astype("int64"),
            "zip_population": weight,
            "rough_population": weight.where(zips["is_quality_low"].astype(bool), 0.0),
            "inexact_population": weight.where(
                zips["is_nearest_free_exact"].eq(False).fillna(False), 0.0
            ),
            "mean_free_miles": weight * miles.fillna(0.0),
            **{_within(r): weight.where(miles.le(r), 0.0) for r in PEOPLE_RADII},
            "people_share_known_hours_within_5_miles": weight.where(hours.le(5), 0.0),
            "standard": zips["zip_kind"].eq("standard").astype("int64"),
            "standard_near": (zips["zip_kind"].eq("standard") & miles.le(5)).astype("int64"),
        }
    )
    sums = columns.groupby(area).sum()
    is_known = sums["zip_area_count"] > sums["zip_without_population_count"]
    residents = sums["zip_population"]
    for name in ("zip_population", "rough_population", "inexact_population"):
        sums[name] = sums[name].round().astype("Int64").where(is_known)
    has_places = miles.notna().groupby(area).any()
    mean = sums["mean_free_miles"] / residents.where(residents > 0)
    sums["mean_free_miles"] = mean.where(has_places).round(MILE_DECIMALS)
    for name in [*map(_within, PEOPLE_RADII), "people_share_known_hours_within_5_miles"]:
        sums[name] = _share(sums[name], residents)
    sums["zip_share_within_5_miles"] = _share(sums["standard_near"], sums["standard"])
    sums["median_free_miles"] = compute_weighted_medians(miles, weight, area).reindex(sums.index)
    return sums


def _within(radius: int) -> str:
    return f"people_share_within_{radius}_mile{'' if radius == 1 else 's'}"


def compute_weighted_medians(values: pd.Series, weight: pd.Series, area: pd.Series) -> pd.Series:
    """Return the smallest value of each area at or below which half of the weight is."""
    counts = values.notna() & weight.gt(0) & area.notna()
    frame = pd.DataFrame({"area": area, "value": values, "weight": weight})[counts]
    frame = frame.sort_values(["area", "value"], kind="stable")
    reached = frame.groupby("area")["weight"].cumsum()
    half = frame.groupby("area")["weight"].transform("sum") / 2
    return frame[reached >= half].groupby("area")["value"].first()


def area_access(zips: pd.DataFrame, resources: pd.DataFrame) -> pd.DataFrame:
    """Return a row per state, territory and the nation, in the columns of `AREA_ACCESS`."""
    free = resources[resources["is_active"] & resources["resource_type"].isin(FREE_TYPES)]
    nation = pd.Series(NATION, index=zips.index, dtype="str")
    measures = pd.concat(
        [people_measures(zips, zips["state"]), people_measures(zips, nation)]
    ).reindex([*STATE_CODES, NATION])
    whole = pd.Series(NATION, index=free.index, dtype="str")
    places = pd.concat([_free_counts(free, free["state"]), _free_counts(free, whole)])
    return _complete(measures, places, "area")[AREA_ACCESS.field_names]


def _free_counts(free: pd.DataFrame, area: pd.Series) -> pd.DataFrame:
    marks = pd.DataFrame(
        {
            "free_food_count": 1,
            "free_hours_known_count": free["is_hours_current"].astype("int64"),
            "free_exact_point_count": free["location_precision"]
            .isin(EXACT_PRECISIONS)
            .astype("int64"),
        },
        index=free.index,
    )
    return marks.groupby(area).sum()


def _complete(measures: pd.DataFrame, places: pd.DataFrame, key: str) -> pd.DataFrame:
    """Join measure and counts (0 for none), and add the shares."""
    table = measures.join(places)
    counts = [*places.columns, "zip_area_count", "zip_without_population_count"]
    table[counts] = table[counts].fillna(0).astype("int64")
    table["hours_known_share"] = _share(table["free_hours_known_count"], table["free_food_count"])
    table["exact_share"] = _share(table["free_exact_point_count"], table["free_food_count"])
    return table.rename_axis(key).reset_index().sort_values(key, ignore_index=True)


def county_totals(
    zips: pd.DataFrame,
    resources: pd.DataFrame,
    counties: pd.DataFrame,
    residents: pd.Series | None = None,
) -> pd.DataFrame:
    """Return one row for each county, in the columns of `COUNTY_TOTALS`.

    `zips` is in the columns of `ZIP_ACCESS`, `resources` has `ACCESS_COLUMNS`, `counties` has
    `county_fips` and `county_name`; a county that only resources or ZIP codes name gets a row
    without a name. `residents` is indexed by county; a county it lacks has none known.
    """
    active = resources[resources["is_active"]]
    fips = active["county_fips"]
    marks = pd.DataFrame(
        {
            "resource_count": 1,
            "pantry_class_count": active["resource_type"].isin(PANTRY_CLASS).astype("int64"),
        },
        index=active.index,
    )
    for mode in (mode for mode in MODES if mode != "free"):
        marks[f"{mode}_count"] = active["resource_type"].isin(TYPES_BY_MODE[mode]).astype("int64")
    free = active[active["resource_type"].isin(FREE_TYPES)]
    places = marks.groupby(fips).sum().join(_free_counts(free, free["county_fips"]))
    measures = people_measures(zips, zips["county_fips"])
    names = counties.drop_duplicates("county_fips").set_index("county_fips")["county_name"]
    every = names.index.union(places.index).union(measures.index)
    table = _complete(measures.reindex(every), places, "county_fips")
    table["county_name"] = table["county_fips"].map(names).astype("str")
    table["state"] = table["county_fips"].str[:2].map(CODE_BY_FIPS).astype("str")
    people = residents if residents is not None else pd.Series(dtype="Int64")
    table["population"] = people.reindex(table["county_fips"]).astype("Int64").array
    table["population_source"] = _source(table["population"], COUNTY_RESIDENTS)
    per = table["population"].astype("Float64").astype("float64").replace(0.0, np.nan) / 10_000
    table["free_food_per_10000_residents"] = (table["free_food_count"] / per).round(3)
    table["resources_per_10000_residents"] = (table["resource_count"] / per).round(3)
    return table[COUNTY_TOTALS.field_names]


MAP_TITLE = (
    "Share of residents within 5 great-circle miles of a listed place with free food, by county"
)


@dg.multi_asset(
    ins={"zips": read(ZIPS, ZIP_COLUMNS), "resources": read(RESOURCES, ACCESS_COLUMNS)},
    outs=outs_of(
        "statistics",
        ZIP_ACCESS,
        AREA_ACCESS,
        COUNTY_TOTALS,
        kinds={"pandas", "scipy", "parquet"},
    ),
    can_subset=True,
)
def out_directory_food_access(
    context: dg.AssetExecutionContext,
    workspace: Workspace,
    zips: pd.DataFrame,
    resources: pd.DataFrame,
) -> Iterator[dg.Output[pd.DataFrame]]:
    # Estimates by county come from the folder of official files. They count Connecticut by planning
    # regions, so its eight counties have none.
    folder = workspace.geography_dir
    people = population(Path(folder), "county") if folder else None
    by_zip, county_table = zip_access(zips, resources), counties()
    by_county = county_totals(
        by_zip, resources, county_table[county_table["state"].isin(STATE_CODES)], people
    )
    unknown = {
        f"{area}_without_known_residents": int(frame["population"].isna().sum())
        for area, frame in (("zips", by_zip), ("counties", by_county))
    }
    tables = {
        ZIP_ACCESS: by_zip,
        AREA_ACCESS: area_access(by_zip, resources),
        COUNTY_TOTALS: by_county,
    }
    yield from outputs(context, tables, unknown)


@dg.asset(
    ins={"by_county": read(COUNTY_TOTALS), "by_zip": read(ZIP_ACCESS)},
    **product_of(
        "out_directory__access",
        "statistics",
        kinds={"csv", "geopandas"},
        description=(
            "The access measure as files: counties and ZIP codes as CSV, and the county map as SVG "
            "where there are boundaries."
        ),
    ),
)
def out_directory__access(
    workspace: Workspace, by_county: pd.DataFrame, by_zip: pd.DataFrame
) -> Iterator[dg.Output[Path]]:
    """Write the CSV files, and the map if the geography has boundaries."""
    boundaries = workspace.geography().boundaries
    with workspace.scratch() as folder:
        write_access_files(folder, by_county, by_zip)
        if boundaries is not None:
            from assets.statistics.county_map import county_map  # noqa: PLC0415 - pyproj only where there is a map

            svg = county_map(boundaries, by_county, MAP_TITLE)
            write_gzip(folder / COUNTY_MAP, svg.encode())
        sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
        yield dg.Output(folder, metadata={"boundaries": boundaries_vintage(workspace), **sizes})


def write_access_files(folder: Path, by_county: pd.DataFrame, by_zip: pd.DataFrame) -> None:
    """Write the two CSV files (RFC 4180, LF, empty for unknown), stored as gzip."""
    for name, frame in ((COUNTIES_CSV, by_county), (ZIPS_CSV, by_zip)):
        flags = frame.select_dtypes("boolean").columns
        spelt = frame.assign(**{f: frame[f].map({True: "true", False: "false"}) for f in flags})
        write_gzip(folder / name, spelt.to_csv(index=False, lineterminator="\n").encode())


ACCESS_ASSETS = [out_directory_food_access, out_directory__access]
