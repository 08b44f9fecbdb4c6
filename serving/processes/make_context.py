"""Builds the context of a process from its settings."""

from collections.abc import Callable

from serving.context import Context
from serving.http.answers import Answer
from serving.http.load_shedding import Gate
from serving.http.response_cache import MAX_CACHE_BYTES, ResponseCache
from serving.notifications.courier import Courier
from serving.processes.background import BackgroundTasks
from serving.processes.live_reports import LiveFollower
from serving.settings import Settings
from serving.telemetry.logs import make_logger
from serving.telemetry.metrics import Metrics
from serving.telemetry.metrics_sources import Observer
from serving.telemetry.traces import Traces
from warehouse.index.reader import OpenRelease
from warehouse.operations.engine import open_store
from warehouse.operations.store import SearchCounts
from warehouse.release.watch import ReleaseWatch


def make_context(
    settings: Settings,
    warm: Callable[[OpenRelease], None] = lambda _: None,
    problem_page: Callable[..., Answer] | None = None,
) -> Context:
    """Build everything with the lifetime of the process; nothing is opened yet.

    `warm` computes the inputs of searches from a release before the first request; `problem_page`
    answers problems of pages, if there are any.
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
    gate = Gate(settings.max_concurrent_requests, settings.max_queue_seconds)
    tasks = BackgroundTasks(log)
    responses = ResponseCache(MAX_CACHE_BYTES // settings.workers)
    observer = Observer(settings.data_dir, watch, store, live, searches, gate, tasks, responses)
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
        gate=gate,
        tasks=tasks,
        responses=responses,
        problem_page=problem_page,
    )
