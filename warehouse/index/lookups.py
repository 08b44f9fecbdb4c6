"""Small tables of a release that the service loads into memory, stored by the build."""

from contextlib import closing
from pathlib import Path

import pyarrow as pa

from warehouse.duckdb import Connection
from warehouse.index.columns import read_arrow, write_arrow
from warehouse.index.home_deliveries import select_home_deliveries
from warehouse.index.retired_ids import select_gone_ids
from warehouse.index.service_areas import select_service_areas
from warehouse.index.writer import SERVING_FOLDER
from warehouse.release.tables import open_tables

_SELECT = {
    "service_areas": select_service_areas,
    "home_deliveries": select_home_deliveries,
    "gone_ids": select_gone_ids,
}


def write_lookups(db: Connection, folder: Path) -> None:
    """Write the tables into a release's folder of the service. Raises OSError."""
    for name, select in _SELECT.items():
        write_arrow(select(db), folder / f"{name}.arrow")


def read_lookups(folder: Path) -> dict[str, pa.Table]:
    """Map the tables of a release by name; create missing ones for a release of an earlier version.

    Raises OSError, pyarrow.ArrowInvalid or duckdb.Error when damaged.
    """
    paths = {name: folder / SERVING_FOLDER / f"{name}.arrow" for name in _SELECT}
    if all(path.exists() for path in paths.values()):
        return {name: read_arrow(path) for name, path in paths.items()}
    with closing(open_tables(folder)) as db:
        return {name: select(db) for name, select in _SELECT.items()}
