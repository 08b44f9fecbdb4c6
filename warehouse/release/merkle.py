"""Merkle tree of the release log (RFC 6962, 2.1) and its tiles (https://c2sp.org/tlog-tiles).

A leaf is a line of the log without its line end. A tile holds up to 256 hashes of one level; only
the last of each level is partial.
"""

import hashlib
import re
from collections.abc import Sequence

TILE_WIDTH = 256
_ENTRIES = "entries"
_PATH = re.compile(
    r"(entries|[0-9]|[1-5][0-9]|6[0-3])/((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?"
)


def leaf_hash(entry: bytes) -> bytes:
    """Return hash of an entry as a leaf."""
    return hashlib.sha256(b"\x00" + entry).digest()


def root_hash(hashes: Sequence[bytes]) -> bytes:
    """Return Merkle tree hash of leaves, or of the roots of equal whole subtrees in their place."""
    if len(hashes) <= 1:
        return hashes[0] if hashes else hashlib.sha256().digest()
    middle = 1 << (len(hashes) - 1).bit_length() - 1
    both = root_hash(hashes[:middle]) + root_hash(hashes[middle:])
    return hashlib.sha256(b"\x01" + both).digest()


def tile_path(level: int | None, number: int, width: int = TILE_WIDTH) -> str:
    """Return a tile's path below `tile/`: `0/x001/067` or, partial, `0/000.p/5`."""
    groups = [f"{number % 1000:03d}"]
    while number := number // 1000:
        groups.insert(0, f"x{number % 1000:03d}")
    part = "" if width == TILE_WIDTH else f".p/{width}"
    return f"{_ENTRIES if level is None else level}/{'/'.join(groups)}{part}"


def read_tile(entries: Sequence[bytes], path: str) -> bytes | None:
    """Return the tile at a path below `tile/`; None for a path that is not a tile, or not complete
    yet."""
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    level = None if match[1] == _ENTRIES else int(match[1])
    number = int(re.sub(r"[x/]", "", match[2]))
    width = int(match[3] or TILE_WIDTH)
    if path != tile_path(level, number, width) or width > TILE_WIDTH:
        return None
    size = TILE_WIDTH ** (level or 0)
    begin = number * TILE_WIDTH * size
    own = entries[begin : begin + width * size]
    if len(own) < width * size:
        return None
    if level is None:
        return b"".join(len(entry).to_bytes(2) + entry for entry in own)
    leaves = [leaf_hash(entry) for entry in own]
    return b"".join(root_hash(leaves[at : at + size]) for at in range(0, len(leaves), size))
