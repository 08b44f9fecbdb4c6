"""Damage files: invert, cut off, blank or delete bytes."""

from collections.abc import Callable
from pathlib import Path


def flip(path: Path) -> None:
    """Invert a byte in the middle; keep the size."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def flip_blocks(path: Path) -> None:
    """Invert a byte of every 4 kB except the first three, in place: open files stay open."""
    with path.open("r+b") as file:
        for at in range(min(3 * 4096, path.stat().st_size // 2), path.stat().st_size, 4096):
            file.seek(at)
            (byte,) = file.read(1)
            file.seek(at)
            file.write(bytes([byte ^ 0xFF]))


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
