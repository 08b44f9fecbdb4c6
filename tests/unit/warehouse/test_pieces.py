"""Texts in pieces: what other readers find in them, what is taken over, and what must not be."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from pathlib import Path

import pytest

from warehouse.pieces import HEAD, NOTHING, TAIL, Earlier, PlainWriter, pieces_of, write_gzip

PIECES = [(HEAD, b"head\n"), (3, b"a" * 5000), (7, b"bb\n" * 400), (9, b""), (11, b"c"), (TAIL, b"end")]  # fmt: skip
WHOLE = b"".join(data for _, data in PIECES)


def _written(
    folder: Path, pieces: list[tuple[int, bytes]] = PIECES, earlier: Earlier = NOTHING
) -> Earlier:
    folder.mkdir()
    plain, packed = folder / "text", folder / "text.gz"
    with PlainWriter(plain, earlier) as writer:
        for key, data in pieces:
            writer.append(key, data)
    digest = write_gzip(plain, packed, writer.sizes, 4, earlier)
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
    taken, anew = _written(tmp_path / "taken", changed, before), _written(tmp_path / "anew", changed)  # fmt: skip
    assert _bytes(taken) == _bytes(anew)
    assert gzip.decompress(_bytes(taken)[1]) == b"".join(data for _, data in changed)


def test_a_piece_is_copied_with_another_opening(tmp_path: Path) -> None:
    before = _written(tmp_path / "before", [(1, b",one"), (2, b",two")])
    with PlainWriter(tmp_path / "text", before) as writer:
        writer.copy(2, b" ")
        writer.append(3, b",three", b"")
    assert (tmp_path / "text").read_bytes() == b" two,three"
    assert writer.sizes == [(2, 4), (3, 6)]


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
        write_gzip(tmp_path / "text", tmp_path / "text.gz", [(n, 0) for n in range(2000)], 4)
