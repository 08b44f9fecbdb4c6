"""Reads and writes tables as Parquet files: typed by their declaration, sorted, written whole or
not at all."""

from __future__ import annotations

import hashlib
import io
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from schemas.table import Table
from warehouse.duckdb import connect_shared, content_sql, quote
from warehouse.files import replacing, sha256_of, sync_file

if TYPE_CHECKING:
    import pandas as pd

_NOTES = ".notes"  # folder next to the table files: digests of each
_ROWS_IN_GROUP = 131_072  # limits what readers of a few rows must unpack
_TICK_NANOSECONDS = 2_000_000_000  # two seconds: the coarsest file systems
_CONTENT = b"larder.content"  # key of the digest of the file's rows


class ContractError(ValueError):
    """A frame does not match its table's declaration."""


def as_arrow(frame: pd.DataFrame | pa.Table, table: Table, name: str | None = None) -> pa.Table:
    """Return the frame in the table's types and order. Raises ContractError."""
    name = name or table.name
    schema = table.arrow_schema()
    columns = frame.column_names if isinstance(frame, pa.Table) else frame.columns
    missing = [f for f in table.field_names if f not in columns]
    if missing:
        raise ContractError(f"{name}: columns {missing} are missing")
    if not len(frame):
        return schema.empty_table()
    try:
        if isinstance(frame, pa.Table):
            arrow = frame.select(table.field_names).cast(schema)
        else:
            arrow = pa.table(
                [_column(frame[field.name], field.type) for field in schema], names=schema.names
            )
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise ContractError(f"{name}: {error}") from error
    for required in table.required_names:
        empty = arrow.column(required).null_count
        if empty:
            raise ContractError(f"{name}: required field {required} is empty in {empty} rows")
    if table.order_by and arrow.num_rows:
        import pyarrow.compute as pc  # noqa: PLC0415 - the service writes no tables

        order = pc.sort_indices(arrow, [(key, "ascending") for key in table.order_by])
        # Large tables are mostly sorted already: they are not copied.
        if not np.array_equal(order, np.arange(len(order), dtype=np.uint64)):
            arrow = arrow.take(order)
    return pa.Table.from_arrays(arrow.columns, schema=schema)


def _column(values: pd.Series, kind: pa.DataType) -> pa.ChunkedArray:
    # pandas gives an all-null column no type of its own.
    if values.isna().all():
        return pa.chunked_array([pa.nulls(len(values), kind)])
    converted = pa.array(values, type=kind, from_pandas=True)
    return converted if isinstance(converted, pa.ChunkedArray) else pa.chunked_array([converted])


def write_table(
    frame: pd.DataFrame | pa.Table | pa.RecordBatchReader,
    table: Table,
    path: Path,
    *,
    name: str | None = None,
    notes: Mapping[str, Any] | None = None,
) -> int:
    """Write a frame as the declared table; return the number of rows.

    `notes` (JSON values) are stored next to the file and read by `notes_of`; a digest of the rows
    is in the file (`content_digest`). Equal rows give equal bytes. A reader's rows must be typed
    and ordered already; they are processed one row group at a time. Raises ContractError.
    """
    is_typed = isinstance(frame, pa.RecordBatchReader)
    return write_arrow(frame if is_typed else as_arrow(frame, table, name), path, notes)


def write_arrow(
    arrow: pa.Table | pa.RecordBatchReader, path: Path, notes: Mapping[str, Any] | None = None
) -> int:
    """Write typed rows as `write_table` does; return their number."""
    schema, rows = arrow.schema, 0
    batches = arrow.to_reader(_ROWS_IN_GROUP) if isinstance(arrow, pa.Table) else arrow
    with replacing(path) as temporary, temporary.open("wb") as file:
        sink = _Hashing(file, str(schema.remove_metadata()))
        with pq.ParquetWriter(sink, schema, compression="zstd", version="2.6") as writer:
            for group in even(batches, _ROWS_IN_GROUP):
                writer.write_batch(group)
                rows += len(group)
            if not rows:
                writer.write_table(schema.empty_table())
            # Covers the rows only: the following depends on the file layout.
            content = sink.digest()
            writer.add_key_value_metadata({_CONTENT.decode(): content})
    if notes is not None:
        _write_notes(path, content, notes)
    return rows


def even(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """Yield the same rows in batches of one size, each contiguous, so that the file layout depends
    only on the rows."""
    pending: list[pa.RecordBatch] = []
    for batch in batches:
        pending.append(batch)
        while sum(len(p) for p in pending) >= rows:
            rest = pa.Table.from_batches(pending).combine_chunks()
            yield rest.slice(0, rows).to_batches()[0]
            pending = rest.slice(rows).to_batches()
    if pending:
        yield from pa.Table.from_batches(pending).combine_chunks().to_batches()


def take_file(written: Path, path: Path, notes: Mapping[str, Any]) -> None:
    """Move a table file to its place, unless it is there, and note it. Raises OSError."""
    if written != path:
        sync_file(written)
        os.replace(written, path)
    _write_notes(path, content_digest(path) or sha256_of(path), notes)


def _write_notes(path: Path, content: str, notes: Mapping[str, Any]) -> None:
    """Write the notes to a separate file: equal rows give equal tables."""
    facts = {"content": content, "notes": dict(notes)}
    with replacing(notes_path(path), durably=False) as temporary:
        temporary.write_text(json.dumps(facts), encoding="utf-8")


def notes_path(path: Path) -> Path:
    """Return the file of the notes on a table file."""
    return path.parent / _NOTES / f"{path.name}.json"


class _Hashing(io.RawIOBase):
    """A file that hashes the bytes written to it."""

    def __init__(self, file: BinaryIO, start: str) -> None:
        self._file = file
        self._hash = hashlib.sha256(start.encode())

    def digest(self) -> str:
        return self._hash.hexdigest()

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._hash.update(data)
        return self._file.write(data)

    def tell(self) -> int:
        return self._file.tell()


def content_digest(path: Path) -> str | None:
    """Return the digest of a table file's columns and rows, without its notes; None without such a
    file.

    Cached in this process while the file is unchanged: every step needs those of its inputs.
    """
    try:
        stat = path.stat()
        changed_at = max(stat.st_mtime_ns, stat.st_ctime_ns)
        # Within one tick of the file system's clock a file could change again without a visible
        # difference.
        if time.time_ns() - changed_at < _TICK_NANOSECONDS:
            return _content_digest(path)
        return _read_content_digest(path, stat.st_ino, stat.st_size, stat.st_mtime_ns, changed_at)
    except FileNotFoundError:
        return None


def _content_digest(path: Path) -> str:
    noted_digest = (pq.read_metadata(path).metadata or {}).get(_CONTENT)
    return noted_digest.decode() if noted_digest else sha256_of(path)


@lru_cache(maxsize=1024)
def _read_content_digest(path: Path, *_file: int) -> str:
    """Return `_content_digest` of a file identified by number, size and times."""
    return _content_digest(path)


def notes_of(path: Path) -> dict[str, Any]:
    """Return a table file's notes; empty without a readable file or current notes."""
    try:
        content = json.loads(notes_path(path).read_bytes())
        notes: dict[str, Any] = (
            content["notes"] if content["content"] == content_digest(path) else {}
        )
    except (FileNotFoundError, json.JSONDecodeError, pa.ArrowInvalid):
        return {}
    return notes


def row_count(path: Path) -> int:
    """Return the rows of a table file, from its footer."""
    return int(pq.read_metadata(path).num_rows)


def read_arrow(path: Path) -> pa.Table:
    """Return a table file as written, without the notes. Raises FileNotFoundError."""
    return pq.read_table(path, partitioning=None).replace_schema_metadata()


def read_frame(
    path: Path,
    columns: Iterable[str] | None = None,
    where: Mapping[str, Iterable[Any]] | None = None,
) -> pd.DataFrame:
    """Return a table file as a pandas frame; texts as `str`, whole numbers as nullable `Int64`.

    `where` keeps the rows whose columns have one of the values. Raises FileNotFoundError.
    """
    import pandas as pd  # noqa: PLC0415 - the service reads Parquet without pandas

    types = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    names = list(columns) if columns is not None else None
    filters = [(name, "in", list(values)) for name, values in (where or {}).items()] or None
    arrow = pq.read_table(path, columns=names, filters=filters, partitioning=None)
    return arrow.to_pandas(types_mapper=types.get)


def columns_digest(path: Path, columns: Iterable[str]) -> str | None:
    """Return a digest of some columns of a table file, independent of row order; None without such
    a file.

    Cached in this process while the file's rows are unchanged.
    """
    content = content_digest(path)
    return None if content is None else _columns_digest(path, content, tuple(columns))


@lru_cache(maxsize=64)
def _columns_digest(path: Path, content: str, columns: tuple[str, ...]) -> str:
    with connect_shared() as db:
        query = f"SELECT {content_sql(columns)} FROM read_parquet({quote(path)})"
        row = db.execute(query).fetchall()[0]
    return hashlib.sha256("|".join(map(str, row)).encode()).hexdigest()
