"""Tables of a release's DuckDB files: loaded, or brought up to date where the earlier release has
most of their rows.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Set
from pathlib import Path

import duckdb
import pyarrow as pa

from warehouse.duck import content_sql, quoted_name, shared_connection
from warehouse.reuse import EarlierRelease

_HEAD_BYTES = 4096  # the first block of a DuckDB file
# Fewer rows are as quick to load.
_LEAST_ROWS = 20_000
_MOST_CHANGED = 0.1
# Row numbers tell how many rows lie behind those of the last loading: too many, and neighbours are
# no longer together.
_MOST_WORN = 1.2


def copy_database(earlier: EarlierRelease, name: str, path: Path) -> bool:
    """Begin a database as the one of a release; False, and no file, when its bytes or its DuckDB
    are others.
    """
    if not earlier.copy_file(name, path):
        return False
    if is_of_this_duckdb(path):
        return True
    path.unlink()
    return False


def remove_database(path: Path) -> None:
    """Remove a database and what DuckDB left beside it; neither need be there."""
    for left in (path, path.with_name(f"{path.name}.wal")):
        left.unlink(missing_ok=True)


def is_of_this_duckdb(path: Path) -> bool:
    """Whether a database file was begun by the DuckDB that runs now: its way of storing rows stays
    with a file.

    The file's first block names version and commit of the library.
    """
    with shared_connection() as db:
        known = db.execute("SELECT library_version, source_id FROM pragma_version()").fetchall()[0]
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    return all(text.encode() in head for text in known)


def table_names(db: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """Names of the tables of the database that is in use."""
    rows = db.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()"
    ).fetchall()
    return frozenset(row[0] for row in rows)


def drop_tables(db: duckdb.DuckDBPyConnection, names: Set[str]) -> None:
    """Drop tables and free their room for what comes: the file would grow from release to release."""
    if not names:
        return
    db.execute("BEGIN")
    for name in sorted(names):
        db.execute(f"DROP TABLE {quoted_name(name)}")
    db.execute("COMMIT")
    db.execute("CHECKPOINT")


def most_updates(db: duckdb.DuckDBPyConnection, name: str) -> int:
    """Of how many keys the rows may differ for an update of a table to cost less than loading it.

    0 for a small table, and for one whose rows lie too far from their order by now.
    """
    rows, numbers = db.execute(
        f"SELECT count(*), coalesce(max(rowid), 0) FROM {quoted_name(name)}"
    ).fetchall()[0]
    is_fit = rows >= _LEAST_ROWS and numbers <= _MOST_WORN * rows
    return int(_MOST_CHANGED * rows) if is_fit else 0


def update_table(
    db: duckdb.DuckDBPyConnection, name: str, keys: pa.Table, rows: str, columns: list[str]
) -> bool:
    """Replace the rows with one of the `keys` (a table of one column) by those of the SQL `rows`.

    False when the table does not hold the same as `rows` then; it must be loaded.
    """
    key = quoted_name(keys.column_names[0])
    named = ", ".join(map(quoted_name, columns))
    with _registered(db, "differing_keys", keys):
        db.execute("BEGIN")
        db.execute(
            f"DELETE FROM {quoted_name(name)} WHERE {key} IN (SELECT {key} FROM differing_keys)"
        )
        db.execute(
            f"INSERT INTO {quoted_name(name)} SELECT {named} FROM ({rows}) SEMI JOIN differing_keys USING ({key})"
        )
        db.execute("COMMIT")
    content = content_sql(columns)
    held, wanted = (
        db.execute(f"SELECT {content} FROM {of}").fetchall()
        for of in (quoted_name(name), f"({rows})")
    )
    return held == wanted


@contextlib.contextmanager
def _registered(db: duckdb.DuckDBPyConnection, name: str, rows: pa.Table) -> Iterator[None]:
    db.register(name, rows)
    try:
        yield
    finally:
        db.unregister(name)
