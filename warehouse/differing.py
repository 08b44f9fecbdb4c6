"""Which rows of a table differ between two of its files: found once in a build, used wherever only
these count.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import duckdb
import pyarrow as pa

from schemas.table import Table
from warehouse.duck import hash_sql, quoted, quoted_name, shared_connection
from warehouse.parquet import content_digest


def differing(table: Table, now: Path, then: Path) -> pa.Array:
    """Values of the first key field whose rows are not the same in two files of a table, in
    ascending order.

    Every declared column counts; one that a file lacks is unknown in all its rows. Remembered in
    this process
    while the files' rows are the same: every step of a build compares the same files. Raises
    FileNotFoundError.
    """
    if now.samefile(then):
        return pa.array([], table[table.key[0]].arrow_type)
    contents = content_digest(now), content_digest(then)
    if contents[0] == contents[1]:
        return pa.array([], table[table.key[0]].arrow_type)
    return _differing(table, now, then, contents)


# A build asks several times for some tables of the directory and of HSDS.
@lru_cache(maxsize=8)
def _differing(table: Table, now: Path, then: Path, contents: tuple[str | None, ...]) -> pa.Array:
    key = quoted_name(table.key[0])
    row = hash_sql(table.field_names)
    with shared_connection() as db:
        now_, then_ = (
            f"(SELECT {key}, count(*) AS rows, sum({row}::HUGEINT) AS total"
            f" FROM ({declared_rows(db, table, path)}) GROUP BY 1)"
            for path in (now, then)
        )
        found: pa.Table = db.sql(
            f"""SELECT {key} FROM {now_} n FULL JOIN {then_} o USING ({key})
            WHERE n.rows IS DISTINCT FROM o.rows OR n.total IS DISTINCT FROM o.total ORDER BY 1"""
        ).to_arrow_table()
    keys: pa.Array = found.column(0).combine_chunks()
    return keys.cast(table[table.key[0]].arrow_type)


def declared_rows(db: duckdb.DuckDBPyConnection, table: Table, path: Path) -> str:
    """SQL of a file's rows with the declared columns, whatever columns it has: they come and go
    with versions.
    """
    source = f"read_parquet({quoted(path)})"
    present = {row[0] for row in db.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()}
    columns = ", ".join(
        quoted_name(f.name)
        if f.name in present
        else f"NULL::{f.duckdb_type} AS {quoted_name(f.name)}"
        for f in table.fields
    )
    return f"SELECT {columns} FROM {source}"
