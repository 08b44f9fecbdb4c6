"""Writes the bulk files of a release."""

from datetime import date
from pathlib import Path

from assets.steps.decorators import Facts, product_asset
from schemas.bulk import BULK_FOLDER, BULK_TABLES
from warehouse.exports.bulk import BulkFacts, write_bulk

BULK_ASSET = "out_directory__bulk"
_TABLES = tuple(BULK_TABLES.values())


@product_asset(
    BULK_ASSET,
    BULK_FOLDER,
    reads=dict.fromkeys(t.name for t in _TABLES),
    group="release",
    kinds={"duckdb", "parquet", "geojson"},
    settings=lambda workspace: {
        "data_license": workspace.data_license,
        "is_synthetic": workspace.is_synthetic,
        "as_of": workspace.as_of_date,
    },
    description=(
        "The whole directory for analysts: Parquet, GeoParquet, CSV, NDJSON, GeoJSON, map tiles, "
        "DuckDB."
    ),
)
def out_directory__bulk(
    folder: Path, *tables: Path, data_license: str, is_synthetic: bool, as_of: date
) -> Facts:
    paths = {table.name: path for table, path in zip(_TABLES, tables, strict=True)}
    index = write_bulk(paths, folder, BulkFacts(data_license, is_synthetic, as_of))
    lines = [f"| {f.name} | {f.rows:,} | {f.size_bytes / 1e6:,.1f} |" for f in index.files]
    return {
        "dagster/row_count": index.files[0].rows,
        "files": "\n".join(["| file | rows | MB |", "|---|---|---|", *lines]),
        "size_mb": round(sum(f.size_bytes for f in index.files) / 1e6, 1),
        "license": index.license,
        "is_synthetic": index.is_synthetic,
    }
