"""Writes the bulk files (`schemas.bulk`), one pass over the resources per format, in bounded
memory.

Equal rows give equal bytes with any number of threads, except for the database file, for which
DuckDB does not promise that.
"""

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from schemas.api.exports import BulkColumn, BulkFile, BulkIndex
from schemas.bulk import (
    BULK_FIELDS,
    BULK_FOLDER,
    BULK_FORMATS,
    BULK_RESOURCES,
    BULK_TABLES,
    DATABASE_NAME,
    DATABASE_STORAGE,
    DATABASE_TABLES,
    GZIP_TYPE,
    INDEX_NAME,
    BulkFormat,
)
from schemas.tables.core import CROSSWALK, RECORD_SOURCES, RESOURCES, STATEMENTS
from warehouse.duckdb import Connection, connection, quote, quote_name
from warehouse.exports.bulk_formats import (
    BATCH_ROWS,
    SIDES,
    Rows,
    TextFile,
    add_geometry_fields,
    csv_text,
    floats,
    geojson_text,
    hilbert_order,
    pack_file,
    with_geometry,
    write_text_files,
)
from warehouse.files import sha256_of
from warehouse.index.records import published_sql
from warehouse.parquet import even
from warehouse.release.manifest import FileEntry

TITLE = "Open Larder: places that give or sell food to people in need, United States"
SYNTHETIC_NOTICE = "All places in these files are invented: demonstration data."


@dataclass(frozen=True)
class BulkFacts:
    """Metadata of the files."""

    license: str
    is_synthetic: bool
    as_of: date

    @property
    def texts(self) -> dict[str, str]:
        metadata = {"title": TITLE, "license": self.license, "as_of_date": self.as_of.isoformat()}
        metadata["is_synthetic"] = "true" if self.is_synthetic else "false"
        return metadata | ({"notice": SYNTHETIC_NOTICE} if self.is_synthetic else {})


def write_bulk(tables: Mapping[str, Path], folder: Path, facts: BulkFacts) -> BulkIndex:
    """Write all bulk files and their index into a folder.

    `tables` maps table names of BULK_TABLES to files written by `warehouse.parquet`. Raises
    duckdb.Error for a file that is not its table.
    """
    # The service imports this module without the library of the format.
    from warehouse.exports.bulk_tiles import write_tiles  # noqa: PLC0415

    with (
        connection() as db,
        db.cursor() as of_located,
        db.cursor() as of_tiles,
        ThreadPoolExecutor(2) as writers,
    ):
        # DuckDB derives from statistics whether a Parquet column is nullable: without them the
        # schema does not depend on the data.
        db.execute("SET disabled_optimizers = 'statistics_propagation'")
        _define_rows(db, tables)
        rows = {
            table.name: int(db.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0])
            for name, table in BULK_TABLES.items()
        }
        texts = _texts(facts)
        # Meanwhile files with a geometry, which take longer than all others.
        writing = [
            writers.submit(_write_geoparquet, of_located, folder / _GEOPARQUET_NAME, facts),
            writers.submit(write_tiles, of_tiles, folder / _TILES_NAME, facts.texts),
        ]
        _write_database(tables, folder / DATABASE_NAME, facts)
        others = {DATABASE_NAME, _TILES_NAME, _GEOPARQUET_NAME, *texts}
        for name in sorted(BULK_FORMATS.keys() - others):
            _write_parquet(db, BULK_FORMATS[name], folder / name, facts)
        for future in writing:
            future.result()
        described = {
            name: _describe(folder, entry, rows[entry.table.name], facts)
            for name, entry in BULK_FORMATS.items()
        }
        text_files = write_text_files(db, texts, folder, described)
        files = [
            text_files.get(name)
            or (pack_file(folder / name, file) if BULK_FORMATS[name].is_packed else file)
            for name, file in described.items()
        ]
    index = BulkIndex(
        title=TITLE,
        license=facts.license,
        is_synthetic=facts.is_synthetic,
        notice=SYNTHETIC_NOTICE if facts.is_synthetic else None,
        as_of_date=facts.as_of.isoformat(),
        columns=[BulkColumn(f.name, f.type, f.description) for f in BULK_FIELDS],
        files=files,
    )
    text = msgspec.json.format(msgspec.json.encode(index), indent=1)
    (folder / INDEX_NAME).write_bytes(text + b"\n")
    return index


def read_index(folder: Path) -> BulkIndex:
    """Read a bulk index. Raises FileNotFoundError or msgspec.ValidationError."""
    return msgspec.json.decode((folder / INDEX_NAME).read_bytes(), type=BulkIndex)


def manifest_entries(index: BulkIndex) -> list[FileEntry]:
    """Return rows, media type and license of every bulk file for the manifest of the release."""
    entries = [
        FileEntry(f"{BULK_FOLDER}/{INDEX_NAME}", 0, "", None, "application/json", index.license)
    ]
    for file in index.files:
        stored_in = None
        for packed in file.compressed:
            stored_in = f"{BULK_FOLDER}/{packed.name}"
            described = (packed.size_bytes, packed.sha256, file.rows, GZIP_TYPE, file.license)
            entries.append(FileEntry(stored_in, *described))
        described = (file.size_bytes, file.sha256, file.rows, file.media_type, file.license)
        entries.append(FileEntry(f"{BULK_FOLDER}/{file.name}", *described, stored_in))
    return entries


def _texts(facts: BulkFacts) -> dict[str, TextFile]:
    head: dict[str, Any] = {"type": "FeatureCollection", **facts.texts}
    head["is_synthetic"] = facts.is_synthetic
    return {
        "resources.csv": csv_text(),
        "resources.ndjson": TextFile("object || chr(10)"),
        "resources.geojson": geojson_text(head),
    }


def _describe(folder: Path, entry: BulkFormat, rows: int, facts: BulkFacts) -> BulkFile:
    """Describe a file; gzip-stored files get size and digest from their writer."""
    path = folder / entry.name
    return BulkFile(
        name=entry.name,
        media_type=entry.media_type,
        description=entry.description,
        rows=rows,
        size_bytes=0 if entry.is_packed else path.stat().st_size,
        sha256="" if entry.is_packed else sha256_of(path),
        license=facts.license,
        compressed=[],
    )


def _define_rows(db: Connection, tables: Mapping[str, Path]) -> None:
    """Define the published tables as views of their files, in their order.

    Only active resources and their rows in other tables.
    """
    for name, table in BULK_TABLES.items():
        source = RESOURCES if table is BULK_RESOURCES else table
        names = zip(source.field_names, table.field_names, strict=True)
        columns = ", ".join(
            f"{published_sql(column, 't') if source is RESOURCES else quote_name(column)}"
            f" AS {quote_name(published)}"
            for column, published in names
        )
        query = f"SELECT {columns} FROM read_parquet({quote(tables[table.name])}) t"
        if table is BULK_RESOURCES:
            query += " WHERE is_active"
        if table in (RECORD_SOURCES, STATEMENTS, CROSSWALK):
            order = ", ".join(f't."{column}"' for column in table.order_by)
            query += f" SEMI JOIN resources r ON t.resource_id = r.id ORDER BY {order}"
        db.execute(f"CREATE VIEW {name} AS {query}")


def _write_database(tables: Mapping[str, Path], path: Path, facts: BulkFacts) -> None:
    """Write the published tables into a database."""
    with connection(threads=1) as db:  # more compress rows in pieces: half as large again
        _define_rows(db, tables)
        db.execute(f"ATTACH {quote(path)} AS bulk (STORAGE_VERSION '{DATABASE_STORAGE}')")
        db.execute("BEGIN")  # otherwise every comment is synced separately
        for name, table in DATABASE_TABLES.items():
            db.execute(f"CREATE TABLE bulk.{name} AS FROM memory.{name}")
            db.execute(f"COMMENT ON TABLE bulk.{name} IS {quote(table.description)}")
            for field in table.fields:
                db.execute(
                    f'COMMENT ON COLUMN bulk.{name}."{field.name}" IS {quote(field.description)}'
                )
        pairs = ", ".join(f"({quote(key)}, {quote(value)})" for key, value in facts.texts.items())
        db.execute("CREATE TABLE bulk.about (fact VARCHAR, value VARCHAR)")
        db.execute(f"INSERT INTO bulk.about VALUES {pairs}")
        db.execute("COMMIT")
        db.execute("CHECKPOINT bulk")
        db.execute("DETACH bulk")


# ---------------------------------------------------------------- tables


def _write_parquet(db: Connection, entry: BulkFormat, path: Path, facts: BulkFacts) -> None:
    metadata = ", ".join(f"{key}: {quote(value)}" for key, value in facts.texts.items())
    name = next(name for name, table in BULK_TABLES.items() if table is entry.table)
    db.execute(
        f"COPY (FROM {name}) TO {quote(path)}"
        f" (FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{metadata}}})"
    )


# ---------------------------------------------------------------- with a geometry


_GEOPARQUET_NAME, _TILES_NAME = "resources.geoparquet", "resources.pmtiles"


def _write_geoparquet(db: Connection, path: Path, facts: BulkFacts) -> None:
    _order_along_the_curve(db)
    column: dict[str, Any] = {
        "encoding": "WKB",
        "geometry_types": ["Point"],
        "covering": {"bbox": {side: ["bbox", side] for side in SIDES}},
    }
    extent = db.execute("SELECT min(lng), min(lat), max(lng), max(lat) FROM resources").fetchall()[
        0
    ]
    if extent[0] is not None:
        column["bbox"] = list(extent)
    geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": column}}
    schema = add_geometry_fields(BULK_RESOURCES.arrow_schema())
    schema = schema.with_metadata({"geo": json.dumps(geo), **facts.texts})
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in with_geometry(_along_the_curve(db), schema):
            writer.write_batch(batch, row_group_size=BATCH_ROWS)


def _order_along_the_curve(db: Connection) -> None:
    """Create the table `curve`: the position of each resource in Hilbert order."""
    # Places without a published point come first.
    points = db.sql(
        "SELECT id, coalesce(lat, -90) AS lat, coalesce(lng, -180) AS lng FROM resources"
    ).to_arrow_table()
    lat, lng = (points[name].combine_chunks() for name in ("lat", "lng"))
    position = pa.array(hilbert_order(floats(lat), floats(lng)))
    db.register("positions", pa.table({"id": points["id"], "position": position}))
    db.execute("CREATE TEMP TABLE curve AS FROM positions")
    db.unregister("positions")


def _along_the_curve(db: Connection) -> Rows:
    """Yield the resources in Hilbert order, in batches of BATCH_ROWS."""
    query = "SELECT * FROM resources JOIN curve USING (id) ORDER BY position, id"
    names = [f.name for f in BULK_FIELDS]
    yield from (
        batch.select(names) for batch in even(db.sql(query).to_arrow_reader(BATCH_ROWS), BATCH_ROWS)
    )
