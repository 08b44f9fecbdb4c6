"""Writes NDJSON, CSV and row index of one HSDS collection."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.hsds.model import Collection, Column
from warehouse.duckdb import Connection, csv_cell, quote
from warehouse.exports.gzip_files import GzipWriter, gzip_path
from warehouse.hsds.layout import BLOCK_ROWS, BLOCKS_SCHEMA, INDEX_SCHEMA
from warehouse.index.columns import write_arrow

_BATCH_ROWS = 50_000


class WrittenTexts(NamedTuple):
    """Row count of a collection; size and SHA-256 of its texts by name."""

    rows: int
    texts: dict[str, tuple[int, str]]


def write_texts(db: Connection, collection: Collection, table: Path, folder: Path) -> WrittenTexts:
    """Write the files of a collection."""
    json_name = f"{collection.name}.ndjson"
    parts: list[pa.Table] = []
    blocks: list[int] = []
    rows = 0
    with (
        ThreadPoolExecutor(1) as pool,
        GzipWriter(gzip_path(folder / json_name)) as json_file,
        GzipWriter(gzip_path(folder / collection.csv_name)) as csv_file,
    ):
        csv_file.write(",".join(collection.column_names).encode() + b"\r\n")
        for batch in _rows(db, collection, table):
            _, csv = _bytes(batch.column(2))
            writing = pool.submit(csv_file.write, csv)
            blocks += _write_blocks(json_file, batch.column(1), rows)
            writing.result()
            ids, stamps = batch.column(0), batch.column(3)
            columns = [ids.cast(pa.binary(16)), stamps.cast(pa.timestamp("ms", tz="UTC"))]
            parts.append(pa.Table.from_arrays(columns, schema=INDEX_SCHEMA))
            rows += len(batch)
    _write_index(parts, folder / f"{collection.name}.index.arrow")
    offsets = pa.table([pa.array(blocks, pa.int64())], schema=BLOCKS_SCHEMA)
    write_arrow(offsets, folder / f"{collection.name}.blocks.arrow")
    texts = {json_name: json_file.size_and_digest, collection.csv_name: csv_file.size_and_digest}
    return WrittenTexts(rows, texts)


def _write_blocks(file: GzipWriter, texts: pa.Array, row: int) -> list[int]:
    """Write the next rows, starting with number `row`; return the block offsets."""
    ends, text = _bytes(texts)
    offsets = []
    for block in range(-(row % BLOCK_ROWS), len(texts), BLOCK_ROWS):
        if block >= 0:
            offsets.append(file.mark())
        file.write(text[ends[max(block, 0)] : ends[min(block + BLOCK_ROWS, len(texts))]])
    return offsets


# ------------------------------------------------------------------ rows as text


def _rows(db: Connection, collection: Collection, table: Path) -> pa.RecordBatchReader:
    """Return the id, JSON line, CSV line and instant of every row, ordered by id."""
    stamp = "last_modified" if "last_modified" in collection.column_names else "NULL"
    return db.sql(
        f"""SELECT from_hex(replace(id, '-', ''))::BLOB AS id, {_json_row(collection)} AS json,
            {_csv_row(collection)} AS csv, {stamp}::TIMESTAMPTZ AS stamp
        FROM read_parquet({quote(table)}) ORDER BY id"""
    ).to_arrow_reader(_BATCH_ROWS)


def _bytes(texts: pa.Array) -> tuple[NDArray[np.int64], memoryview]:
    """Return the offsets and concatenated bytes of the texts."""
    texts = pa.concat_arrays([texts.cast(pa.large_string())])
    _, offsets, values = texts.buffers()
    ends = np.frombuffer(offsets, np.int64, count=len(texts) + 1)
    return ends, memoryview(values) if values is not None else memoryview(b"")


def _write_index(parts: list[pa.Table], path: Path) -> None:
    table = pa.concat_tables(parts, promote_options="none") if parts else INDEX_SCHEMA.empty_table()
    # One record batch in fresh memory: the reader's batches must not affect the file.
    columns = [
        pa.concat_arrays(c.chunks) if c.num_chunks else c.combine_chunks() for c in table.columns
    ]
    write_arrow(pa.Table.from_arrays(columns, schema=INDEX_SCHEMA), path)


def _json_row(collection: Collection) -> str:
    """Return SQL of a row as one JSON object and a line end; empty members are omitted."""
    first, *others = collection.columns
    # `||` would copy the growing line for each member.
    members = ", ".join(f"""',"{c.name}":' || {_json_value(c)}""" for c in others)
    return f"""concat('{{"{first.name}":"', id, '"', {members}, '}}', chr(10))"""


def _json_value(column: Column) -> str:
    name = f'"{column.name}"'
    if column.type in {"number", "integer", "boolean"}:
        return f"{name}::VARCHAR"
    if column.type in {"uuid", "date", "datetime", "time"}:
        return f"""'"' || {name}::VARCHAR || '"'"""
    return f"to_json({name})::VARCHAR"


def _csv_row(collection: Collection) -> str:
    """Return SQL of a row as RFC 4180."""
    cells = ", ".join(map(_csv_value, collection.columns))
    return f"concat_ws(',', {cells}) || chr(13) || chr(10)"


def _csv_value(column: Column) -> str:
    name = f'"{column.name}"'
    if column.type in {"string", "uri", "email"} and not column.values:
        return csv_cell(name, is_free_text=column.is_free_text)
    return f"coalesce({name}::VARCHAR, '')"
