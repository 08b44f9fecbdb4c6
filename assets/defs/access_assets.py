"""How near listed food is: by ZIP code, county, state; the CSV files and the county map made from
it.

Each table is held against the resources by a blocking check of its own.
"""

from collections.abc import Callable
from pathlib import Path

import dagster as dg
import pandas as pd

from assets.defs.freshness import is_made, recipe_of, reused, writing_product
from assets.defs.lineage import blocking_check, recorded
from assets.defs.source_assets import OWNERS
from assets.defs.table_asset import table_asset
from assets.defs.workspace import Workspace, measured
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


out_directory__zip_access = table_asset(
    ZIP_ACCESS,
    reads={ZIPS.name: ZIP_COLUMNS, **_READ},
    group="statistics",
    kinds=_KINDS,
    describe=lambda found: {"zips_without_known_residents": int(found["population"].isna().sum())},
)(zip_access)

out_directory__area_access = table_asset(
    AREA_ACCESS, reads={ZIP_ACCESS.name: None, **_READ}, group="statistics", kinds=_KINDS
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


@dg.asset(
    group_name="statistics",
    kinds={"csv", "geopandas"},
    owners=OWNERS,
    deps=[COUNTY_TOTALS.name, ZIP_ACCESS.name],
    description="The access measure as files: counties and ZIP codes as CSV, and the county map as SVG where there are boundaries.",
)
@recorded()
def out_directory__access(workspace: Workspace) -> dg.MaterializeResult:
    boundaries = workspace.geography().boundaries
    vintage = boundaries.vintage if boundaries else "no boundaries"
    recipe = recipe_of(
        workspace,
        tables=[COUNTY_TOTALS.name, ZIP_ACCESS.name],
        code=[_write_product],
        settings=[vintage],
    )
    if is_made(workspace, recipe, ACCESS_FOLDER):
        return reused(workspace, recipe, ACCESS_FOLDER)
    with measured() as step, writing_product(workspace, ACCESS_FOLDER, recipe) as folder:
        by_county, by_zip = (workspace.read(t.name) for t in (COUNTY_TOTALS, ZIP_ACCESS))
        _write_product(folder, by_county, by_zip, boundaries)
        sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    return dg.MaterializeResult(
        metadata={"boundaries": vintage, **sizes, **step.metadata()}, data_version=recipe.version
    )


def _write_product(
    folder: Path, by_county: pd.DataFrame, by_zip: pd.DataFrame, boundaries: Boundaries | None
) -> None:
    """Write the CSV files, and the map where the geography has boundaries."""
    write_access_files(folder, by_county, by_zip)
    if boundaries is not None:
        from assets.county_map import county_map  # noqa: PLC0415 - pyproj only where there is a map

        drawn = county_map(boundaries, by_county, MAP_TITLE)
        write_gzip(folder / COUNTY_MAP, drawn.encode())


def write_access_files(folder: Path, by_county: pd.DataFrame, by_zip: pd.DataFrame) -> None:
    """Write the two CSV files (RFC 4180, LF, empty for unknown), stored as gzip."""
    for name, frame in ((COUNTIES_CSV, by_county), (ZIPS_CSV, by_zip)):
        flags = frame.select_dtypes("boolean").columns
        spelt = frame.assign(**{f: frame[f].map({True: "true", False: "false"}) for f in flags})
        write_gzip(folder / name, spelt.to_csv(index=False, lineterminator="\n").encode())


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
    return _result(count(*(workspace.path(t.name) for t in (first, second, RESOURCES))))


def _result(findings: list[Finding]) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        passed=not findings,
        severity=dg.AssetCheckSeverity.ERROR,
        description="; ".join(map(str, findings)) or "all figures agree",
        metadata={finding.rule: finding.broken for finding in findings},
    )


ACCESS_ASSETS = [
    out_directory__zip_access,
    out_directory__area_access,
    out_directory__county_totals,
    out_directory__access,
]
ACCESS_CHECKS = [zip_access_agrees, county_totals_agree, area_access_agrees]
