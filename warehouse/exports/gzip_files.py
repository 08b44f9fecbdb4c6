"""Gzip files, in which a release stores its texts.

Equal input gives equal bytes (no name and no time in the header). A file is one gzip member.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import IO, cast

from isal import igzip, isal_zlib

GZIP_ENDING = ".gz"
# A class, although the library types it as an instance.
_DECODING = cast(type[Exception], isal_zlib.error)
# Raised for a damaged file: cut short, not gzip, a wrong checksum, undecodable bytes.
GZIP_FAULTS = (EOFError, igzip.BadGzipFile, _DECODING)
# ISA-L's level: five times as fast as zlib's level 4, a tenth larger.
_LEVEL = 2
_COPY_BYTES = 1 << 20
_GZIP_FRAME = 31  # window bits of zlib: with a gzip header


class GzipWriter:
    """Writes a gzip file; knows size and SHA-256 of its content."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._packer = isal_zlib.compressobj(_LEVEL, wbits=_GZIP_FRAME)
        self._digest = hashlib.sha256()
        self.size_bytes = 0

    def __enter__(self) -> GzipWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        with self._file:
            if kind is None:
                self._file.write(self._packer.flush())

    def write(self, data: bytes | memoryview) -> None:
        self._digest.update(data)
        self.size_bytes += len(data)
        self._file.write(self._packer.compress(data))

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    @property
    def size_and_digest(self) -> tuple[int, str]:
        """Size and SHA-256 of the content, as `measure_gzip` returns them."""
        return self.size_bytes, self.sha256


def write_gzip(path: Path, data: bytes) -> None:
    """Write a text as a gzip file; `path` is the path of the text."""
    with GzipWriter(gzip_path(path)) as file:
        file.write(data)


def gzip_path(path: Path) -> Path:
    """Return the path of the gzip file that stores a file."""
    return path.with_name(path.name + GZIP_ENDING)


def open_gzip(path: Path) -> IO[bytes]:
    """Open a gzip file to read its content."""
    return cast(IO[bytes], igzip.IGzipFile(path, "rb"))  # type: ignore[no-untyped-call]


def measure_gzip(path: Path) -> tuple[int, str]:
    """Return size and SHA-256 of a gzip file's content. Raises OSError when it is damaged."""
    digest, size = hashlib.sha256(), 0
    with open_gzip(path) as stream:
        while data := stream.read(_COPY_BYTES):
            digest.update(data)
            size += len(data)
    return size, digest.hexdigest()
