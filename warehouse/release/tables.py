"""Links and opens the published tables of a release: Parquet files that DuckDB reads in place.

exports/<table>.parquet: the file of the build itself, never written to again.
"""

import errno
import hashlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from schemas.table import Table
from schemas.tables.published import PUBLISHED
from schemas.tables.registry import TABLES
from warehouse.duckdb import (
    Connection,
    connect,
    content_sql,
    own_share_of_memory,
    quote,
    quote_name,
)
from warehouse.files import link_file
from warehouse.release.manifest import TableEntry

TABLES_FOLDER = "exports"
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


def open_tables(folder: Path, memory: str | None = _READER_MEMORY) -> Connection:
    """Return a connection with a view of each published table of the release in `folder`.

    `rowid` is a row's number in the file. Only file footers are read; `memory` limits DuckDB as in
    `connect`. Raises duckdb.Error for a damaged footer, and FileNotFoundError for a deleted
    release.
    """
    exports = folder / TABLES_FOLDER
    if not exports.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no tables", str(folder))
    paths = {table.name: exports / f"{table.name}.parquet" for table in PUBLISHED}
    return view_tables({name: path for name, path in paths.items() if path.is_file()}, memory)


def view_tables(tables: Mapping[str, Path], memory: str | None) -> Connection:
    """Return a connection with views of the named tables. Raises duckdb.Error for a damaged
    footer."""
    db = connect(memory=memory)
    try:
        # All workers share the files in the page cache.
        db.execute("SET enable_external_file_cache = false")
        for name, path in tables.items():
            # The file's columns: a release of an earlier version may have fewer.
            db.execute(
                f'CREATE VIEW "{name}" AS SELECT * RENAME (file_row_number AS rowid)'
                f" FROM read_parquet({quote(path)}, file_row_number = true)"
            )
    except Exception:
        db.close()
        raise
    return db


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
    with closing(open_tables(folder, own_share_of_memory())) as db:
        return [_entry(db, TABLES[name]) for name in sorted(tables)]


def _entry(db: Connection, table: Table) -> TableEntry:
    """Return the rows of a table and a digest of its content, independent of row order and file
    layout.

    Retrieval and build times are excluded: they differ between two builds of the same bytes.
    """
    names = (f.name for f in table.fields if f.name not in _TIMES_OF_BUILDING)
    query = f'SELECT {content_sql(names)} FROM "{table.name}"'
    rows, total, mixed = db.execute(query).fetchall()[0]
    digest = hashlib.sha256(f"{table.name}|{rows}|{total}|{mixed}".encode()).hexdigest()
    return TableEntry(table.name, rows, digest)


def has_tables(folder: Path, *tables: Table) -> bool:
    """Return whether the release in `folder` has tables: one of an earlier version may lack
    some."""
    return all((folder / TABLES_FOLDER / f"{table.name}.parquet").is_file() for table in tables)
