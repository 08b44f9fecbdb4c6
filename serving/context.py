"""Context of a request, put into the ASGI scope by the edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litestar.types import Scope

from serving.courier import Courier
from serving.metrics import Metrics
from serving.overload import Gate
from serving.passwords import PasswordChecks
from serving.response_cache import ResponseCache
from serving.services.live import LiveFollower
from serving.settings import Settings
from serving.supervision import Supervisor
from serving.traces import Traces
from serving.worker_numbers import WorkerNumbers
from warehouse.operations.engine import Store
from warehouse.operations.store import SearchCounts
from warehouse.reader import OpenRelease
from warehouse.verifying import FileRounds
from warehouse.watch import ReleaseWatch

if TYPE_CHECKING:  # which needs the services, which need this module
    from serving.observing import Observer

CONTEXT_KEY, RELEASE_KEY, REQUEST_KEY = "larder.context", "larder.release", "larder.request_id"
HEAD_KEY = "larder.is_head"


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
    passwords: PasswordChecks
    log: Any
    observer: Observer
    workers: WorkerNumbers
    traces: Traces
    gate: Gate
    supervisor: Supervisor
    open_files: FileRounds
    responses: ResponseCache


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
