"""The published tables of a release: Parquet files for builds, and a database for the service.

exports/<table>.parquet     the files of the build itself, which the next build continues
serving/directory.duckdb    the same tables (`warehouse.index.service_files`)
"""

import errno
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from schemas.table import Table
from schemas.tables.registry import TABLES
from warehouse.duckdb import (
    Connection,
    connect,
    connection,
    content_sql,
    quote,
    quote_name,
)
from warehouse.files import link_file
from warehouse.release.manifest import TableEntry

TABLES_FOLDER = "exports"
SERVING_FOLDER, DATABASE_NAME = "serving", "directory.duckdb"
# For one of several workers of the service.
_READER_MEMORY = "2GB"
_TIMES_OF_BUILDING = frozenset(
    {
        "retrieved_at",
        "first_release_id",
        "last_changed_at",
        "created_at",
        "updated_at",
        "last_modified",
    }
)


def open_tables(folder: Path) -> Connection:
    """Open the database of the release in `folder`, read-only.

    Raises duckdb.Error for a damaged file, and FileNotFoundError for a deleted release.
    """
    path = folder / SERVING_FOLDER / DATABASE_NAME
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "no database", str(path))
    return connect(path, read_only=True, memory=_READER_MEMORY)


def read_rows(db: Connection, table: Table, state: str | None = None) -> list[dict[str, Any]]:
    """Read the rows of a table in its order, or those of a state."""
    names = table.field_names
    columns, order = (", ".join(map(quote_name, some)) for some in (names, table.order_by))
    condition = "WHERE state = ?" if state else ""
    query = f"SELECT {columns} FROM {quote_name(table.name)} {condition} ORDER BY {order}"
    rows = db.execute(query, [state] if state else []).fetchall()
    return [dict(zip(names, row, strict=True)) for row in rows]


def link_tables(tables: Mapping[str, Path], folder: Path) -> list[TableEntry]:
    """Link published tables, by name, into the folder of a release.

    Returns their row counts and content digests. Raises duckdb.Error for a file that is not its
    table.
    """
    (folder / TABLES_FOLDER).mkdir()
    for name, source in tables.items():
        link_file(source, folder / TABLES_FOLDER / f"{name}.parquet")
    with connection() as db:
        return [_entry(db, TABLES[name], tables[name]) for name in sorted(tables)]


def _entry(db: Connection, table: Table, path: Path) -> TableEntry:
    """Return the rows of a table and a digest of its content, independent of row order and file
    layout.

    Retrieval and build times are excluded: they differ between two builds of the same bytes.
    """
    names = (f.name for f in table.fields if f.name not in _TIMES_OF_BUILDING)
    query = f"SELECT {content_sql(names)} FROM read_parquet({quote(path)})"
    rows, total, mixed = db.execute(query).fetchall()[0]
    digest = hashlib.sha256(f"{table.name}|{rows}|{total}|{mixed}".encode()).hexdigest()
    return TableEntry(table.name, rows, digest)
