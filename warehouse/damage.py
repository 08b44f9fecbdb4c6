"""Whether the files that the service opens are what the manifest of their release says.

`ReleaseStore.verify` reads a whole release before it is promoted. Disks lose bytes afterwards as well: what is
opened days later, after a restart, is looked at again.
"""

from __future__ import annotations

from pathlib import Path

from warehouse.build import DATABASE_NAME
from warehouse.files import sha256_of
from warehouse.manifest import FileEntry, Manifest


def _opened_files(manifest: Manifest) -> list[FileEntry]:
    """The files that the service answers from: its own tables and the database."""
    return [f for f in manifest.files if f.path.startswith("serving/") or f.path == DATABASE_NAME]


def resized_files(folder: Path, manifest: Manifest) -> list[str]:
    """What is missing or has another size of the files that the service opens, in words. Costs no reading."""
    faults = []
    for entry in _opened_files(manifest):
        path = folder / entry.path
        if not path.is_file():
            faults.append(f"{entry.path} is missing")
        elif path.stat().st_size != entry.size_bytes:
            faults.append(f"{entry.path} has another size")
    return faults


def changed_files(folder: Path, manifest: Manifest) -> list[str]:
    """What is damaged of the files that the service opens, in words. Reads them all, one after the other."""
    faults = resized_files(folder, manifest)
    if faults:
        return faults
    return [fault for entry in _opened_files(manifest) if (fault := _content_fault(folder, entry))]


def _content_fault(folder: Path, entry: FileEntry) -> str:
    try:
        digest = sha256_of(folder / entry.path)
    except OSError as error:  # a disk that cannot read it any more
        return f"{entry.path}: {error.strerror}"
    return f"{entry.path} has another content" if entry.sha256 and digest != entry.sha256 else ""
