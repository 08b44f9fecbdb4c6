"""Opens the resources of a process when it starts, runs its tasks, and closes them when it ends."""

import asyncio
import contextlib
import gc
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial

from serving.context import Context
from serving.processes.clock import ClockWatch
from serving.processes.listening import refuse_before_stop
from serving.processes.memory import settle
from serving.processes.parent import end_with_server
from serving.processes.supervision import Work
from serving.settings import API_VERSION
from serving.telemetry.metrics_server import metrics_endpoint
from warehouse.operations.engine import StoreUnavailableError
from warehouse.operations.retention import retain

# A clock that was set by more is not trusted with deleting.
_DOUBTFUL_CLOCK_SECONDS = 3600


def background_tasks(context: Context) -> dict[str, Work]:
    """Name the tasks that run as long as the process. Rooms start more in their lifespans."""
    tasks: dict[str, Work] = {
        "follow_releases": partial(context.watch.follow, context.settings.poll_seconds),
        "write_search_counts": partial(_write_search_counts, context),
        "follow_reports": context.live.follow,
        "delete_expired": partial(_delete_expired, context),
        "count_queues": context.observer.follow_queues,
    }
    for channel in context.courier.channels:
        tasks[f"send_{channel}"] = partial(context.courier.follow, channel)
    if context.workers.is_shared:
        tasks["share_metrics"] = context.workers.follow
    return tasks


async def _delete_expired(context: Context) -> None:
    """Delete expired records every day, first an hour after the start.

    After the clock was set, it may be wrong: nothing is deleted until another day has passed.
    """
    wait, clock = 3600, ClockWatch()
    while True:
        await asyncio.sleep(wait)
        wait = 86_400
        shift = clock.measure_clock_shift()
        if abs(shift) > _DOUBTFUL_CLOCK_SECONDS:
            context.log.warning("retention_put_off", clock_moved_seconds=round(shift))
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


_SWITCH_SECONDS = 0.0005


@contextlib.asynccontextmanager
async def process_lifespan(context: Context) -> AsyncIterator[None]:
    """Open the release and the store, then run the background tasks until the end."""
    settings = context.settings
    end_with_server()
    context.workers.begin()
    context.traces.start(API_VERSION)
    context.watch.open_now()
    await _open_store(context)
    # A writing thread waits this long for a busy event loop after every statement; the default is
    # 5 ms.
    sys.setswitchinterval(_SWITCH_SECONDS)
    settle()
    for name, work in background_tasks(context).items():
        context.supervisor.start(name, work)
    refuse_before_stop(settings.port)
    try:
        async with metrics_endpoint(
            settings.metrics_host, settings.metrics_port, context.workers.render, context.log
        ):
            yield
    finally:
        await context.supervisor.stop()
        try:
            await asyncio.to_thread(context.searches.close)
        except Exception as error:
            context.log.error("search_counts_lost", exc_info=error)
        await asyncio.to_thread(context.store.close)
        with contextlib.suppress(OSError):
            await context.workers.leave()
        await asyncio.to_thread(context.traces.stop)
        gc.unfreeze()
        context.watch.close()


async def _open_store(context: Context) -> None:
    """Open the operations store; without it places can still be found."""
    try:
        await asyncio.to_thread(context.store.open)
        await context.live.refresh()
    except StoreUnavailableError as error:
        context.log.error("operations_store_unavailable", reason=str(error))
