"""Checking the texts among the bulk files by pieces: those that an earlier, checked release holds
are not read again.

Nothing is taken on trust: every byte is hashed, and a piece counts as read before only when it has
the
digest of one that was. Of such a piece XXH3 tells whether its bytes are those of the digest: the
earlier
release lists the two together, and they were held against the same bytes when the piece was new.
"""

from __future__ import annotations

import csv
import hashlib
import io
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec
from xxhash import xxh3_64_intdigest

from schemas.bulk import BULK_FIELDS, EXACT_PRECISIONS, GZIP
from warehouse.pieces import HEAD, TAIL, Earlier, Piece, Room, read_blocks

_COLUMNS = [f.name for f in BULK_FIELDS]
_PLACES = [_COLUMNS.index(n) for n in ("is_confidential", "address", "location_precision")]


class Seen(NamedTuple):
    """What a reader found: rows, and confidential places with a street or an exact point."""

    rows: int
    exposed: int = 0


def is_exposed(is_confidential: object, address: object, precision: object) -> bool:
    """True for a confidential place with a street or an exact point."""
    hidden = is_confidential in {True, "true"}
    return hidden and (bool(address) or precision in EXACT_PRECISIONS)


class Line(msgspec.Struct):
    resource_id: int
    is_confidential: bool
    location_precision: str
    lat: float
    lng: float
    address: str | None = None


class _Point(msgspec.Struct):
    type: str
    coordinates: tuple[float, float]


class Feature(msgspec.Struct):
    type: str
    geometry: _Point
    properties: Line


# Made here, before there are threads: msgspec shows others the half of a class that it works out.
_read_line = msgspec.json.Decoder(Line).decode
_read_feature = msgspec.json.Decoder(Feature).decode


def read_csv_lines(lines: Iterable[str]) -> Seen:
    """Rows after the header. Raises ValueError for a row of another width, csv.Error for a broken
    one.
    """
    reader = csv.reader(lines, strict=True)
    rows = exposed = 0
    for line in reader:
        if len(line) != len(_COLUMNS):
            raise ValueError(f"line {reader.line_num} has {len(line)} cells")
        rows += 1
        exposed += is_exposed(*(line[place] for place in _PLACES))
    return Seen(rows, exposed)


def read_ndjson_lines(lines: Iterable[bytes]) -> Seen:
    """Raises msgspec.DecodeError, a ValueError, for a line that is no record."""
    rows = exposed = 0
    for text in lines:
        line = _read_line(text)
        rows += 1
        exposed += is_exposed(line.is_confidential, line.address, line.location_precision)
    return Seen(rows, exposed)


def read_features(lines: Iterable[bytes]) -> Seen:
    """Features, one on each line, with commas between. Raises ValueError for one that is none or
    has another point than its row.
    """
    rows = exposed = 0
    is_next = True
    for text in lines:
        if not is_next:
            raise ValueError("there is no comma between two features")
        is_next = text.rstrip(b"\n").endswith(b",")
        place = (feature := _read_feature(text.rstrip(b",\n"))).properties
        if feature.geometry.coordinates != (place.lng, place.lat):
            raise ValueError(f"resource {place.resource_id} has another point")
        rows += 1
        exposed += is_exposed(place.is_confidential, place.address, place.location_precision)
    if rows and is_next:
        raise ValueError("a comma follows the last feature")
    return Seen(rows, exposed)


def _csv_piece(data: bytes) -> Seen:
    return read_csv_lines(io.StringIO(data.decode("utf-8"), newline=""))


def _ndjson_piece(data: bytes) -> Seen:
    return read_ndjson_lines(data.splitlines())


def _geojson_piece(data: bytes) -> Seen:
    # What precedes the first line end belongs to the feature before (`_OPENINGS`).
    return read_features(data.split(b"\n")[1:])


PIECE_READERS: dict[str, Callable[[bytes], Seen]] = {
    "resources.csv": _csv_piece,
    "resources.ndjson": _ndjson_piece,
    "resources.geojson": _geojson_piece,
}
# How the first piece of rows begins, and how every other does: known pieces may stand in new
# places.
_OPENINGS = {"resources.geojson": (b" ", b",")}


@dataclass(frozen=True)
class PieceCheck:
    """A text, its gzip twin, the same of an earlier release, and the rows of the earlier text."""

    now: Earlier
    before: Earlier
    rows_before: int

    def sha256(self) -> str:
        """The SHA-256 of the text. Raises ValueError when its pieces, or the twin's, are not what
        is listed.
        """
        assert self.now.plain is not None
        assert self.now.packed is not None
        first, opening = _OPENINGS.get(self.now.plain.name, (b"", b""))
        openings = {self.now.pieces[1].key: first, HEAD: b"", TAIL: b""}
        whole, crc, length, room = hashlib.sha256(), 0, 0, Room()
        with self.now.plain.open("rb") as plain, self.now.packed.open("rb") as packed:
            packed.seek(self.now.pieces[0].packed_start)
            for block, pieces in read_blocks(plain, self.now.pieces):
                whole.update(block)
                crc, length = zlib.crc32(block, crc), length + len(block)
                for piece, data in pieces:
                    self._hold(piece, data, room.read(packed, piece.packed))
                    wanted = openings.get(piece.key, opening)
                    if data[: len(wanted)] != wanted:
                        raise ValueError("a piece does not begin as its place wants it")
            if plain.read(1) or packed.read() != b"\x03\x00" + struct.pack(
                "<II", crc, length & 0xFFFFFFFF
            ):
                raise ValueError(f"{self.now.packed.name} does not end as the text does")
        return whole.hexdigest()

    def _hold(self, piece: Piece, data: memoryview, packed: memoryview) -> None:
        known = self.before.by_digest.get(piece.digest)
        is_known = known is not None and known.check == piece.check
        is_right = xxh3_64_intdigest(data) == piece.check
        if not is_right or not (is_known or hashlib.sha256(data).digest()[:16] == piece.digest):
            raise ValueError("a piece is not what the twin lists")
        is_known = known is not None and known.packed_crc == piece.packed_crc
        # Bytes are compared at once, views of them byte by byte.
        if zlib.crc32(packed) != piece.packed_crc or not (
            is_known or _inflated(packed) == bytes(data)
        ):
            raise ValueError("a packed piece unpacks to something else")

    def seen(self, read: Callable[[bytes], Seen]) -> Seen:
        """Rows and exposed places: those that were counted before, less the pieces that went, and
        the new.
        """
        gone = [read(data) for data in _others(self.before, self.now)]
        new = [read(data) for data in _others(self.now, self.before)]
        rows = self.rows_before - sum(s.rows for s in gone) + sum(s.rows for s in new)
        return Seen(rows, sum(s.exposed for s in new))


def piece_check(path: Path, before: Path | None, rows_before: int) -> PieceCheck | None:
    """The check by pieces of a text, where an earlier release has the text in pieces too."""
    if before is None or path.name not in PIECE_READERS:
        return None
    now, then = (Earlier(p, p.with_name(p.name + GZIP.ending)) for p in (path, before))
    # What stands around the rows is looked at with the whole file.
    is_framed_alike = bool(now.pieces and then.pieces) and all(
        now.by_key[key].digest == then.by_key[key].digest for key in (HEAD, TAIL)
    )
    return PieceCheck(now, then, rows_before) if is_framed_alike else None


def _others(one: Earlier, other: Earlier) -> Iterator[bytes]:
    """The pieces of rows that one file has and the other has not."""
    assert one.plain is not None
    with one.plain.open("rb") as file:
        for piece in one.pieces:
            if piece.key not in {HEAD, TAIL} and piece.digest not in other.by_digest:
                file.seek(piece.start)
                yield file.read(piece.size)


def _inflated(packed: memoryview) -> bytes:
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed)
