"""The tasks that run as long as the process."""

import asyncio
from datetime import UTC, datetime
from functools import partial

from serving.context import Context
from serving.processes.clock import ClockWatch
from serving.processes.make_context import lease
from serving.processes.supervision import Work
from warehouse.operations.engine import StoreUnavailableError
from warehouse.operations.retention import retain
from warehouse.release.background_verification import FileRounds
from warehouse.release.integrity import other_files

# A clock that was set by more is not trusted with deleting.
_DOUBTFUL_CLOCK_SECONDS = 3600
# Files that are published whole are many times as large as those that are open.
_OTHER_FILES_SECONDS = 3600.0


def background_tasks(context: Context) -> dict[str, Work]:
    """Name the tasks that run as long as the process. Rooms start more in their lifespans."""
    tasks: dict[str, Work] = {
        "follow_releases": partial(context.watch.follow, context.settings.poll_seconds),
        "write_search_counts": partial(_write_search_counts, context),
        "follow_reports": context.live.follow,
        "verify_open_files": context.open_files.follow,
        "verify_other_files": FileRounds(
            context.watch, other_files, _OTHER_FILES_SECONDS, lease(context.watch, "other")
        ).follow,
        "delete_expired": partial(_delete_expired, context),
        "count_queues": context.observer.follow_queues,
    }
    for channel in context.courier.channels:
        tasks[f"send_{channel}"] = partial(context.courier.follow, channel)
    if context.workers.is_shared:
        tasks["share_metrics"] = context.workers.follow
    return tasks


async def _delete_expired(context: Context) -> None:
    """Delete expired records every day; for the first time an hour after the start.

    When the clock was set since the last time, it may be wrong now: nothing is deleted before it
    has gone on for another day.
    """
    wait, clock = 3600, ClockWatch()
    while True:
        await asyncio.sleep(wait)
        wait = 86_400
        moved = clock.moved_seconds()
        if abs(moved) > _DOUBTFUL_CLOCK_SECONDS:
            context.log.warning("retention_put_off", clock_moved_seconds=round(moved))
            continue
        await context.store.transact(lambda db: retain(db, datetime.now(UTC)))


async def _write_search_counts(context: Context) -> None:
    while True:
        await asyncio.sleep(context.settings.flush_seconds)
        pending = context.searches.take()
        try:
            await asyncio.to_thread(context.searches.write, pending)
        except Exception as error:
            context.searches.put_back(pending)
            if not isinstance(error, StoreUnavailableError):
                raise
            context.log.error("search_counts_not_written", reason=str(error))
