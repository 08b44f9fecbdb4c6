"""Reports on the whole directory: catalog, statistics, quality."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from schemas.api.reports import (
    Freshness,
    QualityReport,
    Rate,
    SourceEntry,
    Stats,
    TypeCatalog,
    TypeEntry,
)
from schemas.vocab.resource_types import MODES, RESOURCE_TYPES, TYPES_BY_MODE
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
            SourceEntry(s.id, s.rows_read, s.rows_published, s.rows_merged, s.rows_rejected, s.rows_withheld, s.newest_vintage, s.retrieved_at, s.failed_at, s.failure)
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
