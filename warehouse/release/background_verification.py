"""Verifies the served release in the background, in one process of the machine.

Files are hashed in rounds. Damage is noted in `DAMAGE_NAME` next to the releases; the watch of
every process finds the note, verifies the files and leaves the release (`warehouse.release.watch`).
If the folder is not writable, each process verifies for itself.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import BinaryIO

from warehouse.files import Lease
from warehouse.index.reader import OpenRelease
from warehouse.release.integrity import PIECE_BYTES, content_fault, reading_fault, size_mismatches
from warehouse.release.manifest import FileEntry, Manifest
from warehouse.release.watch import ReleaseWatch

# Minimum read rate for a small release, however long a round may take.
_MIN_BYTES_PER_SECOND = 1 << 20
# A starting process opens a release without a full check: its first round is faster.
_FIRST_ROUND = 10
_LOOK_SECONDS = 1.0
# Requests take precedence over verification.
_NICENESS = 10


class FileRounds:
    """Rounds over some files of the release served by `watch`, each in `seconds` at most.

    `choose` names the files. The one process that verifies them holds `lease`.
    """

    def __init__(
        self,
        watch: ReleaseWatch,
        choose: Callable[[Manifest], list[FileEntry]],
        seconds: float,
        lease: Lease,
    ) -> None:
        self._watch, self._choose, self._seconds = watch, choose, seconds
        self._lease = lease
        self.verified_at: datetime | None = None
        self._verified_id = ""

    async def follow(self) -> None:
        """Verify repeatedly. Raises OSError if this process cannot read now."""
        try:
            with ThreadPoolExecutor(1, initializer=_give_way) as thread:
                while True:
                    began, release = time.monotonic(), self._watch.release
                    if release is not None and not self._watch.is_damaged and self._is_ours():
                        await self._round(release, thread)
                    await self._rest(release, began + self._seconds - time.monotonic())
        finally:
            self._lease.release()

    async def _rest(self, release: OpenRelease | None, seconds: float) -> None:
        """Pause; return immediately when another release is served."""
        await asyncio.sleep(0)
        while seconds > 0 and self._watch.release is release:
            await asyncio.sleep(min(seconds, _LOOK_SECONDS))
            seconds -= _LOOK_SECONDS

    def _is_ours(self) -> bool:
        try:
            return self._lease.is_ours()
        except OSError:  # a folder that is not writable: the other processes cannot be notified
            return True

    async def _round(self, release: OpenRelease, thread: ThreadPoolExecutor) -> None:
        entries = self._choose(release.manifest)
        rate = max(sum(e.size_bytes for e in entries) / self._seconds, _MIN_BYTES_PER_SECOND)
        if release.release_id != self._verified_id:
            rate *= _FIRST_ROUND
        for entry in entries:
            fault = await self._fault(release, entry, rate, thread)
            if self._watch.release is not release:
                return
            if fault:
                self._watch.report_damage(release.release_id, {entry.path: fault})
                return
        self._verified_id, self.verified_at = release.release_id, datetime.now(UTC)

    async def _fault(
        self, release: OpenRelease, entry: FileEntry, rate: float, thread: ThreadPoolExecutor
    ) -> str:
        """Return a file's faults; empty for none, or when another release is served."""
        if fault := size_mismatches(release.folder, [entry]).get(entry.path):
            return fault
        loop, digest = asyncio.get_running_loop(), hashlib.sha256()
        try:
            with (release.folder / entry.path).open("rb", buffering=0) as file:
                while size := await loop.run_in_executor(thread, _hash_piece, file, digest):
                    await asyncio.sleep(size / rate)
                    if self._watch.release is not release:
                        return ""
        except OSError as error:
            return reading_fault(error)
        return content_fault(entry, digest.hexdigest())


def _hash_piece(file: BinaryIO, digest: hashlib._Hash) -> int:
    piece = file.read(PIECE_BYTES)
    digest.update(piece)
    return len(piece)


def _give_way() -> None:
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
