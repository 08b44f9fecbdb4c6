"""Compares the files of a release with its manifest, before it is served.

`ReleaseStore.verify` reads a whole release before promotion. Disks may lose bytes afterwards.
"""

import errno
from collections.abc import Collection
from pathlib import Path

import duckdb
import msgspec

from warehouse.exports.gzip_files import GZIP_FAULTS
from warehouse.files import sha256_of
from warehouse.release.manifest import FileEntry, Manifest
from warehouse.release.tables import SERVING_FOLDER

# Faults of a file, not of the reading process (too many open files, no memory).
_LOST = (errno.EIO, errno.EBADMSG, errno.EUCLEAN, errno.ENOENT)
Faults = dict[str, str]


def list_open_files(manifest: Manifest) -> list[FileEntry]:
    """Return the files that any request may read."""
    return [f for f in manifest.files if f.path.startswith(f"{SERVING_FOLDER}/")]


def is_read_fault(error: BaseException) -> bool:
    """Return whether an error comes from unreadable bytes of the release."""
    if isinstance(error, GZIP_FAULTS):
        return True
    if isinstance(error, OSError):
        return error.errno in _LOST
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


def checksum_mismatches(folder: Path, entries: Collection[FileEntry]) -> Faults:
    """Return faults, in words by path, of files that differ from the manifest. Reads them one by
    one, unless a size is wrong already.

    Raises OSError if this process cannot read now.
    """
    faults = size_mismatches(folder, entries)
    if faults:
        return faults
    for entry in entries:
        try:
            digest = sha256_of(folder / entry.path)
        except OSError as error:
            if error.errno not in _LOST:
                raise
            faults[entry.path] = f"cannot be read: {error.strerror}"
        else:
            if entry.sha256 and digest != entry.sha256:
                faults[entry.path] = "has another content"
    return faults


def in_words(faults: Faults) -> str:
    """Return faults as one text, such as "serving/records.arrow has another size"."""
    return "; ".join(f"{path} {fault}" for path, fault in sorted(faults.items()))


def _size_fault(path: Path, entry: FileEntry) -> str:
    if not path.is_file():
        return "is missing"
    return "" if path.stat().st_size == entry.size_bytes else "has another size"
