"""Batches of rows with a point: geometry as well-known binary, bounding box."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

SIDES = ("xmin", "ymin", "xmax", "ymax")
_POINT = np.dtype([("order", "u1"), ("kind", "<u4"), ("x", "<f8"), ("y", "<f8")])
Rows = Iterator[pa.RecordBatch]


def add_geometry_fields(schema: pa.Schema) -> pa.Schema:
    """Return the schema with `geometry` and `bbox` (GeoParquet 1.1, covering); both are null
    for a place without a published point."""
    schema = schema.append(pa.field("geometry", pa.binary()))
    box = pa.struct([pa.field(side, pa.float64()) for side in SIDES])
    return schema.append(pa.field("bbox", box))


def with_geometry(batches: Rows, schema: pa.Schema) -> Rows:
    """Yield the batches with `geometry` (well-known binary) and `bbox`."""
    for batch in batches:
        lat, lng = batch.column("lat"), batch.column("lng")
        box = pa.StructArray.from_arrays(
            [lng, lat, lng, lat], fields=list(schema.field("bbox").type), mask=lat.is_null()
        )
        points = _well_known(floats(lat), floats(lng))
        columns = [*batch.columns, pc.if_else(lat.is_valid(), points, None), box]
        kinds = zip(columns, schema.types, strict=True)
        yield pa.record_batch([column.cast(kind) for column, kind in kinds], schema=schema)


def _well_known(lat: np.ndarray, lng: np.ndarray) -> pa.Array:
    """Return points as well-known binary, little endian: 21 bytes each."""
    points = np.empty(len(lat), _POINT)
    points["order"], points["kind"], points["x"], points["y"] = 1, 1, lng, lat
    ends = np.arange(len(lat) + 1, dtype=np.int32) * _POINT.itemsize
    return pa.BinaryArray.from_buffers(
        pa.binary(), len(lat), [None, pa.py_buffer(ends), pa.py_buffer(points.tobytes())]
    )


def floats(column: pa.Array) -> np.ndarray:
    """Return a column of numbers as NumPy; a null of a float column is NaN."""
    values: np.ndarray = column.to_numpy(zero_copy_only=False)
    return values


# ---------------------------------------------------------------- order on the map

_BITS = 16  # cells of 0.0055 by 0.0027 degrees


def hilbert_order(lat: np.ndarray, lng: np.ndarray) -> np.ndarray:
    """Return each point's position on a globe's Hilbert curve; degrees without NaN."""
    cells = 1 << _BITS
    x = np.clip(((lng + 180) / 360 * cells).astype(np.int64), 0, cells - 1)
    y = np.clip(((lat + 90) / 180 * cells).astype(np.int64), 0, cells - 1)
    return hilbert_position(x, y, _BITS)


def hilbert_position(x: np.ndarray, y: np.ndarray, bits: int) -> np.ndarray:
    """Return the position of cells on the Hilbert curve over a square of 2**bits by 2**bits
    cells."""
    cells = 1 << bits
    position = np.zeros(len(x), np.int64)
    side = cells >> 1
    while side:
        right, upper = (x & side) > 0, (y & side) > 0
        position += side * side * ((3 * right) ^ upper)
        # Each quarter has a smaller curve, rotated so that its ends meet those of its neighbours.
        flipped = ~upper & right
        x, y = np.where(flipped, cells - 1 - x, x), np.where(flipped, cells - 1 - y, y)
        x, y = np.where(~upper, y, x), np.where(~upper, x, y)
        side >>= 1
    return position
