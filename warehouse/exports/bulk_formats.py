"""The formats of the bulk files: points as geometry, and texts stored as gzip only."""

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import structs

from schemas.api.exports import BulkFile, BulkTwin
from schemas.bulk import BULK_FIELDS, GZIP_ENCODING, PUBLISHED_FORMS
from schemas.table import Field
from schemas.values.instants import INSTANT_FORMAT
from warehouse.duckdb import Connection, csv_cell
from warehouse.files import sha256_of
from warehouse.gzip_files import GzipWriter, gzip_path
from warehouse.index.records import member_sql

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
        # Each quarter has a smaller curve, rotated so that its ends meet those of its neighbors.
        flipped = ~upper & right
        x, y = np.where(flipped, cells - 1 - x, x), np.where(flipped, cells - 1 - y, y)
        x, y = np.where(~upper, y, x), np.where(~upper, x, y)
        side >>= 1
    return position


# Writes the text bulk files (CSV, NDJSON, GeoJSON), stored as gzip only.
#
# Rows are ordered by source, then id: rows of one source are similar and compress well.

BATCH_ROWS = 20_000
_COPY_BYTES = 1 << 20


@dataclass(frozen=True)
class TextFile:
    """A text: SQL of a resource's row, the bytes around all rows, and how many bytes to drop from
    the first row (its separator). In the SQL `object` is the resource as JSON."""

    row: str
    head: bytes = b""
    tail: bytes = b""
    separator_bytes: int = 0


def write_text_files(
    db: Connection, texts: Mapping[str, TextFile], folder: Path, described: Mapping[str, BulkFile]
) -> dict[str, BulkFile]:
    """Write texts of the resources, by name, as gzip files in one pass; return their descriptions
    with sizes and digests."""
    # Sorted before they become texts, which are ten times as large.
    query = f"""SELECT {", ".join(text.row for text in texts.values())}
        FROM (SELECT *, to_json({_object()})::VARCHAR AS object
            FROM (FROM resources ORDER BY data_source, id))"""
    paths = {name: gzip_path(folder / name) for name in texts}
    with ExitStack() as stack:
        files = [stack.enter_context(GzipWriter(path)) for path in paths.values()]
        pool = stack.enter_context(ThreadPoolExecutor(len(files)))
        for file, text in zip(files, texts.values(), strict=True):
            file.write(text.head)
        skipped = [text.separator_bytes for text in texts.values()]
        for batch in db.sql(query).to_arrow_reader(BATCH_ROWS):
            list(pool.map(_write_rows, files, batch.columns, skipped))
            skipped = [0] * len(files)
        for file, text in zip(files, texts.values(), strict=True):
            file.write(text.tail)
    return {
        name: _describe(described[name], path, file)
        for (name, path), file in zip(paths.items(), files, strict=True)
    }


def _write_rows(file: GzipWriter, rows: pa.Array, skipped: int) -> None:
    """Write the texts of a column in sequence, without the leading bytes of the first."""
    if len(rows):
        _, offsets, data = rows.buffers()
        ends = np.frombuffer(offsets, np.int32)
        text = memoryview(data)[ends[rows.offset] : ends[rows.offset + len(rows)]]
        file.write(text[skipped:])


def pack_file(path: Path, described: BulkFile) -> BulkFile:
    """Replace a file by its gzip form; return its description."""
    packed = gzip_path(path)
    with path.open("rb") as source, GzipWriter(packed) as file:
        while data := source.read(_COPY_BYTES):
            file.write(data)
    path.unlink()
    return _describe(described, packed, file)


def _describe(described: BulkFile, packed: Path, file: GzipWriter) -> BulkFile:
    twin = BulkTwin(packed.name, GZIP_ENCODING, packed.stat().st_size, sha256_of(packed))
    return structs.replace(
        described, size_bytes=file.size_bytes, sha256=file.sha256, compressed=[twin]
    )


# ---------------------------------------------------------------- the texts


def _object() -> str:
    """Return SQL of a resource as an object with the same members and values as the API's
    records."""
    members = (
        f'"{f.name}" := ' + member_sql(f'"{f.name}"', f.type, PUBLISHED_FORMS.get(f.name, "value"))
        for f in BULK_FIELDS
    )
    return f"struct_pack({', '.join(members)})"


def _plain(field: Field) -> str:
    column = f'"{field.name}"'
    if field.type == "datetime":
        return f"strftime({column} AT TIME ZONE 'UTC', '{INSTANT_FORMAT}')"
    if field.type == "strings":
        return f"to_json({column})::VARCHAR"
    return column


def csv_text() -> TextFile:
    """Return RFC 4180 text; an unknown value is an empty cell, an empty text is two quotes."""
    head = ",".join(f.name for f in BULK_FIELDS) + "\r\n"
    # `||` would copy the growing line for each cell.
    cells = ", ".join(map(_cell, BULK_FIELDS))
    return TextFile(f"concat_ws(',', {cells}) || chr(13) || chr(10)", head.encode())


def _cell(field: Field) -> str:
    value = f"({_plain(field)})::VARCHAR"
    if field.type in {"integer", "number", "boolean", "date", "datetime"}:
        return f"coalesce({value}, '')"
    return csv_cell(value, marks_empty=True, is_free_text=field.is_free_text)


def geojson_text(head: dict[str, Any]) -> TextFile:
    """Return a FeatureCollection with the members of `head` before its features, one feature per
    line."""
    point = "struct_pack(type := 'Point', coordinates := [lng, lat])"
    point = f"CASE WHEN lat IS NOT NULL THEN {point} END"
    start = f"to_json(struct_pack(type := 'Feature', id := id, geometry := {point}))::VARCHAR"
    # The object is its last member: it goes before the feature's closing brace.
    row = f"""concat(',', chr(10), left({start}, -1), ',"properties":', object, '}}')"""
    opening = json.dumps(head, ensure_ascii=False).encode()[:-1] + b',"features":['
    # Every feature begins with a comma, which is dropped from the first.
    return TextFile(row, opening, b"\n]}\n", separator_bytes=1)
