"""Large text files in pieces, so that a build writes and packs again only the pieces in which something changed.

A piece is the rows with one key, chosen so that a new row moves no other row to another piece. Pieces are packed
each by itself and joined as one deflate stream in one gzip member, which every reader takes. The gzip header lists them in an extra field (RFC 1952, 2.3.1.1), which readers skip:

    "O" "L" <length>, then for each piece
    key:u32  plain bytes:u64  packed bytes:u32  CRC-32 of the packed bytes:u32  first 16 of the plain's SHA-256

Nothing else is remembered: the files of an earlier release are the store of pieces, and a packed piece is
taken from there only when its bytes are as they were written and hold what is wanted. The same rows give the
same bytes, whether pieces were taken or made.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

HEAD, TAIL = 0xFFFFFFFE, 0xFFFFFFFF  # keys of what stands before and after all rows
_ENTRY = struct.Struct("<IQII16s")
_FIXED = (
    b"\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff"  # deflate, an extra field, no time, unknown system
)
_NAME = b"OL"
# The field's length has 16 bits.
MOST_PIECES = (0xFFFF - 4) // _ENTRY.size
_LAST_BLOCK = b"\x03\x00"
_COPY_BYTES = 1 << 20


@dataclass(frozen=True)
class Piece:
    """A stretch of a file: what it holds, where it lies in the plain and in the packed file."""

    key: int
    size: int
    packed: int
    digest: bytes
    packed_crc: int = 0
    start: int = 0
    packed_start: int = 0


class Earlier:
    """A plain file of an earlier release and its packed twin; without pieces when there is none of ours."""

    def __init__(self, plain: Path | None, packed: Path | None) -> None:
        self.plain, self.packed = plain, packed
        self.pieces = pieces_of(packed) if packed else []
        if plain is None or not plain.is_file() or plain.stat().st_size != _plain_size(self.pieces):
            self.pieces = []
        self.by_key = {piece.key: piece for piece in self.pieces}
        self.by_digest = {piece.digest: piece for piece in self.pieces}


NOTHING = Earlier(None, None)


def _plain_size(pieces: Sequence[Piece]) -> int:
    return pieces[-1].start + pieces[-1].size if pieces else -1


def pieces_of(path: Path) -> list[Piece]:
    """The pieces that a gzip file's header lists; none when it lists none or does not exist."""
    try:
        with path.open("rb") as file:
            head = file.read(len(_FIXED) + 2)
            length = int.from_bytes(head[-2:], "little")
            extra = file.read(length)
            size = path.stat().st_size
    except FileNotFoundError:
        return []
    if head[: len(_FIXED)] != _FIXED or len(extra) != length or extra[:2] != _NAME:
        return []
    pieces, start, packed_start = [], 0, len(head) + length
    for key, plain, packed, crc, digest in _ENTRY.iter_unpack(extra[4:]):
        pieces.append(Piece(key, plain, packed, digest, crc, start, packed_start))
        start, packed_start = start + plain, packed_start + packed
    # The last block, CRC and length: a file that was cut short lists more than it has.
    return pieces if size == packed_start + len(_LAST_BLOCK) + 8 else []


# ------------------------------------------------------------------ the plain file


class PlainWriter:
    """Writes a file piece by piece, in order; remembers where each begins."""

    def __init__(self, path: Path, earlier: Earlier = NOTHING) -> None:
        self._file = path.open("wb")
        self._earlier = earlier
        self._source: BinaryIO | None = None
        self.sizes: list[tuple[int, int]] = []  # (key, bytes)

    def __enter__(self) -> PlainWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()
        if self._source:
            self._source.close()

    @property
    def end(self) -> int:
        """Bytes written so far."""
        return self._file.tell()

    def append(self, key: int, data: bytes | memoryview, opening: bytes = b"") -> None:
        """More bytes of a piece; all bytes of a piece come before those of the next.

        `opening` takes the place of as many first bytes: how a file's first row begins.
        """
        self._file.write(opening)
        self._file.write(memoryview(data)[len(opening) :])
        self._count(key, len(data))

    def copy(self, key: int, opening: bytes = b"") -> None:
        """The piece as the earlier file has it. Raises KeyError."""
        piece = self._earlier.by_key[key]
        if self._source is None:
            assert self._earlier.plain is not None
            self._source = self._earlier.plain.open("rb")
        self._source.seek(piece.start + len(opening))
        self._file.write(opening)
        left = piece.size - len(opening)
        while left:
            data = self._source.read(min(left, _COPY_BYTES))
            if not data:
                raise EOFError(f"{self._earlier.plain} ends within a piece")
            self._file.write(data)
            left -= len(data)
        self._count(key, piece.size)

    def _count(self, key: int, size: int) -> None:
        if self.sizes and self.sizes[-1][0] == key:
            self.sizes[-1] = (key, self.sizes[-1][1] + size)
        else:
            self.sizes.append((key, size))


# ------------------------------------------------------------------ packing


def write_gzip(
    plain: Path,
    target: Path,
    sizes: Sequence[tuple[int, int]],
    level: int,
    earlier: Earlier = NOTHING,
) -> str:
    """Pack a file whose pieces have these keys and sizes (bytes); returns the plain file's SHA-256.

    Raises ValueError for more pieces than a header can list.
    """
    if len(sizes) > MOST_PIECES:
        raise ValueError(f"{plain.name}: {len(sizes)} pieces, {MOST_PIECES} fit into a gzip header")
    whole, crc, length = hashlib.sha256(), 0, 0
    entries: list[Piece] = []
    with plain.open("rb") as source, target.open("wb") as sink, _Packed(earlier) as kept:
        sink.write(_header([Piece(key, size, 0, b"") for key, size in sizes]))
        for key, size in sizes:
            data = source.read(size)
            whole.update(data)
            crc, length = zlib.crc32(data, crc), length + size
            digest = hashlib.sha256(data).digest()[:16]
            packed = kept.of(digest, size) or _deflated(data, level)
            sink.write(packed)
            entries.append(Piece(key, size, len(packed), digest, zlib.crc32(packed)))
        sink.write(_LAST_BLOCK + struct.pack("<II", crc, length & 0xFFFFFFFF))
        sink.seek(0)
        sink.write(_header(entries))
    return whole.hexdigest()


def _header(pieces: Iterable[Piece]) -> bytes:
    listed = b"".join(
        _ENTRY.pack(p.key, p.size, p.packed, p.packed_crc, p.digest.ljust(16, b"\0"))
        for p in pieces
    )
    field = _NAME + struct.pack("<H", len(listed)) + listed
    return _FIXED + struct.pack("<H", len(field)) + field


def _deflated(data: bytes, level: int) -> bytes:
    """A stretch of a deflate stream that refers to nothing before it and ends at a whole byte."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)


class _Packed:
    """Packed pieces of the earlier file, by the digest of what they hold."""

    def __init__(self, earlier: Earlier) -> None:
        self._pieces = earlier.by_digest
        self._file = earlier.packed.open("rb") if self._pieces and earlier.packed else None

    def __enter__(self) -> _Packed:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._file:
            self._file.close()

    def of(self, digest: bytes, size: int) -> bytes | None:
        piece = self._pieces.get(digest)
        if piece is None or piece.size != size or self._file is None:
            return None
        self._file.seek(piece.packed_start)
        packed = self._file.read(piece.packed)
        return packed if zlib.crc32(packed) == piece.packed_crc else None


def runs_of_keys(keys: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """(key, first, end) of each run of equal keys."""
    first = 0
    for n in range(1, len(keys) + 1):
        if n == len(keys) or keys[n] != keys[first]:
            yield keys[first], first, n
            first = n
