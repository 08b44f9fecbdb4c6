"""Damage files: invert, cut off, blank or delete bytes."""

from collections.abc import Callable
from pathlib import Path


def flip(path: Path) -> None:
    """Invert a byte in the middle; keep the size."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def cut(path: Path) -> None:
    """Cut off half of the file."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def blank(path: Path) -> None:
    """Replace all bytes by zeros, as after a power cut on some file systems."""
    path.write_bytes(bytes(path.stat().st_size))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "flipped": flip,
    "cut": cut,
    "blank": blank,
    "gone": Path.unlink,
}
