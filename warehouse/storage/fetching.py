"""Fetches the files of a release from object storage, or links those of earlier local releases."""

import hashlib
import os
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from warehouse.files import sha256_of, sync_file
from warehouse.release.manifest import FileEntry, Manifest
from warehouse.release.store import ReleaseStore
from warehouse.storage.bucket import Bucket
from warehouse.storage.publish import RELEASES

_ATTEMPTS = 2
# Disk space to leave free after the fetch.
SPARE_BYTES = 64 << 20


class PullError(RuntimeError):
    """The stored release cannot be pulled; the message gives the reason. Nothing here has
    changed."""


class StoppedError(RuntimeError):
    """The pull was interrupted."""


@dataclass(frozen=True)
class PullResult:
    """Result of a pull: the served release and its cost, or no change."""

    release_id: str
    is_moved: bool
    files_fetched: int = 0
    bytes_fetched: int = 0
    files_linked: int = 0


class FileFetcher:
    """Fetches `parallel` files at once, until `stop` is set."""

    def __init__(
        self, bucket: Bucket, store: ReleaseStore, stop: threading.Event, parallel: int
    ) -> None:
        self._bucket, self._store, self._stop = bucket, store, stop
        self._parallel = parallel

    def fetch_all(self, incoming: Path, manifest: Manifest) -> PullResult:
        """Fill a folder with the stored files of a manifest. Raises PullError, StoppedError."""
        local = self._local_files()
        missing = []
        linked = 0
        stored_paths = {entry.path for entry in manifest.stored_files}
        for path in [p for p in incoming.rglob("*") if p.is_file()]:
            if str(path.relative_to(incoming)) not in stored_paths:
                path.unlink()
        for entry in manifest.stored_files:
            place = incoming / entry.path
            if place.is_file() and _is_entry(place, entry):
                continue
            place.unlink(missing_ok=True)
            if _is_linked(local.get((entry.sha256, entry.size_bytes)), place, entry):
                linked += 1
            else:
                missing.append(entry)
        size = sum(entry.size_bytes for entry in missing)
        free = shutil.disk_usage(incoming).free
        if free < size + SPARE_BYTES:
            raise PullError(
                f"{size // 1_000_000} MB to fetch, and only {free // 1_000_000} MB free on the disk"
            )
        base = f"{RELEASES}/{manifest.release_id}"
        with ThreadPoolExecutor(self._parallel) as pool:
            futures = [
                pool.submit(self._fetch, f"{base}/{e.path}", incoming / e.path, e) for e in missing
            ]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return PullResult(manifest.release_id, True, len(missing), size, linked)

    def _local_files(self) -> dict[tuple[str, int], Path]:
        """Return files of local releases by digest and size."""
        paths = {}
        for release_id in self._store.ids():
            with suppress(OSError, msgspec.DecodeError):
                for entry in self._store.manifest(release_id).stored_files:
                    path = self._store.root / release_id / entry.path
                    paths[(entry.sha256, entry.size_bytes)] = path
        return paths

    def _fetch(self, source: str, place: Path, entry: FileEntry) -> None:
        """Fetch one file; it gets its name only after its bytes are verified."""
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_name(f"{place.name}.part")
        fault = ""
        for _ in range(_ATTEMPTS):
            fault = self._download(source, part, entry)
            if not fault:
                sync_file(part)
                os.replace(part, place)
                return
            part.unlink(missing_ok=True)
        raise PullError(f"{source}: {fault}")

    def _download(self, source: str, part: Path, entry: FileEntry) -> str:
        digest, size = hashlib.sha256(), 0
        with part.open("wb") as stream:
            try:
                for piece in self._bucket.pieces(source):
                    if self._stop.is_set():
                        raise StoppedError("interrupted")
                    size += len(piece)
                    if size > entry.size_bytes:
                        return f"longer than the {entry.size_bytes} bytes of the manifest"
                    digest.update(piece)
                    stream.write(piece)
            except FileNotFoundError:
                return "is not there"
        if size < entry.size_bytes:
            return f"truncated: {size} of {entry.size_bytes} bytes"
        return (
            "" if digest.hexdigest() == entry.sha256 else "has another content than in the manifest"
        )


def _is_entry(path: Path, entry: FileEntry) -> bool:
    return path.stat().st_size == entry.size_bytes and sha256_of(path) == entry.sha256


def _is_linked(earlier: Path | None, place: Path, entry: FileEntry) -> bool:
    """Return whether an earlier release's intact file was hard-linked instead."""
    if earlier is None or not earlier.is_file() or not _is_entry(earlier, entry):
        return False
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(earlier, place)
    except OSError:
        return False
    return True
