"""Operators' and visitors' reports in this worker's memory, reread from the store after changes and
overlaid on the release.

Twice a second one small query detects changes in any worker of any replica; after our own write
immediately. No search queries the store. While the store is unreachable, known reports stay.
"""

import asyncio
import time
from datetime import UTC, datetime
from typing import Any

from warehouse.index.live_overlay import LiveTable
from warehouse.operations.engine import Store, StoreUnavailableError
from warehouse.operations.reports import Changes, read_changes

EVERY_SECONDS = 0.5
# Writes that end within so short a time are read together.
_GATHER_SECONDS = 0.05


class LiveFollower:
    """Keeps `table` in sync with the store. Use it on the event loop."""

    def __init__(self, store: Store, log: Any) -> None:
        self.table = LiveTable()
        self._store = store
        self._log = log
        self._version = 0
        self._is_reading = asyncio.Lock()
        self._next: asyncio.Task[None] | None = None
        self._is_cut_off = False
        self._read_at = time.monotonic()

    @property
    def lag_seconds(self) -> float:
        """Time since the store was last read."""
        return time.monotonic() - self._read_at

    async def refresh(self) -> None:
        """Read everything committed before the call into the table.

        Concurrent callers share one read. A failing store is retried later.
        """
        if self._next is None:
            self._next = asyncio.create_task(self._read_soon())
        await asyncio.shield(self._next)

    async def follow(self) -> None:
        """Poll for changes until stopped."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            await self._read()
            self.table.drop_expired(datetime.now(UTC))

    async def _read_soon(self) -> None:
        await asyncio.sleep(_GATHER_SECONDS)
        self._next = None  # later callers need another read
        try:
            await self._read()
        except Exception as error:  # the report is stored: anyone who wrote it is not to see this
            self._log.error("live_reports_not_read", exc_info=error)

    async def _read(self) -> None:
        async with self._is_reading:
            now, since = datetime.now(UTC), self._version
            try:
                changes = await self._store.fetch(lambda db: read_changes(db, since, now))
            except StoreUnavailableError as error:
                self._report(str(error))
                return
            self._report("")
            self._apply(changes)
            self._read_at = time.monotonic()

    def _apply(self, changes: Changes) -> None:
        self._version = changes.version
        table = self.table
        if changes.is_whole:
            for resource_id in table.entries.keys() - changes.entries.keys():
                table.put(resource_id, None)
            for resource_id in table.doubts.keys() - changes.doubts.keys():
                table.put_doubt(resource_id, None)
        for resource_id, entry in changes.entries.items():
            table.put(resource_id, entry)
        for resource_id, doubt in changes.doubts.items():
            table.put_doubt(resource_id, doubt)
        if changes.closed is not None:
            table.set_closed(changes.closed)

    def _report(self, fault: str) -> None:
        """Log the first failure and the recovery, not every attempt."""
        if bool(fault) != self._is_cut_off:
            self._is_cut_off = bool(fault)
            event = "live_reports_cut_off" if fault else "live_reports_resumed"
            self._log.warning(event, **({"reason": fault} if fault else {}))
