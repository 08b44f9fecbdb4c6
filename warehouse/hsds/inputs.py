"""Collects the inputs of the HSDS tables: tables of the build and frames of parsed texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from schemas.hsds.collections import NAMESPACE
from schemas.tables.core import (
    AUTOMATIC_CHANGES,
    IDENTITIES,
    ORGANIZATIONS,
    RECORD_SOURCES,
    RESOURCES,
    ZIPS,
)
from warehouse.duckdb import Connection, quote

_TEXT = pa.string()
# One row per opening span of a distinct `schedules_json`; times without offset.
SPANS_SCHEMA = pa.schema(
    [
        ("schedules_json", _TEXT),
        ("span_key", _TEXT),
        ("valid_from", pa.date32()),
        ("dtstart", pa.date32()),
        ("until", pa.date32()),
        ("count", pa.int64()),
        ("freq", _TEXT),
        ("interval", pa.int64()),
        ("byday", _TEXT),
        ("bymonthday", _TEXT),
        ("description", _TEXT),
        ("opens_at", _TEXT),
        ("closes_at", _TEXT),
        ("is_closed", pa.bool_()),
    ]
)
ZONES_SCHEMA = pa.schema([("tzid", _TEXT), ("offset_text", _TEXT), ("offset_hours", pa.int64())])
# Statements of each distinct text about documents and fees; texts that state nothing are omitted.
FACTS_SCHEMA = pa.schema([("text", _TEXT), ("documents", pa.list_(_TEXT)), ("has_fee", pa.bool_())])


# Tables of the build by their names in `queries.sql`.
_VIEWS = {
    "resources": RESOURCES,
    "identities": IDENTITIES,
    "record_sources": RECORD_SOURCES,
    "organizations": ORGANIZATIONS,
    "changes": AUTOMATIC_CHANGES,
    "zips": ZIPS,
}


def define_views(db: Connection, folder: Path) -> None:
    """Define a view of each input in a folder of published tables."""
    for name, table in _VIEWS.items():
        path = quote(folder / f"{table.name}.parquet")
        db.execute(f"CREATE VIEW {name} AS FROM read_parquet({path})")


@dataclass(frozen=True)
class Readings:
    """Values parsed from texts: tables of the schemas above."""

    spans: pa.Table
    zones: pa.Table
    facts: pa.Table


# Distinct `schedules`, `zones` and `facts` texts, in order.
Texts = Mapping[str, list[str]]

# Texts searched for documents and fees.
FACT_TEXTS = (
    "requirements_text",
    "eligibility_text",
    "notes",
    "array_to_string(services_offered, '; ')",
)


def texts_of_base(db: Connection) -> Texts:
    """Return the texts of the resources in `base` (`queries.BASE`)."""
    facts = " UNION ".join(f"SELECT {column} AS t FROM base" for column in FACT_TEXTS)
    texts = {
        "schedules": "SELECT DISTINCT schedules_json AS t FROM base",
        "zones": "SELECT DISTINCT timezone AS t FROM base",
        "facts": facts,
    }
    return {
        name: [
            row[0]
            for row in db.sql(f"SELECT t FROM ({query}) WHERE t IS NOT NULL ORDER BY t").fetchall()
        ]
        for name, query in texts.items()
    }


def define_ids(db: Connection) -> None:
    """Define the SQL macro `hsds_id(name)`: `schemas.hsds.collections.hsds_id` for columns."""
    db.execute(
        f"CREATE OR REPLACE MACRO hsds_digest(name) AS sha1(from_hex('{NAMESPACE.hex}') || "
        "encode(name))"
    )
    # Version 5 and the RFC 4122 variant replace six bits.
    variant = "substr('89ab', (instr('0123456789abcdef', substr(h, 17, 1)) - 1) % 4 + 1, 1)"
    db.execute(
        "CREATE OR REPLACE MACRO hsds_uuid(h) AS substr(h, 1, 8) || '-' || substr(h, 9, 4) || "
        f"'-5' || substr(h, 14, 3) || '-' || {variant} || substr(h, 18, 3) || '-' || substr(h, "
        "21, 12)"
    )
    db.execute("CREATE OR REPLACE MACRO hsds_id(name) AS hsds_uuid(hsds_digest(name))")
