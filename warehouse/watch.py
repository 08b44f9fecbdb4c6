"""Follows the pointer `current` and swaps in the next release without dropping a request.

A request takes one reference to `ReleaseWatch.release` and keeps it; the old release goes when the last
of them is done. A release that cannot be opened, or whose files are not what its manifest says, is reported, and
the one before it stays; where there is none yet, the newest good one that is older is opened.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from warehouse.damage import changed_files, resized_files
from warehouse.inheritance import inherited
from warehouse.manifest import read_manifest
from warehouse.reader import OpenRelease
from warehouse.release import ReleaseError, ReleaseStore

# How long a release that could not be opened is left alone before another try.
RETRY_SECONDS = 30.0
# Whoever looks for damage gives way to whoever answers.
_NICENESS = 10
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
        """Id of the release to open now, or None when there is nothing to do. Raises ReleaseError."""
        current = self.store.current()
        if current is None or (self.release and self.release.release_id == current):
            return None
        if self.failed and self.failed[0] == current and time.monotonic() < self._retry_at:
            return None
        return current

    def open_now(self) -> None:
        """Open what the pointer names, in this thread; the newest good release when it cannot be read."""
        try:
            wanted = self.wanted()
        except ReleaseError as error:
            self._report("pointer_unreadable", {"fault": str(error)})
            self._fall_back(self._opened_before(None))
            return
        if wanted is not None:
            release = self._opened(wanted)
            self._take(release)
            if release is None:
                self._fall_back(self._opened_before(wanted))

    async def step(self) -> None:
        """Open what the pointer names, if it moved, in another thread. Raises ReleaseError."""
        wanted = self.wanted()
        if wanted is not None:
            opening = partial(
                self._opened, wanted, is_checked=True, is_gentle=self.release is not None
            )
            self._take(await asyncio.to_thread(opening))

    async def follow(self, every_seconds: float) -> None:
        """Look at the pointer for ever. What was opened in haste at the start is looked at closely first."""
        await self._look_closely()
        while True:
            await asyncio.sleep(every_seconds)
            await self.step()

    async def _look_closely(self) -> None:
        """Damage that leaves sizes as they are is found by reading everything, which no start waits for."""
        release = self.release
        if release is None:
            return
        thread, loop = ThreadPoolExecutor(1, initializer=_give_way), asyncio.get_running_loop()
        try:
            looking = partial(changed_files, release.folder, release.manifest, is_gentle=True)
            faults = await loop.run_in_executor(thread, looking)
        finally:
            thread.shutdown(wait=False)
        if faults and self.release is release:
            self._refuse(release.release_id, f"release {release.release_id} is damaged: {'; '.join(faults)}")  # fmt: skip
            self._fall_back(await asyncio.to_thread(self._opened_before, release.release_id))

    def _opened_before(self, release_id: str | None) -> OpenRelease | None:
        """The newest older release that is whole and was fit to be served; None when there is none.

        Without an id: the newest of all.
        """
        told = self.failed, self._retry_at
        for older in reversed(
            [i for i in self.store.ids() if release_id is None or i < release_id]
        ):
            try:
                is_fit = all(check.passed for check in self.store.manifest(older).checks)
            except Exception as error:
                self._refuse(older, f"{type(error).__name__}: {error}")
                continue
            release = self._opened(older, is_checked=True) if is_fit else None
            if release is not None:
                break
        else:
            release = None
        self.failed, self._retry_at = told
        return release

    def _opened(
        self, release_id: str, *, is_checked: bool = False, is_gentle: bool = False
    ) -> OpenRelease | None:
        """A release, or None when it is refused. `is_checked`: every byte is read before, `is_gentle` slowly."""
        started = time.perf_counter()
        try:
            folder = _checked(
                self.store.folder(release_id), every_byte=is_checked, is_gentle=is_gentle
            )
            release = inherited(folder) or OpenRelease(folder)
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

    def _fall_back(self, release: OpenRelease | None) -> None:
        """Serve an older release than the pointer names, which stays refused."""
        told = self.failed, self._retry_at
        self._take(release)
        self.failed, self._retry_at = told

    def _refuse(self, release_id: str, fault: str) -> None:
        self.failures += 1
        self.failed = (release_id, fault)
        self._retry_at = time.monotonic() + RETRY_SECONDS
        serving = self.release.release_id if self.release else None
        self._report("release_refused", {"release_id": release_id, "fault": fault, "still_serving": serving})  # fmt: skip


def _checked(folder: Path, *, every_byte: bool, is_gentle: bool) -> Path:
    """A release's folder. Raises ReleaseError naming the files that are not as the manifest says."""
    manifest = read_manifest(folder)
    faults = resized_files(folder, manifest) or (
        changed_files(folder, manifest, is_gentle=is_gentle) if every_byte else []
    )
    if faults:
        raise ReleaseError(f"release {folder.name} is damaged: {'; '.join(faults)}")
    return folder


def _give_way() -> None:
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
