"""From Parquet tables to the files that the service opens, the folder `serving` of a release.

records.arrow         arena: record of each active resource as JSON text, last brace left off
details.arrow         arena: further members of the single record, starting with a comma
detail_tails.arrow    the ends of these texts, each different one once, and the end of record n
points.arrow          `schemas.tables.serving.POINTS_SCHEMA`, row n = record n
profiles.arrow        `schemas.tables.serving.PROFILES_SCHEMA`: profile codes point here
gazetteer.msgpack     ZIP codes, cities and counties (`warehouse.index.gazetteer_file`)
facts.arrow           `schemas.tables.serving.FACTS_SCHEMA`, row n = record n
hours.arrow           distinct (time zone, schedules): hours codes point here
food_banks.arrow      food banks and the ZIP codes they serve (`warehouse.index.food_banks`)
hours_origins.arrow   `schemas.tables.serving.HOURS_ORIGINS_SCHEMA`: hours origin codes point here
service_areas.arrow   areas that places serve, home_deliveries.arrow, gone_ids.arrow:
`warehouse.index.lookups`
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from schemas.attributes import CODE_LISTS, TRUTHS
from schemas.sources.registry import sources
from schemas.tables.core import FOOD_BANKS, RESOURCES
from schemas.tables.serving import (
    FACTS_SCHEMA,
    HOURS_ORIGINS_SCHEMA,
    HOURS_SCHEMA,
    POINTS_SCHEMA,
    PROFILES_SCHEMA,
)
from schemas.vocab.dates import DATE_KINDS
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.states import STATE_CODES
from schemas.vocab.statuses import LOCATION_PRECISIONS, VERIFICATION_STATUSES
from warehouse.duckdb import Connection, own_share_of_memory
from warehouse.index.columns import numbers, write_arrow
from warehouse.index.food_banks import write_food_banks
from warehouse.index.gazetteer_file import write_gazetteer
from warehouse.index.lookups import write_lookups
from warehouse.index.points import FOR_GOOD, MODE_TYPES, find_types
from warehouse.index.record_sql import detail_sql, record_sql, register_facts
from warehouse.index.spatial import SpatialIndex
from warehouse.index.writer import active_ids, write_arena
from warehouse.release.tables import view_tables

_RESOURCES = RESOURCES.name
_TAILS = "detail_tails.arrow"


def write_service_files(tables: Mapping[str, Path], folder: Path) -> None:
    """Write the files into an empty folder; food banks only if there are any.

    `tables` maps names of tables to Parquet files as `warehouse.parquet` writes them: resources,
    their record sources and ids, automatic changes, home deliveries, ZIP codes, cities, food banks.
    Raises duckdb.Error for a file that is not its table.
    """
    if FOOD_BANKS.name in tables:
        write_food_banks(tables[FOOD_BANKS.name], folder)
    with closing(view_tables(tables, own_share_of_memory())) as db:
        _write_hours(db, folder / "hours.arrow")
        _write_hours_origins(db, folder / "hours_origins.arrow")
        write_gazetteer(db, _write_points(db, folder), folder)
        _write_facts(db, folder / "facts.arrow")
        write_lookups(db, folder)
        ids = active_ids(db)
        # Parsed before threads start: msgspec prepares a class in one thread only.
        sources()
        # A range of ids occupies one core.
        with db.cursor() as other, ThreadPoolExecutor(1) as pool:
            records = pool.submit(write_arena, other, record_sql, folder / "records.arrow", ids)
            register_facts(db)
            write_arena(db, detail_sql, folder / "details.arrow", ids).write(folder / _TAILS)
            records.result()


def _write_hours(db: Connection, path: Path) -> None:
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


def _write_hours_origins(db: Connection, path: Path) -> None:
    names = ", ".join(HOURS_ORIGINS_SCHEMA.names)
    db.execute(
        f"""CREATE TEMP TABLE hours_origins AS
        SELECT row_number() OVER (ORDER BY {names}) - 1 AS hours_origin_code, {names}
        FROM (SELECT DISTINCT {names} FROM {_RESOURCES} WHERE is_active
            AND hours_date IS NOT NULL)"""
    )
    table = db.sql(f"SELECT {names} FROM hours_origins ORDER BY hours_origin_code").to_arrow_table()
    write_arrow(table.cast(HOURS_ORIGINS_SCHEMA), path)


def _day_sql(date: str) -> str:
    """Return days from 1970-01-01 to a date, -1 without one."""
    return f"coalesce(datediff('day', DATE '1970-01-01', {date}), -1)"


def _write_points(db: Connection, folder: Path) -> SpatialIndex:
    """Write the columns of places and their distinct profiles; return their spatial index."""
    # Strongest first: `greatest` ignores nulls, CASE takes the first match.
    dates = [f"{kind}_date" for kind in DATE_KINDS]
    newest = f"greatest({', '.join(dates)})"
    kinds = " ".join(f"WHEN {name} THEN {place}" for place, name in enumerate(dates))
    db.execute(
        f"""CREATE TEMP TABLE points AS SELECT resource_id, lat, lng,
            list_position({list(TYPE_IDS)}, resource_type) - 1 AS type_code,
            list_position({list(STATE_CODES)}, state) - 1 AS state_code,
            list_position({list(LOCATION_PRECISIONS)}, location_precision) - 1 AS precision_code,
            list_position({list(VERIFICATION_STATUSES)},
                verification_status) - 1 AS verification_code,
            completeness_score,
            coalesce(hours.hours_code, -1) AS hours_code,
            coalesce(hours_origins.hours_origin_code, -1) AS hours_origin_code,
            {_day_sql("hours_until_date")} AS hours_until_day,
            CASE WHEN closure IS NULL THEN -1 WHEN closure_until_date IS NULL THEN {FOR_GOOD}
                ELSE {_day_sql("closure_until_date")} END AS closed_until_day,
            {_day_sql("confirmed_date")} AS confirmed_day,
            {_day_sql(newest)} AS dated_day,
            CASE {newest} {kinds} ELSE 0 END AS dated_code,
            (phone IS NOT NULL)::UTINYINT AS has_phone,
            (website IS NOT NULL)::UTINYINT AS has_website,
            is_confidential::UTINYINT AS is_confidential
        FROM {_RESOURCES} LEFT JOIN hours USING (timezone, schedules_json)
            LEFT JOIN hours_origins USING (hours_date, hours_date_basis, hours_source)
        WHERE is_active"""
    )
    profile = ", ".join(PROFILES_SCHEMA.names)
    points = db.sql(
        f"""SELECT *, dense_rank() OVER (ORDER BY {profile}) - 1 AS profile_code
        FROM points ORDER BY resource_id"""
    ).to_arrow_table()
    write_arrow(points.cast(POINTS_SCHEMA), folder / "points.arrow")
    profiles = db.sql(f"SELECT DISTINCT {profile} FROM points ORDER BY {profile}").to_arrow_table()
    write_arrow(profiles.cast(PROFILES_SCHEMA), folder / "profiles.arrow")
    points = points.cast(POINTS_SCHEMA)
    lat, lng, codes, closed = (
        numbers(points[name]) for name in ("lat", "lng", "type_code", "closed_until_day")
    )
    types = find_types(codes, closed)
    return SpatialIndex(lat, lng, types, MODE_TYPES)


def _write_facts(db: Connection, path: Path) -> None:
    truths = " | ".join(
        f"(CASE WHEN {one.name} IS NULL THEN 0 WHEN {one.name} THEN {3 << 2 * one.bit}"
        f" ELSE {1 << 2 * one.bit} END)"
        for one in TRUTHS
    )
    sets = ", ".join(f"{_bits_sql(one.name, one.codes)} AS {one.name}" for one in CODE_LISTS)
    table = db.sql(
        f"""SELECT {truths} AS truths, {sets},
            coalesce(minimum_age, -1) AS minimum_age, coalesce(maximum_age, -1) AS maximum_age
        FROM {_RESOURCES} WHERE is_active ORDER BY resource_id"""
    ).to_arrow_table()
    write_arrow(table.cast(FACTS_SCHEMA), path)


def _bits_sql(name: str, codes: tuple[str, ...]) -> str:
    """Return a list of codes as one number; codes outside the vocabulary are omitted."""
    bits = f"""list_transform({name}, lambda code:
        1::UBIGINT << (list_position({list(codes)}, code) - 1)::UBIGINT)"""
    return f"coalesce(list_bit_or(list_distinct({bits})), 0)::UBIGINT"
