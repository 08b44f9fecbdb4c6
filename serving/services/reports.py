"""Reports on the whole directory: catalog, statistics, quality, health."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import numpy as np

from schemas.api.reports import (
    DeepHealth,
    Freshness,
    HealthCheck,
    QualityReport,
    Rate,
    ServiceHealth,
    SourceEntry,
    Stats,
    TypeCatalog,
    TypeEntry,
)
from schemas.vocab.resource_types import MODES, PANTRY_CLASS, RESOURCE_TYPES, TYPES_BY_MODE
from serving.context import Context
from serving.errors import ServiceProblem
from serving.services import disasters
from serving.services.surfaces import addresses
from serving.settings import API_VERSION
from warehouse.hours_clock import day_number
from warehouse.reader import OpenRelease

COMPLETENESS_FIELDS = ("phone", "website", "hours_text", "schedules_json", "address", "last_verified_date", "services_offered", "requirements_text", "languages", "organization")  # fmt: skip
FRESHNESS_EXPLANATION = "Age of the newest of two dates: the last verification, and the publisher's own date of the record. The time of an import is no confirmation. Hours not confirmed for 180 days are shown as unknown."


def type_catalog(release: OpenRelease) -> TypeCatalog:
    """All types with their counts."""
    counts = release.count_by_type
    entries = [
        TypeEntry(t.id, t.mode, t.label, t.label_es, t.description, counts[t.id])
        for t in RESOURCE_TYPES.values()
    ]
    return TypeCatalog(True, len(release), entries, release.is_synthetic, release.release_id)


def stats(release: OpenRelease) -> Stats:
    """Statistics of a release."""
    manifest, counts = release.manifest, release.count_by_type
    return Stats(
        success=True,
        generated_at=manifest.created_at,
        as_of_date=manifest.as_of_date,
        total_resources=len(release),
        by_mode={mode: sum(counts[t] for t in TYPES_BY_MODE[mode]) for mode in MODES},
        by_type=counts,
        by_state=release.count_by_state,
        by_verification_status=release.count_by_verification,
        states_covered=sum(1 for count in release.count_by_state.values() if count),
        zip_codes_known=len(release.gazetteer),
        sources=[
            SourceEntry(s.id, s.rows_read, s.rows_published, s.rows_merged, s.rows_rejected, s.rows_withheld, s.newest_vintage, s.retrieved_at)
            for s in manifest.sources
        ],
        license=manifest.data_license,
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
    )  # fmt: skip


def freshness(release: OpenRelease, now: datetime) -> Freshness:
    """Places by age of their newest confirmation."""
    days, counts = release.kept("confirmed_days", lambda: _places_by_confirmed_day(release))
    age = np.where(days >= 0, np.maximum(day_number(now) - days, 0), 10**6)
    within = {f"confirmed_in_last_{n}d": rate(int(counts[age <= n].sum()), len(release)) for n in (7, 30, 90, 180, 365)}  # fmt: skip
    older = rate(int(counts[age > 365].sum()), len(release))
    return Freshness(**within, older_than_365d_or_unknown=older)


def _places_by_confirmed_day(release: OpenRelease) -> tuple[np.ndarray, np.ndarray]:
    """The different days of newest confirmation (-1 for none) and the places of each: a few hundred."""
    return np.unique(release.confirmed_days, return_counts=True)


def rate(count: int, total: int) -> Rate:
    """A count and its share in per cent, to two places."""
    return Rate(count, round(100 * count / total, 2) if total else 0.0)


def completeness(release: OpenRelease) -> dict[str, Rate]:
    """How many places have each field. Reads the database: call it in a thread."""
    filled = ", ".join(f"count(*) FILTER ({_is_filled(name)})" for name in COMPLETENESS_FIELDS)
    with release.cursor() as db:
        row = db.execute(
            f"SELECT {filled} FROM core_directory__resources WHERE is_active"  # noqa: S608
        ).fetchall()[0]
    return {n: rate(c, len(release)) for n, c in zip(COMPLETENESS_FIELDS, row, strict=True)}


def _is_filled(name: str) -> str:
    if name in {"services_offered", "languages"}:
        return f"len({name}) > 0"
    return f"{name} IS NOT NULL"


def quality(release: OpenRelease, filled: dict[str, Rate], now: datetime) -> QualityReport:
    """The quality report. `filled` comes from `completeness`."""
    scores = release.completeness_scores
    return QualityReport(
        success=True,
        generated_at=release.manifest.created_at,
        total_resources=len(release),
        verification={name: rate(n, len(release)) for name, n in release.count_by_verification.items()},
        freshness=freshness(release, now),
        freshness_explanation=FRESHNESS_EXPLANATION,
        field_completeness=filled,
        average_completeness_score=round(float(scores.mean()), 1) if len(scores) else 0.0,
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
    )  # fmt: skip


# ---------------------------------------------------------------- health


def service_health(context: Context, release: OpenRelease, now: datetime) -> ServiceHealth:
    """Status, content and starting points."""
    return ServiceHealth(
        status="ok",
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


_DISCOVERY = (
    "openapi", "search", "nearby", "bulk", "types", "stats", "quality", "health", "atlas", "coverage",
    "leaderboard", "data_quality", "snapshot",
)  # fmt: skip


def deep_health(context: Context, release: OpenRelease | None) -> DeepHealth:
    """Every check by itself, each with its time. Reads the database: call it in a thread."""
    checks = [_checked("pointer", lambda: _pointer(context, release))]
    if release is not None:
        checks += [
            _checked("database", lambda: _database(release)),
            _checked("arenas", lambda: _arenas(release)),
            _checked("disasters", lambda: _disasters(release)),
        ]
    checks.append(_checked("disk", lambda: _disk(context)))
    is_ok = all(check.is_ok for check in checks)
    return DeepHealth("ok" if is_ok else "broken", release.release_id if release else None, checks)


def _checked(name: str, check: Callable[[], str]) -> HealthCheck:
    started = time.perf_counter()
    try:
        is_ok, detail = True, check()
    except Exception as error:
        is_ok, detail = False, f"{type(error).__name__}: {error}"
    return HealthCheck(name, is_ok, detail, round(1000 * (time.perf_counter() - started), 2))


def _pointer(context: Context, release: OpenRelease | None) -> str:
    current, failed = context.watch.store.current(), context.watch.failed
    if current is None or release is None:
        raise LookupError("no release is promoted and open")
    if failed and failed[0] == current:
        raise LookupError(f"{failed[0]} could not be opened; still serving {release.release_id}")
    return f"serving {release.release_id}, pointer at {current}"


def _database(release: OpenRelease) -> str:
    with release.cursor() as db:
        (count,) = db.execute("SELECT count(*) FROM core_directory__resources WHERE is_active").fetchall()[0]  # fmt: skip
    if count != len(release):
        raise LookupError(f"{count} active resources in the database, {len(release)} in memory")
    return f"{count} active resources"


def _arenas(release: OpenRelease) -> str:
    records, details = release.arena_rows()
    if len(release):
        release.stored_record(len(release) - 1)
    return f"{records} records, {details} details"


def _disasters(release: OpenRelease) -> str:
    """Damage to the hourly file is a fault although the last good declarations are still told."""
    try:
        found = disasters.known(release)
    except ServiceProblem as problem:
        return problem.detail
    if fault := disasters.side_file(release).fault:
        raise ValueError(f"{fault}; still answering from the {found.came_with}")
    data = disasters.freshness(found)
    age = f"of {data.as_of}{', too old to know of new disasters' if data.is_stale else ''}"
    return f"{len(found.declarations.rows)} declarations, {age}, last refresh {data.last_refresh}"


def _disk(context: Context) -> str:
    free: Any = shutil.disk_usage(context.settings.data_dir).free // 1_000_000
    if free < context.settings.min_free_mb:
        raise OSError(f"{free} MB free, fewer than {context.settings.min_free_mb}")
    return f"{free} MB free"
