"""Opens an older stored release alongside the served one, for requests that name it (`as_of`)."""

import asyncio
import time
from collections.abc import Callable
from datetime import date

from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

# An opened release stays at least this long before another replaces it, and is closed after this
# long without a request: each takes seconds to open, and the memory of an index.
MIN_OPEN_SECONDS = 10.0
MAX_IDLE_SECONDS = 600.0


class OtherReleaseError(RuntimeError):
    """Another older release was opened very recently."""


class OlderReleases:
    """One older release, opened when a request first names it. `open_release` returns None for a
    damaged one.

    Use it from the event loop only; opening runs in another thread, one at a time.
    """

    def __init__(self, open_release: Callable[[str], OpenRelease | None]) -> None:
        self._open_release = open_release
        self._opened: OpenRelease | None = None
        self._turn = asyncio.Lock()
        self._free_at = 0.0
        self._idle: asyncio.TimerHandle | None = None

    async def release(self, release_id: str) -> OpenRelease | None:
        """Return a stored release; None if it is unreadable. Raises OtherReleaseError."""
        async with self._turn:
            if self._opened is None or self._opened.release_id != release_id:
                if self._opened is not None and time.monotonic() < self._free_at:
                    raise OtherReleaseError(self._opened.release_id)
                self.close()
                self._opened = await asyncio.to_thread(self._open_release, release_id)
                self._free_at = time.monotonic() + MIN_OPEN_SECONDS
            if self._idle is not None:
                self._idle.cancel()
            self._idle = asyncio.get_running_loop().call_later(MAX_IDLE_SECONDS, self.close)
            return self._opened

    def close(self) -> None:
        """Drop the release. Requests in progress keep it until they finish."""
        self._opened = None


def release_on(store: ReleaseStore, day: date) -> str | None:
    """Return the id of the release served at the end of a day (UTC), by the release log; None for a
    day before the first."""
    entries = [e for e in store.log.readable_entries() if e.created_at[:10] <= day.isoformat()]
    return entries[-1].release_id if entries else None
