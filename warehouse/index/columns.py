"""Reads and writes a release's columns as Arrow files."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa


def read_arrow(path: Path) -> pa.Table:
    """Map an Arrow file: processes share its pages, which are read on demand.

    Raises OSError, or pyarrow.ArrowInvalid when damaged.
    """
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


def write_arrow(table: pa.Table, path: Path) -> None:
    """Write a table as one Arrow file. Raises OSError."""
    table = table.combine_chunks()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def numbers(column: pa.ChunkedArray) -> np.ndarray:
    """Return a column without nulls as read-only NumPy, one chunk without a copy.

    Arrow's own conversion would import pandas, half a second.
    """
    kind = np.dtype(str(column.type).replace("double", "float64"))
    parts = [
        np.frombuffer(chunk.buffers()[1], kind, len(chunk), chunk.offset * kind.itemsize)
        for chunk in column.chunks
        if len(chunk)
    ]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, kind)


def lists(column: pa.ChunkedArray) -> np.ndarray:
    """Return a column of equal-length lists as a matrix, one row per list, in the way of
    `numbers`."""
    kind = column.type
    # Not `flatten`, which would import `pyarrow.compute`.
    values = [
        chunk.values.slice(chunk.offset * kind.list_size, len(chunk) * kind.list_size)
        for chunk in column.chunks
    ]
    return numbers(pa.chunked_array(values, kind.value_type)).reshape(-1, kind.list_size)


def counts(codes: np.ndarray, names: tuple[str, ...]) -> dict[str, int]:
    """Count each code, a position in `names`; every name gets a count."""
    by_code = Counter(dict(enumerate(np.bincount(codes, minlength=len(names)).tolist())))
    return {name: by_code[code] for code, name in enumerate(names)}
