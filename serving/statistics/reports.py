"""Reports on the whole directory: catalog, statistics, quality."""

from datetime import datetime

import msgspec
import numpy as np

from schemas.api import reports as shapes
from schemas.vocab.resource_types import MODES, RESOURCE_TYPES, TYPES_BY_MODE
from serving.http.caching import per_release
from serving.reference.totals import rate
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import day_number

COMPLETENESS_FIELDS = (
    "phone",
    "website",
    "hours_text",
    "schedules_json",
    "is_hours_current",
    "address",
    "last_verified_date",
    "services_offered",
    "requirements_text",
    "languages",
    "organization",
)
_AGES = (7, 30, 90, 180, 365)
FRESHNESS_EXPLANATION = (
    "`confirmed_in_last_*`: somebody looked, called, or runs the place and said so. "
    "`dated_in_last_*`: confirmed, changed by its publisher, or in an edition of that day. The "
    "time of an import is none of these. Hours are asserted for 180 days at most, fewer where the "
    "source is weaker; older ones are shown as unknown, with what they usually are."
)


def type_catalog(release: OpenRelease) -> shapes.TypeCatalog:
    """Return all types with their counts."""
    counts = release.count_by_type
    entries = [
        shapes.TypeEntry(t.id, t.mode, t.labels.en, t.labels.es, t.description, counts[t.id])
        for t in RESOURCE_TYPES.values()
    ]
    return shapes.TypeCatalog(True, len(release), entries, release.is_synthetic, release.release_id)


def stats(release: OpenRelease) -> shapes.Stats:
    """Return statistics of a release."""
    manifest, counts = release.manifest, release.count_by_type
    return shapes.Stats(
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
            msgspec.convert(s, shapes.SourceEntry, from_attributes=True) for s in manifest.sources
        ],
        license=manifest.data_license,
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
    )


def freshness(release: OpenRelease, now: datetime) -> shapes.Freshness:
    """Return places by age of their newest confirmation, and of their newest date."""
    within: dict[str, int] = {}
    total = len(release)
    for word, days in (("confirmed", release.confirmed_days), ("dated", release.dated_days)):
        distinct_days, counts = np.unique(days, return_counts=True)
        # A place without a day (-1) is older than any.
        ages = np.where(distinct_days >= 0, np.maximum(day_number(now) - distinct_days, 0), 10**6)
        within |= {f"{word}_in_last_{n}d": int(counts[ages <= n].sum()) for n in _AGES}
    older = total - within["confirmed_in_last_365d"]
    rates = {name: rate(count, total) for name, count in within.items()}
    return shapes.Freshness(**rates, confirmed_older_than_365d_or_unknown=rate(older, total))


@per_release
def completeness(release: OpenRelease) -> dict[str, shapes.Rate]:
    """Return how many places have each field. Reads the database: call it in a thread."""
    columns = ", ".join(f"count(*) FILTER ({_is_filled(name)})" for name in COMPLETENESS_FIELDS)
    with release.cursor() as db:
        row = db.execute(
            f"SELECT {columns} FROM core_directory__resources WHERE is_active"  # noqa: S608
        ).fetchall()[0]
    return {n: rate(c, len(release)) for n, c in zip(COMPLETENESS_FIELDS, row, strict=True)}


def _is_filled(name: str) -> str:
    if name in {"services_offered", "languages"}:
        return f"len({name}) > 0"
    return name if name.startswith("is_") else f"{name} IS NOT NULL"


def quality(
    release: OpenRelease, rates: dict[str, shapes.Rate], now: datetime
) -> shapes.QualityReport:
    """Return the quality report. `filled` comes from `completeness`."""
    scores = release.completeness_scores
    return shapes.QualityReport(
        success=True,
        generated_at=release.manifest.created_at,
        total_resources=len(release),
        verification={
            name: rate(n, len(release)) for name, n in release.count_by_verification.items()
        },
        freshness=freshness(release, now),
        freshness_explanation=FRESHNESS_EXPLANATION,
        field_completeness=rates,
        average_completeness_score=round(float(scores.mean()), 1) if len(scores) else 0.0,
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
    )
