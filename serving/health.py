"""Checks the health of every part, and separates urgent faults from those that can wait.

Three states for each part. `ok`. `degraded`: something is damaged or old, but answers are right,
and marked. `broken`: answers are missing, wrong or cannot be stored. The whole is as bad as its
worst part. Liveness and readiness of a process are separate (`/api/health`, `/api/health/ready`): a
store that is down breaks all replicas at once, and each of them still finds food.
"""

import asyncio
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec
from litestar import get
from litestar.openapi import ResponseSpec
from litestar.types import Scope

from schemas.api.reports import DeepHealth, Health, HealthCheck, HealthStatus, ServiceHealth
from schemas.sources.registry import sources
from schemas.values.instants import INSTANT_FORMAT
from schemas.vocab.resource_types import PANTRY_CLASS, TYPES_BY_MODE
from serving.context import Context, context_of, current_release
from serving.disasters import declarations, disasters
from serving.http.answers import MINUTE, Answer, json_answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import Authorization, has_admin_token
from serving.reference.surfaces import addresses
from serving.settings import API_VERSION
from serving.statistics.reports import freshness
from serving.telemetry.metrics_sources import days_since_retrieved
from warehouse.index.reader import OpenRelease
from warehouse.operations.reviews import check_writable
from warehouse.storage.sync import storage_fault

# A source not retrieved for this many times its own cadence breaks the directory; after once it is
# degraded.
_TIMES_TOO_OLD = 2
# Operators' reports are read twice a second.
_MAX_LAG_SECONDS = 10
# Declarations have a separate check; user submissions come from our own store.
_OTHERWISE_CHECKED = ("fema_declarations", "operations", "operations_edits")
_DISCOVERY = (
    "openapi",
    "search",
    "nearby",
    "bulk",
    "types",
    "stats",
    "quality",
    "health",
    "atlas",
    "coverage",
    "leaderboard",
    "data_quality",
    "snapshot",
)
# Checks of the directory's contents, whose findings anybody may read. The others name files, hosts
# and sizes of the installation.
_PUBLIC = frozenset({"pointer", "totals", "sources", "disasters"})
_WORST: tuple[HealthStatus, ...] = ("broken", "degraded", "ok")


class DegradedError(Exception):
    """A part is degraded, and no answer is wrong."""


_get = partial(get, tags=["health"])


@_get(
    "/api/health",
    summary="Health check",
    responses=answers(Health, "The service answers."),
)
async def get_health(scope: Scope) -> Answer:
    """Answer while the process runs, with or without data."""
    release = current_release(scope)
    if release is None:
        return json_answer(Health("no_release", API_VERSION, None, None), 0)
    return _serving(release)


@_get(
    "/api/health/ready",
    summary="Whether it may be given requests",
    responses=answers(Health, "The service answers from a release."),
)
async def get_readiness(scope: Scope) -> Answer:
    """Return 503 until there is a release, and before the process stops: for load balancers, which
    read status codes only."""
    release = release_of(scope)
    if context_of(scope).is_stopping.is_set():
        raise ServiceProblem("overloaded", "The process is stopping; others answer.")
    return _serving(release)


def _serving(release: OpenRelease) -> Answer:
    return json_answer(Health("ok", API_VERSION, release.release_id, release.is_synthetic), 0)


@_get(
    "/api/health/deep",
    summary="Health check of every part",
    responses={
        **answers(DeepHealth, "Every part works, or at least answers rightly (`degraded`)."),
        503: ResponseSpec(DeepHealth, description="A part is broken.", generate_examples=False),
    },
)
async def get_deep_health(scope: Scope, authorization: Authorization = None) -> Answer:
    """Return pointer, database, records, totals, sources, disasters, store, disk and
    background tasks; 503 when one of them is broken. With the bearer token of the instance, each
    has its time, and what was found wrong with the installation."""
    release = current_release(scope)
    report = await asyncio.to_thread(deep_health, context_of(scope), release)
    if not has_admin_token(scope, authorization):
        report = for_strangers(report)
    status = 503 if report.status == "broken" else 200
    return Answer(msgspec.json.encode(report), status=status, max_age=0)


@_get(
    "/api/v1/health.json",
    summary="Status, content and starting points",
    responses=answers(ServiceHealth, "Status of the service."),
)
async def get_service_health(scope: Scope) -> Answer:
    """Return status and faults, rows of every table, verification, freshness, coverage and
    addresses. The status is 200 as long as there is a release; monitors of status codes use
    `/api/health/deep`."""
    release = release_of(scope)
    report = await asyncio.to_thread(service_health, context_of(scope), release, datetime.now(UTC))
    # A fault, and its end, are reported immediately.
    return json_answer(report, MINUTE if report.status != "broken" else 0)


# ---------------------------------------------------------------- checks


def service_health(context: Context, release: OpenRelease, now: datetime) -> ServiceHealth:
    """Return status, content and starting points. Queries the database and the store: call it in a
    thread."""
    report = for_strangers(deep_health(context, release, now))
    return ServiceHealth(
        status=report.status,
        faults={check.name: check.detail for check in report.checks if not check.is_ok},
        version=API_VERSION,
        release_id=release.release_id,
        generated_at=release.manifest.created_at,
        is_synthetic=release.is_synthetic,
        tables={table.name: table.rows for table in release.manifest.tables},
        verification=release.count_by_verification,
        freshness=freshness(release, now),
        coverage={
            "resources": len(release),
            "states": sum(1 for count in release.count_by_state.values() if count),
            "types": sum(1 for count in release.count_by_type.values() if count),
            "zip_codes": len(release.gazetteer),
            "food_pantry_class": sum(release.count_by_type[t] for t in PANTRY_CLASS),
            "free_food": sum(release.count_by_type[t] for t in TYPES_BY_MODE["free"]),
            "snap_retailers": release.count_by_type["snap_retailer"],
        },
        discovery=addresses(context.settings.url, _DISCOVERY),
    )


def deep_health(
    context: Context, release: OpenRelease | None, now: datetime | None = None
) -> DeepHealth:
    """Return every check with its time. Queries the database and the store: call it in a thread."""
    at = now or datetime.now(UTC)
    parts: dict[str, Callable[[], str]] = {"pointer": lambda: _pointer(context, release)}
    if release is not None:
        parts |= {
            "database": lambda: _database(release),
            "records": lambda: _records(release),
            "totals": lambda: _totals(release),
            "sources": lambda: _sources(release, at),
            "disasters": lambda: _disasters(release),
        }
    parts |= {
        "store": lambda: _store(context),
        "disk": lambda: _disk(context),
        "tasks": lambda: _tasks(context),
    }
    if context.settings.storage_url:
        parts["storage"] = lambda: _storage(context, at)
    checks = [_run_check(name, check) for name, check in parts.items()]
    status = next(s for s in _WORST if any(check.status == s for check in checks))
    return DeepHealth(status, release.release_id if release is not None else None, checks)


def for_strangers(report: DeepHealth) -> DeepHealth:
    """Return a report without the findings that concern the installation alone."""
    checks = [
        check
        if check.name in _PUBLIC
        else msgspec.structs.replace(check, detail=check.status, milliseconds=0.0)
        for check in report.checks
    ]
    return msgspec.structs.replace(report, checks=checks)


def _run_check(name: str, check: Callable[[], str]) -> HealthCheck:
    start_time = time.perf_counter()
    status: HealthStatus = "ok"
    try:
        detail = check()
    except DegradedError as error:
        status, detail = "degraded", str(error)
    except Exception as error:
        status, detail = "broken", f"{type(error).__name__}: {error}"
    milliseconds = round(1000 * (time.perf_counter() - start_time), 2)
    return HealthCheck(name, status == "ok", detail, milliseconds, status)


def _pointer(context: Context, release: OpenRelease | None) -> str:
    current, refusal = context.watch.store.current(), context.watch.refusal
    if current is None or release is None:
        raise LookupError("no release is promoted and open")
    if refusal and refusal[0] == current:
        raise LookupError(f"{refusal[0]} is refused; serving {release.release_id}. {refusal[1]}")
    return f"serving {release.release_id}, pointer at {current}"


def _database(release: OpenRelease) -> str:
    with release.cursor() as db:
        (count,) = db.execute(
            "SELECT count(*) FROM core_directory__resources WHERE is_active"
        ).fetchall()[0]
    if count != len(release):
        raise LookupError(f"{count} active resources in the database, {len(release)} in memory")
    return f"{count} active resources"


def _records(release: OpenRelease) -> str:
    if len(release):
        release.read_record(len(release) - 1)
    return f"{len(release)} records"


def _totals(release: OpenRelease) -> str:
    """Check that every part of the release counts the same number of places."""
    # It reads Parquet, which takes 9 MB of memory.
    from warehouse.checks.release_totals import total_faults  # noqa: PLC0415

    faults = total_faults(release.folder, release.manifest.tables)
    if faults:
        raise LookupError("; ".join(faults))
    return "all parts of the release have the same places"


def _sources(release: OpenRelease, now: datetime) -> str:
    """Return how long ago each source was retrieved, against its own cadence (`freshness_days`
    of its facts). A cadence that has ended makes no source late."""
    registry, ages = sources(), days_since_retrieved(release.manifest, now)
    due = {
        name: days
        for name in ages
        if name in registry
        and name not in _OTHERWISE_CHECKED
        and (days := registry[name].freshness_days) is not None
    }
    share = {name: ages[name] / days for name, days in due.items()}
    late = sorted(
        (name for name, times in share.items() if times > 1), key=lambda name: -share[name]
    )
    failures = [
        f"{s.id} from an earlier build; failed on {s.failed_at}: {s.failure}"
        for s in release.manifest.sources
        if s.failed_at
    ]
    if not late and not failures:
        return f"{len(share)} sources within their cadence"
    detail = ", ".join(f"{name} {ages[name]:.0f} days (due after {due[name]})" for name in late)
    # Invented records grow no older than they were.
    if late and share[late[0]] > _TIMES_TOO_OLD and not release.is_synthetic:
        raise LookupError("; ".join([f"not retrieved for too long: {detail}", *failures]))
    raise DegradedError("; ".join([f"due: {detail}"] * bool(late) + failures))


def _disasters(release: OpenRelease) -> str:
    """Report damage to the hourly file as a fault although the last good declarations are still
    served."""
    try:
        in_use = declarations.declarations_in_use(release)
    except ServiceProblem as problem:
        return problem.detail
    if fault := declarations.side_file(release).fault:
        raise DegradedError(f"{fault}; still answering from the {in_use.came_with}")
    data = disasters.freshness(in_use, disasters.today())
    detail = f"{len(in_use.declarations.rows)} declarations, of {data.as_of}"
    if data.is_stale and not release.is_synthetic:
        raise DegradedError(
            f"{detail}, too old to know of new disasters, last refresh {data.last_refresh}"
        )
    return f"{detail}, last refresh {data.last_refresh}"


def _store(context: Context) -> str:
    """Write and read one row, undone: a store that is locked, read-only or unreachable, or whose
    tables cannot hold the id of a place, fails here."""
    kind = "SQLite" if context.store.is_sqlite else "PostgreSQL"
    waiting = check_writable(context.store)
    if fault := context.store.write_fault:
        raise LookupError(f"{kind}: the last write was not stored: {fault}")
    lag = context.live.lag_seconds
    if lag > _MAX_LAG_SECONDS:
        raise LookupError(f"{kind}: operators' reports were not read for {lag:.0f} s")
    return f"{kind}, {waiting} submissions wait, reports read {lag:.1f} s ago"


def _tasks(context: Context) -> str:
    """Return background tasks of the answering process; each is retried automatically."""
    if failing := context.tasks.failing.copy():
        faults = (f"{name}: {f.fault} at {f.at:{INSTANT_FORMAT}}" for name, f in failing.items())
        raise DegradedError("; ".join(faults))
    return f"{len(context.tasks.failures)} background tasks run"


def _storage(context: Context, at: datetime) -> str:
    """Compare the copy with the storage. The served release stays right: it only grows older."""
    settings = context.settings
    if fault := storage_fault(settings.data_dir / "releases", settings.storage_seconds, at):
        raise DegradedError(fault)
    return "the release in the storage is the one served"


def _disk(context: Context) -> str:
    free: Any = shutil.disk_usage(context.settings.data_dir).free // 1_000_000
    if free < context.settings.min_free_mb:
        raise OSError(f"{free} MB free, fewer than {context.settings.min_free_mb}")
    return f"{free} MB free"
