"""Measure how near listed food is by ZIP code, county and state; write CSV files and a county map.

A blocking check measures each table again from the resources.
"""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pandas as pd

from assets.geography.assets import boundaries_vintage
from assets.geography.counties import counties
from assets.geography.official_files import population
from assets.statistics.food_access import (
    ACCESS_COLUMNS,
    ZIP_COLUMNS,
    area_access,
    county_totals,
    zip_access,
)
from assets.steps.checks import recount_check
from assets.steps.products import product_of
from assets.steps.tables import outputs, outs_of, read
from assets.steps.workspace import Workspace
from schemas.tables.core import AREA_ACCESS, COUNTY_TOTALS, RESOURCES, ZIP_ACCESS, ZIPS
from schemas.vocab.food_access import COUNTIES_CSV, COUNTY_MAP, ZIPS_CSV
from schemas.vocab.states import STATE_CODES
from warehouse.checks.food_access import area_disagreements, county_disagreements, zip_disagreements
from warehouse.exports.gzip_files import write_gzip

MAP_TITLE = (
    "Share of residents within 5 great-circle miles of a listed place with free food, by county"
)
ACCESS_CHECKS = (
    recount_check(
        table=ZIP_ACCESS,
        name="zip_access_agrees",
        reads=[ZIPS.name, RESOURCES.name],
        description=(
            "Distances and counts of a sample of ZIP codes are what brute force over all places "
            "gives."
        ),
        count=zip_disagreements,
    ),
    recount_check(
        table=COUNTY_TOTALS,
        name="county_totals_agree",
        reads=[ZIP_ACCESS.name, RESOURCES.name],
        description=(
            "Every count by county, and every share of residents, is what resources and ZIP codes "
            "give when they are counted again."
        ),
        count=county_disagreements,
    ),
    recount_check(
        table=AREA_ACCESS,
        name="area_access_agrees",
        reads=[ZIP_ACCESS.name, RESOURCES.name],
        description=(
            "Every count by state, and every share of residents, is what resources and ZIP codes "
            "give when they are counted again."
        ),
        count=area_disagreements,
    ),
)


def _county_residents(workspace: Workspace) -> dict[str, int] | None:
    """Return residents by county from the folder of official files, None without one.

    The estimates count Connecticut by planning regions: its eight counties have none.
    """
    if not workspace.geography_dir:
        return None
    residents = population(Path(workspace.geography_dir), "county")
    return None if residents is None else residents.to_dict()


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
    residents = _county_residents(workspace)
    by_zip, county_table = zip_access(zips, resources), counties()
    people = None if residents is None else pd.Series(residents)
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
