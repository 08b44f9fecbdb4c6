"""Texts in pieces: what other readers find in them, what is taken over, and what must not be."""

from __future__ import annotations

import errno
import gzip
import hashlib
import os
import zlib
from io import BufferedReader
from pathlib import Path

import pytest

from warehouse import pieces
from warehouse.pieces import (
    COPY_BYTES,
    HEAD,
    NOTHING,
    TAIL,
    DamagedError,
    Earlier,
    PlainWriter,
    Written,
    pieces_of,
    write_gzip,
)

PIECES = [
    (HEAD, b"head\n"),
    (3, b"a" * 5000),
    (7, b"bb\n" * 400),
    (9, b""),
    (11, b"c"),
    (TAIL, b"end"),
]
WHOLE = b"".join(data for _, data in PIECES)


def _written(
    folder: Path, pieces: list[tuple[int, bytes]] = PIECES, earlier: Earlier = NOTHING
) -> Earlier:
    folder.mkdir()
    plain, packed = folder / "text", folder / "text.gz"
    with PlainWriter(plain, earlier) as writer:
        for key, data in pieces:
            writer.append(key, data)
    digest = write_gzip(plain, packed, writer.written, 4, earlier)
    assert digest == hashlib.sha256(plain.read_bytes()).hexdigest()
    return Earlier(plain, packed)


def _bytes(earlier: Earlier) -> tuple[bytes, bytes]:
    assert earlier.plain is not None
    assert earlier.packed is not None
    return earlier.plain.read_bytes(), earlier.packed.read_bytes()


def test_the_twin_is_one_gzip_member_for_every_reader(tmp_path: Path) -> None:
    plain, packed = _bytes(_written(tmp_path / "one"))
    assert plain == gzip.decompress(packed) == WHOLE
    reader = zlib.decompressobj(31)  # reads the first member and no further
    assert reader.decompress(packed) == WHOLE
    assert reader.eof
    assert not reader.unused_data


def test_the_header_says_where_every_piece_lies(tmp_path: Path) -> None:
    written = _written(tmp_path / "one")
    plain, packed = _bytes(written)
    for piece, (key, data) in zip(written.pieces, PIECES, strict=True):
        assert piece.key == key
        assert plain[piece.start : piece.start + piece.size] == data
        part = packed[piece.packed_start : piece.packed_start + piece.packed]
        assert zlib.decompressobj(-15).decompress(part) == data


def test_equal_pieces_give_equal_bytes_taken_over_or_not(tmp_path: Path) -> None:
    before = _written(tmp_path / "before")
    changed = [(key, b"other" if key == 7 else data) for key, data in PIECES]
    taken, anew = (
        _written(tmp_path / "taken", changed, before),
        _written(tmp_path / "anew", changed),
    )
    assert _bytes(taken) == _bytes(anew)
    assert gzip.decompress(_bytes(taken)[1]) == b"".join(data for _, data in changed)


def test_a_piece_is_copied_with_another_opening(tmp_path: Path) -> None:
    before = _written(tmp_path / "before", [(1, b",one"), (2, b",two")])
    with PlainWriter(tmp_path / "text", before) as writer:
        writer.copy(2, b" ")
        writer.append(3, b",three", b"")
    assert (tmp_path / "text").read_bytes() == b" two,three"
    assert writer.written == [Written(2, 4), Written(3, 6)]


def _copied(folder: Path, before: Earlier, keys: list[int]) -> bytes:
    """What comes of a file of some of these pieces with a new one in the middle."""
    with PlainWriter(folder / "copy", before) as writer:
        for key in keys[:2]:
            writer.copy(key)
        writer.append(5, b"new")
        for key in keys[2:]:
            writer.copy(key)
        end = writer.end
    content = (folder / "copy").read_bytes()
    assert end == len(content)
    assert [w.size for w in writer.written if w.is_copy] == [
        before.by_key[key].size for key in keys
    ]
    return content


COPIED = [HEAD, 3, 7, 9, 11, TAIL]
WITH_NEW = b"".join(b"new" + data if key == 7 else data for key, data in PIECES)


def test_pieces_side_by_side_are_copied_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _written(tmp_path / "before")
    ranges: list[tuple[int, int]] = []
    in_kernel = pieces._copied_in_kernel

    def noting(source: BufferedReader, start: int, target: int, at: int, size: int) -> int:
        ranges.append((start, size))
        return in_kernel(source, start, target, at, size)

    monkeypatch.setattr(pieces, "_copied_in_kernel", noting)
    assert _copied(tmp_path, before, COPIED) == WITH_NEW
    assert ranges == [(0, 5005), (5005, 1204)]


@pytest.mark.parametrize(
    "number", [errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM]
)
@pytest.mark.parametrize("most", [0, 7], ids=["at once", "after some bytes"])
def test_what_the_kernel_does_not_copy_is_read_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, most: int
) -> None:
    before = _written(tmp_path / "before")
    copy, calls = os.copy_file_range, iter([most, 0, most, 0])

    def refusing(source: int, target: int, size: int, start: int, at: int) -> int:
        if allowed := next(calls):
            return copy(source, target, min(size, allowed), start, at)
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "copy_file_range", refusing)
    assert _copied(tmp_path, before, COPIED) == WITH_NEW


def test_the_kernel_may_copy_a_few_bytes_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, copy = _written(tmp_path / "before"), os.copy_file_range
    monkeypatch.setattr(
        os,
        "copy_file_range",
        lambda source, target, size, *at: copy(source, target, min(size, 11), *at),
    )
    assert _copied(tmp_path, before, COPIED) == WITH_NEW


def test_other_systems_have_no_such_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _written(tmp_path / "before")
    monkeypatch.delattr(os, "copy_file_range")
    assert _copied(tmp_path, before, COPIED) == WITH_NEW


def test_a_full_disk_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _written(tmp_path / "before")

    def full(*args: int) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "copy_file_range", full)
    with pytest.raises(OSError, match="No space left"):
        _copied(tmp_path, before, COPIED)


def test_pieces_may_be_larger_than_what_is_read_at_once(tmp_path: Path) -> None:
    large = [(1, b"x" * (COPY_BYTES - 1)), (2, b"yz"), (3, b"w" * (3 * COPY_BYTES)), (4, b"v")]
    before = _written(tmp_path / "before", large)
    with PlainWriter(tmp_path / "text", before) as writer:
        for key, _ in large:
            writer.copy(key)
    write_gzip(tmp_path / "text", tmp_path / "text.gz", writer.written, 4, before)
    assert (tmp_path / "text").read_bytes() == b"".join(data for _, data in large)
    assert before.packed is not None
    assert (tmp_path / "text.gz").read_bytes() == before.packed.read_bytes()


# ---------------------------------------------------------------- damage


def _flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def test_a_damaged_plain_piece_is_noticed(tmp_path: Path) -> None:
    before = _written(tmp_path / "before")
    assert before.plain is not None
    _flip(before.plain, before.by_key[7].start + 1)
    with PlainWriter(tmp_path / "text", before) as writer:
        writer.copy(3)
    write_gzip(tmp_path / "text", tmp_path / "text.gz", writer.written, 4, before)
    with PlainWriter(tmp_path / "text", before) as writer:
        writer.copy(3)
        writer.copy(7)
    with pytest.raises(DamagedError, match="is damaged in piece 7"):
        write_gzip(tmp_path / "text", tmp_path / "text.gz", writer.written, 4, before)


def test_a_damaged_piece_gets_no_other_opening(tmp_path: Path) -> None:
    before = _written(tmp_path / "before", [(1, b",one"), (2, b",two")])
    assert before.plain is not None
    _flip(before.plain, 6)
    with (
        PlainWriter(tmp_path / "text", before) as writer,
        pytest.raises(DamagedError, match="piece 2"),
    ):
        writer.copy(2, b" ")


def test_a_file_that_is_cut_short_meanwhile_is_noticed(tmp_path: Path) -> None:
    before = _written(tmp_path / "before")
    assert before.plain is not None
    before.plain.write_bytes(WHOLE[:5010])
    with pytest.raises(DamagedError, match="ends within a piece"):
        _copied(tmp_path, before, COPIED)
    with pytest.raises(DamagedError, match="ends within a piece"):
        write_gzip(before.plain, tmp_path / "text.gz", [Written(1, 6000)], 4)


def test_nothing_is_copied_after_an_error(tmp_path: Path) -> None:
    before = _written(tmp_path / "before")
    with pytest.raises(KeyError):
        _copied(tmp_path, before, [3, 8])
    assert (tmp_path / "copy").read_bytes() == b""


def test_a_damaged_header_lists_no_pieces(tmp_path: Path) -> None:
    before = _written(tmp_path / "before")
    assert before.packed is not None
    data = before.packed.read_bytes()
    for place in range(before.pieces[0].packed_start):
        (tmp_path / "damaged.gz").write_bytes(
            data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        )
        assert pieces_of(tmp_path / "damaged.gz") == []


def test_a_damaged_packed_piece_is_not_taken(tmp_path: Path) -> None:
    before = _written(tmp_path / "before")
    assert before.packed is not None
    data, piece = bytearray(before.packed.read_bytes()), before.by_key[3]
    data[piece.packed_start + 2] ^= 0xFF
    before.packed.write_bytes(data)
    after = _written(tmp_path / "after", earlier=Earlier(before.plain, before.packed))
    assert gzip.decompress(_bytes(after)[1]) == WHOLE


@pytest.mark.parametrize("cut", [1, 9, 30, 400])
def test_a_file_that_was_cut_short_has_no_pieces(tmp_path: Path, cut: int) -> None:
    written = _written(tmp_path / "one")
    plain, packed = _bytes(written)
    (tmp_path / "short.gz").write_bytes(packed[:-cut])
    assert pieces_of(tmp_path / "short.gz") == []
    (tmp_path / "short").write_bytes(plain[:-cut])
    assert Earlier(tmp_path / "short", written.packed).pieces == []


@pytest.mark.parametrize(
    "content", [b"", b"no gzip at all", gzip.compress(b"of another writer", mtime=0)]
)
def test_what_others_have_packed_has_no_pieces(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other.gz").write_bytes(content)
    assert pieces_of(tmp_path / "other.gz") == []
    assert pieces_of(tmp_path / "missing.gz") == []


def test_more_pieces_than_a_header_holds_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").touch()
    with pytest.raises(ValueError, match="fit into a gzip header"):
        write_gzip(tmp_path / "text", tmp_path / "text.gz", [Written(n, 0) for n in range(2000)], 4)
