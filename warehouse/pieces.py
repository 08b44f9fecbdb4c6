"""Large text files in pieces, so that a build writes and packs again only the pieces in which
something changed.

A piece is the rows with one key, chosen so that a new row moves no other row to another piece.
Pieces are packed
each by itself and joined as one deflate stream in one gzip member, which every reader takes. The
gzip header lists them in an extra field (RFC 1952, 2.3.1.1), which readers skip:

    "O" "L" <length> XXH3 of the rest:u64, then for each piece
    key:u32  plain bytes:u64  packed bytes:u32  CRC-32 of the packed bytes:u32  XXH3 of the plain:u64
    first 16 of the plain's SHA-256

Nothing else is remembered: the files of an earlier release are the store of pieces. The same rows
give the same
bytes, whether pieces were taken or made.

What a disk has damaged is not taken. A piece that is made is known by its SHA-256: two pieces count
as the same
only by that, since whoever wrote the rows might have wanted them to be mistaken for others. A piece
that is copied
was chosen by its key and is known by the header, which says what its SHA-256 was; whether its bytes
are
still those is a question of chance only, and XXH3 with its 64 bits answers it in a fraction of the
time. A packed
piece is taken when its CRC-32 is right, else it is packed anew.
"""

from __future__ import annotations

import errno
import hashlib
import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from xxhash import xxh3_64_intdigest

HEAD, TAIL = 0xFFFFFFFE, 0xFFFFFFFF  # keys of what stands before and after all rows
_ENTRY = struct.Struct("<IQIIQ16s")
_FIXED = (
    b"\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff"  # deflate, an extra field, no time, unknown system
)
_NAME = b"OL"
_OPENED = 12  # bytes of the extra field before the first entry
# The field's length has 16 bits.
MOST_PIECES = (0xFFFF - _OPENED) // _ENTRY.size
_LAST_BLOCK = b"\x03\x00"
COPY_BYTES = 1 << 20
# Another file system, another kind of file, an older kernel, or a container that forbids the call.
_NOT_IN_KERNEL = {errno.EXDEV, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS, errno.EPERM}


class DamagedError(ValueError):
    """A file in pieces is not what was written: nothing may be taken from the release that it
    belongs to.
    """


@dataclass(frozen=True)
class Piece:
    """A stretch of a file: what it holds, where it lies in the plain and in the packed file."""

    key: int
    size: int
    packed: int
    digest: bytes
    packed_crc: int = 0
    check: int = 0
    start: int = 0
    packed_start: int = 0


class Earlier:
    """A plain file of an earlier release and its packed twin; without pieces when there is none of
    ours.
    """

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
    """The pieces that a gzip file's header lists; none when it lists none, is damaged or does not
    exist.
    """
    try:
        with path.open("rb") as file:
            head = file.read(len(_FIXED) + 2)
            length = int.from_bytes(head[-2:], "little")
            extra = file.read(length)
            size = path.stat().st_size
    except FileNotFoundError:
        return []
    listed = extra[_OPENED:]
    if head[: len(_FIXED)] != _FIXED or extra[:_OPENED] != _opened(listed) or len(extra) != length:
        return []
    pieces, start, packed_start = [], 0, len(head) + length
    for key, plain, packed, crc, check, digest in _ENTRY.iter_unpack(listed):
        pieces.append(Piece(key, plain, packed, digest, crc, check, start, packed_start))
        start, packed_start = start + plain, packed_start + packed
    # The last block, CRC and length: a file that was cut short lists more than it has.
    return pieces if size == packed_start + len(_LAST_BLOCK) + 8 else []


def _opened(listed: bytes) -> bytes:
    """How the extra field begins."""
    return _NAME + struct.pack("<HQ", len(listed) + 8, xxh3_64_intdigest(listed))


# ------------------------------------------------------------------ reading


class Room:
    """Memory for reading that is used again: the kernel zeroes fresh memory, a page at a time."""

    def __init__(self) -> None:
        self._bytes = memoryview(bytearray())

    def read(self, file: BufferedReader, size: int) -> memoryview:
        """The next bytes of a file, fewer where it ends. They stand until the next call."""
        if size > len(self._bytes):
            self._bytes = memoryview(bytearray(size))
        return self._bytes[: file.readinto(self._bytes[:size])]


class _Sized(Protocol):
    @property
    def size(self) -> int: ...


_S = TypeVar("_S", bound=_Sized)


def read_blocks(
    file: BufferedReader, stretches: Iterable[_S]
) -> Iterator[tuple[memoryview, list[tuple[_S, memoryview]]]]:
    """The stretches of a file in order, some at a time: all their bytes, and the bytes of each.

    They stand until the next are asked for. Raises DamagedError when the file ends before.
    """
    room, size = Room(), 0
    block: list[_S] = []
    for stretch in stretches:
        if block and size + stretch.size > COPY_BYTES:
            yield _block(room.read(file, size), block, file.name)
            block, size = [], 0
        block.append(stretch)
        size += stretch.size
    yield _block(room.read(file, size), block, file.name)


def _block(
    data: memoryview, stretches: Sequence[_S], name: str
) -> tuple[memoryview, list[tuple[_S, memoryview]]]:
    parts, end = [], 0
    for stretch in stretches:
        parts.append((stretch, data[end : end + stretch.size]))
        end += stretch.size
    if end != len(data):
        raise DamagedError(f"{name} ends within a piece")
    return data, parts


# ------------------------------------------------------------------ the plain file


class Written(NamedTuple):
    """A stretch of a file that was written. A copy is the earlier file's piece of this key; nobody
    has looked at its bytes.
    """

    key: int
    size: int
    is_copy: bool = False


class PlainWriter:
    """Writes a file piece by piece, in order; remembers what it wrote.

    Pieces that lie side by side in the earlier file too are copied together, when something else is
    to be
    written or the writer is left.
    """

    def __init__(self, path: Path, earlier: Earlier = NOTHING) -> None:
        self._file = path.open("wb")
        self._earlier = earlier
        self._source: BufferedReader | None = None
        self._copied = self._to_copy = (
            0  # from where to where the earlier file is still to be copied
        )
        self.written: list[Written] = []
        self.end = 0  # bytes, with those to be copied

    def __enter__(self) -> PlainWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        try:
            if kind is None:
                self._copy()
        finally:
            self._file.close()
            if self._source:
                self._source.close()

    def append(self, key: int, data: bytes | memoryview, opening: bytes = b"") -> None:
        """More bytes of a piece; all bytes of a piece come before those of the next.

        `opening` takes the place of as many first bytes: how a file's first row begins.
        """
        self._copy()
        self._file.write(opening)
        self._file.write(memoryview(data)[len(opening) :])
        self._count(Written(key, len(data)))

    def copy(self, key: int, opening: bytes = b"") -> None:
        """The piece as the earlier file has it, but for the opening. Raises KeyError, DamagedError."""
        piece = self._earlier.by_key[key]
        if opening and self._bytes(piece, len(opening)) != opening:
            data = self._bytes(piece, piece.size)
            if xxh3_64_intdigest(data) != piece.check:
                raise DamagedError(f"{self._earlier.plain} is damaged in piece {key}")
            self.append(key, data, opening)
            return
        if piece.start != self._to_copy:
            self._copy()
            self._copied = piece.start
        self._to_copy = piece.start + piece.size
        self._count(Written(key, piece.size, is_copy=True))

    def _bytes(self, piece: Piece, size: int) -> bytes:
        """The first bytes of a piece of the earlier file."""
        return os.pread(self._opened().fileno(), size, piece.start)

    def _opened(self) -> BufferedReader:
        if self._source is None:
            assert self._earlier.plain is not None
            self._source = self._earlier.plain.open("rb")
        return self._source

    def _copy(self) -> None:
        """Copy what is still to be copied."""
        left = self._to_copy - self._copied
        if not left:
            return
        source, room = self._opened(), Room()
        self._file.flush()
        left -= _copied_in_kernel(source, self._copied, self._file.fileno(), self.end - left, left)
        self._file.seek(self.end - left)
        source.seek(self._to_copy - left)
        while left:
            data = room.read(source, min(left, COPY_BYTES))
            if not data:
                raise DamagedError(f"{self._earlier.plain} ends within a piece")
            self._file.write(data)
            left -= len(data)
        self._copied = self._to_copy

    def _count(self, stretch: Written) -> None:
        self.end += stretch.size
        if self.written and self.written[-1].key == stretch.key:
            stretch = Written(stretch.key, self.written.pop().size + stretch.size)
        self.written.append(stretch)


def _copied_in_kernel(source: BufferedReader, start: int, target: int, at: int, size: int) -> int:
    """Copy a range between files without touching it, as shared blocks where the file system has
    such.

    Returns how many bytes were copied: fewer where the source ends, or where the system does not do
    this.
    """
    done = 0
    try:
        # Linux has it, others have not.
        while done < size and hasattr(os, "copy_file_range"):
            copied = os.copy_file_range(
                source.fileno(), target, size - done, start + done, at + done
            )
            if copied == 0:
                break
            done += copied
    except OSError as error:
        if error.errno not in _NOT_IN_KERNEL:
            raise
    return done


# ------------------------------------------------------------------ packing


def write_gzip(
    plain: Path,
    target: Path,
    written: Sequence[Written],
    level: int,
    earlier: Earlier = NOTHING,
) -> str:
    """Pack a file that was written in these pieces; returns the plain file's SHA-256.

    Raises ValueError for more pieces than a header can list, DamagedError when a copy is not what
    the earlier
    file's header says.
    """
    if len(written) > MOST_PIECES:
        raise ValueError(
            f"{plain.name}: {len(written)} pieces, {MOST_PIECES} fit into a gzip header"
        )
    whole, crc, length = hashlib.sha256(), 0, 0
    entries: list[Piece] = []
    with plain.open("rb") as source, target.open("wb") as sink, _Packed(earlier) as kept:
        sink.write(_header([Piece(w.key, w.size, 0, b"") for w in written]))
        for block, stretches in read_blocks(source, written):
            whole.update(block)
            crc, length = zlib.crc32(block, crc), length + len(block)
            for stretch, data in stretches:
                digest, check = _known(stretch, data, earlier)
                packed = kept.of(digest, stretch.size) or _deflated(data, level)
                sink.write(packed)
                entries.append(
                    Piece(stretch.key, stretch.size, len(packed), digest, zlib.crc32(packed), check)
                )
        sink.write(_LAST_BLOCK + struct.pack("<II", crc, length & 0xFFFFFFFF))
        sink.seek(0)
        sink.write(_header(entries))
    return whole.hexdigest()


def _known(stretch: Written, data: memoryview, earlier: Earlier) -> tuple[bytes, int]:
    """Digest and check of a stretch: of a copy those that the earlier header tells, when the check
    is right.
    """
    check = xxh3_64_intdigest(data)
    if not stretch.is_copy:
        return hashlib.sha256(data).digest()[:16], check
    piece = earlier.by_key[stretch.key]
    if check != piece.check:
        raise DamagedError(f"{earlier.plain} is damaged in piece {stretch.key}")
    return piece.digest, check


def _header(pieces: Iterable[Piece]) -> bytes:
    listed = b"".join(
        _ENTRY.pack(p.key, p.size, p.packed, p.packed_crc, p.check, p.digest.ljust(16, b"\0"))
        for p in pieces
    )
    field = _opened(listed) + listed
    return _FIXED + struct.pack("<H", len(field)) + field


def _deflated(data: memoryview, level: int) -> bytes:
    """A stretch of a deflate stream that refers to nothing before it and ends at a whole byte."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)


class _Packed:
    """Packed pieces of the earlier file, by the digest of what they hold."""

    def __init__(self, earlier: Earlier) -> None:
        self._room = Room()
        self._pieces = earlier.by_digest
        self._file = earlier.packed.open("rb") if self._pieces and earlier.packed else None

    def __enter__(self) -> _Packed:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._file:
            self._file.close()

    def of(self, digest: bytes, size: int) -> memoryview | None:
        """The packed piece that holds this. It stands until the next call."""
        piece = self._pieces.get(digest)
        if piece is None or piece.size != size or self._file is None:
            return None
        self._file.seek(piece.packed_start)
        packed = self._room.read(self._file, piece.packed)
        return packed if zlib.crc32(packed) == piece.packed_crc else None


def runs_of_keys(keys: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """(key, first, end) of each run of equal keys."""
    first = 0
    for n in range(1, len(keys) + 1):
        if n == len(keys) or keys[n] != keys[first]:
            yield keys[first], first, n
            first = n
