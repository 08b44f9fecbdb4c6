"""Stores pre-encoded records in an Arrow file: one lookup costs about a microsecond.

The file has one `large_binary` column in batches of BATCH_ROWS rows, so it can be streamed in
constant memory. Offsets are mapped; records are read with pread from the page cache, which all
workers share: mapped, they would count as the memory of each, and a truncated file would kill the
process.
"""

from __future__ import annotations

import errno
import os
import weakref
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from warehouse.index.columns import numbers, write_arrow

BATCH_ROWS = 65_536
_SCHEMA = pa.schema([pa.field("record", pa.large_binary(), nullable=False)])


class ArenaWriter:
    """Writes an arena from batches of any size."""

    def __init__(self, path: Path) -> None:
        self._sink = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_file(self._sink, _SCHEMA)
        self._pending: list[pa.Array] = []
        self._pending_rows = 0

    def __enter__(self) -> ArenaWriter:
        return self

    def append(self, records: pa.Array) -> None:
        """Add binary or text records in order."""
        self._pending.append(records.cast(pa.large_binary()))
        self._pending_rows += len(records)
        while self._pending_rows >= BATCH_ROWS:
            self._flush(BATCH_ROWS)

    def _flush(self, rows: int) -> None:
        parts, remaining = [], rows
        while remaining:
            part = self._pending[0].slice(0, remaining)
            if len(part) == len(self._pending[0]):
                del self._pending[0]
            else:
                self._pending[0] = self._pending[0].slice(len(part))
            parts.append(part)
            remaining -= len(part)
        # Concatenating copies just these rows: a slice would write the whole buffer.
        batch = pa.concat_arrays(parts)
        self._writer.write_batch(pa.record_batch([batch], schema=_SCHEMA))
        self._pending_rows -= rows

    def __exit__(self, *exc: object) -> None:
        if self._pending_rows and exc[0] is None:
            self._flush(self._pending_rows)
        self._writer.close()
        self._sink.close()


class Tails:
    """Shared suffixes of records, by row number. Safe for threads."""

    def __init__(self, path: Path) -> None:
        self._map = pa.memory_map(str(path))
        column = pa.ipc.open_file(self._map).read_all()["tail"].combine_chunks()
        self._column = column  # it owns the buffers below
        self._codes = memoryview(column.indices.buffers()[1]).cast("i") if len(column) else ()
        self._offsets, self._data = _texts(column.dictionary)

    def __len__(self) -> int:
        return len(self._codes)

    def view(self, row: int) -> memoryview:
        """Return the suffix of a row's record without a copy. Raises IndexError."""
        code = self._codes[row]
        return self._data[self._offsets[code] : self._offsets[code + 1]]


class TailsWriter:
    """Collects suffixes of records in row order, and writes each distinct one once."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._codes: list[NDArray[np.int32]] = []

    def append(self, tails: pa.Array) -> None:
        """Add the suffixes of the next rows."""
        encoded = tails.dictionary_encode()
        codes = [
            self._known.setdefault(t, len(self._known)) for t in encoded.dictionary.to_pylist()
        ]
        self._codes.append(
            np.array(codes, dtype=np.int32)[numbers(pa.chunked_array([encoded.indices]))]
        )

    def write(self, path: Path) -> None:
        """Write all suffixes as an Arrow file of one dictionary column."""
        codes = np.concatenate([np.empty(0, dtype=np.int32), *self._codes])
        texts = pa.array([text.encode() for text in self._known], pa.large_binary())
        column = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), texts)
        write_arrow(pa.table({"tail": column}), path)


def _texts(column: pa.Array) -> tuple[memoryview, memoryview]:
    """Return offsets and bytes of a column of large binaries."""
    _, offsets, data = column.buffers()
    return memoryview(offsets).cast("q"), memoryview(data) if data else memoryview(b"")


class Arena:
    """Read access by row number. Safe for threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        mapped = pa.memory_map(str(path))
        base, reader = mapped.read_buffer().address, pa.ipc.open_file(mapped)
        self._rows, self._parts = 0, []
        for batch in map(reader.get_batch, range(reader.num_record_batches)):
            _, offsets, data = batch.column(0).buffers()
            begin = data.address - base if data else 0
            self._parts.append((memoryview(offsets).cast("q"), begin))
            self._rows += len(batch)
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._file)

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, row: int) -> bytes:
        """Return the record of a row. Raises IndexError, and OSError if it is unreadable."""
        if not 0 <= row < self._rows:
            raise IndexError(row)
        offsets, begin = self._parts[row >> 16]
        at = row & 0xFFFF
        first = offsets[at]
        size = offsets[at + 1] - first
        record = os.pread(self._file, size, begin + first)
        if len(record) != size:
            raise OSError(errno.EIO, "the file is shorter than it was", str(self._path))
        return record
