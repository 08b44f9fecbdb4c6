"""Context of a request, put into the ASGI scope by `serving.http.policy`."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from litestar.types import Scope

from serving.http.admission import AdmissionControl
from serving.http.caching import ResponseCache
from serving.processes.background import BackgroundTasks
from serving.processes.live_reports import LiveFollower
from serving.processes.notifications import Courier
from serving.settings import Settings
from serving.telemetry.metrics import Metrics
from serving.telemetry.metrics_sources import Observer
from serving.telemetry.traces import Traces
from warehouse.index.reader import OpenRelease
from warehouse.operations.engine import Store
from warehouse.operations.search_counts import SearchCounts
from warehouse.release.watch import ReleaseWatch

CONTEXT_KEY, RELEASE_KEY, REQUEST_KEY = "larder.context", "larder.release", "larder.request_id"
HEAD_KEY, OPTIONS_KEY = "larder.is_head", "larder.is_options"


@dataclass(frozen=True)
class Context:
    """State with the lifetime of the process."""

    settings: Settings
    watch: ReleaseWatch
    metrics: Metrics
    store: Store
    searches: SearchCounts
    live: LiveFollower
    courier: Courier
    log: Any
    observer: Observer
    traces: Traces
    admission: AdmissionControl
    tasks: BackgroundTasks
    responses: ResponseCache
    is_stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set before the process stops: it answers, but is not ready for more requests."""
    problem_page: Callable[..., Any] | None = None
    """Answers a problem (`ServiceProblem`, status) as a page; None in a service without pages."""


def context_of(scope: Scope) -> Context:
    """Return the context of a request."""
    context: Context = scope[CONTEXT_KEY]  # type: ignore[literal-required]
    return context


def request_id_of(scope: Scope) -> str:
    request_id: str = scope[REQUEST_KEY]  # type: ignore[literal-required]
    return request_id


def current_release(scope: Scope) -> OpenRelease | None:
    """Return the release that answers this request, the same for its whole life; None without
    one."""
    release: OpenRelease | None = scope[RELEASE_KEY]  # type: ignore[literal-required]
    return release


def is_head_request(scope: Scope) -> bool:
    """Return whether the body will be thrown away: it need not be read or made."""
    return HEAD_KEY in scope
