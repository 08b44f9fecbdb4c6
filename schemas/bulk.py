"""The bulk files of a release: the whole directory for analysts, in one file for each format.

Every format of the resources has the same columns in the same order, those of
`core_directory__resources` under the names that the API gives them (so does the change feed);
formats with a geometry add one, map tiles have a few. Only active resources are in them.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from schemas.api.record import RECORD_MEMBERS, Form
from schemas.table import Field, Table
from schemas.tables.core import (
    CITIES,
    CROSSWALK,
    PUBLISHED_REQUIRED,
    RECORD_SOURCES,
    RESOURCES,
    STATEMENTS,
    ZIPS,
)

BULK_FOLDER = "bulk"
INDEX_NAME = "index.json"
DATABASE_NAME = "directory.duckdb"
# The file format of the database: every DuckDB from 1.2.0 on reads it.
DATABASE_STORAGE = "v1.2.0"

# Column of the bulk files by field of `core_directory__resources`: the name of the API's member.
PUBLISHED_NAMES = {m.field: m.name for m in RECORD_MEMBERS if m.form != "json_text"}
# Form of the value in NDJSON, GeoJSON and the change feed, by name.
PUBLISHED_FORMS: dict[str, Form] = {m.name: m.form for m in RECORD_MEMBERS}
# Columns without a member of the same name, each with the reason and the API's equivalent.
ONLY_IN_FILES = {
    "census_tract": "to join census tables; an answer about one place does not need it",
    "hours_date": "`usual_hours` and `field_sources` say it",
    "hours_date_basis": "`field_sources` says it",
    "hours_source": "`field_sources` says it",
    "hours_until_date": "`hours_status` and `next_openings` end with it",
    "is_hours_current": "`hours_status` judges it at the moment of the request",
    "source_count": "`sources` lists them",
    "is_confidential": "such a place has neither street, ZIP code nor point in either",
}


def name_in_release(field: Field) -> str:
    """Return the name under which a field of the resources is published."""
    return PUBLISHED_NAMES.get(field.name, field.name)


def _published_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(PUBLISHED_NAMES.get(name, name) for name in names)


# The resources as they are published.
BULK_RESOURCES = replace(
    RESOURCES,
    fields=tuple(replace(f, name=name_in_release(f)) for f in RESOURCES.fields),
    key=_published_names(RESOURCES.key),
    required=_published_names(PUBLISHED_REQUIRED),
    order_by=_published_names(RESOURCES.order_by),
)
DATABASE_TABLES = {
    "resources": BULK_RESOURCES,
    "record_sources": RECORD_SOURCES,
    "zips": ZIPS,
    "cities": CITIES,
}
# Tables of all files.
BULK_TABLES = {**DATABASE_TABLES, "statements": STATEMENTS, "crosswalk": CROSSWALK}
BULK_FIELDS: tuple[Field, ...] = BULK_RESOURCES.fields


@dataclass(frozen=True)
class BulkFormat:
    """A bulk file: `table` declares its rows, `is_packed` says gzip."""

    name: str
    media_type: str
    table: Table
    description: str
    is_packed: bool = False


# How files are packed: the ending of the name, the content coding, the media type.
GZIP_ENDING, GZIP_ENCODING, GZIP_TYPE = ".gz", "gzip", "application/gzip"

BULK_FORMATS: dict[str, BulkFormat] = {
    entry["name"]: BulkFormat(**entry | {"table": BULK_TABLES[entry["table"]]})
    for entry in msgspec.yaml.decode(Path(__file__).with_name("bulk.yaml").read_bytes())
}
