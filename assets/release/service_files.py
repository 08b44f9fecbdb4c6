"""Writes the files that the service reads."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg

from assets.steps.products import product_of
from assets.steps.workspace import Workspace
from schemas.tables.core import FOOD_BANKS
from schemas.tables.registry import PUBLISHED
from warehouse.index.service_files import write_service_files

_TABLES = (*PUBLISHED, FOOD_BANKS)


@dg.asset(
    **product_of(
        "out_directory__service_files",
        "release",
        kinds={"duckdb", "arrow"},
        description=(
            "Files that the service reads: every published table and the columns that searches read"
            " in one DuckDB file, and the records as JSON by row."
        ),
        deps=[table.name for table in _TABLES],
    ),
)
def out_directory__service_files(workspace: Workspace) -> Iterator[dg.Output[Path]]:
    with workspace.scratch() as folder:
        write_service_files({t.name: workspace.path(t.name) for t in _TABLES}, folder)
        sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
        yield dg.Output(folder, metadata=sizes)
