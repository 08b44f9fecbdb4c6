"""The application: settings in, a Litestar application out."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.routes import HTTPRoute

from serving.bodies import BodyRequest
from serving.edge import Edge
from serving.errors import (
    ServiceProblem,
    on_exception,
    on_http_exception,
    on_problem,
)
from serving.lifespan import running
from serving.limits import trusted_networks
from serving.make_context import make_context
from serving.openapi import openapi_config
from serving.overload import Gate
from serving.passwords import PasswordChecks
from serving.response_cache import MAX_CACHE_BYTES, ResponseCache
from serving.senders import mail_server
from serving.services.organization import organization_of
from serving.settings import Settings
from serving.structs import prepare_structs

# Modules with `HANDLERS` and perhaps `LIFESPANS`, in the order of their routes.
_ROOMS = (
    "serving.controllers.resources",
    "serving.controllers.bulk",
    "serving.controllers.exports",
    "serving.controllers.catalog",
    "serving.controllers.health",
    "serving.controllers.pages",
    "serving.controllers.site",
    "serving.controllers.forms",
    "serving.controllers.static",
    "serving.controllers.history",
    "serving.controllers.hsds",
    "serving.controllers.hsds_rows",
    "serving.controllers.hsds_files",
    "serving.controllers.hsds_documents",
    "serving.controllers.snapshots",
    "serving.controllers.urgent",
    "serving.controllers.benefits",
    "serving.controllers.calendars",
    "serving.controllers.access",
    "serving.controllers.language",
    "serving.controllers.maps",
    "serving.controllers.mcp",
    "serving.controllers.reference",
    "serving.controllers.disasters",
    "serving.controllers.disaster_pages",
    "serving.controllers.sms",
    "serving.controllers.documents",
    "serving.controllers.discovery_files",
    "serving.controllers.press",
    "serving.controllers.program_dates",
    "serving.controllers.writing",
    "serving.controllers.operators",
    "serving.controllers.operator_pages",
    "serving.controllers.embeds",
    "serving.controllers.badges",
    "serving.controllers.pictures",
    "serving.controllers.oembed",
    "serving.controllers.verify",
    "serving.controllers.console",
    "serving.controllers.console_queues",
    "serving.storage",
)


def create_app(settings: Settings) -> Litestar:
    """The food directory. It opens the current release when it starts and follows the pointer."""
    return make_app(settings, tuple(map(import_module, _ROOMS)), openapi_config(settings))


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
        release.live = live.table
        warm(release)

    watch = ReleaseWatch(settings.data_dir, lambda event, facts: log.info(event, **facts), prepare)
    searches = SearchCounts(store)
    gate = Gate(settings.most_under_way, settings.most_wait_seconds)
    supervisor = Supervisor(log)
    open_files = FileRounds(watch, opened_files, settings.verify_seconds, _lease(watch, "open"))
    responses = ResponseCache(MAX_CACHE_BYTES // settings.workers)
    observer = Observer(
        settings.data_dir, watch, store, live, searches, gate, supervisor, responses
    )
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
        responses=responses,
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
