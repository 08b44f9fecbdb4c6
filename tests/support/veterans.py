"""Invented facilities and places for veterans, and their data set."""

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from assets.geography.model import Geography
from assets.probes.assets import no_probes
from assets.veterans.candidates import Candidates, of_directory, of_register, together
from assets.veterans.export import write_files
from assets.veterans.practices import Making
from assets.veterans.records import Veterans, build_veterans
from schemas.sources.registry import sources
from schemas.table import Table
from schemas.tables.core import CITIES, FACILITIES, RECORD_SOURCES, RESOURCES, ZIPS
from schemas.tables.veterans import VETERAN_DETAILS, VETERAN_IDENTITIES, VETERAN_RESOURCES
from warehouse.parquet import write_table

AS_OF = date(2026, 11, 1)
RELEASE = "20261101T060000Z-00000001"
RETRIEVED = pd.Timestamp("2026-11-01T06:00:00Z")
_TYPES = {
    "string": "str",
    "json": "str",
    "boolean": "boolean",
    "number": "float64",
    "integer": "Int64",
}

FACILITY: dict[str, Any] = {
    "source_id": "va_facilities",
    "source_row": 1,
    "file_name": "vast.2026-10.csv",
    "name": "Heron VA Clinic",
    "facility_type": "va_clinic",
    "facility_subtype": "PCCBOC",
    "is_public": False,
    "is_confidential": False,
    "address": "163 Heron Road, Suite 6",
    "city": "Portland",
    "state": "ME",
    "zip": "04101",
    "lat": 43.66,
    "lng": -70.26,
    "location_precision": "rooftop",
    "phone": "(207) 555-0101",
    "phone_e164": "+12075550101",
    "website": "https://www.maine.va.gov/heron",
    "hours_text": "Monday - Friday 8:00AM-4:30PM",
    "retrieved_at": RETRIEVED,
    "source_updated_date": date(2026, 10, 1),
    "is_synthetic": False,
}
PLACE: dict[str, Any] = {
    "name": "Veterans Food Pantry",
    "resource_type": "food_pantry",
    "address": "12 Oak St",
    "city": "Portland",
    "state": "ME",
    "zip": "04101",
    "county_fips": "23005",
    "lat": 43.65,
    "lng": -70.25,
    "location_precision": "street",
    "location_method": "source",
    "timezone": "America/New_York",
    "is_active": True,
    "is_confidential": False,
    "retrieved_at": RETRIEVED,
    "is_synthetic": False,
}


def frame(table: Table, rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return rows in the columns and types of a table; absent values are missing."""
    table_rows = pd.DataFrame(rows).reindex(columns=table.field_names)
    return table_rows.astype({f.name: _TYPES[f.type] for f in table.fields if f.type in _TYPES})


def facilities(*rows: Mapping[str, Any]) -> pd.DataFrame:
    """Return `core_va_facilities__facilities`; each row has its own key by default."""
    return frame(
        FACILITIES, [{**FACILITY, "source_key": f"vha_{n}", **row} for n, row in enumerate(rows)]
    )


def directory(*rows: Mapping[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return `core_directory__resources` and `record_sources`.

    `records` of a row are its (source, key) pairs, the primary one first.
    """
    places, record_sources = [], []
    for number, row in enumerate(rows, start=101):
        records = row.get("records", [("nyc_pantries_2023", str(number))])
        places.append(
            {**PLACE, "resource_id": number, **{k: v for k, v in row.items() if k != "records"}}
        )
        for place, (source_id, key) in enumerate(records):
            record_sources.append(
                {
                    "resource_id": places[-1]["resource_id"],
                    "source_id": source_id,
                    "source_key": key,
                    "is_primary": place == 0,
                }
            )
    return frame(RESOURCES, places), frame(RECORD_SOURCES, record_sources)


@cache
def geography() -> Geography:
    """Return two ZIP codes in two states."""
    zips = [
        {
            "zip": "04101",
            "zip_kind": "standard",
            "place_name": "Portland",
            "state": "ME",
            "county_name": "Cumberland County",
            "county_fips": "23005",
            "lat": 43.66,
            "lng": -70.26,
            "timezone": "America/New_York",
            "is_quality_low": False,
        },
        {
            "zip": "97201",
            "zip_kind": "standard",
            "place_name": "Portland",
            "state": "OR",
            "county_name": "Multnomah County",
            "county_fips": "41051",
            "lat": 45.5,
            "lng": -122.69,
            "timezone": "America/Los_Angeles",
            "is_quality_low": False,
        },
    ]
    cities = [
        {
            "place_name": "Portland",
            "state": "ME",
            "search_name": "portland",
            "lat": 43.66,
            "lng": -70.26,
        }
    ]
    return Geography(frame(ZIPS, zips), frame(CITIES, cities))


def candidates(register: pd.DataFrame, *places: Mapping[str, Any]) -> Candidates:
    """Return the candidates of a register and of places of the food directory."""
    registry = sources()
    parts = [of_register(register, geography(), registry["va_facilities"])]
    if places:
        parts.append(of_directory(*directory(*places), registry))
    return together(parts)


def build(
    selection: Candidates,
    before: Veterans | None = None,
    release_id: str = RELEASE,
    as_of: date = AS_OF,
    probes: pd.DataFrame | None = None,
) -> Veterans:
    """Return the data set of a release after `before`."""
    return build_veterans(
        selection,
        no_probes() if probes is None else probes,
        before.resources if before else None,
        before.identities if before else None,
        release_id,
        as_of,
    )


@cache
def example() -> Veterans:
    """Return a data set with every origin (register, mobile unit, treatment, pantry), one merged
    and one retired id.
    """
    first = build(
        candidates(
            facilities(
                {},
                {"name": "Gone VA Clinic"},
                {
                    "name": "Heron Vet Center",
                    "facility_type": "vet_center",
                    "facility_subtype": "VTCR",
                    "address": "7 Elm Street",
                },
            )
        ),
        release_id="20261001T060000Z-00000000",
    )
    again = facilities(
        {},
        {
            "source_key": "vha_2",
            "name": "Heron Vet Center",
            "facility_type": "vet_center",
            "facility_subtype": "VTCR",
            "address": "7 Elm Street",
        },
        {
            "source_key": "vc_5",
            "name": "Heron Mobile Vet Center",
            "facility_type": "vet_center",
            "facility_subtype": "MVCTR",
            "address": None,
            "zip": None,
            "location_precision": "city",
            "phone": None,
            "phone_e164": None,
            "website": None,
        },
    )
    places = (
        {"records": [("haarrrvest_2025", "a"), ("nyc_pantries_2023", "b")]},
        {
            "name": "Heron VAMC - Mental Hygiene",
            "resource_type": "mental_health_facility",
            "website": "http://heron.example",
        },
    )
    return build(candidates(again, *places), first)


def write_example(folder: Path, tables: Path) -> dict[str, Path]:
    """Write the example's files into `folder` and its tables below `tables`; return their paths."""
    data = example()
    folder.mkdir(parents=True)
    write_files(data.resources, folder, Making(), is_synthetic=True)
    paths = {}
    for table, rows in (
        (VETERAN_RESOURCES, data.resources),
        (VETERAN_DETAILS, data.details),
        (VETERAN_IDENTITIES, data.identities),
    ):
        paths[table.name] = tables / f"{table.name}.parquet"
        write_table(rows, table, paths[table.name])
    return paths
