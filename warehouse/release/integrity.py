"""Compares the files of a release with its manifest, before and while it is served.

`ReleaseStore.verify` reads a whole release before promotion. Disks may lose bytes afterwards.
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
# Faults of a file, not of the reading process (too many open files, no memory).
_LOST = (errno.EIO, errno.EBADMSG, errno.EUCLEAN, errno.ENOENT)
_OPENED = ("serving/", f"{TABLES_FOLDER}/")
Faults = dict[str, str]


def list_open_files(manifest: Manifest) -> list[FileEntry]:
    """Return the files that any request may read: the service files and the published tables."""
    return [f for f in manifest.files if f.path.startswith(_OPENED)]


def other_files(manifest: Manifest) -> list[FileEntry]:
    """Return all other files: bulk files, HSDS, exports."""
    open_paths = {entry.path for entry in list_open_files(manifest)}
    return [entry for entry in manifest.stored_files if entry.path not in open_paths]


def is_read_fault(error: BaseException) -> bool:
    """Return whether an error comes from unreadable bytes of the release."""
    if isinstance(error, GZIP_FAULTS):
        return True
    if isinstance(error, OSError):
        return error.errno in _LOST
    import duckdb  # noqa: PLC0415 - see `warehouse.duckdb.Connection`

    # DuckDB reports a damaged file as invalid input it cannot decompress. Its other errors are
    # faults of a query. The rest are stored records that are no longer valid JSON or text.
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
    """Return faults, in words by path, of files that are missing or have another size. Reads no
    file."""
    fault_of_path = ((entry.path, _size_fault(folder / entry.path, entry)) for entry in entries)
    return {path: fault for path, fault in fault_of_path if fault}


def checksum_mismatches(
    folder: Path, entries: Collection[FileEntry], *, is_gentle: bool = False
) -> Faults:
    """Return faults, in words by path, of files that differ from the manifest. Reads them one by
    one.

    `is_gentle`: with pauses, for a thread beside requests. A gigabyte then takes some ten seconds.
    Raises OSError if this process cannot read now.
    """
    faults = size_mismatches(folder, entries)
    if faults:
        return faults
    digest_of = _sha256_with_pauses if is_gentle else sha256_of
    fault_of_path = ((entry.path, _content_fault(folder, entry, digest_of)) for entry in entries)
    return {path: fault for path, fault in fault_of_path if fault}


def in_words(faults: Faults) -> str:
    """Return faults as one text, such as "serving/records.arrow has another size"."""
    return "; ".join(f"{path} {fault}" for path, fault in sorted(faults.items()))


def content_fault(entry: FileEntry, digest: str) -> str:
    """Return the fault of a completely read file; empty if it matches the manifest."""
    return "has another content" if entry.sha256 and digest != entry.sha256 else ""


def reading_fault(error: OSError) -> str:
    """Return the fault of an unreadable file. Raises the error if the file is not its cause."""
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
