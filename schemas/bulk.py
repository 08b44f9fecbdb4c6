"""The bulk files of a release: the whole directory for analysts, in one file for each format.

Every format of the resources has the same columns in the same order, those of
`core_directory__resources`; formats with a geometry add one. Only active resources are in them.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.table import Field, Table
from schemas.tables.core import CITIES, RECORD_SOURCES, RESOURCES, STATEMENTS, ZIPS

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
BULK_TABLES = {**DATABASE_TABLES, "statements": STATEMENTS}
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

_PARQUET = "application/vnd.apache.parquet"
BULK_FORMATS: dict[str, BulkFormat] = {
    entry.name: entry
    for entry in (
        BulkFormat(
            "resources.parquet",
            _PARQUET,
            RESOURCES,
            "The directory as Parquet, in order of id. The best choice for most analyses.",
        ),
        BulkFormat(
            "resources.geoparquet",
            _PARQUET,
            RESOURCES,
            "The directory as GeoParquet 1.1: points, bounding boxes, neighbours side by side in the file.",
        ),
        BulkFormat(
            "resources.csv",
            "text/csv; charset=utf-8; header=present",
            RESOURCES,
            "The directory as CSV (RFC 4180). Lists are JSON texts. Read ZIP and FIPS codes and telephone numbers as text.",
            True,
        ),
        BulkFormat(
            "resources.ndjson",
            "application/x-ndjson",
            RESOURCES,
            "The directory as JSON, one object on each line.",
            True,
        ),
        BulkFormat(
            "resources.geojson",
            "application/geo+json",
            RESOURCES,
            "The directory as GeoJSON (RFC 7946), one feature on each line.",
            True,
        ),
        BulkFormat(
            "resources.fgb",
            "application/vnd.flatgeobuf",
            RESOURCES,
            "The directory as FlatGeobuf with a spatial index. Lists are JSON texts.",
            True,
        ),
        BulkFormat(
            DATABASE_NAME,
            "application/vnd.duckdb",
            RESOURCES,
            "A DuckDB database with `resources`, `record_sources`, `zips`, `cities` and `about`; DuckDB 1.2.0 and later open it.",
        ),
        BulkFormat(
            "record_sources.parquet",
            _PARQUET,
            RECORD_SOURCES,
            "Source records of each resource, and the fields that each supplies.",
        ),
        BulkFormat(
            "statements.parquet",
            _PARQUET,
            STATEMENTS,
            "What every source states of each resource: a row for each value, with its date, file and row.",
        ),
        BulkFormat(
            "zips.parquet",
            _PARQUET,
            ZIPS,
            "ZIP codes with point, county, time zone and population, to count people with.",
        ),
        BulkFormat(
            "cities.parquet",
            _PARQUET,
            CITIES,
            "Cities, towns and other named places with point and population.",
        ),
    )
}
