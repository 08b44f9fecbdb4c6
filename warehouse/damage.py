"""Whether the files that the service opens are what the manifest of their release says.

`ReleaseStore.verify` reads a whole release before it is promoted. Disks lose bytes afterwards as well: what is
opened days later, after a restart, is looked at again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path

from warehouse.build import DATABASE_NAME
from warehouse.files import sha256_of
from warehouse.manifest import FileEntry, Manifest

_PIECE_BYTES = 1 << 20
# Nine parts rest for one part work: each piece takes a processor for about a millisecond.
_PAUSE_SECONDS = 0.01


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


def changed_files(folder: Path, manifest: Manifest, *, is_gentle: bool = False) -> list[str]:
    """What is damaged of the files that the service opens, in words. Reads them all, one after the other.

    `is_gentle`: with pauses, for a thread beside others that answer. A gigabyte then takes some ten seconds.
    """
    faults = resized_files(folder, manifest)
    if faults:
        return faults
    digest_of = _sha256_with_pauses if is_gentle else sha256_of
    told = (_content_fault(folder, entry, digest_of) for entry in _opened_files(manifest))
    return [fault for fault in told if fault]


def _content_fault(folder: Path, entry: FileEntry, digest_of: Callable[[Path], str]) -> str:
    try:
        digest = digest_of(folder / entry.path)
    except OSError as error:  # a disk that cannot read it any more
        return f"{entry.path}: {error.strerror}"
    return f"{entry.path} has another content" if entry.sha256 and digest != entry.sha256 else ""


def _sha256_with_pauses(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            digest.update(piece)
            if len(piece) == _PIECE_BYTES:
                time.sleep(_PAUSE_SECONDS)
    return digest.hexdigest()
