"""The bulk files that are texts (CSV, NDJSON, GeoJSON), stored as gzip files only.

Rows are in order of source, then of id: rows of one source resemble each other and compress well.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs

from schemas.api.exports import BulkFile, BulkTwin
from schemas.bulk import BULK_FIELDS, GZIP_ENCODING, PUBLISHED_FORMS
from schemas.table import Field
from schemas.values.instants import INSTANT_FORMAT
from warehouse.duckdb import Connection, csv_cell
from warehouse.exports.gzip_files import GzipWriter, gzip_path
from warehouse.files import sha256_of
from warehouse.index.record_sql import member_sql

BATCH_ROWS = 20_000
_COPY_BYTES = 1 << 20


@dataclass(frozen=True)
class TextFile:
    """A text: SQL of a resource's row, the bytes around all rows, and how many bytes of the first
    row are left out (a separator before it).
    """

    row: str
    head: bytes = b""
    tail: bytes = b""
    separator_bytes: int = 0


def write_text_file(db: Connection, text: TextFile, path: Path, described: BulkFile) -> BulkFile:
    """Write a text of the resources as a gzip file; returns its description with sizes and digests.

    `path` is that of the text, which is stored with the ending of gzip.
    """
    ordered = f"SELECT {text.row} FROM resources ORDER BY data_source, id"
    packed = gzip_path(path)
    with GzipWriter(packed) as file:
        file.write(text.head)
        skipped = text.separator_bytes
        for rows in _rows(db, ordered):
            file.write(rows[skipped:])
            skipped = 0
        file.write(text.tail)
    return _describe(described, packed, file)


def pack_file(path: Path, described: BulkFile) -> BulkFile:
    """Replace a file by the gzip file that stores it; returns its description."""
    packed = gzip_path(path)
    with path.open("rb") as source, GzipWriter(packed) as file:
        while data := source.read(_COPY_BYTES):
            file.write(data)
    path.unlink()
    return _describe(described, packed, file)


def _describe(described: BulkFile, packed: Path, file: GzipWriter) -> BulkFile:
    stored = BulkTwin(packed.name, GZIP_ENCODING, packed.stat().st_size, sha256_of(packed))
    return structs.replace(
        described, size_bytes=file.size_bytes, sha256=file.sha256, compressed=[stored]
    )


def _rows(db: Connection, query: str) -> Iterator[memoryview]:
    """Yield the texts of a query of one column, a batch at a time, one after the other."""
    for batch in db.sql(query).to_arrow_reader(BATCH_ROWS):
        column = batch.column(0)
        if len(column):
            _, offsets, data = column.buffers()
            ends = np.frombuffer(offsets, np.int32)
            yield memoryview(data)[ends[column.offset] : ends[column.offset + len(column)]]


# ---------------------------------------------------------------- the texts


def plain_columns() -> str:
    """Return SQL of the columns as texts and numbers that every reader takes, lists as JSON."""
    return ", ".join(f'{_plain(f)} AS "{f.name}"' for f in BULK_FIELDS)


def _object() -> str:
    """Return SQL of a resource as an object of the same members, with values as the API's records
    have.
    """
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
    # `||` would copy the growing line for each of its cells.
    cells = ", ".join(map(_cell, BULK_FIELDS))
    return TextFile(f"concat_ws(',', {cells}) || chr(13) || chr(10)", head.encode())


def _cell(field: Field) -> str:
    value = f"({_plain(field)})::VARCHAR"
    if field.type in {"integer", "number", "boolean", "date", "datetime"}:
        return f"coalesce({value}, '')"
    return csv_cell(value, marks_empty=True)


def ndjson_text() -> TextFile:
    """Return one JSON object on each line."""
    return TextFile(f"to_json({_object()})::VARCHAR || chr(10)")


def geojson_text(head: dict[str, Any]) -> TextFile:
    """Return a FeatureCollection with the members of `head` before its features, one feature on
    each line.
    """
    point = "struct_pack(type := 'Point', coordinates := [lng, lat])"
    row = (
        "',' || chr(10) || to_json(struct_pack(type := 'Feature', id := id,"
        f" geometry := {point}, properties := {_object()}))::VARCHAR"
    )
    opened = json.dumps(head, ensure_ascii=False).encode()[:-1] + b',"features":['
    # Every feature begins with a comma, which the first one loses.
    return TextFile(row, opened, b"\n]}\n", separator_bytes=1)
