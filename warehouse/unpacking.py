"""Reads files that storage or transport may have gzipped, up to a size limit."""

import gzip
import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

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
