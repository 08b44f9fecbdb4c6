"""The bulk files of a release, and the blocking check that other readers find in them what was put
in.
"""

import dagster as dg

from assets.defs.freshness import (
    is_made,
    recipe_of,
    reused,
    writing_product,
)
from assets.defs.lineage import blocking_check, recorded
from assets.defs.source_assets import OWNERS
from assets.defs.workspace import Workspace, measured
from schemas.bulk import BULK_FOLDER, DATABASE_TABLES
from schemas.tables.core import RESOURCES
from warehouse.exports.bulk import BulkFacts, write_bulk
from warehouse.exports.bulk_check import check_bulk

BULK_ASSET = "out_directory__bulk"
_TABLES = tuple(DATABASE_TABLES.values())


@dg.asset(
    group_name="release",
    kinds={"duckdb", "parquet", "geojson"},
    owners=OWNERS,
    deps=[table.name for table in _TABLES],
    description="The whole directory for analysts: Parquet, GeoParquet, CSV, NDJSON, GeoJSON, FlatGeobuf, DuckDB.",
)
@recorded()
def out_directory__bulk(workspace: Workspace) -> dg.MaterializeResult:
    facts = BulkFacts(workspace.data_license, workspace.is_synthetic, workspace.as_of_date)
    recipe = recipe_of(
        workspace,
        tables=[t.name for t in _TABLES],
        code=[write_bulk],
        settings=[facts.license, facts.is_synthetic, facts.as_of],
    )
    if is_made(workspace, recipe, BULK_FOLDER):
        return reused(workspace, recipe, BULK_FOLDER)
    with measured() as step, writing_product(workspace, BULK_FOLDER, recipe) as folder:
        tables = {t.name: workspace.path(t.name) for t in _TABLES}
        index = write_bulk(tables, folder, facts)
    lines = [f"| {f.name} | {f.rows:,} | {f.size_bytes / 1e6:,.1f} |" for f in index.files]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": index.files[0].rows,
            "files": dg.MetadataValue.md(
                "\n".join(["| file | rows | MB |", "|---|---|---|", *lines])
            ),
            "size_mb": round(sum(f.size_bytes for f in index.files) / 1e6, 1),
            "license": index.license,
            "is_synthetic": index.is_synthetic,
            **step.metadata(),
        },
        data_version=recipe.version,
    )


@blocking_check(
    asset=BULK_ASSET,
    name="files_hold_the_directory",
    reads={RESOURCES.name: None},
    description="Every format holds every active resource, opens with another reader, has the digest that is listed, and shows no confidential place.",
)
def bulk_holds_the_directory(workspace: Workspace) -> dg.AssetCheckResult:
    active = int(workspace.read(RESOURCES.name, ["is_active"])["is_active"].sum())
    with measured() as step:
        faults = check_bulk(workspace.product(BULK_FOLDER), active)
    return dg.AssetCheckResult(
        passed=not faults,
        description="; ".join(faults) or f"{active:,} resources in every format",
        metadata={"active_resources": active, **step.metadata()},
    )
