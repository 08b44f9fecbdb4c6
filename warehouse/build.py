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
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pyarrow as pa

from schemas.api.record import DETAIL_FIELDS, RECORD_MEMBERS
from schemas.fields import FIELDS
from schemas.sources.registry import sources
from schemas.table import Table
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
from schemas.vocab.who_may_eat import WHO_MAY_EAT
from warehouse.arena_rows import POINTS_NAME, arena_plan, write_arena
from warehouse.duck import connection, content_sql, quoted, quoted_name
from warehouse.files import link_file
from warehouse.manifest import TableEntry
from warehouse.reuse import EarlierRelease

DATABASE_NAME = "directory.duckdb"
_RESOURCES = "core_directory__resources"
_RECORD_SOURCES = "core_directory__record_sources"
# Fields of the record that sources supply, and how those that are not simply published come about.
_FIELDS_WITH_SOURCE = tuple(m.field for m in RECORD_MEMBERS if m.name != "services_offered_json")
_OF_THE_POINT = ("lat", "lng", "location_precision")
_WORKED_OUT = ("county_name", "county_fips", "timezone")
_PARSED = (
    "schedules_json", "hours_json", "phone_e164", "services_offered", "languages", "required_documents", "requires_documents",
    "requires_id", "food_types", "offers_delivery", "is_wheelchair_accessible", "audiences", "minimum_age", "maximum_age",
)  # fmt: skip
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

    `tables` maps names of published tables to Parquet files as `warehouse.parquet` writes them. Texts of
    records that are as they were in `earlier` are taken from there; the files come out the same. Returns the
    tables' row counts and content digests. Raises duckdb.Error when a file is not its table.
    """
    (folder / "serving").mkdir()
    (folder / "exports").mkdir()
    with connection(folder / DATABASE_NAME) as db:
        entries = [_load(db, TABLES[name], path, folder) for name, path in sorted(tables.items())]
        _write_serving(db, folder / "serving", earlier)
        db.execute("CHECKPOINT")
    return entries


def _load(db: duckdb.DuckDBPyConnection, table: Table, source: Path, folder: Path) -> TableEntry:
    columns = ", ".join(f'"{name}"' for name in table.field_names)
    db.execute("BEGIN")  # else every comment is written to disk by itself
    db.execute(table.duckdb_ddl())
    # The file is in the table's order already, and DuckDB keeps it.
    db.execute(f'INSERT INTO "{table.name}" SELECT {columns} FROM read_parquet({quoted(source)})')
    for field in table.fields:
        comment = field.description.replace("'", "''")
        db.execute(f'COMMENT ON COLUMN "{table.name}"."{field.name}" IS \'{comment}\'')
    db.execute("COMMIT")
    link_file(source, folder / "exports" / f"{table.name}.parquet")
    return TableEntry(table.name, *_count_and_digest(db, table))


def _count_and_digest(db: duckdb.DuckDBPyConnection, table: Table) -> tuple[int, str]:
    """Rows and a digest of the content that depends neither on row order nor on file layout.

    Times of retrieval and of building are left out: they differ between two builds of the same bytes.
    """
    names = (quoted_name(f.name) for f in table.fields if f.name not in _TIMES_OF_BUILDING)
    rows, total, mixed = db.execute(f'SELECT {content_sql(names)} FROM "{table.name}"').fetchall()[0]  # fmt: skip
    return rows, hashlib.sha256(f"{table.name}|{rows}|{total}|{mixed}".encode()).hexdigest()


# ---------------------------------------------------------------- the service's files


def _write_serving(
    db: duckdb.DuckDBPyConnection, folder: Path, earlier: EarlierRelease | None
) -> None:
    _write_hours(db, folder / "hours.arrow")
    _write_points(db, folder / POINTS_NAME)
    _write_facts(db, folder / "facts.arrow")
    plan = arena_plan(db, earlier)
    write_arena(db, _record_sql, folder / "records.arrow", plan)
    write_arena(db, _line_sql, folder / "lines.arrow", plan)
    db.register("source_facts", _source_facts())
    db.register("type_facts", _type_facts())
    write_arena(db, _detail_sql, folder / "details.arrow", plan)


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


def _member_sql(field_name: str, form: str = "value") -> str:
    column = f'r."{field_name}"'
    if form == "json_value":
        return f"coalesce({column}, '[]')::JSON"
    kind = FIELDS[field_name].type
    if kind == "strings":
        listed = f"coalesce({column}, CAST([] AS VARCHAR[]))"
        return f"to_json({listed})::VARCHAR" if form == "json_text" else listed
    if kind == "datetime":
        return f"strftime({column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ')"
    return column


def _record_sql(chosen: str) -> str:
    members = ", ".join(f'"{m.name}" := {_member_sql(m.field, m.form)}' for m in RECORD_MEMBERS)
    return f"""SELECT substr(text, 1, length(text) - 1) AS record FROM (
            SELECT resource_id, to_json(struct_pack({members}))::VARCHAR AS text
            FROM {_RESOURCES} r WHERE r.is_active AND {chosen.format("r.resource_id")}
        ) ORDER BY resource_id"""


def _line_sql(chosen: str) -> str:
    """The stored members as cells (RFC 4180), separated by commas: lists and objects as JSON texts."""
    cells = ", ".join(_cell_sql(m.field, m.form) for m in RECORD_MEMBERS)
    return f"""SELECT concat_ws(',', {cells}) AS record FROM {_RESOURCES} r
        WHERE r.is_active AND {chosen.format("r.resource_id")} ORDER BY resource_id"""


def _cell_sql(field_name: str, form: str) -> str:
    value = _member_sql(field_name, form)
    kind = FIELDS[field_name].type
    if kind == "strings" and form == "value":
        value = f"to_json({value})"
    text = f"coalesce({value}::VARCHAR, '')"
    if kind in {"integer", "number", "boolean", "date", "datetime"}:
        return text
    quoted_text = f"""'"' || replace({text}, '"', '""') || '"'"""
    return f"CASE WHEN regexp_matches({text}, '[\",\\r\\n]') THEN {quoted_text} ELSE {text} END"


def _detail_sql(chosen: str) -> str:
    """The members after the record's own: a comma, then `"a":..,"b":..` without braces."""
    members = ", ".join(f'"{name}" := {_member_sql(name)}' for name in DETAIL_FIELDS)
    return f"""
        WITH behind AS (
            SELECT r.resource_id,
            flatten(list(list_transform(
                list_filter(r.supplied_fields, lambda field: field IN {_FIELDS_WITH_SOURCE}),
                lambda field: struct_pack(
                    name := field, source_id := r.source_id, date := r.source_updated_date::VARCHAR
                )
            ) ORDER BY r.is_primary DESC, r.source_id, r.source_key)) AS fields,
            list(struct_pack(
                source_id := r.source_id, source_key := r.source_key, is_primary := r.is_primary,
                supplied_fields := r.supplied_fields, match_reason := r.match_reason,
                retrieved_at := {_member_sql("retrieved_at")},
                source_updated_date := r.source_updated_date,
                title := facts.title, publisher := facts.publisher, url := facts.url,
                license := facts.license
            ) ORDER BY r.is_primary DESC, r.source_id, r.source_key) AS sources
            FROM {_RECORD_SOURCES} r LEFT JOIN source_facts facts USING (source_id)
            WHERE {chosen.format("r.resource_id")} GROUP BY r.resource_id
        )
        SELECT ',' || substr(text, 2, length(text) - 2) AS record FROM (
            SELECT r.resource_id, to_json(struct_pack({members},
                accessibility := CASE WHEN r.is_wheelchair_accessible THEN ['wheelchair']
                    WHEN NOT r.is_wheelchair_accessible THEN CAST([] AS VARCHAR[]) END,
                eligibility := struct_pack(text := r.eligibility_text, en := facts.who_en, es := facts.who_es),
                sources := behind.sources,
                field_sources := {_field_sources_sql()}
            ))::VARCHAR AS text
            FROM {_RESOURCES} r LEFT JOIN behind USING (resource_id)
            LEFT JOIN type_facts facts USING (resource_type) WHERE r.is_active AND {chosen.format("r.resource_id")}
        ) ORDER BY resource_id"""


def _field_sources_sql() -> str:
    """A map from member to source, date and method; the names are those of the public record."""
    method = (
        f"CASE WHEN field.name IN {_OF_THE_POINT} THEN r.location_method"
        f" WHEN field.name IN {_WORKED_OUT} THEN 'derived' WHEN field.name IN {_PARSED} THEN 'parsed'"
        " ELSE 'published' END"
    )
    name = "CASE field.name WHEN 'schedules_json' THEN 'hours' ELSE field.name END"
    entries = f"""list_transform(coalesce(behind.fields, []), lambda field: struct_pack(
        k := {name},
        v := struct_pack(source_id := field.source_id, date := field.date, method := {method})))"""
    # Where two records claim a field, the stronger one, which stands first, has it.
    names = "list_transform(coalesce(behind.fields, []), lambda field: field.name)"
    firsts = f"list_filter({entries}, lambda entry, i: list_position({names}, behind.fields[i].name) = i)"
    return f"map_from_entries({firsts})"


def _source_facts() -> pa.Table:
    known = sources().values()
    return pa.table(
        {
            "source_id": pa.array([s.id for s in known], pa.string()),
            "title": pa.array([s.title for s in known], pa.string()),
            "publisher": pa.array([s.publisher for s in known], pa.string()),
            "url": pa.array([s.homepage for s in known], pa.string()),
            "license": pa.array([s.license.id for s in known], pa.string()),
        }
    )


def _type_facts() -> pa.Table:
    return pa.table(
        {
            "resource_type": pa.array(list(WHO_MAY_EAT), pa.string()),
            "who_en": pa.array([words.en for words in WHO_MAY_EAT.values()], pa.string()),
            "who_es": pa.array([words.es for words in WHO_MAY_EAT.values()], pa.string()),
        }
    )
