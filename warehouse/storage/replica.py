"""Copies the release that object storage serves: fetch separately, verify, move the local pointer.

<cache>/releases/ is an ordinary releases folder (`warehouse.release.store`), so that all its
readers work. A release is served only if its log is whole and, with keys, signed; if its manifest
is the one in the log; if every file has the size and SHA-256 of the manifest; and if it opens.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec

from warehouse.files import lock, sha256_of, sync_file, sync_folder, write_bytes, write_text
from warehouse.release.log import (
    HISTORY_NAME,
    LOG_NAME,
    SUMMARY_NAME,
    WITHDRAW,
    Keys,
    LogDamagedError,
    check_log,
    last_served,
)
from warehouse.release.manifest import MANIFEST_NAME, FileEntry, Manifest, check_format
from warehouse.release.store import ReleaseStore, file_faults, is_release_id
from warehouse.storage.bucket import Bucket, StorageError
from warehouse.storage.publish import (
    LOG_BYTES,
    MANIFEST_BYTES,
    RELEASES,
    TRANSFERS_AT_ONCE,
    Pointer,
    manifest_sha256_or_none,
    read_pointer,
)

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
    """Fetches several files at once, until `stop` is set."""

    def __init__(self, bucket: Bucket, store: ReleaseStore, stop: threading.Event) -> None:
        self._bucket, self._store, self._stop = bucket, store, stop

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
        with ThreadPoolExecutor(TRANSFERS_AT_ONCE) as pool:
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


PULL_LOCK = ".pull.lock"
_INCOMING = ".incoming-"
_OPENING_SECONDS = 600


class Replica:
    """The releases folder below `cache_dir`, following a bucket.

    `keys` are the public keys that must have signed the release log; without any, only the chain of
    the log is checked.
    """

    def __init__(self, bucket: Bucket, cache_dir: Path, keys: Keys, *, keep: int = 2) -> None:
        self.bucket, self.keys = bucket, keys
        self.store = ReleaseStore(cache_dir)
        self.stop = threading.Event()
        self._fetcher = FileFetcher(bucket, self.store, self.stop)
        self._keep = max(2, keep)
        # Fetched manifests of earlier releases that are not stored yet.
        self._history: dict[str, bytes] = {}

    def pull(self) -> PullResult:
        """Pull the release that the storage serves.

        Raises StorageDownError, PullError for a release that may not be served, BusyError while
        another process pulls, StoppedError after `stop`. The locally served release stays until the
        next one is complete.
        """
        current = read_pointer(self.bucket)
        if current is None:
            raise PullError(f"{self.bucket.url} holds no release yet")
        pointer = current[0]
        if (
            self.store.current() == pointer.release_id
            and _sha256(self.store.log.content()) == pointer.log.sha256
        ):
            return PullResult(pointer.release_id, is_moved=False)
        self.store.root.mkdir(parents=True, exist_ok=True)
        with lock(self.store.root / PULL_LOCK, "fetching a release"):
            return self._take(pointer)

    def _take(self, pointer: Pointer) -> PullResult:
        if not is_release_id(pointer.release_id):
            raise PullError(f"the pointer names {pointer.release_id!r}, which is no release id")
        log = self._log(pointer)
        content = self._manifest(pointer)
        manifest = _accept(content, pointer.release_id)
        self._check_log(pointer, log, content)
        pulled = self._complete(manifest, content)
        before = self.store.current()
        self._keep_history(manifest)
        write_bytes(self.store.root / LOG_NAME, log)
        write_text(self.store.pointer, pointer.release_id + "\n")
        self._forget({pointer.release_id, before})
        return pulled

    # ------------------------------------------------------------ what it is

    def _log(self, pointer: Pointer) -> bytes:
        if pointer.log.size_bytes > LOG_BYTES:
            raise PullError("the release log is too long to be one")
        content = self._read(pointer.log.path, LOG_BYTES)
        if _sha256(content) != pointer.log.sha256:
            raise PullError("the release log in the storage is not the one that the pointer names")
        return content

    def _manifest(self, pointer: Pointer) -> bytes:
        content = self._read(f"{RELEASES}/{pointer.release_id}/{MANIFEST_NAME}", MANIFEST_BYTES)
        if manifest_sha256_or_none(content) != pointer.manifest_sha256:
            raise PullError(f"the manifest of {pointer.release_id} in the storage is damaged")
        return content

    def _read(self, path: str, max_bytes: int) -> bytes:
        try:
            return self.bucket.read(path, max_bytes)[0]
        except FileNotFoundError as error:
            raise PullError(f"the pointer names a missing object: {error}") from None

    def _check_log(self, pointer: Pointer, log: bytes, manifest: bytes) -> None:
        """Check chain, signatures and manifests, and that the known history is unchanged."""
        manifests = {pointer.release_id: manifest}

        def manifest_of(release_id: str) -> bytes:
            if release_id not in manifests:
                manifests[release_id] = self._history_manifest(release_id)
            return manifests[release_id]

        try:
            entries = check_log(log, manifest_of, self.keys)
            served = last_served(entries)
            if served is None or served.release_id != pointer.release_id:
                raise LogDamagedError(f"it does not end with {pointer.release_id}")
            if any(e.event == WITHDRAW and e.release_id == served.release_id for e in entries):
                raise PullError(f"{served.release_id} was withdrawn")
            if not log.startswith(self.store.log.content()):
                raise LogDamagedError("it does not continue the log here: history was rewritten")
        except LogDamagedError as error:
            raise PullError(f"the release log in the storage is not accepted: {error}") from None

    def _history_manifest(self, release_id: str) -> bytes:
        if not is_release_id(release_id):
            raise PullError(f"the release log names {release_id!r}, which is no release id")
        local = self.store.history.manifest_bytes(release_id)
        if local is not None:
            return local
        content = self._read(
            f"{RELEASES}/{HISTORY_NAME}/{release_id}/{MANIFEST_NAME}", MANIFEST_BYTES
        )
        self._history[release_id] = content
        return content

    # ------------------------------------------------------------ its files

    def _complete(self, manifest: Manifest, content: bytes) -> PullResult:
        """Fetch, verify and open the release in its folder; return the cost."""
        target = self.store.root / manifest.release_id
        if target.exists() and self._is_whole(target, manifest, content):
            _check_opens(target)
            return PullResult(manifest.release_id, is_moved=True)
        incoming = self.store.root / f"{_INCOMING}{manifest.release_id}"
        self._clean_up(incoming)
        incoming.mkdir(exist_ok=True)
        counts = self._fetcher.fetch_all(incoming, manifest)
        (incoming / MANIFEST_NAME).write_bytes(content)
        sync_file(incoming / MANIFEST_NAME)
        for folder in [*(p for p in incoming.rglob("*") if p.is_dir()), incoming]:
            sync_folder(folder)
        faults = file_faults(incoming, manifest)
        if faults:
            shutil.rmtree(incoming)
            raise PullError(f"release {manifest.release_id} is damaged: {'; '.join(faults[:5])}")
        _check_opens(incoming)
        os.rename(incoming, target)
        sync_folder(self.store.root)
        return counts

    def _is_whole(self, target: Path, manifest: Manifest, content: bytes) -> bool:
        """Return whether the release is complete here; delete a damaged one. Raises if served."""
        with suppress(OSError, ValueError):
            is_same = (target / MANIFEST_NAME).read_bytes() == content
            if is_same and not file_faults(target, manifest):
                return True
        if self.store.current() == manifest.release_id:
            raise PullError(
                f"the local copy of {manifest.release_id} is damaged while it is served; stop "
                f"this replica and delete {target}"
            )
        shutil.rmtree(target)
        return False

    def _clean_up(self, incoming: Path) -> None:
        """Remove leftovers of pulls of other releases, and incomplete files of this one."""
        for entry in self.store.root.glob(f"{_INCOMING}*"):
            if entry != incoming:
                shutil.rmtree(entry)
        for part in incoming.rglob("*.part"):
            part.unlink()
        (incoming / MANIFEST_NAME).unlink(missing_ok=True)

    # ------------------------------------------------------------ what stays

    def _keep_history(self, manifest: Manifest) -> None:
        """Store manifests and reports of earlier releases, each verified against the log."""
        for release_id, content in self._history.items():
            folder = self.store.root / HISTORY_NAME / release_id
            folder.mkdir(parents=True, exist_ok=True)
            earlier = msgspec.json.decode(content, type=Manifest)
            vouched = {e.path: e for e in earlier.files}.get(f"changes/{SUMMARY_NAME}")
            with suppress(StorageError, FileNotFoundError):
                source = f"{RELEASES}/{HISTORY_NAME}/{release_id}/{SUMMARY_NAME}"
                if vouched is not None:
                    report, _ = self.bucket.read(source, vouched.size_bytes)
                    if _sha256(report) == vouched.sha256:
                        write_bytes(folder / SUMMARY_NAME, report)
            write_bytes(folder / MANIFEST_NAME, content)
        self._history.clear()
        self.store.history.keep(manifest.release_id)

    def _forget(self, needed: set[str | None]) -> None:
        """Delete withdrawn and old releases, except the previous one, which may still be read, and
        the newest others."""
        self.store.remove_withdrawn(needed)
        others = [i for i in self.store.ids() if i not in needed]
        room = max(0, self._keep - len(needed - {None}))
        for release_id in others[: len(others) - room]:
            self.store.remove(release_id)


def _accept(content: bytes, release_id: str) -> Manifest:
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except msgspec.DecodeError as error:
        raise PullError(f"the manifest of {release_id} cannot be read: {error}") from None
    try:
        check_format(manifest, release_id)
    except ValueError as error:
        raise PullError(str(error)) from error
    failures = [check.name for check in manifest.checks if not check.passed]
    if failures:
        raise PullError(f"{release_id} did not pass its checks: {', '.join(failures)}")
    unsafe = [e.path for e in manifest.files if not _is_safe(e.path)]
    if unsafe:
        raise PullError(
            f"{release_id}: the manifest names {unsafe[0]!r}, which is no path of a release"
        )
    return manifest


def _is_safe(path: str) -> bool:
    """Return whether a manifest's path stays inside its folder and is not a reserved name."""
    parts = PurePosixPath(path).parts
    return (
        bool(parts)
        and str(PurePosixPath(path)) == path
        and path != MANIFEST_NAME
        and not path.endswith(".part")
        and not PurePosixPath(path).is_absolute()
        and all(p != ".." and "\\" not in p and "\0" not in p for p in parts)
    )


def _check_opens(folder: Path) -> None:
    """Open the release in a separate process, so that a damaged one is not served."""
    command = [sys.executable, "-m", "warehouse.release.probe", str(folder)]
    try:
        process = subprocess.run(  # noqa: S603 - our own command
            command, capture_output=True, text=True, timeout=_OPENING_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise PullError(f"{folder.name} could not be opened within {_OPENING_SECONDS} s") from None
    if process.returncode != 0:
        reason = (process.stderr.strip().splitlines() or [f"status {process.returncode}"])[-1]
        raise PullError(f"{folder.name} has all its bytes but does not open: {reason}")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
