"""The release log: `releases/log.ndjson`, one entry per promotion.

Append-only, one line of canonical JSON each, chained by hashes and signed if a key is configured.
An entry is written whole and fsynced before it counts; bytes after the last line end, left by a
crash, are not an entry and are removed by the next append. With a key, `releases/checkpoint` signs
the Merkle tree of all entries; after a crash it may cover fewer, until the next append.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from schemas.api.history import LogEntry
from schemas.values.instants import instant_text
from warehouse.files import sync_folder, write_bytes
from warehouse.release.checkpoint import ForkError, sign_checkpoint
from warehouse.release.signing import canonical, key_id, sign

LOG_NAME, CHECKPOINT_NAME = "log.ndjson", "checkpoint"


class LogDamagedError(RuntimeError):
    """The log on disk cannot be continued; the message names the wrong line."""


def entry_sha256(line: bytes) -> str:
    """Hash an entry: its line without the line end."""
    return hashlib.sha256(line.rstrip(b"\n")).hexdigest()


def whole_lines(content: bytes) -> tuple[list[bytes], bytes]:
    """Return the complete lines without line ends, and the bytes left after the last by a crash."""
    *lines, rest = content.split(b"\n")
    return lines, rest


class ReleaseLog:
    """The log of one data folder. Reading needs no lock: only complete lines are read."""

    def __init__(self, root: Path) -> None:
        self.path = root / LOG_NAME
        self.checkpoint_path = root / CHECKPOINT_NAME
        self._lock = root / ".log.lock"

    def content(self) -> bytes:
        """Return the complete lines unchanged; empty without a log."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return b""
        return content[: content.rfind(b"\n") + 1]

    def checkpoint(self) -> bytes | None:
        """Return the newest signed checkpoint; None without a key."""
        try:
            return self.checkpoint_path.read_bytes()
        except FileNotFoundError:
            return None

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

    def head_sha256(self) -> str | None:
        """Hash of the last entry."""
        lines = self.lines()
        return entry_sha256(lines[-1]) if lines else None

    def lines(self) -> list[bytes]:
        """Return the bytes of every entry, oldest first."""
        return whole_lines(self.content())[0]

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the log for one writer, waiting for the lock."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock.open("a") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield

    def append(
        self, event: str, release_id: str, manifest_sha256: str, key: Ed25519PrivateKey | None
    ) -> LogEntry:
        """Add one entry and force it to disk. Call it within `lock`.

        Raises LogDamagedError if the last entry is unreadable, since nothing is chained to an
        unreadable entry, and if the log does not match its checkpoint; KeyFileError.
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
        }
        entry["signature"] = sign(key, entry) if key else None
        line = canonical(entry)
        signed = self._sign_checkpoint([*lines, line], key) if key else None
        self._write(line + b"\n")
        if signed:
            write_bytes(self.checkpoint_path, signed)
        return msgspec.convert(entry, LogEntry)

    def _sign_checkpoint(self, lines: list[bytes], key: Ed25519PrivateKey) -> bytes:
        try:
            return sign_checkpoint(lines, key, self.checkpoint())
        except ForkError as error:
            raise LogDamagedError(str(error)) from error

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
