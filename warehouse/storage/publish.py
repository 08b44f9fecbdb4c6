"""Publishes releases to object storage.

    <url>/releases/<release_id>/...              the files of a release; manifest.json last
    <url>/releases/history/<release_id>/...      manifests and reports, which stay
    <url>/releases/logs/<entries>-<sha256>.ndjson   the release log, one object for every
                                                    length
    <url>/releases/current.json                  the pointer: the only object that ever changes

Objects are written once; the pointer moves last, and only if no other process moved it meanwhile.
So readers of the pointer find everything it names, even after a process was killed.
"""

import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import msgspec

from warehouse.release.log import (
    HISTORY_NAME,
    SUMMARY_NAME,
    LogDamagedError,
    last_served,
    manifest_sha256,
)
from warehouse.release.manifest import MANIFEST_NAME
from warehouse.release.store import ReleaseError, ReleaseStore
from warehouse.storage.bucket import Bucket, ConflictError, StorageError

RELEASES = "releases"
TRANSFERS_AT_ONCE = 4
POINTER = f"{RELEASES}/current.json"
LOGS = f"{RELEASES}/logs"
POINTER_BYTES, MANIFEST_BYTES, LOG_BYTES = 4096, 32 << 20, 256 << 20
POINTER_FORMAT = 1


class LogObject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The release log as an object of `entries` lines and `size_bytes`."""

    path: str
    entries: int
    size_bytes: int
    sha256: str


class Pointer(msgspec.Struct, frozen=True):
    """Served state: the release, and the log up to it."""

    format: int
    release_id: str
    manifest_sha256: str
    log: LogObject


@dataclass(frozen=True)
class PushResult:
    """Result of a push. `is_moved` is false if the storage already served the release."""

    release_id: str
    files_sent: int
    bytes_sent: int
    is_moved: bool


def read_pointer(bucket: Bucket) -> tuple[Pointer, str | None] | None:
    """Return the pointer and its version tag; None if nothing was ever published. Raises
    StorageError."""
    try:
        content, tag = bucket.read(POINTER, POINTER_BYTES)
    except FileNotFoundError:
        return None
    return pointer_of(content, bucket.url), tag


def pointer_of(content: bytes, url: str) -> Pointer:
    """Parse a pointer. Raises StorageError."""
    try:
        pointer = msgspec.json.decode(content, type=Pointer)
    except msgspec.DecodeError as error:
        raise StorageError(f"{url}/{POINTER} is no pointer: {error}") from None
    if pointer.format != POINTER_FORMAT:
        raise StorageError(
            f"{url}/{POINTER} has format {pointer.format}, which this version does not know"
        )
    return pointer


def push(store: ReleaseStore, bucket: Bucket, *, again: bool = False) -> PushResult:
    """Publish the locally served release, and delete withdrawn ones. Existing objects are not sent
    again.

    `again` resends every file, to repair damaged objects in the storage. Raises ReleaseError if
    there is nothing to publish or it is damaged, ConflictError if another data folder published to
    the storage, StorageDownError.
    """
    release_id = store.current()
    if release_id is None:
        raise ReleaseError(
            f"nothing is served yet in {store.root}; build a release with `larder build`"
        )
    pointer, log = _pointer_to(store, release_id)
    current = read_pointer(bucket)
    if current is not None:
        _check_same_history(bucket, current[0], log)
        if current[0] == pointer and not again:
            return PushResult(release_id, 0, 0, False)
    files, size = _send_release(store, bucket, release_id, again)
    _send_history(store, bucket)
    bucket.write(pointer.log.path, log)
    is_moved = current is None or current[0] != pointer
    if is_moved:
        _move(bucket, pointer, current[1] if current else None)
    for withdrawn_id in store.log.withdrawn():
        # Its manifest stays in the history, which proves the log.
        bucket.delete([*bucket.sizes(f"{RELEASES}/{withdrawn_id}/")])
    return PushResult(release_id, files, size, is_moved)


def publish_if_set(store: ReleaseStore) -> tuple[PushResult, str] | None:
    """Publish to LARDER_STORAGE_URL, and return it; None if unset. Raises as `push`."""
    bucket = storage_of()
    return (push(store, bucket), bucket.url) if bucket else None


def storage_of() -> Bucket | None:
    """Return the storage for releases; None without one. Raises StorageError."""
    url = os.environ.get("LARDER_STORAGE_URL", "").strip()
    return Bucket(url) if url else None


def describe_push(pushed: PushResult, url: str) -> str:
    """Describe a push for people."""
    if not pushed.is_moved and not pushed.files_sent:
        return f"{url} serves {pushed.release_id} already"
    transfer = f"{pushed.files_sent} files sent ({pushed.bytes_sent / 1e6:,.1f} MB)"
    return f"{pushed.release_id} is served from {url}: {transfer}"


def _pointer_to(store: ReleaseStore, release_id: str) -> tuple[Pointer, bytes]:
    manifest = store.verify(release_id)
    failures = [check.name for check in manifest.checks if not check.passed]
    if failures:
        raise ReleaseError(f"release {release_id} is not published: {', '.join(failures)} failed")
    log = store.log.content()
    try:
        entries = store.log.entries()
    except LogDamagedError as error:
        raise ReleaseError(f"release {release_id} is not published: {error}") from error
    digest = manifest_sha256((store.folder(release_id) / MANIFEST_NAME).read_bytes())
    last = last_served(entries)
    if last is None or (last.release_id, last.manifest_sha256) != (release_id, digest):
        raise ReleaseError(
            f"release {release_id} is not published: the release log does not end with it. "
            f"`larder release promote {release_id}` adds the entry"
        )
    sha256 = hashlib.sha256(log).hexdigest()
    path = f"{LOGS}/{len(entries):06d}-{sha256[:16]}.ndjson"
    return Pointer(
        POINTER_FORMAT, release_id, digest, LogObject(path, len(entries), len(log), sha256)
    ), log


def _check_same_history(bucket: Bucket, there: Pointer, log: bytes) -> None:
    """Check that our log extends the storage's log."""
    begin = log[: there.log.size_bytes]
    if hashlib.sha256(begin).hexdigest() != there.log.sha256:
        raise ConflictError(
            f"{bucket.url} was published to from another data folder: its log of "
            f"{there.log.entries} entries is not the beginning of the log here. `larder release "
            "pull` into an empty folder brings its history; build there"
        )


def _send_release(
    store: ReleaseStore, bucket: Bucket, release_id: str, again: bool
) -> tuple[int, int]:
    folder, base = store.folder(release_id), f"{RELEASES}/{release_id}"
    manifest = (folder / MANIFEST_NAME).read_bytes()
    there = {} if again else bucket.sizes(f"{base}/")
    sizes = {entry.path: entry.size_bytes for entry in store.manifest(release_id).stored_files}
    # An object appears whole or not at all, and a release id is never reused for other files.
    missing = [path for path, size in sizes.items() if there.get(f"{base}/{path}") != size]
    _each([(bucket.write_file, f"{base}/{path}", folder / path) for path in missing])
    try:
        bucket.write_new(f"{base}/{MANIFEST_NAME}", manifest)
    except ConflictError:
        present, _ = bucket.read(f"{base}/{MANIFEST_NAME}", MANIFEST_BYTES)
        if manifest_sha256_or_none(present) == manifest_sha256(manifest):
            return len(missing), sum(sizes[path] for path in missing)
        if not again:
            raise ConflictError(
                f"{bucket.url}/{base} is another release of the same name, or its manifest is "
                "damaged; --again replaces it"
            ) from None
        bucket.write(f"{base}/{MANIFEST_NAME}", manifest)
    return len(missing), sum(sizes[path] for path in missing)


def manifest_sha256_or_none(content: bytes) -> str | None:
    """Hash a manifest; None for bytes that are not one."""
    try:
        return manifest_sha256(content)
    except ValueError:
        return None


def _send_history(store: ReleaseStore, bucket: Bucket) -> None:
    base = f"{RELEASES}/{HISTORY_NAME}"
    there, local = bucket.sizes(f"{base}/"), store.root / HISTORY_NAME
    files = {
        f"{base}/{entry.release_id}/{name}": local / entry.release_id / name
        for entry in store.log.entries()
        for name in (MANIFEST_NAME, SUMMARY_NAME)
    }
    missing = [
        (bucket.write_file, path, file)
        for path, file in files.items()
        if file.is_file() and there.get(path) != file.stat().st_size
    ]
    _each(missing)


def _move(bucket: Bucket, pointer: Pointer, tag: str | None) -> None:
    try:
        bucket.replace(POINTER, msgspec.json.encode(pointer), tag)
    except ConflictError:
        current = read_pointer(bucket)
        # Two concurrent pushes of the same release (or a lost first response): both are right.
        if current is None or current[0] != pointer:
            raise


def _each(calls: Iterable[tuple]) -> None:
    """Run transfers, `TRANSFERS_AT_ONCE` in parallel; the first failure ends them."""
    with ThreadPoolExecutor(TRANSFERS_AT_ONCE) as pool:
        futures = [pool.submit(call, *arguments) for call, *arguments in calls]
        try:
            for future in futures:
                future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def prune_storage(bucket: Bucket, keep: int) -> list[str]:
    """Delete all but the newest `keep` releases from the storage, except the served one.

    Histories stay, and the log of the served release. Returns the deleted ids.
    """
    current = read_pointer(bucket)
    if current is None:
        return []
    pointer, objects = current[0], bucket.sizes(f"{RELEASES}/")
    whole = {
        Path(p).parts[1] for p in objects if p.count("/") == 2 and p.endswith(f"/{MANIFEST_NAME}")
    }
    doomed = [i for i in sorted(whole)[:-keep] if i != pointer.release_id]
    for release_id in doomed:
        base = f"{RELEASES}/{release_id}/"
        # The manifest first: a half-deleted release is no longer one.
        bucket.delete([f"{base}{MANIFEST_NAME}"])
        bucket.delete([p for p in objects if p.startswith(base) and p != f"{base}{MANIFEST_NAME}"])
    shorter = f"{LOGS}/{pointer.log.entries:06d}-"
    bucket.delete([p for p in objects if p.startswith(f"{LOGS}/") and p < shorter])
    return doomed
