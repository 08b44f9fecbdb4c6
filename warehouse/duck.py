"""Opening DuckDB the one right way: limits from settings, UTC, order kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb


def connect(path: Path | None = None, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """A connection to a file, or to memory when no path is given.

    `LARDER_DUCKDB_MEMORY` (default 2GB) and `LARDER_DUCKDB_THREADS` (default: all cores) limit it.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": os.environ.get("LARDER_DUCKDB_MEMORY", "2GB"),
        "threads": int(os.environ.get("LARDER_DUCKDB_THREADS", os.cpu_count() or 2)),
    }
    connection = duckdb.connect(
        str(path) if path else ":memory:", read_only=read_only, config=config
    )
    connection.execute("SET TimeZone = 'UTC'")
    return connection


@contextmanager
def connection(
    path: Path | None = None, *, read_only: bool = False
) -> Iterator[duckdb.DuckDBPyConnection]:
    """`connect`, closed at the end."""
    opened = connect(path, read_only=read_only)
    try:
        yield opened
    finally:
        opened.close()


def quoted(path: Path | str) -> str:
    """A path as an SQL text literal."""
    return "'" + str(path).replace("'", "''") + "'"


def quoted_name(name: str) -> str:
    """A column or table as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'
