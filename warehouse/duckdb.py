"""Opens DuckDB with limits from settings, in UTC, preserving row order."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import duckdb

from schemas.tables.registry import TABLES
from schemas.values.formulas import FORMULA_START, PLAIN_VALUE, TEXT_MARK

if TYPE_CHECKING:
    Connection: TypeAlias = duckdb.DuckDBPyConnection
else:
    # Annotations that keep DuckDB's type alive make it report leaks when the process ends.
    Connection = Any

_LEAST_BYTES = 2 * 10**9
# Control groups, version 2 and 1; "max" or a very large number means no limit.
_CONTAINER_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def connect(
    path: Path | None = None,
    *,
    read_only: bool = False,
    threads: int | None = None,
    memory: str | None = None,
) -> Connection:
    """Return a connection to a file, or to memory without a path.

    The memory limit is `LARDER_DUCKDB_MEMORY`, else `memory` (default: `own_share_of_memory`);
    threads are `threads`, else `LARDER_DUCKDB_THREADS` (default: all cores). Larger data spill to
    disk where DuckDB supports it.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": os.environ.get("LARDER_DUCKDB_MEMORY") or memory or own_share_of_memory(),
        "threads": threads or int(os.environ.get("LARDER_DUCKDB_THREADS", os.cpu_count() or 2)),
    }
    connection = duckdb.connect(
        str(path) if path else ":memory:", read_only=read_only, config=config
    )
    connection.execute("SET TimeZone = 'UTC'")
    # DuckDB prints progress bars to standard output for queries over two seconds.
    connection.execute("SET enable_progress_bar = false")
    return connection


@cache
def own_share_of_memory() -> str:
    """Return a third of the memory this process may use, at least 2 GB."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in _CONTAINER_LIMITS:
        if path.is_file() and (text := path.read_text().strip()).isdigit():
            limits.append(int(text))
    return f"{max(min(limits) // 3, _LEAST_BYTES) // 2**20}MiB"


@contextmanager
def connection(
    path: Path | None = None, *, read_only: bool = False, threads: int | None = None
) -> Iterator[Connection]:
    """Yield the connection of `connect`, then close it."""
    db = connect(path, read_only=read_only, threads=threads)
    try:
        yield db
    finally:
        db.close()


@contextmanager
def connect_shared() -> Iterator[Connection]:
    """Yield a separate connection to the in-memory database of this process, for queries that
    create only temporary tables.

    Creating a database takes some 15 ms, as much as a small query; a build has dozens.
    """
    with _open_shared().cursor() as db:
        db.execute("SET TimeZone = 'UTC'")
        yield db


@cache
def _open_shared() -> Connection:
    db = connect()
    # Files are replaced under the same name.
    db.execute("SET enable_external_file_cache = false")
    return db


def table_names(db: Connection) -> set[str]:
    """Return the names of the tables and views of a database."""
    rows = db.execute("SELECT table_name FROM information_schema.tables").fetchall()
    return {name for (name,) in rows}


def content_sql(names: Iterable[str]) -> str:
    """Return SQL of three aggregates that identify the content of rows in any order: number, sum
    and xor of hashes.

    `names` are columns of declared tables. The hash distinguishes contents; it does not detect
    forgery.
    """
    # A null list, an empty list and a list of null hash alike.
    columns = {name: quote_name(name) for name in names}
    lengths = [f"len({column})" for name, column in columns.items() if name in _lists()]
    row = f"hash({', '.join([*columns.values(), *lengths])})"
    return f"count(*), sum({row}::HUGEINT)::VARCHAR, bit_xor({row})"


@cache
def _lists() -> frozenset[str]:
    """Return names of list columns in any table: no other column shares such a name."""
    return frozenset(
        f.name for table in TABLES.values() for f in table.fields if f.type == "strings"
    )


def quote(path: Path | str) -> str:
    """Return a path as an SQL text literal."""
    return "'" + str(path).replace("'", "''") + "'"


def rows_of_file(path: Path) -> str:
    """Return SQL of the rows of a Parquet file."""
    return f"SELECT * FROM read_parquet({quote(path)})"


def quote_name(name: str) -> str:
    """Return a column or table as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def csv_cell(value: str, *, marks_empty: bool = False, is_free_text: bool = True) -> str:
    """Return SQL of a text as a CSV cell (RFC 4180); free text is safe in spreadsheets.

    NULL is an empty cell. So is an empty text, or two quotes if it must differ from NULL.
    """
    mark = quote(TEXT_MARK)
    may_run = f"regexp_matches({value}, {quote(FORMULA_START)})"
    is_plain = f"regexp_full_match({value}, {quote(PLAIN_VALUE)})"
    cell = value
    if is_free_text:
        cell = f"CASE WHEN {may_run} AND NOT {is_plain} THEN {mark} || {value} ELSE {value} END"
    needs_quotes = f"""regexp_matches({value}, '[",\\r\\n]')"""
    if marks_empty:
        needs_quotes = f"({value} = '' OR {needs_quotes})"
    in_quotes = f"""'"' || replace({cell}, '"', '""') || '"'"""
    return f"CASE WHEN {value} IS NULL THEN '' WHEN {needs_quotes} THEN {in_quotes} ELSE {cell} END"
