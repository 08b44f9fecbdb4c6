"""Reads the HSDS folder of a release: rows are lines of its blocks, nesting is row numbers.

Opened lazily, for the lifetime of a release. Safe for threads; DuckDB queries use separate cursors
and belong off the event loop.
"""

import mmap
import threading
import uuid
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from schemas.hsds.collections import BY_NAME, BY_TABLE
from schemas.tables.hsds import RETIRED_IDS
from warehouse.duckdb import Connection
from warehouse.exports.gzip_files import gzip_path, read_block
from warehouse.hsds.layout import BLOCK_ROWS, FOLDER, read_mapped
from warehouse.release.tables import open_tables

Bytes = mmap.mmap | bytes
# Number of decoded blocks per collection, some 20 KB each.
_OPEN_BLOCKS = 64
_NEVER = np.iinfo(np.int64).max


class OpenCollection:
    """The rows of one collection ordered by id."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        index = read_mapped(folder / f"{name}.index.arrow").combine_chunks()
        self._rows = index.num_rows
        self._index = index  # owns the buffer below
        self._ids = _buffer(index["id"])
        self._json = _map(gzip_path(folder / f"{name}.ndjson"))
        blocks = read_mapped(folder / f"{name}.blocks.arrow")["gzip_offset"].to_pylist()
        self._blocks = [*blocks, len(self._json)]
        self._block = lru_cache(_OPEN_BLOCKS)(self._read_block)

    def _read_block(self, number: int) -> list[bytes]:
        """Return the objects of a block, one per row."""
        packed = self._json[self._blocks[number] : self._blocks[number + 1]]
        return read_block(packed).split(b"\n")[:-1]

    def __len__(self) -> int:
        return int(self._rows)

    def row_of(self, row_id: uuid.UUID) -> int | None:
        """Return the row with an id."""
        target, ids = row_id.bytes, self._ids
        low, high = 0, self._rows
        while low < high:
            middle = (low + high) // 2
            if bytes(ids[16 * middle : 16 * middle + 16]) < target:
                low = middle + 1
            else:
                high = middle
        is_here: bool = low < self._rows and bytes(ids[16 * low : 16 * low + 16]) == target
        return low if is_here else None

    def id_of(self, row: int) -> str:
        return str(uuid.UUID(bytes=bytes(self._ids[16 * row : 16 * row + 16])))

    def modified_ms(self) -> np.ndarray:
        """Return when each row last changed, in ms since 1970; end of time if unknown."""
        column = self._index["last_modified"]
        if not self._rows:
            return np.empty(0, np.int64)
        milliseconds = column.chunk(0).cast(pa.int64()).fill_null(_NEVER)
        return np.frombuffer(milliseconds.buffers()[1], np.int64, self._rows)

    def json_object(self, row: int) -> bytes:
        """Return one row as a JSON object, without the line end."""
        return self._block(row // BLOCK_ROWS)[row % BLOCK_ROWS]


class Relation(NamedTuple):
    """A foreign key as row numbers: `children` of parent p are `children[starts[p]:starts[p +
    1]]`."""

    starts: memoryview
    children: memoryview
    parents: memoryview

    def children_of(self, parent: int) -> Iterable[int]:
        """Return the rows that refer to a row, ascending."""
        return self.children[self.starts[parent] : self.starts[parent + 1]]

    def parent_of(self, child: int) -> int | None:
        """Return the row a row refers to."""
        parent: int = self.parents[child]
        return parent if parent >= 0 else None


class HsdsFolder:
    """The HSDS part of one release. Raises FileNotFoundError when the release has none."""

    def __init__(self, release: Path) -> None:
        self.folder = release / FOLDER
        if not self.folder.is_dir():
            raise FileNotFoundError(f"{release.name} has no folder {FOLDER}")
        self._db = open_tables(release)
        self._lock = threading.RLock()
        self._collections: dict[str, OpenCollection] = {}
        self._relations: dict[tuple[str, str], Relation] = {}

    def cursor(self) -> Connection:
        """Return a read-only cursor; each thread needs its own, and closes it."""
        return self._db.cursor()

    def collection(self, name: str) -> OpenCollection:
        """Return a collection by name. Raises KeyError for an unknown name."""
        collection = self._collections.get(name)
        if collection is None:
            with self._lock:
                collection = self._collections.get(name) or OpenCollection(
                    self.folder, BY_NAME[name].name
                )
                self._collections[name] = collection
        return collection

    def relation(self, name: str, column: str) -> Relation:
        """Return the foreign key `column` of collection `name`. The first call reads the
        database."""
        relation = self._relations.get((name, column))
        if relation is None:
            with self._lock:
                relation = self._relations.get((name, column)) or self._read_relation(name, column)
                self._relations[name, column] = relation
        return relation

    def _read_relation(self, name: str, column: str) -> Relation:
        child = BY_NAME[name]
        target = next(c.references for c in child.columns if c.name == column)
        parent = BY_TABLE[target or ""]
        cursor = self.cursor()
        try:
            # Tables and files are ordered by `id`: a row's number is its `rowid`.
            pairs = cursor.sql(
                "SELECT p.rowid::INTEGER AS parent, c.rowid::INTEGER AS child "
                f'FROM "{child.table_name}" c JOIN "{parent.table_name}" p ON c."{column}" = p.id'
            ).to_arrow_table()
        finally:
            cursor.close()
        return _relation(
            _numbers(pairs["parent"]),
            _numbers(pairs["child"]),
            len(self.collection(parent.name)),
            len(self.collection(name)),
        )

    def successor(self, name: str, row_id: uuid.UUID) -> tuple[bool, str | None]:
        """Return whether an id is retired, and its successor's current id, if any."""
        cursor = self.cursor()
        visited: set[str] = set()
        current_id = str(row_id)
        try:
            while current_id not in visited:
                visited.add(current_id)
                rows = cursor.execute(
                    f'SELECT successor_id FROM "{RETIRED_IDS.name}" WHERE collection = ? '
                    "AND old_id = ?",
                    [name, current_id],
                ).fetchall()
                if not rows or rows[0][0] is None:
                    return bool(rows) or len(visited) > 1, None
                current_id = rows[0][0]
                if self.collection(name).row_of(uuid.UUID(current_id)) is not None:
                    return True, current_id
        finally:
            cursor.close()
        # A damaged chain must not become an endless redirect.
        return True, None


def _relation(
    parents: np.ndarray, children: np.ndarray, parent_rows: int, child_rows: int
) -> Relation:
    order = np.lexsort((children, parents))
    counts = np.bincount(parents, minlength=parent_rows)
    starts = np.zeros(parent_rows + 1, np.int32)
    np.cumsum(counts, out=starts[1:])
    parent_of = np.full(child_rows, -1, np.int32)
    parent_of[children] = parents
    return Relation(starts.data, np.ascontiguousarray(children[order]).data, parent_of.data)


def _numbers(column: pa.ChunkedArray) -> np.ndarray:
    """Return a 32-bit column without nulls. Arrow's own conversion would import pandas."""
    parts = [
        np.frombuffer(c.buffers()[1], np.int32, len(c), c.offset * 4)
        for c in column.chunks
        if len(c)
    ]
    return np.concatenate(parts) if parts else np.empty(0, np.int32)


def _buffer(column: pa.ChunkedArray) -> memoryview:
    """Return the bytes of a column without nulls as one buffer, without a copy."""
    if not len(column):
        return memoryview(b"")
    chunk = column.chunk(0)
    return memoryview(chunk.buffers()[1])


def _map(path: Path) -> Bytes:
    """Map a file into memory; an empty one cannot be mapped."""
    with path.open("rb") as stream:
        if not path.stat().st_size:
            return b""
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
