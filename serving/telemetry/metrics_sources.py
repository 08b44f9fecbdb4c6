"""Metrics other than requests: the release, the sources, the store, memory and disk.

All are in memory or cost a system call, so that a scrape never waits. Only the queues are in the
store: they are counted every fifteen seconds.
"""

import asyncio
import os
import resource
import shutil
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from schemas.sources.registry import sources
from serving.http.admission import AdmissionControl
from serving.http.caching import ResponseCache
from serving.processes.background import BackgroundTasks
from serving.processes.live_reports import LiveFollower
from serving.telemetry.metrics import Numbers
from warehouse.index.reader import OpenRelease
from warehouse.operations import claims, feedback, outbox, reviews
from warehouse.operations.engine import Store, StoreUnavailableError
from warehouse.operations.search_counts import SearchCounts
from warehouse.release.manifest import Manifest
from warehouse.release.watch import ReleaseWatch

QUEUES_EVERY_SECONDS = 15.0
_WAITS_SECONDS = 60.0
_PAGE_BYTES = resource.getpagesize()
_DAY_SECONDS = 86_400.0


@dataclass
class Observer:
    """Measures one process. Used from the event loop only."""

    data_dir: Path
    watch: ReleaseWatch
    store: Store
    live: LiveFollower
    searches: SearchCounts
    admission: AdmissionControl
    tasks: BackgroundTasks
    responses: ResponseCache
    of_release: list[Callable[[OpenRelease, datetime], Numbers]] = field(
        default_factory=lambda: [_of_release]
    )
    _queues: dict[str, int] = field(default_factory=dict)
    _waits: deque[tuple[float, float]] = field(default_factory=deque)

    async def follow_queues(self) -> None:
        """Count the review queues until stopped. With an unreachable store they are unknown, not
        zero."""
        while True:
            try:
                self._queues = await self.store.fetch(queue_lengths)
            except Exception as error:
                self._queues = {}
                if not isinstance(error, StoreUnavailableError):
                    raise
            await asyncio.sleep(QUEUES_EVERY_SECONDS)

    def measure(self) -> Numbers:
        """Return all numbers by the names of METRICS."""
        numbers = _of_process()
        now, admission, times = time.monotonic(), self.admission, self.store.times
        self._waits.append((now, admission.take_longest_wait()))
        while self._waits[0][0] < now - _WAITS_SECONDS:
            self._waits.popleft()
        numbers |= {
            "larder_requests_refused": [((reason,), n) for reason, n in admission.refusals.items()],
            "larder_requests_under_way": [((), sum(admission.under_way))],
            "larder_wait_seconds": [((), max(wait for _, wait in self._waits))],
            "larder_store_failures": [((kind,), n) for kind, n in times.failures().items()],
            "larder_store_up": [((), float(times.is_up))],
            "larder_live_lag_seconds": [((), self.live.lag_seconds)],
            "larder_live_reports": [((), len(self.live.table.entries))],
            "larder_queue_length": [((name,), n) for name, n in self._queues.items()],
            "larder_search_counts_pending": [((), self.searches.pending)],
        }
        failures = self.tasks.failures
        numbers["larder_background_task_failures"] = [((n,), f) for n, f in failures.items()]
        numbers["larder_remembered_answers"] = [((), len(self.responses))]
        numbers["larder_remembered_bytes"] = [((), self.responses.size_bytes)]
        numbers["larder_release_swaps"] = [((), self.watch.swaps)]
        numbers["larder_release_failures"] = [((), self.watch.failures)]
        numbers["larder_release_is_refused"] = [((), float(self.watch.refusal is not None))]
        if (release := self.watch.release) is not None:
            for measure in self.of_release:
                numbers |= measure(release, datetime.now(UTC))
        if self.data_dir.exists():
            numbers["larder_disk_free_bytes"] = [((), shutil.disk_usage(self.data_dir).free)]
        return numbers


def queue_lengths(db: Any) -> dict[str, int]:
    """Return waiting items by queue, and unsent messages."""
    waiting = reviews.waiting(db)
    return {
        "submissions": waiting["submission"],
        "edits": waiting["edit"],
        "claims": claims.claims_waiting(db),
        "feedback_effects": feedback.doubts_waiting(db),
        "messages": feedback.messages_waiting(db),
        "unsent_messages": outbox.count_troubled(db),
    }


def instant(text: str) -> datetime:
    """Parse an instant of a manifest, which is UTC."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def days_since_retrieved(manifest: Manifest, now: datetime) -> dict[str, float]:
    """Return the age in days of each source with rows in the release."""
    return {
        entry.id: (now - instant(entry.retrieved_at)).total_seconds() / _DAY_SECONDS
        for entry in manifest.sources
        if entry.rows_read and entry.retrieved_at
    }


def _of_release(release: OpenRelease, now: datetime) -> Numbers:
    manifest = release.manifest
    age = (now - instant(manifest.created_at)).total_seconds()
    ages = days_since_retrieved(manifest, now)
    vintages = {
        e.id: float((now.date() - date.fromisoformat(e.newest_vintage[:10])).days)
        for e in manifest.sources
        if e.newest_vintage and e.rows_read
    }
    registry = sources()
    return {
        "larder_release_age_seconds": [((), age)],
        "larder_release_info": [((release.release_id,), 1)],
        "larder_resources": [((), len(release))],
        "larder_source_age_days": [
            *((((name, "retrieved"), round(days, 3)) for name, days in ages.items())),
            *((((name, "vintage"), days) for name, days in vintages.items())),
        ],
        "larder_source_due_days": [
            ((name,), due)
            for name in ages
            if name in registry and (due := registry[name].freshness_days) is not None
        ],
    }


def _of_process() -> Numbers:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    numbers: Numbers = {"larder_cpu_seconds": [((), usage.ru_utime + usage.ru_stime)]}
    if Path("/proc/self/statm").exists():  # Linux
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        numbers["larder_resident_bytes"] = [((), pages * _PAGE_BYTES)]
        numbers["larder_open_files"] = [((), len(os.listdir("/proc/self/fd")))]
    return numbers
