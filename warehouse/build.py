"""From Parquet tables to the files of a release. The only writer of a release's DuckDB file.

directory.duckdb              every published table, typed by its declaration, in its order but for rows that were
                              replaced since it was loaded (`warehouse.database`)
serving/records.arrow         arena: record of each active resource as JSON text, last brace left off
serving/lines.arrow           arena: the same members as cells of a CSV line, without its end
serving/details.arrow         arena: further members of the single record, starting with a comma
serving/points.arrow          `schemas.tables.serving.POINTS_SCHEMA`, row n = record n
serving/facts.arrow           `schemas.tables.serving.FACTS_SCHEMA`, row n = record n
serving/hours.arrow           distinct (time zone, schedules): hours codes point here
serving/food_banks.arrow      food banks and the ZIP codes they serve (`warehouse.food_banks`)
serving/hours_origins.arrow   `schemas.tables.serving.HOURS_ORIGINS_SCHEMA`: hours origin codes point here
exports/<table>.parquet       every published table: the very file of the build, which is never written to again
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pyarrow as pa

from schemas.sources.registry import sources
from schemas.table import Table
from schemas.tables.core import RECORD_SOURCES, RESOURCES
from schemas.tables.registry import TABLES
from schemas.tables.serving import (
    FACT_SETS,
    FACT_TRUTHS,
    FACTS_SCHEMA,
    HOURS_ORIGINS_SCHEMA,
    HOURS_SCHEMA,
    POINTS_SCHEMA,
)
from schemas.vocab.dates import DATE_KINDS
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.states import STATE_CODES
from schemas.vocab.statuses import LOCATION_PRECISIONS, VERIFICATION_STATUSES
from warehouse.arena_rows import POINTS_NAME, SERVING_FOLDER, ArenaPlan, arena_plan, write_arena
from warehouse.columns import write_arrow
from warehouse.database import (
    copy_database,
    drop_tables,
    most_updates,
    remove_database,
    table_names,
    update_table,
)
from warehouse.differing import differing
from warehouse.duck import connection, content_sql, quoted, shared_connection
from warehouse.files import link_file
from warehouse.manifest import TableEntry
from warehouse.record_sql import detail_sql, line_sql, record_sql, register_facts
from warehouse.reuse import EarlierRelease, rows_of_file

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

    `tables` maps names of published tables to Parquet files as `warehouse.parquet` writes them.
    Tables and
    texts of records that are as they were in `earlier` are taken from there; the files come out the
    same.
    Returns the tables' row counts and content digests. Raises duckdb.Error when a file is not its
    table.
    """
    (folder / SERVING_FOLDER).mkdir()
    (folder / "exports").mkdir()
    database = folder / DATABASE_NAME
    plan = _begin_database(database, tables, earlier)
    # With more threads rows would be packed in many small pieces: half as large again.
    with connection(database, threads=1) as db:
        served = {name: path for name, path in tables.items() if name in _SERVED}
        rest = {name: path for name, path in tables.items() if name not in _SERVED}
        # The rest meanwhile.
        with db.cursor() as other, ThreadPoolExecutor(1) as beside:
            bringing = beside.submit(_bring_all, other, rest, folder, earlier, plan)
            entries = _bring_all(db, served, folder, earlier, plan)
            _write_serving(db, tables, folder / SERVING_FOLDER, earlier)
            entries += bringing.result()
        db.execute("CHECKPOINT")
    return sorted(entries, key=lambda entry: entry.name)


@dataclass(frozen=True)
class _Plan:
    """What a database that was begun as the earlier one holds: tables as they are to be, and some
    rows off.

    `differing` are the keys of those rows. All other tables are to be loaded.
    """

    same: frozenset[str] = frozenset()
    differing: Mapping[str, pa.Table] = field(default_factory=dict)


def _begin_database(
    path: Path, tables: Mapping[str, Path], earlier: EarlierRelease | None
) -> _Plan:
    """Begin with the database of `earlier`; no file where there is none, or it cannot be taken
    over.
    """
    if (
        earlier is None
        or _is_one_withdrawn(tables, earlier)
        or not copy_database(earlier, DATABASE_NAME, path)
    ):
        return _Plan()
    try:
        with connection(path) as db:
            return _plan(db, tables, earlier)
    except duckdb.Error:
        remove_database(path)  # Whatever is the matter with it, a new one is as good.
        return _Plan()


def _is_one_withdrawn(tables: Mapping[str, Path], earlier: EarlierRelease) -> bool:
    """Whether a place that the earlier release shows is shown no more, or has become confidential.

    What is deleted from a DuckDB file stays readable in it: such a file must not be taken over.
    """
    now, then = tables[_RESOURCES], earlier.table(_RESOURCES)
    if not then.is_file():
        return True
    with shared_connection() as db:
        db.register("differing", pa.table({"resource_id": differing(RESOURCES, now, then)}))
        shown_now, shown_then = (
            f"(SELECT resource_id FROM read_parquet({quoted(path)}) SEMI JOIN differing USING (resource_id)"
            " WHERE is_active AND NOT is_confidential)"
            for path in (now, then)
        )
        gone = f"SELECT count(*) FROM {shown_then} ANTI JOIN {shown_now} USING (resource_id)"
        return bool(db.execute(gone).fetchall()[0][0])


def _plan(
    db: duckdb.DuckDBPyConnection, tables: Mapping[str, Path], earlier: EarlierRelease
) -> _Plan:
    """What can be taken over of a database's tables; all others are dropped."""
    there = table_names(db)
    same = frozenset(name for name, path in tables.items() if name in there and earlier.has(path))
    off = {}
    for name in sorted(there & tables.keys() - same):
        most, before = most_updates(db, name), earlier.table(name)
        if most and before.is_file():
            keys = differing(TABLES[name], tables[name], before)
            if len(keys) <= most:
                off[name] = pa.table({TABLES[name].key[0]: keys})
    drop_tables(db, there - same - off.keys())
    return _Plan(same, off)


def _bring_all(
    db: duckdb.DuckDBPyConnection,
    tables: Mapping[str, Path],
    folder: Path,
    earlier: EarlierRelease | None,
    plan: _Plan,
) -> list[TableEntry]:
    """Bring the tables that the database lacks and link the files of all; rows and digest of each."""
    entries = []
    for name, source in sorted(tables.items()):
        if name not in plan.same:
            _bring(db, TABLES[name], source, plan.differing.get(name))
        link_file(source, folder / "exports" / f"{name}.parquet")
        # A file that the earlier release has as well has been looked through then.
        known = earlier.entry_of(source) if earlier else None
        entries.append(known or _entry(db, TABLES[name]))
    return entries


def _bring(
    db: duckdb.DuckDBPyConnection, table: Table, source: Path, differing_keys: pa.Table | None
) -> None:
    if differing_keys is not None:
        if update_table(db, table.name, differing_keys, rows_of_file(source), table.field_names):
            return
        drop_tables(db, {table.name})
    _load(db, table, source)


def _load(db: duckdb.DuckDBPyConnection, table: Table, source: Path) -> None:
    columns = ", ".join(f'"{name}"' for name in table.field_names)
    db.execute("BEGIN")  # else every comment is written to disk by itself
    db.execute(table.duckdb_ddl())
    # The file is in the table's order already, and DuckDB keeps it.
    db.execute(f'INSERT INTO "{table.name}" SELECT {columns} FROM read_parquet({quoted(source)})')
    for column in table.fields:
        comment = column.description.replace("'", "''")
        db.execute(f'COMMENT ON COLUMN "{table.name}"."{column.name}" IS \'{comment}\'')
    db.execute("COMMIT")


def _entry(db: duckdb.DuckDBPyConnection, table: Table) -> TableEntry:
    """Rows of a table and a digest of its content that depends neither on row order nor on file
    layout.

    Times of retrieval and of building are left out: they differ between two builds of the same
    bytes.
    """
    names = (f.name for f in table.fields if f.name not in _TIMES_OF_BUILDING)
    rows, total, mixed = db.execute(f'SELECT {content_sql(names)} FROM "{table.name}"').fetchall()[
        0
    ]
    digest = hashlib.sha256(f"{table.name}|{rows}|{total}|{mixed}".encode()).hexdigest()
    return TableEntry(table.name, rows, digest)


# ---------------------------------------------------------------- the service's files


def _write_serving(
    db: duckdb.DuckDBPyConnection,
    tables: Mapping[str, Path],
    folder: Path,
    earlier: EarlierRelease | None,
) -> None:
    _write_hours(db, folder / "hours.arrow")
    _write_hours_origins(db, folder / "hours_origins.arrow")
    _write_points(db, folder / POINTS_NAME)
    _write_facts(db, folder / "facts.arrow")
    plan = arena_plan(db, tables, earlier)
    # A range of ids keeps one core busy.
    # Read before there are threads: msgspec prepares a class in one thread only.
    sources()
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
    write_arrow(table.cast(HOURS_SCHEMA), path)


def _write_hours_origins(db: duckdb.DuckDBPyConnection, path: Path) -> None:
    names = ", ".join(HOURS_ORIGINS_SCHEMA.names)
    db.execute(
        f"""CREATE TEMP TABLE hours_origins AS
        SELECT row_number() OVER (ORDER BY {names}) - 1 AS hours_origin_code, {names}
        FROM (SELECT DISTINCT {names} FROM {_RESOURCES} WHERE is_active AND hours_date IS NOT NULL)"""
    )
    table = db.sql(f"SELECT {names} FROM hours_origins ORDER BY hours_origin_code").to_arrow_table()
    write_arrow(table.cast(HOURS_ORIGINS_SCHEMA), path)


def _day_sql(date: str) -> str:
    """Days from 1970-01-01 to a date, -1 without one."""
    return f"coalesce(datediff('day', DATE '1970-01-01', {date}), -1)"


def _write_points(db: duckdb.DuckDBPyConnection, path: Path) -> None:
    # The strongest first: `greatest` leaves out what is null, CASE takes the first that fits.
    dates = [f"{kind}_date" for kind in DATE_KINDS]
    newest = f"greatest({', '.join(dates)})"
    kinds = " ".join(f"WHEN {name} THEN {place}" for place, name in enumerate(dates))
    table = db.sql(
        f"""SELECT resource_id, lat, lng,
            list_position({list(TYPE_IDS)}, resource_type) - 1 AS type_code,
            list_position({list(STATE_CODES)}, state) - 1 AS state_code,
            list_position({list(LOCATION_PRECISIONS)}, location_precision) - 1 AS precision_code,
            list_position({list(VERIFICATION_STATUSES)}, verification_status) - 1 AS verification_code,
            completeness_score,
            coalesce(hours.hours_code, -1) AS hours_code,
            coalesce(hours_origins.hours_origin_code, -1) AS hours_origin_code,
            {_day_sql("hours_until_date")} AS hours_until_day,
            {_day_sql("confirmed_date")} AS confirmed_day,
            {_day_sql(newest)} AS dated_day,
            CASE {newest} {kinds} ELSE 0 END AS dated_code,
            (phone IS NOT NULL)::UTINYINT AS has_phone,
            (website IS NOT NULL)::UTINYINT AS has_website,
            is_confidential::UTINYINT AS is_confidential
        FROM {_RESOURCES} LEFT JOIN hours USING (timezone, schedules_json)
            LEFT JOIN hours_origins USING (hours_date, hours_date_basis, hours_source)
        WHERE is_active ORDER BY resource_id"""
    ).to_arrow_table()
    write_arrow(table.cast(POINTS_SCHEMA), path)


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
    write_arrow(table.cast(FACTS_SCHEMA), path)


def _bits_sql(name: str, codes: tuple[str, ...]) -> str:
    """A list of codes as one number; codes that the vocabulary lacks are left out."""
    bits = f"""list_transform({name}, lambda code:
        1::UBIGINT << (list_position({list(codes)}, code) - 1)::UBIGINT)"""
    return f"coalesce(list_bit_or(list_distinct({bits})), 0)::UBIGINT"
