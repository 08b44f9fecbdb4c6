"""The release log: `releases/log.ndjson`, one entry per promotion and per withdrawal.

Append-only, one line of canonical JSON each: the SHA-256 of the manifest, the SHA-256 of the line
before, and an Ed25519 signature if a key is configured. An entry is written whole and fsynced
before it counts; bytes after the last line end, left by a crash, are not an entry and are removed
by the next append.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from schemas.api.history import LogEntry, ReleaseReport
from schemas.values.instants import instant_text
from warehouse.files import replacing_folder, sync_file, sync_folder
from warehouse.release.manifest import MANIFEST_NAME, Manifest
from warehouse.release.signing import canonical, is_signed, key_id, sign

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


LOG_NAME, WITHDRAW = "log.ndjson", "withdraw"
Keys = Mapping[str, Ed25519PublicKey]


class LogDamagedError(RuntimeError):
    """The log is damaged or was forged; the message names the first wrong entry."""


def entry_sha256(line: bytes) -> str:
    """Hash an entry: its line without the line end."""
    return hashlib.sha256(line.rstrip(b"\n")).hexdigest()


def check_log(
    content: bytes, manifest_of: Callable[[str], bytes | None], keys: Keys
) -> list[LogEntry]:
    """Return the entries of a log, oldest first, after checking chain, signatures and manifests.

    `manifest_of` returns the manifest of a release. `keys` are the trusted public keys by key id;
    without any, signatures are not checked. A signature covers all entries before it. Raises
    LogDamagedError.
    """
    entries: list[LogEntry] = []
    before: str | None = None
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        entry = _entry(number, line)
        members: dict[str, Any] = msgspec.to_builtins(entry)
        if canonical(members) != line:
            raise LogDamagedError(f"entry {number}: not written as canonical JSON")
        if (entry.sequence, entry.previous_sha256) != (number, before):
            raise LogDamagedError(f"entry {number}: does not follow the entry before it")
        if keys and entry.signature is not None:
            key = keys.get(entry.key_id or "")
            if key is None:
                raise LogDamagedError(
                    f"entry {number}: is signed by key {entry.key_id}, which is not a trusted key"
                )
            del members["signature"]
            if not is_signed(key, entry.signature, members):
                raise LogDamagedError(
                    f"entry {number}: the signature is not that of key {entry.key_id}"
                )
        _check_manifest(entry, manifest_of(entry.release_id))
        entries.append(entry)
        before = entry_sha256(line)
    if keys and (not entries or entries[-1].signature is None):
        raise LogDamagedError("the last entry is not signed")
    return entries


def last_served(entries: Iterable[LogEntry]) -> LogEntry | None:
    """Return the entry of the release that was served last; None without any."""
    return next((e for e in reversed([*entries]) if e.event != WITHDRAW), None)


def _check_manifest(entry: LogEntry, content: bytes | None) -> None:
    name = f"entry {entry.sequence}: the manifest of {entry.release_id}"
    if content is None:
        raise LogDamagedError(f"{name} is missing")
    try:
        digest = manifest_sha256(content)
    except ValueError as error:
        raise LogDamagedError(f"{name} cannot be read: {error}") from error
    if digest != entry.manifest_sha256:
        raise LogDamagedError(f"{name} has another hash than the entry")


class ReleaseLog:
    """The log of one data folder. Reading needs no lock: only complete lines are read."""

    def __init__(self, root: Path) -> None:
        self.path = root / LOG_NAME
        self._lock = root / ".log.lock"

    def content(self) -> bytes:
        """Return the complete lines unchanged; empty without a log."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return b""
        return content[: content.rfind(b"\n") + 1]

    def entries(self) -> list[LogEntry]:
        """Return all entries, oldest first. Raises LogDamagedError."""
        return [_entry(number, line) for number, line in enumerate(self.lines(), start=1)]

    def readable_entries(self) -> list[LogEntry]:
        """Return the readable entries: a damaged line does not hide the history around it."""
        entries = []
        for number, line in enumerate(self.lines(), start=1):
            with suppress(LogDamagedError):
                entries.append(_entry(number, line))
        return entries

    def withdrawn(self) -> dict[str, str]:
        """Return why releases may never be served again, by id."""
        return {e.release_id: e.why or "" for e in self.readable_entries() if e.event == WITHDRAW}

    def head_sha256(self) -> str | None:
        """Hash of the last entry."""
        lines = self.lines()
        return entry_sha256(lines[-1]) if lines else None

    def lines(self) -> list[bytes]:
        """Return the bytes of every entry, oldest first."""
        return self.content().split(b"\n")[:-1]

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the log for one writer, waiting for the lock."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock.open("a") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield

    def append(
        self,
        event: str,
        release_id: str,
        manifest_sha256: str,
        key: Ed25519PrivateKey | None,
        why: str | None = None,
    ) -> LogEntry:
        """Add one entry and force it to disk. Call it within `lock`.

        Raises LogDamagedError if the last entry is unreadable, since nothing is chained to an
        unreadable entry; KeyFileError.
        """
        lines = self.lines()
        previous = lines[-1] if lines else None
        last = _entry(len(lines), previous) if previous is not None else None
        entry: dict[str, Any] = {
            "sequence": last.sequence + 1 if last else 1,
            "event": event,
            "release_id": release_id,
            "created_at": instant_text(datetime.now(UTC)),
            "manifest_sha256": manifest_sha256,
            "previous_sha256": entry_sha256(previous) if previous is not None else None,
            "key_id": key_id(key.public_key()) if key else None,
        } | ({} if why is None else {"why": why})
        entry["signature"] = sign(key, entry) if key else None
        self._write(canonical(entry) + b"\n")
        return msgspec.convert(entry, LogEntry)

    def _write(self, line: bytes) -> None:
        is_new = not self.path.exists()
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            # Bytes after the last line end were never acknowledged.
            os.ftruncate(handle, len(self.content()))
            os.lseek(handle, 0, os.SEEK_END)
            view = memoryview(line)
            while view:
                view = view[os.write(handle, view) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        if is_new:
            sync_folder(self.path.parent)


def _entry(number: int, line: bytes) -> LogEntry:
    try:
        return msgspec.json.decode(line, type=LogEntry)
    except msgspec.DecodeError as error:
        raise LogDamagedError(f"line {number} of the release log is no entry: {error}") from error
