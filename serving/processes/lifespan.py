"""Opens the resources of a process when it starts, runs its tasks, and closes them when it ends."""

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial

from serving.context import Context
from serving.processes.background import Work
from serving.settings import API_VERSION
from serving.telemetry.metrics import MULTIPROCESS_FOLDER
from serving.telemetry.metrics_server import metrics_endpoint
from warehouse.operations.engine import StoreUnavailableError
from warehouse.operations.retention import retain


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
    if os.environ.get(MULTIPROCESS_FOLDER):
        tasks["share_metrics"] = context.metrics.follow
    return tasks


async def _delete_expired(context: Context) -> None:
    """Delete expired records every day, first an hour after the start."""
    await asyncio.sleep(3600)
    while True:
        await context.store.transact(lambda db: retain(db, datetime.now(UTC)))
        await asyncio.sleep(86_400)


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


@contextlib.asynccontextmanager
async def process_lifespan(context: Context) -> AsyncIterator[None]:
    """Open the release and the store, then run the background tasks until the end."""
    settings = context.settings
    context.traces.start(API_VERSION)
    context.watch.open_now()
    await _open_store(context)
    for name, work in background_tasks(context).items():
        context.tasks.start(name, work)
    _stop_gently(context)
    try:
        async with metrics_endpoint(
            settings.metrics_host, settings.metrics_port, context.metrics.render, context.log
        ):
            yield
    finally:
        await context.tasks.stop()
        try:
            await asyncio.to_thread(context.searches.close)
        except Exception as error:
            context.log.error("search_counts_lost", exc_info=error)
        await asyncio.to_thread(context.store.close)
        await asyncio.to_thread(context.traces.stop)
        context.watch.close()


def _stop_gently(context: Context) -> None:
    """On SIGTERM, first say that this worker is not ready, so that proxies ask others; then stop.

    Granian stops a worker at SIGTERM and SIGINT alike. Does nothing outside of its workers.
    """
    if multiprocessing.parent_process() is None:
        return
    loop = asyncio.get_running_loop()

    def stop() -> None:
        context.is_stopping.set()
        loop.call_later(context.settings.drain_seconds, os.kill, os.getpid(), signal.SIGINT)

    loop.add_signal_handler(signal.SIGTERM, stop)


async def _open_store(context: Context) -> None:
    """Open the operations store; without it places can still be found."""
    try:
        await asyncio.to_thread(context.store.open)
        await context.live.refresh()
    except StoreUnavailableError as error:
        context.log.error("operations_store_unavailable", reason=str(error))
