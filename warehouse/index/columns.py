"""Arrow files of a release as columns in memory."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa


def read_arrow(path: Path) -> pa.Table:
    """An Arrow file, read whole. Raises OSError, or pyarrow.ArrowInvalid when damaged."""
    with pa.OSFile(str(path)) as source:
        return pa.ipc.open_file(source).read_all()


def write_arrow(table: pa.Table, path: Path) -> None:
    """Write a table as one Arrow file. Raises OSError."""
    table = table.combine_chunks()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def numbers(column: pa.ChunkedArray) -> np.ndarray:
    """A column without nulls as NumPy. Arrow's own conversion would import pandas, half a second."""
    kind = np.dtype(str(column.type).replace("double", "float64"))
    parts = [
        np.frombuffer(chunk.buffers()[1], kind, len(chunk), chunk.offset * kind.itemsize)
        for chunk in column.chunks
        if len(chunk)
    ]
    return np.concatenate(parts) if parts else np.empty(0, kind)


def counts(codes: np.ndarray, names: tuple[str, ...]) -> dict[str, int]:
    """Count each code, a position in `names`; every name has a count."""
    counted = Counter(dict(enumerate(np.bincount(codes, minlength=len(names)).tolist())))
    return {name: counted[code] for code, name in enumerate(names)}
