"""A large release with invented places, made in seconds: NumPy columns, the ordinary release writer.

    python -m tests.performance.synthetic <data folder> [rows] [seed]

The places are no demonstration of the pipeline; they only have the right size and the right spread:
clusters of towns, Alaska, both sides of the antimeridian, Guam, and heaps at ZIP centroids.
"""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from schemas.table import Table
from schemas.tables.core import CITIES, IDENTITIES, RECORD_SOURCES, RESOURCES, ZIPS
from schemas.tables.out import TYPE_COUNTS
from warehouse.build import write_release_files
from warehouse.manifest import FORMAT_VERSION, Manifest
from warehouse.parquet import write_table
from warehouse.release import ReleaseStore

RELEASE_ID = "20261101T060000Z-5f5f5f5f"
# Shares of types, in percent, roughly those of the country.
SHARES = {"snap_retailer": 60.0, "food_pantry": 15.0, "school_meal": 12.0, "summer_meal": 5.0, "soup_kitchen": 2.0, "wic_office": 2.0,
          "health_center": 2.5, "food_bank": 0.2, "community_fridge": 0.1, "tribal_food": 0.2, "diaper_bank": 0.2, "rmp_restaurant": 0.8}  # fmt: skip
TIMETABLES = [
    f'[{{"freq":"WEEKLY","byday":"{days}","opens_at":"{start:02d}:00","closes_at":"{start + length:02d}:00"}}]'
    for days in ("MO,WE", "TU,TH", "FR", "SA", "MO,TU,WE,TH,FR")
    for start in (8, 9, 10, 13, 16)
    for length in (2, 3, 6)
]
ZONES = ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"]
CITY_COUNT, ZIP_COUNT = 30_000, 41_000
Rng = np.random.Generator


def towns(rng: Rng, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Latitudes and longitudes of town centres."""
    lat, lng = rng.uniform(26, 48, count), rng.uniform(-123, -70, count)
    lat[: count // 50], lng[: count // 50] = rng.uniform(55, 68, count // 50), rng.uniform(-165, -140, count // 50)  # fmt: skip
    lat[0], lng[0], lat[1], lng[1], lat[2], lng[2] = 51.9, 179.95, 51.9, -179.95, 13.45, 144.8
    return lat, lng


def resource_columns(rng: Rng, count: int) -> dict[str, Any]:
    """Columns of `core_directory__resources`."""
    town_lat, town_lng = towns(rng, CITY_COUNT)
    # A few towns are large: the share of a town falls with its number.
    weight = 1 / np.arange(1, CITY_COUNT + 1) ** 0.8
    town = rng.choice(CITY_COUNT, count, p=weight / weight.sum())
    is_centroid = rng.random(count) < 0.1
    spread = np.where(is_centroid, 0, 0.15)
    kinds = np.array(list(SHARES))
    share = np.array(list(SHARES.values()))
    has_hours = rng.random(count) < 0.4
    timetable = np.where(has_hours, rng.integers(0, len(TIMETABLES), count), -1)
    ids = np.sort(rng.choice(2**50, count, replace=False)) + 1
    number = np.arange(count)
    zone = np.array(ZONES)[town % 4]
    month = rng.integers(1, 11, count)
    zips = np.array([f"{10000 + t % 80000:05d}" for t in range(CITY_COUNT)])[town]
    return {
        "resource_id": ids,
        "name": [f"Invented Place {n}" for n in number],
        "organization": [f"Invented Organization {n % 9000}" for n in number],
        "resource_type": kinds[rng.choice(len(kinds), count, p=share / share.sum())],
        "address": [f"{n % 9990 + 1} Example Street" for n in number],
        "city": [f"Town {t}" for t in town],
        "state": np.array(["NY", "CA", "TX", "IL", "GA"])[town % 5],
        "zip": zips,
        "county_name": [f"County {t % 3000}" for t in town],
        "county_fips": [f"{t % 56 + 1:02d}{t % 300 + 1:03d}" for t in town],
        "lat": np.round(town_lat[town] + rng.normal(0, 1, count) * spread, 6),
        "lng": np.round((town_lng[town] + rng.normal(0, 1, count) * spread + 180) % 360 - 180, 6),
        "location_precision": np.where(is_centroid, "zip", "street"),
        "location_method": np.where(is_centroid, "zip_centroid", "source"),
        "timezone": zone,
        "phone": [f"(212) 555-{n % 10000:04d}" for n in number],
        "phone_e164": [f"+1212555{n % 10000:04d}" for n in number],
        "website": [f"https://example.org/{n}" for n in number],
        "hours_text": [f"Timetable {t}" if t >= 0 else None for t in timetable],
        "schedules_json": [TIMETABLES[t] if t >= 0 else None for t in timetable],
        "services_offered": [["groceries", "diapers"][: n % 3] for n in number],
        "requirements_text": np.where(number % 2 == 0, "Photo ID and proof of address", None),
        "languages": [["en", "es"][: n % 3] for n in number],
        "verification_status": np.array(["unverified", "verified", "partner_verified"])[rng.choice(3, count, p=[0.3, 0.65, 0.05])],
        "source_updated_date": [date(2026, m, 1) for m in month],
        "retrieved_at": [datetime(2026, 11, 1, 6, tzinfo=UTC)] * count,
        "data_source": ["synthetic_places"] * count,
        "source_count": np.ones(count, dtype=np.int64),
        "license": ["CC0-1.0"] * count,
        "completeness_score": rng.integers(30, 101, count),
        "completeness_missing": [["website"]] * count,
        "is_confidential": np.zeros(count, dtype=bool),
        "is_active": np.ones(count, dtype=bool),
        "is_synthetic": np.ones(count, dtype=bool),
    }  # fmt: skip


def zip_columns(rng: Rng) -> dict[str, Any]:
    lat, lng = towns(rng, ZIP_COUNT)
    return {
        "zip": [f"{10000 + n:05d}" for n in range(ZIP_COUNT)],
        "zip_kind": ["standard"] * ZIP_COUNT,
        "place_name": [f"Town {n}" for n in range(ZIP_COUNT)],
        "state": ["NY"] * ZIP_COUNT,
        "lat": lat,
        "lng": lng,
        "timezone": ["America/New_York"] * ZIP_COUNT,
        "population": rng.integers(0, 90_000, ZIP_COUNT),
        "is_quality_low": [False] * ZIP_COUNT,
    }


def city_columns(rng: Rng) -> dict[str, Any]:
    lat, lng = towns(rng, CITY_COUNT)
    return {
        "place_name": [f"Town {n}" for n in range(CITY_COUNT)],
        "state": ["NY"] * CITY_COUNT,
        "search_name": [f"town {n}" for n in range(CITY_COUNT)],
        "lat": lat,
        "lng": lng,
        "population": rng.integers(0, 900_000, CITY_COUNT),
    }


def as_arrow(columns: dict[str, Any], table: Table, rows: int) -> pa.Table:
    """Columns in the table's types; absent ones are null."""
    return pa.table(
        {
            f.name: pa.array(columns[f.name], type=f.arrow_type)
            if f.name in columns
            else pa.nulls(rows, f.arrow_type)
            for f in table.fields
        }
    )


def write_synthetic_release(data_dir: Path, rows: int = 330_000, seed: int = 1) -> str:
    """Write and promote a release of invented places; returns its id."""
    rng = np.random.default_rng(seed)
    resources = resource_columns(rng, rows)
    source = {
        "resource_id": resources["resource_id"],
        "source_id": resources["data_source"],
        "source_key": [str(n) for n in range(rows)],
        "is_primary": np.ones(rows, dtype=bool),
        "supplied_fields": [["name", "address"]] * rows,
        "match_reason": ["only record"] * rows,
        "retrieved_at": resources["retrieved_at"],
        "source_updated_date": resources["source_updated_date"],
        "id_status": ["active"] * rows,
        "first_release_id": [RELEASE_ID] * rows,
    }
    tables: dict[Table, tuple[dict[str, Any], int]] = {
        RESOURCES: (resources, rows),
        RECORD_SOURCES: (source, rows),
        IDENTITIES: (source, rows),
        ZIPS: (zip_columns(rng), ZIP_COUNT),
        CITIES: (city_columns(rng), CITY_COUNT),
        TYPE_COUNTS: ({}, 0),
    }
    store = ReleaseStore(data_dir)
    with store.building() as staging:
        paths = {table.name: data_dir / "tables" / f"{table.name}.parquet" for table in tables}
        for table, (columns, count) in tables.items():
            write_table(as_arrow(columns, table, count), table, paths[table.name])
        entries = write_release_files(paths, staging)
        store.seal(staging, _manifest(entries))
    store.promote(RELEASE_ID)
    return RELEASE_ID


def _manifest(entries: list[Any]) -> Manifest:
    return Manifest(
        release_id=RELEASE_ID,
        created_at="2026-11-01T06:00:00Z",
        format_version=FORMAT_VERSION,
        code_version="synthetic",
        parent=None,
        is_synthetic=True,
        as_of_date="2026-11-01",
        data_license="CC0-1.0",
        content_digest="0" * 64,
        tables=entries,
        files=[],
        sources=[],
        checks=[],
    )


if __name__ == "__main__":
    write_synthetic_release(Path(sys.argv[1]), *(int(argument) for argument in sys.argv[2:]))
