"""Runs query checks (`schemas.checks`) over the Parquet files of a build."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from warehouse.duckdb import connection, quote

MAX_SHOWN_ROWS = 10


class BrokenRows(NamedTuple):
    """Rows returned by a query: `total`, and the first of them with the column names."""

    total: int
    columns: list[str]
    rows: list[tuple[Any, ...]]


def run_query_check(query: str, tables: Mapping[str, Path]) -> BrokenRows:
    """Run a query over tables by name. Raises duckdb.Error for an invalid query."""
    with connection() as db:
        for name, path in tables.items():
            db.execute(f'CREATE VIEW "{name}" AS SELECT * FROM read_parquet({quote(path)})')
        db.execute(f"CREATE TEMP TABLE broken AS ({query})")
        (count,) = db.execute("SELECT count(*) FROM broken").fetchall()[0]
        cursor = db.execute(f"SELECT * FROM broken ORDER BY ALL LIMIT {MAX_SHOWN_ROWS}")
        columns = [column[0] for column in cursor.description or ()]
        return BrokenRows(int(count), columns, cursor.fetchall())
