"""NDJSON, CSV and row index of one HSDS collection, written in pieces by the first byte of the ids.

Pieces in which no row differs from the served release are taken from its files
(`warehouse.pieces`); a
collection that is the same altogether is linked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from schemas.hsds.model import Collection, Column
from warehouse.differing import differing
from warehouse.duck import csv_cell, quoted
from warehouse.files import link_file
from warehouse.hsds.layout import FOLDER, INDEX_SCHEMA, read_index
from warehouse.pieces import HEAD, NOTHING, Earlier, PlainWriter, Written, runs_of_keys
from warehouse.reuse import EarlierRelease

_BATCH_ROWS = 50_000
_TWIN = ".gz"
_DIGITS = "'0123456789abcdef'"
_PIECE = f"((instr({_DIGITS}, substr(id, 1, 1)) - 1) * 16 + instr({_DIGITS}, substr(id, 2, 1)) - 1)"


@dataclass
class CollectionText:
    """One text of a collection. `is_linked` says that it and its twin are the earlier release's."""

    path: Path
    earlier: Earlier = NOTHING
    written: list[Written] = field(default_factory=list)
    is_linked: bool = False

    @property
    def packed(self) -> Path:
        return self.path.with_name(self.path.name + _TWIN)


class WrittenCollection(NamedTuple):
    rows: int
    texts: tuple[CollectionText, ...]


class _Run(NamedTuple):
    """Rows of one piece: their texts, and where each row begins in them."""

    key: int
    ids: pa.Array
    stamps: pa.Array
    json: memoryview
    csv: memoryview
    json_starts: NDArray[np.int64]
    csv_starts: NDArray[np.int64]


def write_texts(
    db: duckdb.DuckDBPyConnection,
    collection: Collection,
    table: Path,
    folder: Path,
    earlier: EarlierRelease | None,
) -> WrittenCollection:
    """Write the files of a collection but for the compressed twins."""
    before = _EarlierCollection(collection, earlier)
    names = (f"{collection.name}.ndjson", collection.csv_name)
    keys = _pieces(db, table)
    stale = before.stale(table)
    if stale is not None and not stale:
        if before.is_whole(names):
            return before.linked(folder, names)
        before, stale = _EarlierCollection(collection, None), None
    if stale is None:
        stale = set(keys)
    json_file, csv_file = (CollectionText(folder / name, before.file(name)) for name in names)
    stale |= {k for k in keys for text in (json_file, csv_file) if k not in text.earlier.by_key}
    made = _made(db, collection, table, stale.intersection(keys), len(keys))
    parts: list[pa.Table] = []
    with (
        PlainWriter(json_file.path, json_file.earlier) as ndjson,
        PlainWriter(csv_file.path, csv_file.earlier) as csv,
    ):
        csv.append(HEAD, ",".join(collection.column_names).encode() + b"\r\n")
        run = next(made, None)
        for key in keys:
            if key not in stale:
                parts.append(before.index_of(key, ndjson.end, csv.end))
                ndjson.copy(key)
                csv.copy(key)
            while run and run.key == key:
                parts.append(_index(run, ndjson.end, csv.end))
                ndjson.append(key, run.json)
                csv.append(key, run.csv)
                run = next(made, None)
    json_file.written, csv_file.written = ndjson.written, csv.written
    rows = _write_index(parts, folder / f"{collection.name}.index.arrow")
    return WrittenCollection(rows, (json_file, csv_file))


class _EarlierCollection:
    """What an earlier release holds of a collection; nothing where it lacks a file."""

    def __init__(self, collection: Collection, release: EarlierRelease | None) -> None:
        self._table: Path | None = None
        if release is None:
            return
        self._release = release
        self._declared = collection.warehouse_table
        self._folder = release.folder / FOLDER
        name = f"{collection.name}.index.arrow"
        self._index_path = self._folder / name
        # Where rows begin is taken over without looking at the rows.
        if release.table(self._declared.name).is_file() and release.is_whole(f"{FOLDER}/{name}"):
            self._table = release.table(self._declared.name)
            self._index = read_index(self._index_path).combine_chunks()
            # Sorted by id, hence by first byte: where the rows of each piece begin, and where the
            # last ends.
            self._begins = np.searchsorted(_first_bytes(self._index["id"]), np.arange(257))

    def file(self, name: str) -> Earlier:
        return (
            Earlier(self._folder / name, self._folder / (name + _TWIN)) if self._table else NOTHING
        )

    def stale(self, table: Path) -> set[int] | None:
        """The pieces in which a row of the file `table` differs, came or went; None where there is
        nothing earlier.
        """
        if self._table is None:
            return None
        ids = differing(self._declared, table, self._table)
        return {int(text, 16) for text in pc.unique(pc.utf8_slice_codeunits(ids, 0, 2)).to_pylist()}

    def is_whole(self, names: tuple[str, ...]) -> bool:
        """Whether the texts and their twins are what was sealed."""
        files = [name + ending for name in names for ending in ("", _TWIN)]
        return all(self._release.is_whole(f"{FOLDER}/{name}") for name in files)

    def linked(self, folder: Path, names: tuple[str, ...]) -> WrittenCollection:
        texts = tuple(CollectionText(folder / name, is_linked=True) for name in names)
        for text in texts:
            for path in (text.path, text.packed):
                link_file(self._folder / path.name, path)
        link_file(self._index_path, folder / self._index_path.name)
        return WrittenCollection(self._index.num_rows, texts)

    def index_of(self, key: int, json_start: int, csv_start: int) -> pa.Table:
        """The index of a piece that begins at these bytes now."""
        first, end = self._begins[key : key + 2].tolist()
        part = self._index.slice(first, end - first)
        json_at, csv_at = (part[name].to_numpy() for name in ("ndjson_offset", "csv_offset"))
        return pa.Table.from_arrays(
            [
                part["id"],
                pa.array(json_at - json_at[0] + np.uint64(json_start)),
                pa.array(csv_at - csv_at[0] + np.uint64(csv_start)),
                part["last_modified"],
            ],
            schema=INDEX_SCHEMA,
        )


def _pieces(db: duckdb.DuckDBPyConnection, table: Path) -> list[int]:
    found = db.execute(f"SELECT DISTINCT {_PIECE} FROM read_parquet({quoted(table)}) ORDER BY 1")
    return [int(row[0]) for row in found.fetchall()]


# ------------------------------------------------------------------ rows as text


def _made(
    db: duckdb.DuckDBPyConnection,
    collection: Collection,
    table: Path,
    keys: set[int] | frozenset[int],
    of: int,
) -> Iterator[_Run]:
    """The rows of some pieces, in order."""
    if not keys:
        return
    wanted = f"WHERE {_PIECE} IN ({', '.join(map(str, sorted(keys)))})" if len(keys) < of else ""
    stamp = "last_modified" if "last_modified" in collection.column_names else "NULL"
    reader = db.sql(
        f"""SELECT from_hex(replace(id, '-', ''))::BLOB AS id, {_json_row(collection)} AS json, {_csv_row(collection)} AS csv,
            {stamp}::TIMESTAMPTZ AS stamp
        FROM read_parquet({quoted(table)}) {wanted} ORDER BY id"""
    ).to_arrow_reader(_BATCH_ROWS)
    for batch in reader:
        ids = batch.column(0).cast(pa.binary(16))
        stamps = batch.column(3).cast(pa.timestamp("ms", tz="UTC"))
        json_ends, json = _bytes(batch.column(1))
        csv_ends, csv = _bytes(batch.column(2))
        for key, first, end in runs_of_keys(_first_bytes(ids).tolist()):
            yield _Run(
                key,
                ids.slice(first, end - first),
                stamps.slice(first, end - first),
                json[json_ends[first] : json_ends[end]],
                csv[csv_ends[first] : csv_ends[end]],
                json_ends[first:end] - json_ends[first],
                csv_ends[first:end] - csv_ends[first],
            )


def _first_bytes(ids: pa.Array | pa.ChunkedArray) -> NDArray[np.uint8]:
    """The first byte of each id of 16 bytes."""
    chunks = ids.chunks if isinstance(ids, pa.ChunkedArray) else [ids]
    # Concatenated, the values begin at the start of their buffer.
    _, values = pa.concat_arrays(chunks or [pa.array([], pa.binary(16))]).buffers()
    found = np.frombuffer(values, np.uint8) if values is not None else np.empty(0, np.uint8)
    return found[: 16 * len(ids) : 16]


def _bytes(texts: pa.Array) -> tuple[NDArray[np.int64], memoryview]:
    """Where each text begins and ends, and all texts one after the other."""
    texts = pa.concat_arrays([texts.cast(pa.large_string())])
    _, offsets, values = texts.buffers()
    ends = np.frombuffer(offsets, np.int64, count=len(texts) + 1)
    return ends, memoryview(values) if values is not None else memoryview(b"")


def _index(run: _Run, json_start: int, csv_start: int) -> pa.Table:
    return pa.Table.from_arrays(
        [
            run.ids,
            pa.array((run.json_starts + json_start).astype(np.uint64)),
            pa.array((run.csv_starts + csv_start).astype(np.uint64)),
            run.stamps,
        ],
        schema=INDEX_SCHEMA,
    )


def _write_index(parts: list[pa.Table], path: Path) -> int:
    table = pa.concat_tables(parts) if parts else INDEX_SCHEMA.empty_table()
    # One after the other in fresh memory: how the parts came about must not show in the file.
    table = pa.Table.from_arrays(
        [pa.concat_arrays(c.chunks) if c.num_chunks else c.combine_chunks() for c in table.columns],
        schema=INDEX_SCHEMA,
    )
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, INDEX_SCHEMA) as writer:
        writer.write_table(table)
    return int(table.num_rows)


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
