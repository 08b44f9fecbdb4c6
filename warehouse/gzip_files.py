"""Writes the gzip files in which a release stores its texts, and reads files that may be gzipped.

Equal input gives equal bytes (no name and no time in the header). A file is one gzip member.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

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


# A publisher's file that unpacks to more is a fault or an attack, not data.
MAX_UNPACKED_BYTES = 8 * 2**30
GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"

_CHUNK_BYTES = 2**20


class DamagedFileError(ValueError):
    """The bytes do not match their name, gzip framing or record."""


class OversizedFileError(ValueError):
    """A file unpacks to more than the limit."""


class Digest(NamedTuple):
    """SHA-256 and size of the unpacked bytes; `is_packed`: on disk they are in a gzip."""

    sha256: str
    size_bytes: int
    is_packed: bool


def is_gzip(path: Path) -> bool:
    """Return whether the file begins with gzip's magic number, regardless of its name."""
    with path.open("rb") as probe:
        return probe.read(2) == GZIP_MAGIC


def unpack_chunks(path: Path, max_bytes: int = MAX_UNPACKED_BYTES) -> Iterator[bytes]:
    """Yield a file's unpacked bytes in megabyte chunks. DamagedFileError, OversizedFileError."""
    size = 0
    try:
        with gzip.open(path) if is_gzip(path) else path.open("rb") as stream:
            while chunk := stream.read(_CHUNK_BYTES):
                size += len(chunk)
                if size > max_bytes:
                    raise OversizedFileError(f"unpacks to more than {max_bytes} bytes")
                yield chunk
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DamagedFileError(f"broken gzip ({error})") from error


def digest_of(path: Path, max_bytes: int = MAX_UNPACKED_BYTES) -> Digest:
    """Digest and size of a file's unpacked bytes. Raises as `unpack_chunks`."""
    sha256, size = hashlib.sha256(), 0
    for chunk in unpack_chunks(path, max_bytes):
        sha256.update(chunk)
        size += len(chunk)
    return Digest(sha256.hexdigest(), size, is_gzip(path))


def only_member(content: bytes) -> bytes:
    """Return the single file in a zip archive; other content unchanged, including workbooks
    (archives too).

    Files added by packing programs are ignored. Raises DamagedFileError if the archive is broken or
    has several files, OversizedFileError after MAX_UNPACKED_BYTES.
    """
    if not content.startswith(ZIP_MAGIC):
        return content
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [entry for entry in archive.infolist() if not entry.is_dir()]
            if any(entry.filename == "[Content_Types].xml" for entry in members):
                return content
            members = [entry for entry in members if not entry.filename.startswith("__MACOSX/")]
            # A KMZ: its icons and photographs accompany the one KML file.
            maps = [entry for entry in members if entry.filename.casefold().endswith(".kml")]
            members = maps if len(maps) == 1 else members
            if len(members) != 1:
                names = ", ".join(entry.filename for entry in members[:10])
                raise DamagedFileError(f"a zip archive of {len(members)} files, not one ({names})")
            if members[0].file_size > MAX_UNPACKED_BYTES:
                raise OversizedFileError(f"unpacks to more than {MAX_UNPACKED_BYTES} bytes")
            # Reads at most the declared size, whatever the archive contains.
            inner = archive.read(members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise DamagedFileError(f"broken zip archive ({error})") from error
    return inner
