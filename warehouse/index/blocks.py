"""The stored part of the spatial index: places in blocks of neighbours.

A block has up to `BLOCK_SIZE` places of one group, neighbours along a Hilbert curve. The groups are
all places, the places of each mode, and those of each type.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.tables.serving import BLOCK_SIZE, BLOCKS_SCHEMA
from schemas.values.coordinates import ecef
from warehouse.index.columns import lists, numbers, read_arrow, write_arrow
from warehouse.index.hilbert import hilbert_order

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


class Blocks(NamedTuple):
    """Block n has the rows `rows[n]` at `xyz[n]` (earth-centred metres, axis by axis) within the
    box from `low[n]` to `high[n]`, and belongs to the group `group[n]`.

    Empty entries have the row -1 and are infinitely far away. All arrays are C-ordered, as read
    from a file: of any other, `take` copies the whole.
    """

    group: Rows
    rows: Rows
    xyz: Floats
    low: Floats
    high: Floats


def group_of_type(code: int, modes: int) -> int:
    """Return the group of a type code; group 0 is all places, followed by the modes."""
    return 1 + modes + code


def make_blocks(
    lat: Floats, lng: Floats, type_codes: NDArray[np.uint8], modes: Mapping[str, frozenset[int]]
) -> Blocks:
    """Divide points in degrees into blocks. Raises ValueError for a non-finite point.

    `modes` lists sets of type codes that each form a group.
    """
    xyz = ecef(lat, lng)
    if not np.isfinite(xyz).all():
        raise ValueError("a point without finite coordinates cannot be indexed")
    order = np.argsort(hilbert_order(np.asarray(lat), np.asarray(lng)), kind="stable")
    codes = type_codes[order]
    groups = {0: order}
    for n, types in enumerate(modes.values()):
        groups[1 + n] = order[np.isin(codes, list(types))]
    for code in np.unique(type_codes).tolist():
        groups[group_of_type(code, len(modes))] = order[codes == code]
    counts = [-(-len(rows) // BLOCK_SIZE) for rows in groups.values()]
    ends = np.cumsum([0, *counts])
    rows = np.full((int(ends[-1]), BLOCK_SIZE), -1, dtype=np.int64)
    for first, last, members in zip(ends, ends[1:], groups.values(), strict=False):
        rows[first:last].reshape(-1)[: len(members)] = members
    return _place(np.repeat(list(groups), counts), rows, xyz)


def _place(group: Rows, rows: Rows, xyz: Floats) -> Blocks:
    is_place = (rows >= 0)[:, None, :]
    points = xyz[rows].transpose(0, 2, 1).copy("C") if len(xyz) else np.empty((0, 3, BLOCK_SIZE))
    low = np.where(is_place, points, np.inf).min(axis=2, initial=np.inf)
    high = np.where(is_place, points, -np.inf).max(axis=2, initial=-np.inf)
    return Blocks(group, rows, np.where(is_place, points, np.inf), low, high)


def write_blocks(blocks: Blocks, path: Path) -> None:
    """Write blocks as an Arrow file. Raises OSError."""
    columns = [
        pa.array(part.reshape(-1), field.type.value_type)
        if pa.types.is_fixed_size_list(field.type)
        else pa.array(part, field.type)
        for part, field in zip(blocks, BLOCKS_SCHEMA, strict=True)
    ]
    arrays = [
        pa.FixedSizeListArray.from_arrays(column, type=field.type)
        if pa.types.is_fixed_size_list(field.type)
        else column
        for column, field in zip(columns, BLOCKS_SCHEMA, strict=True)
    ]
    write_arrow(pa.Table.from_arrays(arrays, schema=BLOCKS_SCHEMA), path)


def read_blocks(path: Path) -> Blocks:
    """Map the blocks of a release. Raises OSError, or pyarrow.ArrowInvalid when damaged."""
    table = read_arrow(path)
    rows, xyz, low, high = (lists(table[name]) for name in ("rows", "xyz", "low", "high"))
    return Blocks(numbers(table["group"]), rows, xyz.reshape(-1, 3, BLOCK_SIZE), low, high)
