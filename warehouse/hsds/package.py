"""Writes the HSDS folder of a release (`warehouse.hsds.layout` says what lies in it) from the tables.

Rows become text in DuckDB, a batch at a time; the text buffers of a batch go to disk as they are, so that
memory stays flat and no row is touched by Python.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import zipfile
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import numpy as np
import pyarrow as pa

from schemas.hsds.collections import COLLECTIONS
from schemas.hsds.descriptor import descriptor
from schemas.hsds.model import Collection, Column
from schemas.hsds.profile import merge_patch, profile_index, row_schema
from warehouse.duck import connection, quoted
from warehouse.files import sha256_of
from warehouse.hsds.layout import INDEX_SCHEMA

_BATCH_ROWS = 50_000
_COPY_BYTES = 1 << 20
# Ids and numbers hardly shrink further; a higher level costs several times the time.
_GZIP_LEVEL = 1
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
ZIP_NAME = "hsds.zip"


def write_package(
    tables: Path, folder: Path, *, license_id: str, is_synthetic: bool
) -> dict[str, int]:
    """Fill an empty folder from the Parquet files in `tables`; returns rows by collection.

    The descriptor's version is a digest of the CSVs: it changes when the data does and never else. Raises
    duckdb.Error when a table is missing.
    """
    rows: dict[str, int] = {}
    with ThreadPoolExecutor(max_workers=2) as workers, connection() as db:
        jobs: list[Future[Any]] = []
        digests: dict[str, Future[str]] = {}
        for collection in COLLECTIONS:
            table = tables / f"{collection.table_name}.parquet"
            rows[collection.name] = _write_texts(db, collection, table, folder)
            for path in (folder / f"{collection.name}.ndjson", folder / collection.csv_name):
                digests[path.name] = workers.submit(sha256_of, path)
                jobs.append(workers.submit(_compress, path))
        sums = {name: job.result() for name, job in digests.items()}
        version = _version(sums)
        _write_json(folder / "datapackage.json", descriptor(license_id, is_synthetic=is_synthetic, version=version))  # fmt: skip
        _write_profile(folder / "profile")
        sums["datapackage.json"] = sha256_of(folder / "datapackage.json")
        _write_sums(folder / "checksums.txt", sums)
        _write_zip(folder, {n: s for n, s in sums.items() if not n.endswith(".ndjson")})
        for job in jobs:
            job.result()
    return rows


# ------------------------------------------------------------------ texts and index


def _write_texts(
    db: duckdb.DuckDBPyConnection, collection: Collection, table: Path, folder: Path
) -> int:
    """NDJSON, CSV and index of one collection; returns the rows."""
    stamp = "last_modified" if "last_modified" in collection.column_names else "NULL"
    reader = db.sql(
        f"""SELECT from_hex(replace(id, '-', ''))::BLOB AS id, {_json_row(collection)} AS json, {_csv_row(collection)} AS csv,
            {stamp}::TIMESTAMPTZ AS stamp
        FROM read_parquet({quoted(table)}) ORDER BY id"""
    ).to_arrow_reader(_BATCH_ROWS)
    header = ",".join(collection.column_names).encode() + b"\r\n"
    parts: list[pa.Table] = []
    json_end, csv_end, count = 0, len(header), 0
    with (folder / f"{collection.name}.ndjson").open("wb") as ndjson, (folder / collection.csv_name).open("wb") as csv:  # fmt: skip
        csv.write(header)
        for batch in reader:
            json_starts, json_end = _append(batch.column(1), ndjson, json_end)
            csv_starts, csv_end = _append(batch.column(2), csv, csv_end)
            parts.append(_index_part(batch, json_starts, csv_starts))
            count += batch.num_rows
    _write_index(parts, folder / f"{collection.name}.index.arrow")
    return count


def _append(texts: pa.Array, sink: BinaryIO, end: int) -> tuple[np.ndarray, int]:
    """Write the texts of a batch one after the other; returns where each begins and the new end."""
    texts = pa.concat_arrays([texts.cast(pa.large_string())])
    _, offsets, values = texts.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64, count=len(texts) + 1 + texts.offset)[
        texts.offset :
    ]
    first, last = int(bounds[0]), int(bounds[-1])
    if values is not None:
        sink.write(memoryview(values)[first:last])
    starts = (bounds[:-1] - first + end).astype(np.uint64)
    return starts, end + last - first


def _index_part(batch: pa.RecordBatch, json_starts: np.ndarray, csv_starts: np.ndarray) -> pa.Table:
    stamps = batch.column(3).cast(pa.timestamp("ms", tz="UTC"))
    ids = batch.column(0).cast(pa.binary(16))
    return pa.Table.from_arrays(
        [ids, pa.array(json_starts), pa.array(csv_starts), stamps], schema=INDEX_SCHEMA
    )


def _write_index(parts: list[pa.Table], path: Path) -> None:
    table = pa.concat_tables(parts) if parts else INDEX_SCHEMA.empty_table()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, INDEX_SCHEMA) as writer:
        writer.write_table(table.combine_chunks())


def _json_row(collection: Collection) -> str:
    """SQL of a row as one JSON object and a line end; empty members are left out."""
    first, *others = collection.columns
    members = [
        f"""CASE WHEN "{c.name}" IS NULL THEN '' ELSE ',"{c.name}":' || {_json_value(c)} END"""
        for c in others
    ]
    return f"""'{{"{first.name}":"' || id || '"' || {" || ".join(members)} || '}}' || chr(10)"""


def _json_value(column: Column) -> str:
    name = f'"{column.name}"'
    if column.type in {"number", "integer", "boolean"}:
        return f"{name}::VARCHAR"
    if column.type in {"uuid", "date", "datetime", "time"}:
        return f"""'"' || {name}::VARCHAR || '"'"""
    return f"to_json({name})::VARCHAR"


def _csv_row(collection: Collection) -> str:
    """SQL of a row as RFC 4180."""
    return " || ',' || ".join(_csv_value(c) for c in collection.columns) + " || chr(13) || chr(10)"


def _csv_value(column: Column) -> str:
    name = f'"{column.name}"'
    if column.type in {"string", "uri", "email"} and not column.values:
        quoted_text = f"""'"' || replace({name}, '"', '""') || '"'"""
        return f"""CASE WHEN {name} IS NULL THEN '' WHEN regexp_matches({name}, '[",\\r\\n]') THEN {quoted_text} ELSE {name} END"""
    return f"coalesce({name}::VARCHAR, '')"


# ------------------------------------------------------------------ beside the texts


def _compress(path: Path) -> None:
    """`<path>.gz`, the same bytes for the same file."""
    target = path.with_name(f"{path.name}.gz")
    with (
        path.open("rb") as source,
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0) as sink,
    ):
        shutil.copyfileobj(source, sink, _COPY_BYTES)


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _write_profile(folder: Path) -> None:
    (folder / "schema").mkdir(parents=True)
    _write_json(folder / "index.json", profile_index())
    for collection in COLLECTIONS:
        patch = merge_patch(collection)
        if patch is not None:
            _write_json(folder / f"{collection.table}.json", patch)
        _write_json(folder / "schema" / f"{collection.table}.json", row_schema(collection))


def _version(sums: dict[str, str]) -> str:
    digests = "".join(digest for name, digest in sorted(sums.items()) if name.endswith(".csv"))
    return hashlib.sha256(digests.encode()).hexdigest()[:16]


def _write_sums(path: Path, sums: dict[str, str]) -> None:
    lines = (f"{digest}  {name}\n" for name, digest in sorted(sums.items()))
    path.write_text("".join(lines), encoding="utf-8")


def _write_zip(folder: Path, sums: dict[str, str]) -> None:
    """The tabular package in one file: stored, names in order, one date for all."""
    checksums = "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())).encode()
    with zipfile.ZipFile(folder / ZIP_NAME, "w", zipfile.ZIP_STORED) as bundle:
        with bundle.open(_zip_entry("checksums-csv.txt", len(checksums)), "w") as sink:
            sink.write(checksums)
        for name in _zip_names():
            path = folder / name
            with path.open("rb") as source, bundle.open(_zip_entry(name, path.stat().st_size), "w") as sink:  # fmt: skip
                shutil.copyfileobj(source, sink, _COPY_BYTES)


def _zip_names() -> Iterator[str]:
    yield "datapackage.json"
    yield from sorted(c.csv_name for c in COLLECTIONS)


def _zip_entry(name: str, size: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _ZIP_DATE)
    entry.file_size = size
    entry.create_system = 3  # the same on every system
    entry.external_attr = 0o644 << 16
    return entry
