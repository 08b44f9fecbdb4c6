"""Writes the bulk files of a release."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg

from assets.steps.products import product_of
from assets.steps.tables import show
from assets.steps.workspace import Workspace
from schemas.bulk import BULK_TABLES
from warehouse.exports.bulk import BulkFacts, write_bulk

BULK_ASSET = "out_directory__bulk"


@dg.asset(
    **product_of(
        BULK_ASSET,
        "release",
        kinds={"duckdb", "parquet", "geojson"},
        description=(
            "The whole directory for analysts: Parquet, GeoParquet, CSV, NDJSON, GeoJSON, map "
            "tiles, DuckDB."
        ),
        deps=[table.name for table in BULK_TABLES.values()],
    ),
)
def out_directory__bulk(workspace: Workspace) -> Iterator[dg.Output[Path]]:
    paths = {table.name: workspace.path(table.name) for table in BULK_TABLES.values()}
    about = BulkFacts(workspace.data_license, workspace.is_synthetic, workspace.as_of_date)
    with workspace.scratch() as folder:
        index = write_bulk(paths, folder, about)
        lines = [f"| {f.name} | {f.rows:,} | {f.size_bytes / 1e6:,.1f} |" for f in index.files]
        facts = {
            "dagster/row_count": index.files[0].rows,
            "files": "\n".join(["| file | rows | MB |", "|---|---|---|", *lines]),
            "license": index.license,
            "is_synthetic": index.is_synthetic,
        }
        yield dg.Output(folder, metadata=show(facts))
