"""NDJSON, CSV and row index of one HSDS collection."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.hsds.model import Collection, Column
from warehouse.duckdb import csv_cell, quoted
from warehouse.hsds.layout import INDEX_SCHEMA

_BATCH_ROWS = 50_000


def write_texts(
    db: duckdb.DuckDBPyConnection, collection: Collection, table: Path, folder: Path
) -> int:
    """Write the files of a collection except the compressed twins; returns the number of rows."""
    header = ",".join(collection.column_names).encode() + b"\r\n"
    parts: list[pa.Table] = []
    with (
        (folder / f"{collection.name}.ndjson").open("wb") as json_file,
        (folder / collection.csv_name).open("wb") as csv_file,
    ):
        csv_file.write(header)
        for batch in _rows(db, collection, table):
            json_ends, json = _bytes(batch.column(1))
            csv_ends, csv = _bytes(batch.column(2))
            parts.append(
                pa.Table.from_arrays(
                    [
                        batch.column(0).cast(pa.binary(16)),
                        pa.array((json_ends[:-1] + json_file.tell()).astype(np.uint64)),
                        pa.array((csv_ends[:-1] + csv_file.tell()).astype(np.uint64)),
                        batch.column(3).cast(pa.timestamp("ms", tz="UTC")),
                    ],
                    schema=INDEX_SCHEMA,
                )
            )
            json_file.write(json)
            csv_file.write(csv)
    _write_index(parts, folder / f"{collection.name}.index.arrow")
    return sum(part.num_rows for part in parts)


# ------------------------------------------------------------------ rows as text


def _rows(
    db: duckdb.DuckDBPyConnection, collection: Collection, table: Path
) -> pa.RecordBatchReader:
    """Id, JSON line, CSV line and instant of every row, in order of id."""
    stamp = "last_modified" if "last_modified" in collection.column_names else "NULL"
    return db.sql(
        f"""SELECT from_hex(replace(id, '-', ''))::BLOB AS id, {_json_row(collection)} AS json,
            {_csv_row(collection)} AS csv, {stamp}::TIMESTAMPTZ AS stamp
        FROM read_parquet({quoted(table)}) ORDER BY id"""
    ).to_arrow_reader(_BATCH_ROWS)


def _bytes(texts: pa.Array) -> tuple[NDArray[np.int64], memoryview]:
    """Where each text begins and ends, and all texts one after the other."""
    texts = pa.concat_arrays([texts.cast(pa.large_string())])
    _, offsets, values = texts.buffers()
    ends = np.frombuffer(offsets, np.int64, count=len(texts) + 1)
    return ends, memoryview(values) if values is not None else memoryview(b"")


def _write_index(parts: list[pa.Table], path: Path) -> None:
    table = pa.concat_tables(parts, promote_options="none") if parts else INDEX_SCHEMA.empty_table()
    # In one record batch, in fresh memory: the batches of the reader must not show in the file.
    table = pa.Table.from_arrays(
        [pa.concat_arrays(c.chunks) if c.num_chunks else c.combine_chunks() for c in table.columns],
        schema=INDEX_SCHEMA,
    )
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, INDEX_SCHEMA) as writer:
        writer.write_table(table)


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
        return csv_cell(name)
    return f"coalesce({name}::VARCHAR, '')"
