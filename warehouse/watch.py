"""Follows the pointer `current` and swaps in the next release without dropping a request.

A request takes one reference to `ReleaseWatch.release` and keeps it; the old release goes when the last
of them is done. A release that cannot be opened is reported, and the one before it stays.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from warehouse.reader import OpenRelease
from warehouse.release import ReleaseStore

# How long a release that could not be opened is left alone before another try.
RETRY_SECONDS = 30.0
Report = Callable[[str, dict[str, object]], None]


class ReleaseWatch:
    """The release being served, and how it changes. `report` gets an event name and its facts.

    `prepare` makes, before a release is served, what the first request would otherwise wait for.
    """

    def __init__(
        self, data_dir: Path, report: Report, prepare: Callable[[OpenRelease], None] | None = None
    ) -> None:
        self.store = ReleaseStore(data_dir)
        self.release: OpenRelease | None = None
        self.swaps = 0
        self.failures = 0
        self.failed: tuple[str, str] | None = None
        self._retry_at = 0.0
        self._report = report
        self._prepare = prepare

    def close(self) -> None:
        """Let the release go. For the end of the process."""
        if self.release is not None:
            self.release.close()
            self.release = None

    def wanted(self) -> str | None:
        """Id of the release to open now, or None when there is nothing to do."""
        current = self.store.current()
        if current is None or (self.release and self.release.release_id == current):
            return None
        if self.failed and self.failed[0] == current and time.monotonic() < self._retry_at:
            return None
        return current

    def open_now(self) -> None:
        """Open what the pointer names, in this thread."""
        wanted = self.wanted()
        if wanted is not None:
            self._take(self._opened(wanted))

    async def step(self) -> None:
        """Open what the pointer names, if it moved, in another thread."""
        wanted = self.wanted()
        if wanted is not None:
            self._take(await asyncio.to_thread(self._opened, wanted))

    async def follow(self, every_seconds: float) -> None:
        """Look at the pointer for ever."""
        while True:
            await asyncio.sleep(every_seconds)
            await self.step()

    def _opened(self, release_id: str) -> OpenRelease | None:
        started = time.perf_counter()
        try:
            release = OpenRelease(self.store.folder(release_id))
        except Exception as error:
            self._refuse(release_id, f"{type(error).__name__}: {error}")
            return None
        self._prepared(release)
        seconds = round(time.perf_counter() - started, 3)
        self._report("release_opened", {"release_id": release_id, "resources": len(release), "seconds": seconds})  # fmt: skip
        return release

    def _prepared(self, release: OpenRelease) -> None:
        if self._prepare is None:
            return
        try:
            self._prepare(release)
        except Exception as error:
            # Whoever asks for it will see the fault; the rest of the release is served.
            fault = f"{type(error).__name__}: {error}"
            self._report("release_not_prepared", {"release_id": release.release_id, "fault": fault})

    def _take(self, release: OpenRelease | None) -> None:
        if release is None:
            return
        self.failed = None
        if self.release is not None:
            self.swaps += 1
        self.release = release

    def _refuse(self, release_id: str, fault: str) -> None:
        self.failures += 1
        self.failed = (release_id, fault)
        self._retry_at = time.monotonic() + RETRY_SECONDS
        serving = self.release.release_id if self.release else None
        self._report("release_refused", {"release_id": release_id, "fault": fault, "still_serving": serving})  # fmt: skip
