"""Writes the HSDS folder of a release from its tables.

    hsds/<collection>.ndjson.gz   one JSON object a line ("\\n"), gzip
    hsds/<collection>.csv.gz      header = the declared columns, then a line a row ("\\r\\n"), gzip
    hsds/datapackage.json         `schemas.hsds.collections`, relative paths `<collection>.csv`
    hsds/checksums.txt            "<sha256>  <file>" of every CSV, NDJSON and datapackage.json
                                  (`sha256sum -c`)
    hsds/hsds.zip                 datapackage.json, checksums-csv.txt and every CSV; equal bytes for
                                  equal input

Rows are sorted by `id`. A collection without rows has an empty NDJSON and a CSV of its header.
"""

import hashlib
import json
import struct
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from schemas.hsds.collections import COLLECTIONS, Collection, Column, descriptor
from warehouse.duckdb import Connection, connection, csv_cell, quote
from warehouse.files import sha256_of
from warehouse.gzip_files import GzipWriter, gzip_path


def json_sql(collection: Collection) -> str:
    """Return SQL of a row as one JSON object; empty members are omitted."""
    first, *others = collection.columns
    # `||` would copy the growing line for each member.
    members = ", ".join(f"""',"{c.name}":' || {_json_value(c)}""" for c in others)
    return f"""concat('{{"{first.name}":"', id, '"', {members}, '}}')"""


def _json_value(column: Column) -> str:
    name = f'"{column.name}"'
    if column.type in {"number", "integer", "boolean"}:
        return f"{name}::VARCHAR"
    if column.type in {"uuid", "date", "datetime", "time"}:
        return f"""'"' || {name}::VARCHAR || '"'"""
    return f"to_json({name})::VARCHAR"


def csv_sql(collection: Collection) -> str:
    """Return SQL of a row as a line of RFC 4180, without the line end."""
    cells = ", ".join(map(_csv_value, collection.columns))
    return f"concat_ws(',', {cells})"


def _csv_value(column: Column) -> str:
    name = f'"{column.name}"'
    if column.type in {"string", "uri", "email"} and not column.values:
        return csv_cell(name, is_free_text=column.is_free_text)
    return f"coalesce({name}::VARCHAR, '')"


FOLDER = "hsds"
ZIP_NAME = "hsds.zip"
SUMS_NAME = "checksums.txt"
DESCRIPTOR = "datapackage.json"
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_BATCH_ROWS = 50_000


class Package(NamedTuple):
    """Rows by collection; size and SHA-256 of the gzipped texts by name."""

    rows: dict[str, int]
    texts: dict[str, tuple[int, str]]


def write_package(tables: Path, folder: Path, *, license_id: str, is_synthetic: bool) -> Package:
    """Fill an empty folder from the Parquet files in `tables`.

    The descriptor's version is a digest of the CSVs: it changes only with the data. Raises
    duckdb.Error when a table is missing.
    """
    package = Package({}, {})
    with connection() as db:
        for collection in COLLECTIONS:
            _write_texts(db, collection, tables, folder, package)
    sums = {name: digest for name, (_, digest) in package.texts.items()}
    csv_digests = "".join(digest for name, digest in sorted(sums.items()) if name.endswith(".csv"))
    version = hashlib.sha256(csv_digests.encode()).hexdigest()[:16]
    package_descriptor = descriptor(license_id, is_synthetic=is_synthetic, version=version)
    text = json.dumps(package_descriptor, ensure_ascii=False, indent=2) + "\n"
    (folder / DESCRIPTOR).write_text(text, encoding="utf-8")
    sums[DESCRIPTOR] = sha256_of(folder / DESCRIPTOR)
    (folder / SUMS_NAME).write_text(_checksums(sums), encoding="utf-8")
    _write_zip(folder, {n: s for n, s in sums.items() if not n.endswith(".ndjson")})
    return package


def _write_texts(
    db: Connection, collection: Collection, tables: Path, folder: Path, package: Package
) -> None:
    """Write NDJSON and CSV of a collection, and add them to `package`.

    DuckDB turns rows into text, a batch at a time; each batch's text is written as one buffer, so
    that memory stays flat and Python touches no row.
    """
    json_name, rows = f"{collection.name}.ndjson", 0
    with (
        ThreadPoolExecutor(1) as pool,
        GzipWriter(gzip_path(folder / json_name)) as json_file,
        GzipWriter(gzip_path(folder / collection.csv_name)) as csv_file,
    ):
        csv_file.write(",".join(collection.column_names).encode() + b"\r\n")
        batches = db.sql(
            f"""SELECT {json_sql(collection)} || chr(10),
                {csv_sql(collection)} || chr(13) || chr(10)
            FROM read_parquet({quote(tables / f"{collection.table_name}.parquet")}) ORDER BY id"""
        ).to_arrow_reader(_BATCH_ROWS)
        for batch in batches:
            writing = pool.submit(csv_file.write, _concatenated(batch.column(1)))
            json_file.write(_concatenated(batch.column(0)))
            writing.result()
            rows += len(batch)
    package.rows[collection.name] = rows
    package.texts[json_name] = json_file.size_and_digest
    package.texts[collection.csv_name] = csv_file.size_and_digest


def _concatenated(texts: pa.Array) -> memoryview:
    """Return the bytes of all texts, without a copy of each."""
    # A copy begins at the first byte of its buffer and ends at the last.
    values = pa.concat_arrays([texts.cast(pa.large_string())]).buffers()[2]
    return memoryview(values) if values is not None else memoryview(b"")


def _checksums(sums: dict[str, str]) -> str:
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items()))


def _write_zip(folder: Path, sums: dict[str, str]) -> None:
    """Write the tabular package into one file: sorted names, one date for all."""
    with (folder / ZIP_NAME).open("wb") as file, zipfile.ZipFile(file, "w") as bundle:
        bundle.writestr(_entry("checksums-csv.txt"), _checksums(sums).encode())
        bundle.writestr(_entry(DESCRIPTOR), (folder / DESCRIPTOR).read_bytes())
        for name in sorted(n for n in sums if n.endswith(".csv")):
            entry, packed = _entry(name), gzip_path(folder / name).read_bytes()
            file.write(_pack_header(bundle, entry, packed) + packed[10:-8])
            bundle.start_dir = file.tell()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _ZIP_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # the same on every system
    entry.external_attr = 0o644 << 16
    return entry


def _pack_header(bundle: zipfile.ZipFile, entry: zipfile.ZipInfo, packed: bytes) -> bytes:
    """List a gzip file's content in a zip that takes it compressed as it is, which `zipfile` cannot
    do; return the header that precedes it there.

    A gzip file has ten bytes before the content, and CRC and size after it (RFC 1952).
    """
    entry.CRC, entry.file_size = struct.unpack("<II", packed[-8:])
    entry.compress_size, entry.header_offset = len(packed) - 18, bundle.start_dir
    bundle.filelist.append(entry)
    bundle.NameToInfo[entry.filename] = entry
    return entry.FileHeader()
