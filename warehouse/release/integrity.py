"""Compares the files of a release with its manifest, before it is served and while it is.

`ReleaseStore.verify` reads a whole release before it is promoted. Disks lose bytes afterwards as
well.
"""

import errno
import hashlib
import time
from collections.abc import Callable, Collection
from pathlib import Path

import msgspec

from warehouse.exports.gzip_files import GZIP_FAULTS
from warehouse.files import sha256_of
from warehouse.release.manifest import FileEntry, Manifest
from warehouse.release.tables import TABLES_FOLDER

PIECE_BYTES = 1 << 20
# Nine parts rest for one part work: each piece takes a processor for about a millisecond.
_PAUSE_SECONDS = 0.01
# Of a file, not of the process that reads it (too many open files, no memory).
_LOST = (errno.EIO, errno.EBADMSG, errno.EUCLEAN, errno.ENOENT)
_OPENED = ("serving/", f"{TABLES_FOLDER}/")
Faults = dict[str, str]


def list_open_files(manifest: Manifest) -> list[FileEntry]:
    """Return the files that every request may read: the service's own and the published tables."""
    return [f for f in manifest.files if f.path.startswith(_OPENED)]


def other_files(manifest: Manifest) -> list[FileEntry]:
    """Return all other files: those published whole, HSDS, exports."""
    opened = {entry.path for entry in list_open_files(manifest)}
    return [entry for entry in manifest.stored_files if entry.path not in opened]


def is_read_fault(error: BaseException) -> bool:
    """Return whether an error comes from unreadable bytes of the release."""
    if isinstance(error, GZIP_FAULTS):
        return True
    if isinstance(error, OSError):
        return error.errno in _LOST
    import duckdb  # noqa: PLC0415 - see `warehouse.duckdb.Connection`

    # Of DuckDB, for a damaged file: bytes it cannot unpack are invalid input. Its other errors are
    # faults of a query. Of stored records that are no JSON or no text any more.
    faults = (
        duckdb.IOException,
        duckdb.InvalidInputException,
        duckdb.FatalException,
        duckdb.InternalException,
        duckdb.SerializationException,
        msgspec.DecodeError,
        UnicodeDecodeError,
    )
    return isinstance(error, faults) or type(error) is duckdb.Error


def size_mismatches(folder: Path, entries: Collection[FileEntry]) -> Faults:
    """Return faults, in words by path, of files that are missing or have another size. Costs no
    reading.
    """
    found = ((entry.path, _size_fault(folder / entry.path, entry)) for entry in entries)
    return {path: fault for path, fault in found if fault}


def checksum_mismatches(
    folder: Path, entries: Collection[FileEntry], *, is_gentle: bool = False
) -> Faults:
    """Return faults, in words by path, of files that are not as in the manifest. Reads them, one
    after the other.

    `is_gentle`: with pauses, for a thread while others answer. A gigabyte then takes some ten
    seconds. Raises OSError when this process cannot read now.
    """
    faults = size_mismatches(folder, entries)
    if faults:
        return faults
    digest_of = _sha256_with_pauses if is_gentle else sha256_of
    found = ((entry.path, _content_fault(folder, entry, digest_of)) for entry in entries)
    return {path: fault for path, fault in found if fault}


def in_words(faults: Faults) -> str:
    """Return faults as one text, such as "serving/records.arrow has another size"."""
    return "; ".join(f"{path} {fault}" for path, fault in sorted(faults.items()))


def content_fault(entry: FileEntry, digest: str) -> str:
    """Return the fault of a file that was read whole; empty when it is as in the manifest."""
    return "has another content" if entry.sha256 and digest != entry.sha256 else ""


def reading_fault(error: OSError) -> str:
    """Return the fault of a file that cannot be read. Raises the error when it is none of the file."""
    if error.errno not in _LOST:
        raise error
    return f"cannot be read: {error.strerror}"


def _size_fault(path: Path, entry: FileEntry) -> str:
    if not path.is_file():
        return "is missing"
    return "" if path.stat().st_size == entry.size_bytes else "has another size"


def _content_fault(folder: Path, entry: FileEntry, digest_of: Callable[[Path], str]) -> str:
    try:
        return content_fault(entry, digest_of(folder / entry.path))
    except OSError as error:
        return reading_fault(error)


def _sha256_with_pauses(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            digest.update(piece)
            if len(piece) == PIECE_BYTES:
                time.sleep(_PAUSE_SECONDS)
    return digest.hexdigest()
