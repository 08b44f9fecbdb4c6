"""Reading files that storage or transport may have put into a gzip, never more than allowed."""

import gzip
import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# A publisher's file larger than this once unpacked is a fault or an attack, not data.
MAX_UNPACKED_BYTES = 8 * 2**30
GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"

_CHUNK_BYTES = 2**20


class DamagedFileError(ValueError):
    """Bytes do not match their name, their gzip frame or their record."""


class OversizedFileError(ValueError):
    """A file unpacks to more than allowed."""


class Digest(NamedTuple):
    """SHA-256 and size of the unpacked bytes; `is_packed`: on disk they are in a gzip."""

    sha256: str
    size_bytes: int
    is_packed: bool


def is_gzip(path: Path) -> bool:
    """Return True when the file begins with gzip's magic number; its name does not count."""
    with path.open("rb") as probe:
        return probe.read(2) == GZIP_MAGIC


def unpacked_chunks(path: Path, max_bytes: int = MAX_UNPACKED_BYTES) -> Iterator[bytes]:
    """Yield a file's bytes, unpacked, by the megabyte. DamagedFileError, OversizedFileError."""
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
    """Digest and size of a file's unpacked bytes. Raises as `unpacked_chunks`."""
    sha256, size = hashlib.sha256(), 0
    for chunk in unpacked_chunks(path, max_bytes):
        sha256.update(chunk)
        size += len(chunk)
    return Digest(sha256.hexdigest(), size, is_gzip(path))


def only_member(content: bytes) -> bytes:
    """Return the one file in a zip archive; any other content as it is, workbooks included (they
    are archives too).

    Files that packing programs add are not counted. Raises DamagedFileError when the archive is
    broken or holds several files, OversizedFileError after MAX_UNPACKED_BYTES.
    """
    if not content.startswith(ZIP_MAGIC):
        return content
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [entry for entry in archive.infolist() if not entry.is_dir()]
            if any(entry.filename == "[Content_Types].xml" for entry in members):
                return content
            members = [entry for entry in members if not entry.filename.startswith("__MACOSX/")]
            # A KMZ: its icons and photographs are beside the one KML file.
            maps = [entry for entry in members if entry.filename.casefold().endswith(".kml")]
            members = maps if len(maps) == 1 else members
            if len(members) != 1:
                names = ", ".join(entry.filename for entry in members[:10])
                raise DamagedFileError(f"a zip archive of {len(members)} files, not one ({names})")
            if members[0].file_size > MAX_UNPACKED_BYTES:
                raise OversizedFileError(f"unpacks to more than {MAX_UNPACKED_BYTES} bytes")
            # No more than it says of itself is read, whatever it holds.
            inner = archive.read(members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise DamagedFileError(f"broken zip archive ({error})") from error
    return inner
