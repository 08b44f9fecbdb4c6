"""Stores the manifest and report of every release ever served, even after its files are deleted.

releases/history/<release_id>/manifest.json
releases/history/<release_id>/summary.json     `schemas.api.history.ReleaseReport`
"""

import hashlib
import json
import shutil
from pathlib import Path

import msgspec

from schemas.api.history import ReleaseReport
from warehouse.files import replacing_folder, sync_file
from warehouse.release.manifest import MANIFEST_NAME, Manifest
from warehouse.release.signing import canonical

HISTORY_NAME = "history"
CHANGES_FOLDER = "changes"
FEED_NAME, SUMMARY_NAME = "changes.ndjson", "summary.json"


def manifest_sha256(content: bytes) -> str:
    """Hash a manifest in canonical JSON, independent of its layout. Raises ValueError."""
    return hashlib.sha256(canonical(json.loads(content))).hexdigest()


def read_report(path: Path) -> ReleaseReport:
    """Read a report. Raises FileNotFoundError or msgspec.ValidationError."""
    return msgspec.json.decode(path.read_bytes(), type=ReleaseReport)


class History:
    """The stored manifests and reports below one releases folder."""

    def __init__(self, root: Path) -> None:
        self._releases = root
        self._kept = root / HISTORY_NAME

    def keep(self, release_id: str) -> None:
        """Copy manifest and report of a complete release to the history."""
        folder, copy = self._releases / release_id, self._kept / release_id
        if (copy / MANIFEST_NAME).is_file():
            return
        with replacing_folder(copy) as fresh:
            shutil.copyfile(folder / MANIFEST_NAME, fresh / MANIFEST_NAME)
            summary = folder / CHANGES_FOLDER / SUMMARY_NAME
            if summary.is_file():
                shutil.copyfile(summary, fresh / SUMMARY_NAME)
            for path in fresh.iterdir():
                sync_file(path)

    def manifest_bytes(self, release_id: str) -> bytes | None:
        """Return the manifest as written; None for an unknown release."""
        for folder in (self._releases / release_id, self._kept / release_id):
            try:
                return (folder / MANIFEST_NAME).read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                continue
        return None

    def manifest(self, release_id: str) -> Manifest | None:
        """Read the manifest. Raises msgspec.ValidationError when damaged."""
        content = self.manifest_bytes(release_id)
        return None if content is None else msgspec.json.decode(content, type=Manifest)

    def report(self, release_id: str) -> ReleaseReport | None:
        """Return the changes of a release from its parent; None if not recorded."""
        for path in (
            self._releases / release_id / CHANGES_FOLDER / SUMMARY_NAME,
            self._kept / release_id / SUMMARY_NAME,
        ):
            if path.is_file():
                return read_report(path)
        return None
