"""Writes the files that the service reads, the folder `serving` of a release.

directory.duckdb   every published table, the food banks, and the columns that searches read
                   (`schemas.tables.serving`)
records.arrow      records as JSON by row (`warehouse.index.records`)
"""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pyarrow as pa

from schemas.attributes import CODE_LISTS, TRUTHS
from schemas.tables.core import CITIES, RESOURCES, ZIPS
from schemas.tables.serving import (
    LIVE_NAMES,
    ORIGINS,
    PLACE_COLUMNS,
    PLACES,
    SEARCH_CITIES,
    SEARCH_ZIPS,
    TIMETABLES,
)
from schemas.values.coordinates import ecef_point, miles_to_chord
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.states import STATE_CODES
from schemas.vocab.statuses import DATE_KINDS, LOCATION_PRECISIONS, VERIFICATION_STATUSES
from warehouse.duckdb import Connection, connect, own_share_of_memory, quote, quote_name
from warehouse.index.points import FOR_GOOD, MODE_TYPES, find_types
from warehouse.index.records import RECORDS_NAME, write_records
from warehouse.index.spatial import SpatialIndex
from warehouse.release.tables import DATABASE_NAME

_RESOURCES = RESOURCES.name
# `free_food_count` of a ZIP code or city.
_SUPPLY_MILES = 25.0


def write_service_files(tables: Mapping[str, Path], folder: Path) -> None:
    """Write the files into an empty folder.

    `tables` maps names of tables to Parquet files as `warehouse.parquet` writes them, at least the
    resources, their record sources and ids, automatic changes, home deliveries, ZIP codes and
    cities. Raises duckdb.Error for a file that is not its table.
    """
    with closing(connect(folder / DATABASE_NAME, memory=own_share_of_memory())) as db:
        db.begin()  # otherwise every table is synced separately
        for name, path in tables.items():
            db.execute(f"CREATE TABLE {quote_name(name)} AS FROM read_parquet({quote(path)})")
        _write_places(db)
        _write_gazetteer(db)
        db.commit()
        write_records(db, folder / RECORDS_NAME)


def _day_sql(date: str) -> str:
    """Return days from 1970-01-01 to a date, -1 without one."""
    return f"coalesce(datediff('day', DATE '1970-01-01', {date}), -1)"


def _bits_sql(name: str, codes: tuple[str, ...]) -> str:
    """Return a list of codes as one number; codes outside the vocabulary are omitted."""
    bits = f"""list_transform({name}, lambda code:
        1::UBIGINT << (list_position({list(codes)}, code) - 1)::UBIGINT)"""
    return f"coalesce(list_bit_or(list_distinct({bits})), 0)"


def _write_places(db: Connection) -> None:
    """Write the columns of the active resources, their distinct timetables and hours' origins."""
    db.execute(
        f"""CREATE TABLE {TIMETABLES} AS
        SELECT row_number() OVER (ORDER BY timezone, schedules_json) - 1 AS hours_code, *
        FROM (SELECT DISTINCT timezone, schedules_json FROM {_RESOURCES}
              WHERE is_active AND schedules_json IS NOT NULL)
        ORDER BY hours_code"""
    )
    origin = "hours_date, hours_date_basis, hours_source"
    db.execute(
        f"""CREATE TABLE {ORIGINS} AS
        SELECT row_number() OVER (ORDER BY {origin}) - 1 AS hours_origin_code, {origin}
        FROM (SELECT DISTINCT {origin} FROM {_RESOURCES}
              WHERE is_active AND hours_date IS NOT NULL)
        ORDER BY hours_origin_code"""
    )
    # Strongest first: `greatest` ignores nulls, CASE takes the first match.
    dates = [f"{kind}_date" for kind in DATE_KINDS]
    newest = f"greatest({', '.join(dates)})"
    kinds = " ".join(f"WHEN {name} THEN {place}" for place, name in enumerate(dates))
    truths = " | ".join(
        f"(CASE WHEN {one.name} IS NULL THEN 0 WHEN {one.name} THEN {3 << 2 * one.bit}"
        f" ELSE {1 << 2 * one.bit} END)"
        for one in TRUTHS
    )
    sets = "".join(f"{_bits_sql(one.name, one.codes)} AS {one.name}, " for one in CODE_LISTS)
    columns = ", ".join(f"{name}::{kind} AS {name}" for name, kind, _ in PLACE_COLUMNS)
    db.execute(
        f"""CREATE TABLE {PLACES} AS
        WITH points AS (
            SELECT resource_id, lat, lng,
                list_position({list(TYPE_IDS)}, resource_type) - 1 AS type_code,
                list_position({list(STATE_CODES)}, state) - 1 AS state_code,
                list_position({list(LOCATION_PRECISIONS)}, location_precision) - 1
                    AS precision_code,
                list_position({list(VERIFICATION_STATUSES)}, verification_status) - 1
                    AS verification_code,
                completeness_score,
                coalesce({TIMETABLES}.hours_code, -1) AS hours_code,
                coalesce({ORIGINS}.hours_origin_code, -1) AS hours_origin_code,
                {_day_sql("hours_until_date")} AS hours_until_day,
                CASE WHEN closure IS NULL THEN -1 WHEN closure_until_date IS NULL THEN {FOR_GOOD}
                    ELSE {_day_sql("closure_until_date")} END AS closed_until_day,
                {_day_sql("confirmed_date")} AS confirmed_day,
                {_day_sql(newest)} AS dated_day,
                CASE {newest} {kinds} ELSE 0 END AS dated_code,
                (phone IS NOT NULL) AS has_phone, (website IS NOT NULL) AS has_website,
                is_confidential, {truths} AS truths, {sets}
                coalesce(minimum_age, -1) AS minimum_age, coalesce(maximum_age, -1) AS maximum_age
            FROM {_RESOURCES} LEFT JOIN {TIMETABLES} USING (timezone, schedules_json)
                LEFT JOIN {ORIGINS} USING ({origin})
            WHERE is_active
        ),
        numbered AS (
            SELECT *, row_number() OVER (ORDER BY resource_id) - 1 AS row_number FROM points
        ),
        shared AS (
            SELECT *, min(row_number) OVER (PARTITION BY {", ".join(LIVE_NAMES)}) AS live_row
            FROM numbered
        )
        SELECT {columns} FROM shared ORDER BY resource_id"""
    )


def _write_gazetteer(db: Connection) -> None:
    """Write the ZIP codes and cities, each with the number of places with free food around it."""
    query = f"SELECT lat, lng, type_code, closed_until_day FROM {PLACES} ORDER BY resource_id"
    places = db.execute(query).fetchnumpy()
    types = find_types(places["type_code"], places["closed_until_day"])
    free = SpatialIndex(places["lat"], places["lng"], types, MODE_TYPES).select(MODE_TYPES["free"])
    chord = miles_to_chord(_SUPPLY_MILES)
    for table, columns in (
        (
            SEARCH_ZIPS,
            "zip, zip_kind AS kind, place_name AS name, state, lat, lng, population,"
            f" is_quality_low, county_fips FROM {ZIPS.name}",
        ),
        (
            SEARCH_CITIES,
            "place_name AS name, state, search_name AS folded, lat, lng, zip, population"
            f" FROM {CITIES.name}",
        ),
    ):
        entries = db.sql(f"SELECT {columns} ORDER BY rowid").to_arrow_table()
        points = zip(entries["lat"].to_pylist(), entries["lng"].to_pylist(), strict=True)
        counts = [
            0 if lat is None or lng is None else free.count(ecef_point(lat, lng), chord)
            for lat, lng in points
        ]
        entries = entries.append_column("free_food_count", pa.array(counts, pa.int32()))
        db.register("entries", entries)
        db.execute(f"CREATE TABLE {table} AS FROM entries")
        db.unregister("entries")
