"""Archives of map tiles in one file, PMTiles 3: https://github.com/protomaps/PMTiles.

A client fetches the tiles that it shows by ranges of bytes. The same tiles give the same bytes.
"""

import json
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from isal import isal_zlib

from warehouse.index.hilbert import hilbert_position

# Of the first bytes, which clients fetch together, the directory has a part: more tiles than this,
# and it names directories of so many tiles each.
_TILES_PER_DIRECTORY = 2048
_HEADER = struct.Struct("<7sB11Q6B4iB2i")
_GZIP, _VECTOR_TILES = 2, 1
_GZIP_FRAME = 31  # window bits of zlib
_PARTS_OF_A_DEGREE = 10_000_000


class Tile(NamedTuple):
    """A tile by its number (`tile_numbers`), as it is stored."""

    number: int
    content: bytes


class Extent(NamedTuple):
    """The part of the world that has tiles, in degrees, and their zooms."""

    west: float
    south: float
    east: float
    north: float
    min_zoom: int
    max_zoom: int


class _Entry(NamedTuple):
    """An entry of a directory. Without a run it leads to a directory."""

    number: int
    run: int
    offset: int
    length: int


def tile_numbers(zoom: int, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the numbers of tiles: all of a zoom follow those of the lower ones, along a curve."""
    return ((1 << 2 * zoom) - 1) // 3 + hilbert_position(x, y, zoom)


def pack(data: bytes) -> bytes:
    """Return bytes as an archive stores them."""
    return bytes(isal_zlib.compress(data, wbits=_GZIP_FRAME))


def write_archive(
    path: Path, tiles: Iterable[Tile], extent: Extent, metadata: Mapping[str, Any]
) -> None:
    """Write tiles, packed and in the order of their numbers. Raises OSError."""
    entries, contents, offset = [], [], 0
    for tile in tiles:
        entries.append(_Entry(tile.number, 1, offset, len(tile.content)))
        contents.append(tile.content)
        offset += len(tile.content)
    root, leaves = _directories(entries)
    about = pack(json.dumps(metadata, ensure_ascii=False).encode())
    with path.open("wb") as file:
        file.write(_header(extent, len(entries), len(root), len(about), len(leaves), offset))
        file.writelines((root, about, leaves, *contents))


def _header(extent: Extent, tiles: int, root: int, about: int, leaves: int, data: int) -> bytes:
    places: list[int] = []
    position = _HEADER.size
    for length in (root, about, leaves, data):
        places += (position, length)
        position += length
    sides = [round(side * _PARTS_OF_A_DEGREE) for side in extent[:4]]
    middle = ((sides[0] + sides[2]) // 2, (sides[1] + sides[3]) // 2)
    is_in_order = 1
    kinds = (is_in_order, _GZIP, _GZIP, _VECTOR_TILES, extent.min_zoom, extent.max_zoom)
    counts = (tiles, tiles, tiles)
    return _HEADER.pack(b"PMTiles", 3, *places, *counts, *kinds, *sides, extent.min_zoom, *middle)


def _directories(entries: list[_Entry]) -> tuple[bytes, bytes]:
    """Return the first directory, and those that it names one after the other."""
    if len(entries) <= _TILES_PER_DIRECTORY:
        return _directory(entries), b""
    named, leaves = [], b""
    for first in range(0, len(entries), _TILES_PER_DIRECTORY):
        part = entries[first : first + _TILES_PER_DIRECTORY]
        leaf = _directory(part)
        named.append(_Entry(part[0].number, 0, len(leaves), len(leaf)))
        leaves += leaf
    return _directory(named), leaves


def _directory(entries: list[_Entry]) -> bytes:
    """Return a directory of entries that follow each other without a gap."""
    numbers = [entry.number for entry in entries]
    steps = (b - a for a, b in zip([0, *numbers], numbers, strict=False))
    # The first offset plus one; a zero for what begins where the one before ends.
    offsets = [entry.offset + 1 for entry in entries[:1]] + [0] * (len(entries) - 1)
    columns = (steps, (e.run for e in entries), (e.length for e in entries), offsets)
    return pack(
        b"".join((_varint(len(entries)), *(_varint(n) for column in columns for n in column)))
    )


def _varint(number: int) -> bytes:
    """Return a number in groups of seven bits, the lowest first."""
    groups = bytearray()
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    return bytes(groups)
