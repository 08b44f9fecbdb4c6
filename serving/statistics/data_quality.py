"""The data-quality report, from the figures of the release and the day it is requested."""

from datetime import UTC, date, datetime

from litestar import get
from litestar.types import Scope

from schemas.api import data_quality as shapes
from schemas.api.reports import Rate
from schemas.sources.registry import sources
from schemas.vocab.statuses import probes_sentence
from serving.http.answers import Answer
from serving.http.files import release_document
from serving.http.openapi import answers
from serving.reference.organization import organization_head
from serving.reference.totals import head_of, rate, statistics_of
from serving.settings import Settings
from serving.statistics.reports import freshness
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import day_number
from warehouse.index.statistics import Statistics

_HALF_HOUR = 1800
_TOP_SOURCES = 20
_AGES = (7, 30, 90, 180, 365)
_FIELDS = (
    "phone",
    "website",
    "hours",
    "hours_current",
    "hours_old",
    "address",
    "geocode",
    "verification_date",
    "services_offered",
    "requirements_text",
    "languages_offered",
)
_GATE = (
    "Opening hours are asserted for 180 days at most after they were confirmed, updated or "
    "listed, fewer where the source is weaker (docs/hours.md); older ones are shown as unknown, "
    "whatever was published, with what they usually are and how old that is. `verified_in_last_*` "
    "counts the days of partners' lists and official registers that include a place, and of "
    "operators' confirmations. In `verification_mix` a place is verified only while its "
    "register's own cadence has not run out, so both may differ. `confirmed` counts places that "
    "somebody confirmed. The time of an import is never counted."
)
_HOURS = (
    "Opening hours can be read with certainty and are recent enough to be asserted on the day of "
    "the release: the directory says open or closed. Hours known only as text do not count. "
    "`published_but_old` counts hours that can be read but are too old to be asserted."
)
_SNAP_NOTE = (
    "Shops that are authorized to take EBT sell food. They have their own type and are never "
    "returned as free food."
)
_METHOD = (
    "Records of one place are found by street address, name, telephone, website and distance, and "
    "merged only on written rules; doubtful pairs are left to a reviewer. Every merged record has "
    "its source, key and the reason in core_directory__record_sources."
)


def data_quality(release: OpenRelease, settings: Settings, now: datetime) -> shapes.DataQuality:
    """Return the report at an aware instant; it changes from day to day (UTC)."""
    statistics = statistics_of(release)
    today = now.astimezone(UTC).date()
    ages = [
        (max(0, (today - date.fromisoformat(day)).days), count)
        for day, count in statistics.group("places_by_last_verified_date").items()
    ]
    within = {f"verified_in_last_{n}d": sum(c for age, c in ages if age <= n) for n in _AGES}
    records, registry = statistics.group("records_of_source"), sources()
    leading_sources = [
        (name, places, registry.get(name))
        for name, places in list(statistics.group("places_led_by_source").items())[:_TOP_SOURCES]
    ]
    snap_sources = statistics.group("snap_retailers_led_by_source")
    snap_source, snap_total = next(iter(snap_sources), None), release.count_by_type["snap_retailer"]
    merging = statistics.group("merging")
    counts = release.count_by_verification
    return shapes.DataQuality(
        **head_of(release),
        organization=organization_head(settings),
        field_completeness_pantry_class=_completeness(statistics, "pantry_class"),
        field_completeness_all=_completeness(statistics, "all"),
        hours_known_share=_hours_known(statistics),
        verification_mix=shapes.VerificationMix(
            counts["partner_verified"], counts["verified"], counts["unverified"]
        ),
        freshness_distribution=shapes.FreshnessDistribution(
            **within,
            older_than_365d_or_unknown=len(release) - within["verified_in_last_365d"],
            never_verified=len(release) - sum(count for _, count in ages),
            total_records=len(release),
            hours_180d_staleness_gate_explanation=_GATE,
            confirmed=freshness(release, now),
        ),
        top_data_sources=[
            shapes.SourceCount(
                source=name,
                count=places,
                records=records.get(name, 0),
                title=source.title if source else name,
                publisher=source.publisher if source else "",
                license=source.license.id if source else "",
            )
            for name, places, source in leading_sources
        ],
        snap_retailer_data=shapes.SnapRetailers(
            total=snap_total,
            source=registry[snap_source].title if snap_source in registry else snap_source,
            by_source=snap_sources,
            share_of_all_pct=rate(snap_total, len(release)).pct,
            note=_SNAP_NOTE,
        ),
        deduplication=shapes.Deduplication(
            **merging,
            merged_records_pct=rate(merging["merged_records"], merging["source_records"]).pct,
            records_by_match_reason=statistics.group("records_by_match_reason"),
            method=_METHOD,
        ),
        website_probes=describe_probes(statistics),
    )


def _completeness(statistics: Statistics, group: str) -> shapes.FieldCompleteness:
    total = statistics.figures["places", group]
    rates = {name: rate(statistics.figures[f"known_{name}", group], total) for name in _FIELDS}
    return shapes.FieldCompleteness(total_records=total, **rates)


def _hours_known(statistics: Statistics) -> shapes.HoursKnown:
    def shares(figure: str) -> tuple[Rate, Rate, Rate]:
        pantry, free, every = (
            rate(statistics.figures[figure, group], statistics.figures["places", group])
            for group in ("pantry_class", "free", "all")
        )
        return pantry, free, every

    old = shapes.HoursOld(*shares("known_hours_old"))
    return shapes.HoursKnown(_HOURS, *shares("known_hours_current"), old)


def describe_probes(statistics: Statistics) -> shapes.WebsiteProbes:
    """Return how many websites were asked and when last, with a sentence that says so."""
    last = statistics.website_probes.last_at
    day = f"{last.astimezone(UTC):%Y-%m-%d}" if last else None
    count = statistics.website_probes.probed
    return shapes.WebsiteProbes(probes_sentence(count, day), count, day)


@get(
    "/api/v1/data-quality.json",
    summary="Data-quality report",
    tags=["statistics"],
    responses=answers(
        shapes.DataQuality, "Completeness, verification, freshness, sources, merging."
    ),
)
async def get_data_quality(scope: Scope) -> Answer:
    """Return what is known of how many places, since when, from which sources, and what was
    merged."""
    now = datetime.now(UTC)
    return await release_document(
        scope,
        lambda release, settings: data_quality(release, settings, now),
        _HALF_HOUR,
        day_number(now),
    )
