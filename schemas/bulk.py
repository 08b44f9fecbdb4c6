"""The bulk files of a release: the whole directory for analysts, in one file for each format.

Every format of the resources has the same columns in the same order, those of
`core_directory__resources`; formats with a geometry add one. Only active resources are in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from schemas.table import Field, Table
from schemas.tables.core import CITIES, RECORD_SOURCES, RESOURCES, STATEMENTS, ZIPS
from schemas.tables.out import CROSSWALK

BULK_FOLDER = "bulk"
INDEX_NAME = "index.json"
DATABASE_NAME = "directory.duckdb"
# The file format of the database: every DuckDB from 1.2.0 on reads it.
DATABASE_STORAGE = "v1.2.0"
DATABASE_TABLES = {
    "resources": RESOURCES,
    "record_sources": RECORD_SOURCES,
    "zips": ZIPS,
    "cities": CITIES,
}
# Tables of all files.
BULK_TABLES = {**DATABASE_TABLES, "statements": STATEMENTS, "crosswalk": CROSSWALK}
BULK_FIELDS: tuple[Field, ...] = RESOURCES.fields
# Precisions that lead to a door: no confidential place has one.
EXACT_PRECISIONS = ("rooftop", "street")


@dataclass(frozen=True)
class BulkFormat:
    """File of the folder. `table` declares its rows; `is_packed` says it is stored
    as gzip."""

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
