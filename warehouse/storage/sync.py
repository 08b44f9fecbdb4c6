"""Synchronizes a local copy of the releases on object storage, and reports its state.

Of the processes that share a cache folder, only the holder of the lock polls the storage. The
others read its notes, so that every process reports the same state.
"""

import asyncio
import fcntl
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from schemas.values.instants import INSTANT_FORMAT
from warehouse.files import BusyError, Lease, write_bytes
from warehouse.storage.bucket import StorageError
from warehouse.storage.replica import PULL_LOCK, PullError, Replica, StoppedError

STATUS_NAME = ".storage.json"
# After failures the polling interval grows up to this.
_LONGEST_SECONDS = 60.0
Report = Callable[[str, dict[str, object]], None]


class StorageStatus(msgspec.Struct, frozen=True):
    """Outcome of the last poll of the storage. `failing_since` is the first failure; null if all is
    well.

    `checked_at` is the last poll, `confirmed_at` the last at which the storage and the copy were
    equal.
    """

    checked_at: str
    confirmed_at: str | None = None
    failing_since: str | None = None
    fault: str = ""


def read_status(root: Path) -> StorageStatus | None:
    """Return the last note below a releases folder; None before the first poll."""
    with suppress(FileNotFoundError, msgspec.DecodeError):
        return msgspec.json.decode((root / STATUS_NAME).read_bytes(), type=StorageStatus)
    return None


def storage_fault(root: Path, every_seconds: float, now: datetime) -> str | None:
    """Return why and since when the copy may be behind the storage; None if all is well."""
    status = read_status(root)
    if status is None:
        return "the storage has not been polled yet"
    if status.failing_since is not None:
        return (
            f"since {status.failing_since}: {status.fault}; last confirmed "
            f"{status.confirmed_at or 'never'}"
        )
    silent = (
        now - datetime.strptime(status.checked_at, INSTANT_FORMAT).replace(tzinfo=UTC)
    ).total_seconds()
    # A download may take long; a missing poll is a fault.
    if silent > 3 * every_seconds + 2 * _LONGEST_SECONDS and not _is_pulling(root):
        return f"since {status.checked_at}: the storage has not been polled"
    return None


def _is_pulling(root: Path) -> bool:
    with suppress(FileNotFoundError), (root / PULL_LOCK).open("r") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


class StorageFollower:
    """Pulls whenever the storage serves another release. `report` gets an event name and its
    details."""

    def __init__(self, replica: Replica, every_seconds: float, report: Report) -> None:
        self.replica = replica
        self._every, self._report = every_seconds, report
        self._path = replica.store.root / STATUS_NAME
        self._failures = 0
        # The process that holds it polls the storage until that process ends.
        self._lease = Lease(replica.store.root / ".follow.lock")

    async def follow(self) -> None:
        """Poll the storage repeatedly. Cancelling it stops a download in progress."""
        self.replica.stop.clear()
        try:
            while True:
                await asyncio.to_thread(self.step)
                await asyncio.sleep(self.pause_seconds())
        finally:
            self.replica.stop.set()

    def pause_seconds(self) -> float:
        """Return the pause before the next poll."""
        if not self._failures:
            return self._every
        return max(self._every, min(_LONGEST_SECONDS, self._every * 2.0 ** min(self._failures, 6)))

    def step(self) -> None:
        """Poll once, if no other process does. Never raises: the current release stays in
        service."""
        try:
            if not self._lease.is_ours():
                return
            pulled = self.replica.pull()
        except (BusyError, StoppedError):
            return
        except (StorageError, PullError) as error:
            self._record_failure(str(error))
            return
        except Exception as error:
            self._record_failure(f"{type(error).__name__}: {error}")
            return
        self._failures = 0
        now = _now()
        self._note(StorageStatus(now, confirmed_at=now))
        if pulled.is_moved:
            facts = {
                "release_id": pulled.release_id,
                "files": pulled.files_fetched,
                "bytes": pulled.bytes_fetched,
                "linked": pulled.files_linked,
            }
            self._report("release_fetched", facts)

    def close(self) -> None:
        """Let another process take over."""
        self.replica.stop.set()
        self._lease.release()

    def _record_failure(self, fault: str) -> None:
        self._failures += 1
        now, before = _now(), read_status(self.replica.store.root)
        since = (before.failing_since if before else None) or now
        self._note(StorageStatus(now, before.confirmed_at if before else None, since, fault))
        if self._failures == 1:
            self._report(
                "storage_failing",
                {"fault": fault, "since": since, "still_serving": self.replica.store.current()},
            )

    def _note(self, status: StorageStatus) -> None:
        # A full disk must not stop the service; the status then grows old, which is reported too.
        with suppress(OSError):
            write_bytes(self._path, msgspec.json.encode(status))


def _now() -> str:
    return datetime.now(UTC).strftime(INSTANT_FORMAT)
