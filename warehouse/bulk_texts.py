"""The bulk files that are texts (CSV, NDJSON, GeoJSON), in pieces, and their compressed twins.

Pieces in which no row differs from the served release are taken from its files (`warehouse.pieces`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from schemas.api.exports import BulkTwin
from schemas.bulk import BULK_FIELDS, BULK_FOLDER, GZIP, ZSTD
from schemas.table import Field
from schemas.tables.core import RESOURCES
from warehouse.files import sha256_of
from warehouse.pieces import (
    HEAD,
    PIECE_BITS,
    TAIL,
    Earlier,
    PlainWriter,
    runs_of_keys,
    write_gzip,
)
from warehouse.reuse import EarlierRelease, Pieces, pieces_to_write, rows_of_file

BATCH_ROWS = 20_000
_ISO_INSTANT = "%Y-%m-%dT%H:%M:%SZ"
_COPY_BYTES = 1 << 20
# Level 4 packs a third faster than the usual 6 and leaves a tenth more.
_GZIP_LEVEL = 4
# Ids have 52 bits (`assets.identity`).
_PIECE = f"(resource_id >> {52 - PIECE_BITS})"


@dataclass(frozen=True)
class TextPlan:
    """Which pieces of the resources are to be written, and where the others lie."""

    pieces: Pieces
    earlier: Path | None

    def of(self, name: str) -> tuple[Earlier, frozenset[int]]:
        """The earlier file of this name, and the pieces to write: all that differ or that it lacks."""
        folder = self.earlier
        known = Earlier(folder / name, folder / f"{name}{GZIP.ending}") if folder else Earlier(None, None)  # fmt: skip
        lacking = {key for key in self.pieces.keys if key not in known.by_key}
        return known, self.pieces.stale | lacking


def text_plan(db: duckdb.DuckDBPyConnection, earlier: EarlierRelease | None) -> TextPlan:
    """Compare the database's `resources` with those of an earlier release."""
    before = None
    if earlier and earlier.table(RESOURCES.name).is_file():
        before = rows_of_file(earlier.table(RESOURCES.name)) + " WHERE is_active"
    columns = [f.name for f in BULK_FIELDS]
    pieces = pieces_to_write(db, "SELECT * FROM resources", before, _PIECE, columns)
    return TextPlan(pieces, earlier.folder / BULK_FOLDER if earlier and before else None)


@dataclass(frozen=True)
class TextFile:
    """A text as SQL: one row of text for each resource, what stands around them, how the first row begins."""

    rows: str
    head: bytes = b""
    tail: bytes = b""
    opening: bytes = b""


@dataclass
class WrittenText:
    """A text on disk and the packing of it that goes on in other threads."""

    path: Path
    packing: Future[str]
    packing_zstd: Future[None]
    twins: list[BulkTwin] = field(default_factory=list)

    def finish(self) -> tuple[str, list[BulkTwin]]:
        """The SHA-256 of the text, and its twins."""
        digest = self.packing.result()
        self.packing_zstd.result()
        twins = []
        for twin in (ZSTD, GZIP):
            path = self.path.with_name(self.path.name + twin.ending)
            twins.append(BulkTwin(path.name, twin.encoding, path.stat().st_size, sha256_of(path)))
        return digest, twins


def write_text_file(
    db: duckdb.DuckDBPyConnection, text: TextFile, path: Path, plan: TextPlan, pool: Executor
) -> WrittenText:
    """Write a text and begin to pack it."""
    earlier, stale = plan.of(path.name)
    keys = ", ".join(map(str, sorted(stale))) or "NULL"
    is_part = len(stale) < len(plan.pieces.keys)
    # The table is in order of id; picking rows by a long list loses it.
    wanted = f"WHERE {_PIECE} IN ({keys}) ORDER BY resource_id" if is_part else ""
    made = _texts(db, f"SELECT {_PIECE}, {text.rows} {wanted}") if stale else iter(())
    with PlainWriter(path, earlier) as writer:
        writer.append(HEAD, text.head)
        current = next(made, None)
        for number, key in enumerate(plan.pieces.keys):
            opening = text.opening if number == 0 else b""
            if key not in stale:
                writer.copy(key, opening)
            while current and current[0] == key:
                writer.append(key, current[1], opening)
                opening, current = b"", next(made, None)
        writer.append(TAIL, text.tail)
    packed = path.with_name(path.name + GZIP.ending)
    return WrittenText(
        path,
        pool.submit(write_gzip, path, packed, writer.sizes, _GZIP_LEVEL, earlier),
        pool.submit(_write_zstd, path),
    )


def _texts(db: duckdb.DuckDBPyConnection, query: str) -> Iterator[tuple[int, memoryview]]:
    """(piece, bytes) of a query of piece and text: the texts of a run of equal pieces, one after the other."""
    for batch in db.sql(query).to_arrow_reader(BATCH_ROWS):
        keys, column = batch.column(0), batch.column(1)
        if len(column) == 0:
            continue
        _, offsets, data = column.buffers()
        ends = np.frombuffer(offsets, np.int32)
        for key, first, end in runs_of_keys(keys.to_pylist()):
            yield key, memoryview(data)[ends[column.offset + first] : ends[column.offset + end]]


def _write_zstd(path: Path) -> None:
    """In one frame: not every browser reads on after the first."""
    target = path.with_name(path.name + ZSTD.ending)
    with path.open("rb") as source, pa.CompressedOutputStream(str(target), ZSTD.encoding) as sink:
        while piece := source.read(_COPY_BYTES):
            sink.write(piece)


# ---------------------------------------------------------------- the texts


def plain_columns(*, lists_as_text: bool) -> str:
    """SQL of the columns as texts and numbers that every reader takes."""
    return ", ".join(f'{_plain(f, lists_as_text=lists_as_text)} AS "{f.name}"' for f in BULK_FIELDS)


def _plain(field: Field, *, lists_as_text: bool) -> str:
    column = f'"{field.name}"'
    if field.type == "datetime":
        return f"strftime({column} AT TIME ZONE 'UTC', '{_ISO_INSTANT}')"
    if field.type == "strings" and lists_as_text:
        return f"to_json({column})::VARCHAR"
    return column


def csv_text() -> TextFile:
    """RFC 4180; an unknown value is an empty cell, an empty text is two quotes."""
    head = ",".join(f.name for f in BULK_FIELDS) + "\r\n"
    cells = " || ',' || ".join(map(_cell, BULK_FIELDS))
    return TextFile(f"{cells} || chr(13) || chr(10) FROM resources", head.encode())


def _cell(field: Field) -> str:
    value = f"({_plain(field, lists_as_text=True)})::VARCHAR"
    if field.type in {"integer", "number", "boolean", "date", "datetime"}:
        return f"coalesce({value}, '')"
    quoted_text = f"""'"' || replace({value}, '"', '""') || '"'"""
    return f"""CASE WHEN {value} IS NULL THEN '' WHEN {value} = '' OR regexp_matches({value}, '[",\\r\\n]') THEN {quoted_text} ELSE {value} END"""


def ndjson_text() -> TextFile:
    """One JSON object on each line."""
    columns = plain_columns(lists_as_text=False)
    return TextFile(f"to_json(r)::VARCHAR || chr(10) FROM (SELECT {columns} FROM resources) r")


def geojson_text(head: dict[str, Any]) -> TextFile:
    """A FeatureCollection with the members of `head` before its features, one feature on each line."""
    point = "struct_pack(type := 'Point', coordinates := [lng, lat])"
    columns = plain_columns(lists_as_text=False)
    rows = (
        "',' || chr(10) || to_json(struct_pack(type := 'Feature', id := resource_id,"
        f" geometry := {point}, properties := r))::VARCHAR FROM (SELECT {columns} FROM resources) r"
    )
    opened = json.dumps(head, ensure_ascii=False).encode()[:-1] + b',"features":['
    # Every feature begins with a comma; the first has a blank in its place.
    return TextFile(rows, opened, b"\n]}\n", b" ")
