"""The application: settings in, a Litestar application out."""

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from typing import Any

import msgspec
from litestar import Controller, Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ControllerRouterHandler

from schemas.api.registry import STRUCTS
from schemas.hours.clock_words import day_name
from schemas.languages import PUBLISHED
from schemas.sources.rights import RightsPolicy
from serving.context import Context
from serving.documents.feeds import PressItem
from serving.documents.registry import Section
from serving.http.admission import AdmissionControl
from serving.http.answers import Answer
from serving.http.caching import MAX_CACHE_BYTES, ResponseCache
from serving.http.errors import (
    InsteadError,
    ServiceProblem,
    on_exception,
    on_http_exception,
    on_instead,
    on_problem,
)
from serving.http.openapi import openapi_config
from serving.http.per_state import StateAddress, handlers_per_state
from serving.http.policy import HttpPolicy
from serving.http.rate_limits import read_trusted_networks
from serving.http.request_limits import BodyRequest
from serving.processes.background import BackgroundTasks, Work
from serving.processes.live_reports import LiveFollower
from serving.processes.notifications import Courier, mail_server
from serving.reference.organization import organization_of
from serving.render.problem_page import problem_page
from serving.search.plain_language import names_of
from serving.search.rank import standing
from serving.search.suggest import suggest_index_of
from serving.settings import API_VERSION, Settings
from serving.telemetry.logs import make_logger
from serving.telemetry.metrics import MULTIPROCESS_FOLDER, Metrics, metrics_endpoint
from serving.telemetry.metrics_sources import Observer
from serving.telemetry.traces import Traces
from warehouse.index.reader import OpenRelease
from warehouse.index.statistics import CityTotals, StateTotals
from warehouse.operations.engine import StoreUnavailableError, open_store
from warehouse.operations.personal_data import retain
from warehouse.operations.search_counts import SearchCounts
from warehouse.release.manifest import Manifest
from warehouse.release.watch import ReleaseWatch
from warehouse.storage.publish import Pointer
from warehouse.storage.sync import StorageStatus

# Modules of routes; some have `LIFESPANS`, `describe`, which completes the API description, or
# `measure`, which adds metrics of a release.
_ROUTE_MODULES = (
    "serving.search.routes",
    "serving.exports.bulk_routes",
    "serving.exports.files",
    "serving.exports.catalogs",
    "serving.statistics.reports",
    "serving.health",
    "serving.site.pages",
    "serving.site.routes",
    "serving.site.place_page",
    "serving.site.text_routes",
    "serving.site.sheet",
    "serving.site.area",
    "serving.site.web_app",
    "serving.site.pack",
    "serving.site.design",
    "serving.forms.routes",
    "serving.forms.household",
    "serving.releases.routes",
    "serving.hsds.routes",
    "serving.hsds.documents",
    "serving.hsds.description",
    "serving.statistics.atlas",
    "serving.statistics.data_quality",
    "serving.search.urgent",
    "serving.benefits.routes",
    "serving.places.calendars",
    "serving.statistics.food_access",
    "serving.statistics.coverage",
    "serving.search.plain_language",
    "serving.mcp.routes",
    "serving.site.reference",
    "serving.site.static",
    "serving.disasters.routes",
    "serving.disasters.declarations",
    "serving.sms.routes",
    "serving.documents.routes",
    "serving.documents.discovery",
    "serving.documents.press_routes",
    "serving.forms.submissions",
    "serving.operators.routes",
    "serving.operators.pages",
    "serving.embeds.routes",
    "serving.embeds.picture_routes",
    "serving.embeds.oembed",
    "serving.documents.verify_routes",
    "serving.review.sign_in",
    "serving.review.queues",
    "serving.review.places",
    "serving.processes.storage",
)


# Classes that threads read, besides those of the API.
_OTHER_STRUCTS = (
    Manifest,
    Section,
    StateTotals,
    CityTotals,
    Pointer,
    StorageStatus,
    PressItem,
    RightsPolicy,
)


_ERROR_HANDLERS: dict[int | type[Exception], Any] = {
    ServiceProblem: on_problem,
    InsteadError: on_instead,
    HTTPException: on_http_exception,
    Exception: on_exception,
}


def create_app(settings: Settings) -> Litestar:
    """Create the food directory. It opens the current release when it starts and follows the
    pointer.
    """
    modules = tuple(map(import_module, _ROUTE_MODULES))
    return make_app(settings, modules, openapi_config(settings), problem_page)


def make_app(
    settings: Settings,
    modules: tuple[Any, ...],
    config: OpenAPIConfig,
    problem_page: Callable[..., Answer] | None = None,
) -> Litestar:
    """Make an application of the handlers of `modules`, modules of routes.

    Every application has the release, the HTTP policy, the problem answers and the API description.
    """
    context = make_context(settings, problem_page)
    # A wrong file of facts about the organization stops the start, not a request.
    organization_of(settings)
    read_trusted_networks(settings.trusted_proxies)
    mail_server(settings.smtp_url)

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        async with process_lifespan(context):
            yield

    found = [handler for module in modules for handler in handlers_of(module)]
    handlers: list[ControllerRouterHandler] = [
        *(handler for handler in found if not isinstance(handler, StateAddress)),
        *handlers_per_state(one for one in found if isinstance(one, StateAddress)),
    ]
    config.components = Components(
        security_schemes={"bearer": SecurityScheme(type="http", scheme="bearer")}
    )
    context.observer.of_release += [m.measure for m in modules if hasattr(m, "measure")]
    app = Litestar(
        handlers,
        lifespan=[
            lifespan,
            *(part for module in modules for part in getattr(module, "LIFESPANS", ())),
        ],
        request_class=BodyRequest,
        state=State(
            {
                "settings": settings,
                "context": context,
                "descriptions": [
                    module.describe for module in modules if hasattr(module, "describe")
                ],
            }
        ),
        openapi_config=config,
        exception_handlers=_ERROR_HANDLERS,
        logging_config=None,
    )
    prepare_structs((*STRUCTS.values(), *_OTHER_STRUCTS))
    app.asgi_handler = HttpPolicy(app.asgi_handler, context)
    return app


def handlers_of(module: Any) -> list[Any]:
    """Return what answers requests in a module: its `HANDLERS`, or all handlers, controllers and
    addresses of states that it defines."""
    if hasattr(module, "HANDLERS"):
        return list(module.HANDLERS)
    found: list[Any] = []
    for value in vars(module).values():
        for one in value if isinstance(value, list) else (value,):
            is_controller = isinstance(one, type) and issubclass(one, Controller)
            if isinstance(one, BaseRouteHandler | StateAddress) or (
                is_controller and one is not Controller
            ):
                found.append(one)
    return found


def prepare_structs(structs: Iterable[type[msgspec.Struct]]) -> None:
    """Have msgspec compile message classes. All of the API take some 50 ms.

    msgspec inspects a class on first use, and other threads see a half-finished result: two threads
    that first use a class concurrently crash the process (a segmentation fault, seen once at a
    worker's start).
    """
    for struct in structs:
        msgspec.json.Decoder(struct)


def warm(release: OpenRelease) -> None:
    """Build the inputs of searches before the first request, and before workers are forked: values
    and objects first used in a worker take memory in every worker."""
    suggest_index_of(release)
    names_of(release)
    standing(release)
    release.gazetteer.index_spellings()
    for language in PUBLISHED:
        day_name(0, language)  # reads the names of days and months


# ---------------------------------------------------------------- process


def make_context(settings: Settings, problem_page: Callable[..., Answer] | None = None) -> Context:
    """Build everything with the lifetime of the process; nothing is opened yet.

    `problem_page` answers problems of pages, if there are any.
    """
    log = make_logger(settings.log_level)
    store = open_store(
        settings.operations_store, upgrades=settings.operations_upgrade.lower() != "off"
    )
    live = LiveFollower(store, log)

    def prepare(release: OpenRelease) -> None:
        release.show_reports(live.table)
        warm(release)

    watch = ReleaseWatch(settings.data_dir, lambda event, facts: log.info(event, **facts), prepare)
    searches = SearchCounts(store)
    admission = AdmissionControl(settings.max_concurrent_requests, settings.max_queue_seconds)
    tasks = BackgroundTasks(log)
    responses = ResponseCache(MAX_CACHE_BYTES // settings.workers)
    observer = Observer(
        settings.data_dir, watch, store, live, searches, admission, tasks, responses
    )
    metrics = Metrics(observer.measure)
    store.times.observe = metrics.observe_store
    return Context(
        settings=settings,
        watch=watch,
        metrics=metrics,
        store=store,
        searches=searches,
        live=live,
        courier=Courier(settings, store, log),
        log=log,
        observer=observer,
        traces=Traces(log),
        admission=admission,
        tasks=tasks,
        responses=responses,
        problem_page=problem_page,
    )


def background_tasks(context: Context) -> dict[str, Work]:
    """Name the tasks that run as long as the process. Modules of routes start more in
    their lifespans."""
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


@contextlib.asynccontextmanager
async def process_lifespan(context: Context) -> AsyncIterator[None]:
    """Open the release and the store, then run the background tasks until the end."""
    settings = context.settings
    context.traces.start(API_VERSION)
    context.watch.open_now()
    try:
        await asyncio.to_thread(context.store.open)
        await context.live.refresh()
    except StoreUnavailableError as error:
        # Without the operations store places can still be found.
        context.log.error("operations_store_unavailable", reason=str(error))
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
