"""The application: settings in, a Litestar application out."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.routes import HTTPRoute

from serving import storage
from serving.bodies import BodyRequest
from serving.clock import ClockWatch
from serving.context import Context
from serving.controllers import (
    access,
    badges,
    benefits,
    bulk,
    calendars,
    catalog,
    console,
    console_queues,
    disaster_pages,
    disasters,
    discovery_files,
    documents,
    embeds,
    exports,
    forms,
    health,
    history,
    hsds,
    hsds_documents,
    hsds_files,
    hsds_rows,
    language,
    maps,
    mcp,
    oembed,
    operator_pages,
    operators,
    pages,
    pictures,
    press,
    program_dates,
    reference,
    resources,
    site,
    sms,
    snapshots,
    static,
    urgent,
    verify,
    writing,
)
from serving.courier import Courier
from serving.edge import Edge
from serving.errors import (
    ServiceProblem,
    on_exception,
    on_http_exception,
    on_problem,
)
from serving.limits import trusted_networks
from serving.logs import make_logger
from serving.metrics import Metrics
from serving.metrics_server import serving_metrics
from serving.observing import Observer
from serving.openapi import openapi_config
from serving.overload import Gate
from serving.passwords import PasswordChecks
from serving.registration import Application
from serving.senders import mail_server
from serving.services.live import LiveFollower
from serving.services.organization import organization_of
from serving.services.warming import warm
from serving.settings import API_VERSION, Settings
from serving.structs import prepare_structs
from serving.supervision import Supervisor, Work
from serving.traces import Traces
from serving.worker_numbers import WorkerNumbers
from warehouse.damage import opened_files, other_files
from warehouse.files import Lease
from warehouse.operations.engine import StoreUnavailableError, open_store
from warehouse.operations.retention import retain
from warehouse.operations.store import SearchCounts
from warehouse.reader import OpenRelease
from warehouse.verifying import FileRounds
from warehouse.watch import ReleaseWatch

_SWITCH_SECONDS = 0.0005
# A clock that was set by more is not trusted with deleting.
_DOUBTFUL_CLOCK_SECONDS = 3600
# Files that are published whole are many times as large as those that are open.
_OTHER_FILES_SECONDS = 3600.0
_ROOMS = (
    resources,
    bulk,
    exports,
    catalog,
    health,
    pages,
    site,
    forms,
    static,
    history,
    hsds,
    hsds_rows,
    hsds_files,
    hsds_documents,
    snapshots,
    urgent,
    benefits,
    calendars,
    access,
    language,
    maps,
    mcp,
    reference,
    disasters,
    disaster_pages,
    sms,
    documents,
    discovery_files,
    press,
    program_dates,
    writing,
    operators,
    operator_pages,
    embeds,
    badges,
    pictures,
    oembed,
    verify,
    console,
    console_queues,
    storage,
)


def create_app(settings: Settings) -> Litestar:
    """The food directory. It opens the current release when it starts and follows the pointer."""
    return make_app(settings, _ROOMS, openapi_config(settings))


def make_app(settings: Settings, rooms: tuple[Any, ...], config: OpenAPIConfig) -> Litestar:
    """An application of the handlers of `rooms`, each a module with `HANDLERS` and perhaps
    `LIFESPANS`.

    Whatever it answers, it has the release, the edge, the problems and the description of them all.
    """
    context = make_context(settings)
    # A wrong file of facts about the organization stops the start, not a request.
    organization_of(settings)
    trusted_networks(settings.trusted_proxies)
    mail_server(settings.smtp_url)

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        async with running(context):
            yield

    config.components = Components(
        security_schemes={"bearer": SecurityScheme(type="http", scheme="bearer")}
    )
    app = Application(
        [handler for room in rooms for handler in room.HANDLERS],
        lifespan=[lifespan, *(part for room in rooms for part in getattr(room, "LIFESPANS", ()))],
        request_class=BodyRequest,
        state=State({"settings": settings, "context": context}),
        openapi_config=config,
        exception_handlers={
            ServiceProblem: on_problem,
            HTTPException: on_http_exception,
            Exception: on_exception,
        },
        logging_config=None,
    )
    _name_all_methods(app)
    prepare_structs()
    app.asgi_handler = Edge(app.asgi_handler, context)
    return app


def _name_all_methods(app: Litestar) -> None:
    """Litestar answers OPTIONS with the methods of the handler of an address that it met first, not
    with all.
    """
    for route in app.routes:
        if isinstance(route, HTTPRoute) and len(route.methods) > 2:
            answering, _ = route.route_handler_map["OPTIONS"]
            answering._fn = route.create_options_handler(route.path).fn


def make_context(settings: Settings) -> Context:
    """Everything that lives as long as the process; nothing is opened yet."""
    log = make_logger(settings.log_level)
    store = open_store(
        settings.operations_store, upgrades=settings.operations_upgrade.lower() != "off"
    )
    live = LiveFollower(store, log)

    def prepare(release: OpenRelease) -> None:
        release.live, release.workers = live.table, settings.workers
        warm(release)

    watch = ReleaseWatch(settings.data_dir, lambda event, facts: log.info(event, **facts), prepare)
    searches = SearchCounts(store)
    gate = Gate(settings.most_under_way, settings.most_wait_seconds)
    supervisor = Supervisor(log)
    open_files = FileRounds(watch, opened_files, settings.verify_seconds, _lease(watch, "open"))
    observer = Observer(settings.data_dir, watch, store, live, searches, gate, supervisor)
    metrics = Metrics(observer.measure)
    folder = Path(settings.metrics_dir) / str(settings.port) if settings.metrics_dir else None
    return Context(
        settings=settings,
        watch=watch,
        metrics=metrics,
        store=store,
        searches=searches,
        live=live,
        courier=Courier(settings, store, log),
        passwords=PasswordChecks(),
        log=log,
        observer=observer,
        workers=WorkerNumbers(metrics, folder),
        traces=Traces(log),
        gate=gate,
        supervisor=supervisor,
        open_files=open_files,
    )


def _lease(watch: ReleaseWatch, name: str) -> Lease:
    return Lease(watch.store.root / f".verify-{name}.lock")


def background_tasks(context: Context) -> dict[str, Work]:
    """Name the tasks that run as long as the process. Rooms start more in their lifespans."""
    tasks: dict[str, Work] = {
        "follow_releases": partial(context.watch.follow, context.settings.poll_seconds),
        "write_search_counts": partial(_write_search_counts, context),
        "follow_reports": context.live.follow,
        "verify_open_files": context.open_files.follow,
        "verify_other_files": FileRounds(
            context.watch, other_files, _OTHER_FILES_SECONDS, _lease(context.watch, "other")
        ).follow,
        "delete_expired": partial(_delete_expired, context),
        "count_queues": context.observer.follow_queues,
    }
    for channel in context.courier.channels:
        tasks[f"send_{channel}"] = partial(context.courier.follow, channel)
    if context.workers.is_shared:
        tasks["share_metrics"] = context.workers.follow
    return tasks


@contextlib.asynccontextmanager
async def running(context: Context) -> AsyncIterator[None]:
    """Open the release and the store, then run the background tasks until the end."""
    settings = context.settings
    context.traces.start(API_VERSION)
    context.watch.open_now()
    await _open_store(context)
    # A thread that writes waits so long for a busy event loop after every statement; the default is
    # 5 ms.
    sys.setswitchinterval(_SWITCH_SECONDS)
    # A release is some 100,000 objects that stay: the collector need not walk them again and again.
    gc.freeze()
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
        context.passwords.close()
        with contextlib.suppress(OSError):
            await context.workers.leave()
        await asyncio.to_thread(context.traces.stop)
        gc.unfreeze()
        context.watch.close()


async def _open_store(context: Context) -> None:
    """What people wrote may be out of reach for now: places are found without it."""
    try:
        await asyncio.to_thread(context.store.open)
        await context.live.refresh()
    except StoreUnavailableError as error:
        context.log.error("operations_store_unavailable", reason=str(error))


async def _delete_expired(context: Context) -> None:
    """Delete every day what is past its time; for the first time an hour after the start.

    When the clock was set since the last time, it may be wrong now: nothing is deleted before it
    has gone on for
    another day.
    """
    wait, clock = 3600, ClockWatch()
    while True:
        await asyncio.sleep(wait)
        wait = 86_400
        moved = clock.moved_seconds()
        if abs(moved) > _DOUBTFUL_CLOCK_SECONDS:
            context.log.warning("retention_put_off", clock_moved_seconds=round(moved))
            continue
        await context.store.written(lambda db: retain(db, datetime.now(UTC)))


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
