"""How near listed food is: by ZIP code, county, state; the CSV files and the county map made from
it.

Each table is held against the resources by a blocking check of its own.
"""

from collections.abc import Callable
from pathlib import Path

import dagster as dg
import pandas as pd

from assets.defs.checks import blocking_check, check_result
from assets.defs.steps import Facts, load_frame, product_asset, table_asset
from assets.defs.workspace import Workspace
from assets.food_access import ACCESS_COLUMNS, ZIP_COLUMNS, area_access, county_totals, zip_access
from assets.geography.boundaries import Boundaries
from assets.geography.counties import counties
from assets.geography.official_files import population
from schemas.table import Table
from schemas.tables.access import AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS
from schemas.tables.core import RESOURCES, ZIPS
from schemas.vocab.food_access import ACCESS_FOLDER, COUNTIES_CSV, COUNTY_MAP, ZIPS_CSV
from schemas.vocab.states import STATE_CODES
from warehouse.checks.declared import Finding
from warehouse.checks.food_access import area_disagreements, county_disagreements, zip_disagreements
from warehouse.exports.gzip_files import write_gzip

MAP_TITLE = (
    "Share of residents within 5 great-circle miles of a listed place with free food, by county"
)
_KINDS = {"pandas", "scipy", "parquet"}
# Of a resource only what is read, by the steps and by their checks: most changes are to nothing
# else.
_READ = {RESOURCES.name: ACCESS_COLUMNS}


@blocking_check(
    asset=ZIP_ACCESS.name,
    name="zip_access_agrees",
    reads={**_READ, ZIPS.name: None},
    description="Distances and counts of a sample of ZIP codes are what brute force over all places gives.",
)
def zip_access_agrees(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, zip_disagreements, ZIP_ACCESS, ZIPS)


@blocking_check(
    asset=COUNTY_TOTALS.name,
    name="county_totals_agree",
    reads={**_READ, ZIP_ACCESS.name: None},
    description="Every count by county, and every share of residents, is what resources and ZIP codes give when they are counted again.",
)
def county_totals_agree(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, county_disagreements, COUNTY_TOTALS, ZIP_ACCESS)


@blocking_check(
    asset=AREA_ACCESS.name,
    name="area_access_agrees",
    reads={**_READ, ZIP_ACCESS.name: None},
    description="Every count by state, and every share of residents, is what resources and ZIP codes give when they are counted again.",
)
def area_access_agrees(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, area_disagreements, AREA_ACCESS, ZIP_ACCESS)


def _agreement(
    workspace: Workspace, count: Callable[..., list[Finding]], first: Table, second: Table
) -> dg.AssetCheckResult:
    """Work out the first table again from the second and the resources."""
    paths = (workspace.path(t.name) for t in (first, second, RESOURCES))
    return check_result(count(*paths), "all figures agree")


out_directory__zip_access = table_asset(
    ZIP_ACCESS,
    reads={ZIPS.name: ZIP_COLUMNS, **_READ},
    group="statistics",
    kinds=_KINDS,
    checks=[zip_access_agrees],
    describe=lambda found: {"zips_without_known_residents": int(found["population"].isna().sum())},
)(zip_access)

out_directory__area_access = table_asset(
    AREA_ACCESS,
    reads={ZIP_ACCESS.name: None, **_READ},
    group="statistics",
    kinds=_KINDS,
    checks=[area_access_agrees],
)(area_access)


def _county_residents(workspace: Workspace) -> dict[str, int] | None:
    """Residents by county from the folder of official files, None without one.

    The estimates count Connecticut by planning regions: its eight counties have none.
    """
    if not workspace.geography_dir:
        return None
    found = population(Path(workspace.geography_dir), "county")
    return None if found is None else found.to_dict()


@table_asset(
    COUNTY_TOTALS,
    reads={ZIP_ACCESS.name: None, **_READ},
    group="statistics",
    kinds=_KINDS,
    checks=[county_totals_agree],
    settings=lambda workspace: {"residents": _county_residents(workspace)},
    describe=lambda found: {
        "counties_without_known_residents": int(found["population"].isna().sum())
    },
)
def out_directory__county_totals(
    by_zip: pd.DataFrame, resources: pd.DataFrame, residents: dict[str, int] | None
) -> pd.DataFrame:
    named = counties()
    people = None if residents is None else pd.Series(residents)
    return county_totals(by_zip, resources, named[named["state"].isin(STATE_CODES)], people)


def _boundaries(workspace: Workspace) -> str:
    boundaries = workspace.geography().boundaries
    return boundaries.vintage if boundaries else "no boundaries"


@product_asset(
    "out_directory__access",
    ACCESS_FOLDER,
    reads={COUNTY_TOTALS.name: None, ZIP_ACCESS.name: None},
    group="statistics",
    kinds={"csv", "geopandas"},
    settings=lambda workspace: {"vintage": _boundaries(workspace)},
    given=lambda workspace: {"boundaries": workspace.geography().boundaries},
    load=load_frame,
    description="The access measure as files: counties and ZIP codes as CSV, and the county map as SVG where there are boundaries.",
)
def out_directory__access(
    folder: Path,
    by_county: pd.DataFrame,
    by_zip: pd.DataFrame,
    vintage: str,
    boundaries: Boundaries | None,
) -> Facts:
    """Write the CSV files, and the map where the geography has boundaries."""
    write_access_files(folder, by_county, by_zip)
    if boundaries is not None:
        from assets.county_map import county_map  # noqa: PLC0415 - pyproj only where there is a map

        drawn = county_map(boundaries, by_county, MAP_TITLE)
        write_gzip(folder / COUNTY_MAP, drawn.encode())
    sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    return {"boundaries": vintage, **sizes}


def write_access_files(folder: Path, by_county: pd.DataFrame, by_zip: pd.DataFrame) -> None:
    """Write the two CSV files (RFC 4180, LF, empty for unknown), stored as gzip."""
    for name, frame in ((COUNTIES_CSV, by_county), (ZIPS_CSV, by_zip)):
        flags = frame.select_dtypes("boolean").columns
        spelt = frame.assign(**{f: frame[f].map({True: "true", False: "false"}) for f in flags})
        write_gzip(folder / name, spelt.to_csv(index=False, lineterminator="\n").encode())


ACCESS_ASSETS = [
    out_directory__zip_access,
    out_directory__area_access,
    out_directory__county_totals,
    out_directory__access,
]
