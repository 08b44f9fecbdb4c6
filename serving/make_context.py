"""Builds the context of a process from its settings."""

from __future__ import annotations

from pathlib import Path

from serving.context import Context
from serving.courier import Courier
from serving.logs import make_logger
from serving.metrics import Metrics
from serving.observing import Observer
from serving.overload import Gate
from serving.passwords import PasswordChecks
from serving.response_cache import MAX_CACHE_BYTES, ResponseCache
from serving.services.live import LiveFollower
from serving.services.warming import warm
from serving.settings import Settings
from serving.supervision import Supervisor
from serving.traces import Traces
from serving.worker_numbers import WorkerNumbers
from warehouse.damage import opened_files
from warehouse.files import Lease
from warehouse.operations.engine import open_store
from warehouse.operations.store import SearchCounts
from warehouse.reader import OpenRelease
from warehouse.verifying import FileRounds
from warehouse.watch import ReleaseWatch


def make_context(settings: Settings) -> Context:
    """Everything that lives as long as the process; nothing is opened yet."""
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
    supervisor = Supervisor(log)
    open_files = FileRounds(watch, opened_files, settings.verify_seconds, lease(watch, "open"))
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


def lease(watch: ReleaseWatch, name: str) -> Lease:
    return Lease(watch.store.root / f".verify-{name}.lock")
