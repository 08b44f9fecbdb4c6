"""How near listed food is: by ZIP code, county, state; the CSV files and the county map made from
it.

Each table is held against the resources by a blocking check of its own.
"""

import gzip
from collections.abc import Callable
from pathlib import Path

import dagster as dg
import pandas as pd

from assets.access import ACCESS_COLUMNS, ZIP_COLUMNS, area_access, county_totals, zip_access
from assets.defs.freshness import checked, is_made, recipe_of, reused, writing_product
from assets.defs.lineage import blocking_check, recorded
from assets.defs.source_assets import OWNERS
from assets.defs.workspace import Workspace, measured
from assets.geography.counties import counties
from assets.geography.official_files import population
from schemas.table import Table
from schemas.tables.access import AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS
from schemas.tables.core import RESOURCES, ZIPS
from schemas.vocab.access import ACCESS_FOLDER, COUNTIES_CSV, COUNTY_MAP, ZIPS_CSV
from schemas.vocab.states import STATE_CODES
from warehouse.access_check import area_disagreements, county_disagreements, zip_disagreements
from warehouse.check import Finding

ACCESS_ASSET = "out_directory__access"
MAP_TITLE = (
    "Share of residents within 5 great-circle miles of a listed place with free food, by county"
)
_KINDS = {"pandas", "scipy", "parquet"}
_CODE = ["assets.access", "schemas"]
# Of a resource only what is read, by the steps and by their checks: most changes are to nothing
# else.
_READ = {RESOURCES.name: ACCESS_COLUMNS}


@dg.asset(
    group_name="statistics",
    kinds=_KINDS,
    owners=OWNERS,
    description=ZIP_ACCESS.description,
    deps=[RESOURCES.name, ZIPS.name],
)
@recorded()
def out_directory__zip_access(workspace: Workspace) -> dg.MaterializeResult:
    recipe = recipe_of(workspace, columns={**_READ, ZIPS.name: ZIP_COLUMNS}, code=_CODE)
    if is_made(workspace, recipe, ZIP_ACCESS.name):
        return reused(workspace, recipe, ZIP_ACCESS.name)
    with measured() as step:
        resources = workspace.read(RESOURCES.name, ACCESS_COLUMNS)
        found = zip_access(workspace.read(ZIPS.name, ZIP_COLUMNS), resources)
        metadata = workspace.write(ZIP_ACCESS.name, found, ZIP_ACCESS, recipe.notes)
    unknown = int(found["population"].isna().sum())
    return dg.MaterializeResult(
        metadata={**metadata, "zips_without_known_residents": unknown, **step.metadata()},
        data_version=recipe.version,
    )


@dg.asset(
    group_name="statistics",
    kinds=_KINDS,
    owners=OWNERS,
    description=AREA_ACCESS.description,
    deps=[RESOURCES.name, ZIP_ACCESS.name],
)
@recorded()
def out_directory__area_access(workspace: Workspace) -> dg.MaterializeResult:
    recipe = recipe_of(workspace, tables=[ZIP_ACCESS.name], columns=_READ, code=_CODE)
    if is_made(workspace, recipe, AREA_ACCESS.name):
        return reused(workspace, recipe, AREA_ACCESS.name)
    with measured() as step:
        found = area_access(
            workspace.read(ZIP_ACCESS.name), workspace.read(RESOURCES.name, ACCESS_COLUMNS)
        )
        metadata = workspace.write(AREA_ACCESS.name, found, AREA_ACCESS, recipe.notes)
    return dg.MaterializeResult(
        metadata={**metadata, **step.metadata()}, data_version=recipe.version
    )


@dg.asset(
    group_name="statistics",
    kinds=_KINDS,
    owners=OWNERS,
    description=COUNTY_TOTALS.description,
    deps=[RESOURCES.name, ZIP_ACCESS.name],
)
@recorded()
def out_directory__county_totals(workspace: Workspace) -> dg.MaterializeResult:
    residents = _county_residents(workspace)
    known = "" if residents is None else residents.to_json()
    recipe = recipe_of(
        workspace,
        tables=[ZIP_ACCESS.name],
        columns=_READ,
        code=[*_CODE, "assets.geography.counties"],
        settings=[known],
    )
    if is_made(workspace, recipe, COUNTY_TOTALS.name):
        return reused(workspace, recipe, COUNTY_TOTALS.name)
    with measured() as step:
        named = counties()
        found = county_totals(
            workspace.read(ZIP_ACCESS.name),
            workspace.read(RESOURCES.name, ACCESS_COLUMNS),
            named[named["state"].isin(STATE_CODES)],
            residents,
        )
        metadata = workspace.write(COUNTY_TOTALS.name, found, COUNTY_TOTALS, recipe.notes)
    unknown = int(found["population"].isna().sum())
    return dg.MaterializeResult(
        metadata={**metadata, "counties_without_known_residents": unknown, **step.metadata()},
        data_version=recipe.version,
    )


def _county_residents(workspace: Workspace) -> pd.Series | None:
    """Residents by county from the folder of official files, None without one.

    The estimates count Connecticut by planning regions: its eight counties have none.
    """
    return population(Path(workspace.geography_dir), "county") if workspace.geography_dir else None


@dg.asset(
    group_name="statistics",
    kinds={"csv", "geopandas"},
    owners=OWNERS,
    deps=[COUNTY_TOTALS.name, ZIP_ACCESS.name],
    description="The access measure as files: counties and ZIP codes as CSV, and the county map as SVG where there are boundaries.",
)
@recorded()
def out_directory__access(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> dg.MaterializeResult:
    boundaries = workspace.geography().boundaries
    vintage = boundaries.vintage if boundaries else "no boundaries"
    recipe = recipe_of(
        workspace,
        tables=[COUNTY_TOTALS.name, ZIP_ACCESS.name],
        code=["assets.county_map", "assets.geography.boundaries", "schemas"],
        settings=[vintage],
    )
    if is_made(workspace, recipe, ACCESS_FOLDER):
        return reused(workspace, recipe, ACCESS_FOLDER)
    with measured() as step, writing_product(workspace, ACCESS_FOLDER, recipe) as folder:
        by_county = workspace.read(COUNTY_TOTALS.name)
        write_access_files(folder, by_county, workspace.read(ZIP_ACCESS.name))
        if boundaries is None:
            context.log.info("no county map: the geography has no boundaries")
        else:
            from assets.county_map import county_map  # noqa: PLC0415 - pyproj only where there is a map

            write_with_twin(folder / COUNTY_MAP, county_map(boundaries, by_county, MAP_TITLE))
        sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    return dg.MaterializeResult(
        metadata={"boundaries": vintage, **sizes, **step.metadata()}, data_version=recipe.version
    )


def write_access_files(folder: Path, by_county: pd.DataFrame, by_zip: pd.DataFrame) -> None:
    """The two CSV files (RFC 4180, LF, empty for unknown), each with its compressed twin."""
    for name, frame in ((COUNTIES_CSV, by_county), (ZIPS_CSV, by_zip)):
        flags = frame.select_dtypes("boolean").columns
        spelt = frame.assign(**{f: frame[f].map({True: "true", False: "false"}) for f in flags})
        write_with_twin(folder / name, spelt.to_csv(index=False, lineterminator="\n"))


def write_with_twin(path: Path, text: str) -> None:
    """A text and the same compressed; equal text gives equal bytes."""
    path.write_bytes(text.encode())
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


@blocking_check(
    asset=ZIP_ACCESS.name,
    name="zip_access_agrees",
    reads=[RESOURCES.name, ZIPS.name],
    description="Distances and counts of a sample of ZIP codes are what brute force over all places gives.",
)
def zip_access_agrees(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, zip_disagreements, ZIP_ACCESS, ZIPS)


@blocking_check(
    asset=COUNTY_TOTALS.name,
    name="county_totals_agree",
    reads=[RESOURCES.name, ZIP_ACCESS.name],
    description="Every count by county, and every share of residents, is what resources and ZIP codes give when they are counted again.",
)
def county_totals_agree(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, county_disagreements, COUNTY_TOTALS, ZIP_ACCESS)


@blocking_check(
    asset=AREA_ACCESS.name,
    name="area_access_agrees",
    reads=[RESOURCES.name, ZIP_ACCESS.name],
    description="Every count by state, and every share of residents, is what resources and ZIP codes give when they are counted again.",
)
def area_access_agrees(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, area_disagreements, AREA_ACCESS, ZIP_ACCESS)


def _agreement(
    workspace: Workspace, count: Callable[..., list[Finding]], first: Table, second: Table
) -> dg.AssetCheckResult:
    """The outcome of working out the first table again from the second and the resources."""
    tables = [first.name, second.name]
    recipe = recipe_of(
        workspace, tables=tables, columns=_READ, code=["schemas", "warehouse.access_check"]
    )
    paths = [workspace.path(name) for name in (*tables, RESOURCES.name)]
    return checked(workspace, f"agreement.{first.name}", recipe, lambda: _result(count(*paths)))


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
