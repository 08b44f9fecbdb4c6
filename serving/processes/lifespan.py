"""Opens what a process needs when it starts, and closes it when it ends."""

import asyncio
import contextlib
import gc
import sys
from collections.abc import AsyncIterator

from serving.context import Context
from serving.processes.background import background_tasks
from serving.processes.memory import settle
from serving.processes.parent import end_with_server
from serving.settings import API_VERSION
from serving.telemetry.metrics_server import serving_metrics
from warehouse.operations.engine import StoreUnavailableError

_SWITCH_SECONDS = 0.0005


@contextlib.asynccontextmanager
async def running(context: Context) -> AsyncIterator[None]:
    """Open the release and the store, then run the background tasks until the end."""
    settings = context.settings
    end_with_server()
    context.workers.begin()
    context.traces.start(API_VERSION)
    context.watch.open_now()
    await _open_store(context)
    # A thread that writes waits so long for a busy event loop after every statement; the default is
    # 5 ms.
    sys.setswitchinterval(_SWITCH_SECONDS)
    settle()
    for name, work in background_tasks(context).items():
        context.supervisor.start(name, work)
    try:
        async with serving_metrics(
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
