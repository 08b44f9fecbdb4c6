"""The bulk files that are texts (CSV, NDJSON, GeoJSON), in pieces, and their compressed twins.

Rows stand source by source, in order of id within each. A piece is the rows of one source whose ids
begin alike:
what one small source brings, if only the day on which it was looked at, touches its own pieces and
no others. Pieces
in which no row differs from the served release are taken from its files (`warehouse.pieces`).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
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
from warehouse.differing import differing
from warehouse.duck import csv_cell, quoted
from warehouse.files import sha256_of
from warehouse.pieces import (
    COPY_BYTES,
    HEAD,
    MOST_PIECES,
    NOTHING,
    TAIL,
    Earlier,
    PlainWriter,
    Room,
    runs_of_keys,
    write_gzip,
)
from warehouse.reuse import EarlierRelease

BATCH_ROWS = 20_000
_ISO_INSTANT = "%Y-%m-%dT%H:%M:%SZ"
# Level 4 packs a third faster than the usual 6 and leaves a tenth more.
_GZIP_LEVEL = 4
_ID_BITS = 52  # `assets.identity`
# Pieces that sources share by their rows; each has one at least.
_SHARED_PIECES = 1500
_SOURCE_BITS, _PLACE_BITS = 20, 11


@dataclass(frozen=True)
class TextPlan:
    """The pieces of the resources in order; for each text its earlier file, and which pieces are to
    be written.
    """

    keys: list[int]
    files: dict[str, tuple[Earlier, frozenset[int]]]


def text_plan(
    db: duckdb.DuckDBPyConnection,
    names: Iterable[str],
    table: Path,
    earlier: EarlierRelease | None,
) -> TextPlan:
    """Compare the resources in the file `table`, of which `resources` shows the active ones, with
    an earlier release's.

    Makes the temporary table `placed`: the rows that any of the texts lacks, with their `piece`, in
    order.
    """
    piece = _piece_sql(db)
    found = db.execute(f"SELECT DISTINCT {piece} FROM resources ORDER BY 1").fetchall()
    keys = [int(row[0]) for row in found]
    before = earlier.table(RESOURCES.name) if earlier else None
    folder, stale = None, frozenset(keys)
    if earlier and before and before.is_file():
        folder, stale = earlier.folder / BULK_FOLDER, _stale(db, piece, table, before)
    files = {name: _compared(folder, name, keys, stale) for name in names}
    lacking = sorted(frozenset().union(*(lacking for _, lacking in files.values())))
    wanted = f"WHERE piece IN ({', '.join(map(str, lacking)) or 'NULL'})"
    db.execute(
        f"CREATE TEMP TABLE placed AS SELECT * FROM (SELECT {piece} AS piece, * FROM resources)"
        f" {wanted if len(lacking) < len(keys) else ''} ORDER BY piece, resource_id"
    )
    return TextPlan(keys, files)


def _stale(db: duckdb.DuckDBPyConnection, piece: str, table: Path, before: Path) -> frozenset[int]:
    """The pieces in which a row that differs stands, or stood."""
    db.register("differing", pa.table({"resource_id": differing(RESOURCES, table, before)}))
    both = " UNION ALL ".join(
        f"SELECT resource_id, data_source FROM read_parquet({quoted(path)}) WHERE is_active"
        for path in (table, before)
    )
    found = db.execute(
        f"SELECT DISTINCT {piece} FROM ({both}) SEMI JOIN differing USING (resource_id)"
    ).fetchall()
    db.unregister("differing")
    return frozenset(int(row[0]) for row in found)


def _compared(
    folder: Path | None, name: str, keys: list[int], stale: frozenset[int]
) -> tuple[Earlier, frozenset[int]]:
    """The earlier file of this name, and the pieces to write: all that differ or that it lacks."""
    known = Earlier(folder / name, folder / f"{name}{GZIP.ending}") if folder else NOTHING
    return known, frozenset(key for key in keys if key in stale or key not in known.by_key)


def _piece_sql(db: duckdb.DuckDBPyConnection) -> str:
    """SQL of a row's piece: a number for its source, then as many leading bits of its id as the
    source has rows for.

    Two sources may have one number: then they share pieces, and nothing else comes of it.
    """
    counted = (
        "SELECT coalesce(data_source, ''), count(*) FROM resources GROUP BY 1 ORDER BY 2 DESC, 1"
    )
    rows = dict(db.execute(counted).fetchall())
    # Not more than a header lists, with what stands before and after.
    shared = min(_SHARED_PIECES, MOST_PIECES - 2 - len(rows))
    cases = []
    for source, count in rows.items():
        bits = max(1, shared * count // sum(rows.values())).bit_length() - 1
        number = (zlib.crc32(source.encode()) & ((1 << _SOURCE_BITS) - 1)) << _PLACE_BITS
        cases.append(
            f"WHEN {quoted(source)} THEN {number | 1 << bits} + (resource_id >> {_ID_BITS - bits})"
        )
    # The earlier release may have sources that are gone: no piece of today's is theirs.
    return f"(CASE coalesce(data_source, '') {' '.join(cases)} ELSE -1 END)" if cases else "-1"


@dataclass(frozen=True)
class TextFile:
    """A text: SQL of a resource's row, what stands around them, how the first row begins, and every
    other.
    """

    row: str
    head: bytes = b""
    tail: bytes = b""
    opening: bytes = b""
    joint: bytes = b""


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
    """Write a text and begin to pack it. Raises DamagedError when the earlier text cannot be copied
    from.
    """
    earlier, stale = plan.files[path.name]
    # The first row of the earlier text, if it has another place now, is to begin as others do.
    first = next((piece.key for piece in earlier.pieces if piece.key != HEAD), None)
    openings = {first: text.joint, plan.keys[0] if plan.keys else None: text.opening}
    made = (
        (key, data)
        for key, data in _texts(db, f"SELECT piece, {text.row} FROM placed")
        if key in stale
    )
    with PlainWriter(path, earlier) as writer:
        writer.append(HEAD, text.head)
        current = next(made, None)
        for key in plan.keys:
            opening = openings.get(key, b"")
            if key not in stale:
                writer.copy(key, opening)
            while current and current[0] == key:
                writer.append(key, current[1], opening)
                opening, current = b"", next(made, None)
        writer.append(TAIL, text.tail)
    packed = path.with_name(path.name + GZIP.ending)
    return WrittenText(
        path,
        pool.submit(write_gzip, path, packed, writer.written, _GZIP_LEVEL, earlier),
        pool.submit(_write_zstd, path),
    )


def _texts(db: duckdb.DuckDBPyConnection, query: str) -> Iterator[tuple[int, memoryview]]:
    """(piece, bytes) of a query of piece and text: the texts of a run of equal pieces, one after
    the other.
    """
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
    target, room = path.with_name(path.name + ZSTD.ending), Room()
    with path.open("rb") as source, pa.CompressedOutputStream(str(target), ZSTD.encoding) as sink:
        while data := room.read(source, COPY_BYTES):
            sink.write(data)


# ---------------------------------------------------------------- the texts


def plain_columns() -> str:
    """SQL of the columns as texts and numbers that every reader takes, lists as JSON."""
    return ", ".join(f'{_plain(f, lists_as_text=True)} AS "{f.name}"' for f in BULK_FIELDS)


def _object() -> str:
    """SQL of a resource as an object of the same members."""
    members = (f'"{f.name}" := {_plain(f, lists_as_text=False)}' for f in BULK_FIELDS)
    return f"struct_pack({', '.join(members)})"


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
    return TextFile(f"{cells} || chr(13) || chr(10)", head.encode())


def _cell(field: Field) -> str:
    value = f"({_plain(field, lists_as_text=True)})::VARCHAR"
    if field.type in {"integer", "number", "boolean", "date", "datetime"}:
        return f"coalesce({value}, '')"
    return csv_cell(value, marks_empty=True)


def ndjson_text() -> TextFile:
    """One JSON object on each line."""
    return TextFile(f"to_json({_object()})::VARCHAR || chr(10)")


def geojson_text(head: dict[str, Any]) -> TextFile:
    """A FeatureCollection with the members of `head` before its features, one feature on each line."""
    point = "struct_pack(type := 'Point', coordinates := [lng, lat])"
    row = (
        "',' || chr(10) || to_json(struct_pack(type := 'Feature', id := resource_id,"
        f" geometry := {point}, properties := {_object()}))::VARCHAR"
    )
    opened = json.dumps(head, ensure_ascii=False).encode()[:-1] + b',"features":['
    # Every feature begins with a comma; the first has a blank in its place.
    return TextFile(row, opened, b"\n]}\n", b" ", b",")
