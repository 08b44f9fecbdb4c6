"""Writes the files that the service reads."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg

from assets.steps.products import product_of
from assets.steps.workspace import Workspace
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


@dg.asset(
    **product_of(
        "out_directory__service_files",
        "release",
        kinds={"duckdb", "arrow"},
        description=(
            "Files that the service reads: records as JSON text, points, opening hours, gazetteer."
        ),
        deps=[table.name for table in _TABLES],
    ),
)
def out_directory__service_files(workspace: Workspace) -> Iterator[dg.Output[Path]]:
    with workspace.scratch() as folder:
        write_service_files({t.name: workspace.path(t.name) for t in _TABLES}, folder)
        sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
        yield dg.Output(folder, metadata=sizes)
