"""Writes the files that the service reads."""

from pathlib import Path

from assets.steps.decorators import Facts, product_asset
from schemas.tables.checks import AUTOMATIC_CHANGES
from schemas.tables.core import (
    CITIES,
    FOOD_BANKS,
    HOME_DELIVERIES,
    IDENTITIES,
    RECORD_SOURCES,
    RESOURCES,
    ZIPS,
)
from warehouse.index.service_files import write_service_files
from warehouse.index.writer import SERVING_FOLDER

_TABLES = (
    RESOURCES,
    RECORD_SOURCES,
    IDENTITIES,
    AUTOMATIC_CHANGES,
    HOME_DELIVERIES,
    ZIPS,
    CITIES,
    FOOD_BANKS,
)
_READ = [table.name for table in _TABLES]


@product_asset(
    "out_directory__service_files",
    SERVING_FOLDER,
    reads=dict.fromkeys(_READ),
    group="release",
    kinds={"duckdb", "arrow"},
    description=(
        "Files that the service reads: records as JSON text, points, blocks of the spatial index, "
        "opening hours, gazetteer."
    ),
)
def out_directory__service_files(folder: Path, *tables: Path) -> Facts:
    write_service_files(dict(zip(_READ, tables, strict=True)), folder)
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
