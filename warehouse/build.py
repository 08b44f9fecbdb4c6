"""From Parquet tables to the files of a release. The only writer of a release's DuckDB file.

directory.duckdb              every published table, typed and sorted by its declaration
serving/records.arrow         arena: record of each active resource as JSON text, last brace left off
serving/lines.arrow           arena: the same members as cells of a CSV line, without its end
serving/details.arrow         arena: further members of the single record, starting with a comma
serving/points.arrow          `schemas.tables.serving.POINTS_SCHEMA`, row n = record n
serving/facts.arrow           `schemas.tables.serving.FACTS_SCHEMA`, row n = record n
serving/hours.arrow           distinct (time zone, schedules): hours codes point here
exports/<table>.parquet       every published table: the very file of the build, which is never written to again
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pyarrow as pa

from schemas.table import Table
from schemas.tables.core import RECORD_SOURCES, RESOURCES
from schemas.tables.registry import TABLES
from schemas.tables.serving import (
    FACT_SETS,
    FACT_TRUTHS,
    FACTS_SCHEMA,
    HOURS_SCHEMA,
    POINTS_SCHEMA,
)
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.states import STATE_CODES
from schemas.vocab.statuses import LOCATION_PRECISIONS, VERIFICATION_STATUSES
from warehouse.arena_rows import POINTS_NAME, ArenaPlan, arena_plan, write_arena
from warehouse.duck import connection, content_sql, quoted, quoted_name
from warehouse.files import link_file
from warehouse.manifest import TableEntry
from warehouse.record_sql import detail_sql, line_sql, record_sql, register_facts
from warehouse.reuse import EarlierRelease, is_of_this_duckdb

DATABASE_NAME = "directory.duckdb"
_RESOURCES = RESOURCES.name
# What the service's files are made from.
_SERVED = frozenset({RESOURCES.name, RECORD_SOURCES.name})
_ARENAS = {"details.arrow": detail_sql, "records.arrow": record_sql, "lines.arrow": line_sql}
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


def write_release_files(
    tables: Mapping[str, Path], folder: Path, earlier: EarlierRelease | None = None
) -> list[TableEntry]:
    """Write all files of a release into an empty folder.

    `tables` maps names of published tables to Parquet files as `warehouse.parquet` writes them. Tables and
    texts of records that are as they were in `earlier` are taken from there; the files come out the same.
    Returns the tables' row counts and content digests. Raises duckdb.Error when a file is not its table.
    """
    (folder / "serving").mkdir()
    (folder / "exports").mkdir()
    held = _begin_database(folder / DATABASE_NAME, tables, earlier)
    with connection(folder / DATABASE_NAME) as db:
        served = {name: path for name, path in tables.items() if name in _SERVED}
        entries = _load_all(db, served, folder, earlier, held)
        # The rest meanwhile: either work keeps little more than one core busy.
        with db.cursor() as other, ThreadPoolExecutor(1) as beside:
            rest = {name: path for name, path in tables.items() if name not in _SERVED}
            loading = beside.submit(_load_all, other, rest, folder, earlier, held)
            _write_serving(db, folder / "serving", earlier)
            entries += loading.result()
        db.execute("CHECKPOINT")
    return sorted(entries, key=lambda entry: entry.name)


def _begin_database(
    path: Path, tables: Mapping[str, Path], earlier: EarlierRelease | None
) -> frozenset[str]:
    """Begin with the database of `earlier`, less the tables that are not its own; names of those left in it.

    None, and no file, where there is nothing to take over or it cannot be relied on.
    """
    same = {name for name, source in tables.items() if earlier and earlier.has(source)}
    if earlier is None or not same or not earlier.copy_file(DATABASE_NAME, path):
        return frozenset()
    try:
        if is_of_this_duckdb(path):
            with connection(path) as db:
                return _only(db, same)
    except duckdb.Error:
        pass  # Whatever is the matter with it, a new one is as good.
    for left in (path, path.with_name(f"{path.name}.wal")):
        left.unlink(missing_ok=True)
    return frozenset()


def _only(db: duckdb.DuckDBPyConnection, names: Set[str]) -> frozenset[str]:
    """Drop all tables but those named; names of those that are there."""
    there = {row[0] for row in db.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    db.execute("BEGIN")
    for name in sorted(there - names):
        db.execute(f"DROP TABLE {quoted_name(name)}")
    db.execute("COMMIT")
    # Only then is their room free for what comes: the file would grow from release to release.
    db.execute("CHECKPOINT")
    return frozenset(there & names)


def _load_all(
    db: duckdb.DuckDBPyConnection,
    tables: Mapping[str, Path],
    folder: Path,
    earlier: EarlierRelease | None,
    held: frozenset[str],
) -> list[TableEntry]:
    """Load the tables that the database does not hold and link the files of all; rows and digest of each."""
    entries = []
    for name, source in sorted(tables.items()):
        if name not in held:
            _load(db, TABLES[name], source)
        link_file(source, folder / "exports" / f"{name}.parquet")
        # A file that the earlier release has as well has been looked through then.
        known = earlier.entry_of(source) if earlier else None
        entries.append(known or _entry(db, TABLES[name]))
    return entries


def _load(db: duckdb.DuckDBPyConnection, table: Table, source: Path) -> None:
    columns = ", ".join(f'"{name}"' for name in table.field_names)
    db.execute("BEGIN")  # else every comment is written to disk by itself
    db.execute(table.duckdb_ddl())
    # The file is in the table's order already, and DuckDB keeps it.
    db.execute(f'INSERT INTO "{table.name}" SELECT {columns} FROM read_parquet({quoted(source)})')
    for field in table.fields:
        comment = field.description.replace("'", "''")
        db.execute(f'COMMENT ON COLUMN "{table.name}"."{field.name}" IS \'{comment}\'')
    db.execute("COMMIT")


def _entry(db: duckdb.DuckDBPyConnection, table: Table) -> TableEntry:
    """Rows of a table and a digest of its content that depends neither on row order nor on file layout.

    Times of retrieval and of building are left out: they differ between two builds of the same bytes.
    """
    names = (f.name for f in table.fields if f.name not in _TIMES_OF_BUILDING)
    rows, total, mixed = db.execute(f'SELECT {content_sql(names)} FROM "{table.name}"').fetchall()[0]  # fmt: skip
    digest = hashlib.sha256(f"{table.name}|{rows}|{total}|{mixed}".encode()).hexdigest()
    return TableEntry(table.name, rows, digest)


# ---------------------------------------------------------------- the service's files


def _write_serving(
    db: duckdb.DuckDBPyConnection, folder: Path, earlier: EarlierRelease | None
) -> None:
    _write_hours(db, folder / "hours.arrow")
    _write_points(db, folder / POINTS_NAME)
    _write_facts(db, folder / "facts.arrow")
    plan = arena_plan(db, earlier)
    # A range of ids keeps one core busy.
    with ThreadPoolExecutor(len(_ARENAS)) as pool:
        jobs = [
            pool.submit(_write_arena, db.cursor(), query, folder / name, plan)
            for name, query in _ARENAS.items()
        ]
        for job in jobs:
            job.result()


def _write_arena(
    db: duckdb.DuckDBPyConnection, query: Callable[[str], str], path: Path, plan: ArenaPlan
) -> None:
    with db:
        register_facts(db)
        write_arena(db, query, path, plan)


def _write_hours(db: duckdb.DuckDBPyConnection, path: Path) -> None:
    db.execute(
        f"""CREATE TEMP TABLE hours AS
        SELECT row_number() OVER (ORDER BY timezone, schedules_json) - 1 AS hours_code, *
        FROM (SELECT DISTINCT timezone, schedules_json FROM {_RESOURCES}
              WHERE is_active AND schedules_json IS NOT NULL)"""
    )
    table = db.sql(
        "SELECT timezone, schedules_json FROM hours ORDER BY hours_code"
    ).to_arrow_table()
    _write_arrow(table.cast(HOURS_SCHEMA), path)


def _write_points(db: duckdb.DuckDBPyConnection, path: Path) -> None:
    table = db.sql(
        f"""SELECT resource_id, lat, lng,
            list_position({list(TYPE_IDS)}, resource_type) - 1 AS type_code,
            list_position({list(STATE_CODES)}, state) - 1 AS state_code,
            list_position({list(LOCATION_PRECISIONS)}, location_precision) - 1 AS precision_code,
            list_position({list(VERIFICATION_STATUSES)}, verification_status) - 1 AS verification_code,
            completeness_score,
            coalesce(hours.hours_code, -1) AS hours_code,
            coalesce(datediff('day', DATE '1970-01-01', greatest(last_verified_date, source_updated_date)), -1)
                AS confirmed_day,
            (phone IS NOT NULL)::UTINYINT AS has_phone,
            is_confidential::UTINYINT AS is_confidential
        FROM {_RESOURCES} LEFT JOIN hours USING (timezone, schedules_json)
        WHERE is_active ORDER BY resource_id"""
    ).to_arrow_table()
    _write_arrow(table.cast(POINTS_SCHEMA), path)


def _write_facts(db: duckdb.DuckDBPyConnection, path: Path) -> None:
    truths = " | ".join(
        f"(CASE WHEN {name} IS NULL THEN 0 WHEN {name} THEN {3 << 2 * n} ELSE {1 << 2 * n} END)"
        for n, name in enumerate(FACT_TRUTHS)
    )
    sets = ", ".join(f"{_bits_sql(name, codes)} AS {name}" for name, codes in FACT_SETS.items())
    table = db.sql(
        f"""SELECT {truths} AS truths, {sets},
            coalesce(minimum_age, -1) AS minimum_age, coalesce(maximum_age, -1) AS maximum_age
        FROM {_RESOURCES} WHERE is_active ORDER BY resource_id"""
    ).to_arrow_table()
    _write_arrow(table.cast(FACTS_SCHEMA), path)


def _bits_sql(name: str, codes: tuple[str, ...]) -> str:
    """A list of codes as one number; codes that the vocabulary lacks are left out."""
    bits = f"""list_transform({name}, lambda code:
        1::UBIGINT << (list_position({list(codes)}, code) - 1)::UBIGINT)"""
    return f"coalesce(list_bit_or(list_distinct({bits})), 0)::UBIGINT"


def _write_arrow(table: pa.Table, path: Path) -> None:
    table = table.combine_chunks()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
