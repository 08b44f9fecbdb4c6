"""Answers about the directory as a whole: catalog, statistics, quality, health, analytics."""

from typing import Annotated, Any, Literal

import msgspec

from schemas.api.common import IsSynthetic
from schemas.api.record import Doubt, RecordFreshness
from schemas.descriptions import describe
from schemas.words import Words

Share = Annotated[float, describe("Per cent.", ge=0, le=100)]


class TypeEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A type of place and how many there are."""

    id: Annotated[str, describe("Type id, as in `resource_type`.", "food_pantry")]
    mode: Annotated[str | None, describe("Search mode of the type.", "free")]
    label: Annotated[str, describe("Name in English.")]
    label_es: Annotated[str, describe("Name in Spanish.")]
    description: Annotated[str, describe("What a place of this type does.")]
    count: Annotated[int, describe("Active places of this type.", ge=0)]


class TypeCatalog(msgspec.Struct, forbid_unknown_fields=True):
    """All types of places, also those without a place."""

    success: Annotated[bool, describe("Always true.")]
    total: Annotated[int, describe("Active places of all types.", ge=0)]
    types: Annotated[list[TypeEntry], describe("The types.")]
    is_synthetic: IsSynthetic
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]


class SourceEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A source and the outcome of its rows: read = published + merged + rejected + withheld."""

    id: Annotated[str, describe("Id of the source.")]
    rows_read: Annotated[int, describe("Rows read.")]
    rows_published: Annotated[int, describe("Rows published as the first of a place.")]
    rows_merged: Annotated[int, describe("Rows merged into another one's place.")]
    rows_rejected: Annotated[int, describe("Rows rejected, each for a reason.")]
    rows_withheld: Annotated[int, describe("Rows that may not be published.")]
    newest_vintage: Annotated[
        str | None, describe("Newest day of its files; null where none is known.")
    ]
    retrieved_at: Annotated[
        str | None, describe("When its file was fetched (UTC); null where that is not known.")
    ]
    failed_at: Annotated[
        str | None,
        describe(
            "When the last attempt to fetch or read it failed (UTC); its rows are then from an earlier build. Null when it succeeded."
        ),
    ] = None
    failure: Annotated[str | None, describe("Why that attempt failed; null when it succeeded.")] = (
        None
    )


class Stats(msgspec.Struct, forbid_unknown_fields=True):
    """Statistics of the release being served."""

    success: Annotated[bool, describe("Always true.")]
    generated_at: Annotated[str, describe("When the release was made (UTC).")]
    as_of_date: Annotated[str, describe("Day up to which the sources were read.")]
    total_resources: Annotated[int, describe("Active places.", ge=0)]
    by_mode: Annotated[dict[str, int], describe("Active places by search mode.")]
    by_type: Annotated[dict[str, int], describe("Active places by type.")]
    by_state: Annotated[dict[str, int], describe("Active places by state or territory.")]
    by_verification_status: Annotated[dict[str, int], describe("Active places by verification.")]
    states_covered: Annotated[int, describe("States and territories with at least one place.")]
    zip_codes_known: Annotated[int, describe("ZIP codes one can search from.")]
    sources: Annotated[list[SourceEntry], describe("Every source with its counts.")]
    license: Annotated[str, describe("SPDX id of the licence of the compilation.")]
    is_synthetic: IsSynthetic
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]


class Rate(msgspec.Struct, forbid_unknown_fields=True):
    """A number of places and its share of all."""

    count: Annotated[int, describe("Places.", ge=0)]
    pct: Share


class Freshness(msgspec.Struct, forbid_unknown_fields=True):
    """Places by age of their newest confirmation, and of their newest date of any kind
    (confirmed, updated or listed). Each age includes the shorter ones; the last figure holds
    places that nobody confirmed within a year."""

    confirmed_in_last_7d: Annotated[Rate, describe("Confirmed in the last 7 days.")]
    confirmed_in_last_30d: Annotated[Rate, describe("Confirmed in the last 30 days.")]
    confirmed_in_last_90d: Annotated[Rate, describe("Confirmed in the last 90 days.")]
    confirmed_in_last_180d: Annotated[Rate, describe("Confirmed in the last 180 days.")]
    confirmed_in_last_365d: Annotated[Rate, describe("Confirmed in the last 365 days.")]
    dated_in_last_7d: Annotated[Rate, describe("With any date in the last 7 days.")]
    dated_in_last_30d: Annotated[Rate, describe("With any date in the last 30 days.")]
    dated_in_last_90d: Annotated[Rate, describe("With any date in the last 90 days.")]
    dated_in_last_180d: Annotated[Rate, describe("With any date in the last 180 days.")]
    dated_in_last_365d: Annotated[Rate, describe("With any date in the last 365 days.")]
    older_than_365d_or_unknown: Annotated[Rate, describe("Older, or without a date.")]


class QualityReport(msgspec.Struct, forbid_unknown_fields=True):
    """Completeness and age of the directory's records."""

    success: Annotated[bool, describe("Always true.")]
    generated_at: Annotated[str, describe("When the release was made (UTC).")]
    total_resources: Annotated[int, describe("Active places.")]
    verification: Annotated[dict[str, Rate], describe("By verification status.")]
    freshness: Annotated[Freshness, describe("Places by the age of their facts.")]
    freshness_explanation: Annotated[str, describe("What the two kinds of dates mean.")]
    field_completeness: Annotated[dict[str, Rate], describe("Places that have each field.")]
    average_completeness_score: Annotated[float, describe("0 to 100.")]
    is_synthetic: IsSynthetic
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]


# ---------------------------------------------------------------- one resource's status


class PhoneCheck(msgspec.Struct, forbid_unknown_fields=True):
    """Facts about the phone number."""

    phone: Annotated[str | None, describe("As published.")]
    phone_e164: Annotated[
        str | None, describe("E.164 form; null when the number is no valid US number.")
    ]
    is_valid: Annotated[
        bool | None,
        describe(
            "Whether the number is possible and assigned to a US area; null without a number."
        ),
    ]
    is_toll_free: Annotated[
        bool | None, describe("Whether the call is free; null without a valid number.")
    ]


class HoursCheck(msgspec.Struct, forbid_unknown_fields=True):
    """Facts about the hours, now."""

    status: Annotated[
        Literal["open", "closed", "closes_soon", "opens_soon", "unknown"],
        describe("Same as `hours_status` of the record."),
    ]
    reason: Annotated[str, describe("Why the answer is what it is.")]
    timezone: Annotated[str, describe("Time zone of the place.")]
    days_since_confirmed: Annotated[
        int | None, describe("Days since someone confirmed the place; null if no one did.")
    ]
    changes_at: Annotated[str | None, describe("When the answer can change next (UTC).")]
    reason_es: Annotated[str, describe("The reason in Spanish.")]
    opens_at: Annotated[
        str | None, describe("Next certain opening, local time with its offset; null if unknown.")
    ]
    closes_at: Annotated[
        str | None,
        describe("End of the present opening, local time with its offset; null while closed."),
    ]
    in_words: Annotated[
        Words | None, describe("The hours as sentences; null when none could be read.")
    ]


class VerificationCheck(msgspec.Struct, forbid_unknown_fields=True):
    """Trustworthiness of a listing."""

    status: Annotated[str, describe("Same as `verification_status` of the record.")]
    confidence: Annotated[float, describe("0 to 1, the sum of the reasons' weights.", ge=0, le=1)]
    reasons: Annotated[list[str], describe("What raised or lowered the confidence.")]
    last_verified_date: Annotated[
        str | None,
        describe(
            "Newest day of a partner's list or official register that includes the "
            "place, or of its operator's confirmation; null when there is none."
        ),
    ]


class ResourceStatus(msgspec.Struct, forbid_unknown_fields=True):
    """Telephone, hours and verification of one place."""

    success: Annotated[bool, describe("Always true.")]
    id: Annotated[int, describe("Permanent id of the place.")]
    name: Annotated[str, describe("Name of the place.")]
    phone: Annotated[PhoneCheck, describe("Check of the phone number.")]
    hours: Annotated[HoursCheck, describe("Check of the hours.")]
    verification: Annotated[VerificationCheck, describe("Check of the listing.")]
    freshness: Annotated[RecordFreshness, describe("Age of the newest date of the record.")]
    live_status: Annotated[
        dict[str, Any] | None, describe("The operator's current report, if any (24 hours).")
    ]
    doubt: Annotated[
        Doubt | None,
        describe("What visitors reported against the listing, if anything waits for review."),
    ]
    is_synthetic: IsSynthetic
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]


# ---------------------------------------------------------------- health


class Health(msgspec.Struct, forbid_unknown_fields=True):
    """Liveness of the service."""

    status: Annotated[
        Literal["ok", "no_release"], describe("`no_release` until a release is promoted.")
    ]
    version: Annotated[str, describe("Version of the API.")]
    release_id: Annotated[str | None, describe("Release that is served; null without one.")]
    is_synthetic: Annotated[
        bool | None, describe("True when the places are invented; null without a release.")
    ]


HealthStatus = Literal["ok", "degraded", "broken"]


class HealthCheck(msgspec.Struct, forbid_unknown_fields=True):
    """One check of the deep health report."""

    name: Annotated[str, describe("Name of the check.")]
    is_ok: Annotated[bool, describe("Whether it passed.")]
    detail: Annotated[str, describe("What was found.")]
    milliseconds: Annotated[float, describe("How long it took.")]
    status: Annotated[
        HealthStatus, describe("`degraded`: damaged or old, but answers are still correct.")
    ]


class DeepHealth(msgspec.Struct, forbid_unknown_fields=True):
    """State of every part of the service."""

    status: Annotated[HealthStatus, describe("That of the worst part; only `broken` gives 503.")]
    release_id: Annotated[str | None, describe("Release that is served; null without one.")]
    checks: Annotated[list[HealthCheck], describe("The checks.")]


class ServiceHealth(msgspec.Struct, forbid_unknown_fields=True):
    """Status, content and starting points of the service."""

    status: Annotated[HealthStatus, describe("As in `/api/health/deep`.")]
    faults: Annotated[dict[str, str], describe("Checks that are not `ok`, by name.")]
    version: Annotated[str, describe("Version of the API.")]
    release_id: Annotated[str, describe("Release that is served.")]
    generated_at: Annotated[str, describe("When the release was made (UTC).")]
    is_synthetic: IsSynthetic
    tables: Annotated[dict[str, int], describe("Rows of each table of the release.")]
    verification: Annotated[dict[str, int], describe("Active places by verification.")]
    freshness: Annotated[Freshness, describe("Places by the age of their facts.")]
    coverage: Annotated[dict[str, int], describe("Totals: places, states, types, ZIP codes.")]
    discovery: Annotated[dict[str, str], describe("Addresses of the other documents.")]


# ---------------------------------------------------------------- analytics


class DayCount(msgspec.Struct, forbid_unknown_fields=True):
    day: Annotated[str, describe("The day.")]
    searches: Annotated[int, describe("Searches.")]
    zero_results: Annotated[int, describe("Searches that found nothing.")]


class ZipCount(msgspec.Struct, forbid_unknown_fields=True):
    zip: Annotated[str, describe("ZIP code.")]
    searches: Annotated[int, describe("Searches.")]


class ZeroCount(msgspec.Struct, forbid_unknown_fields=True):
    zip: Annotated[str, describe("ZIP code.")]
    mode: Annotated[str, describe("Search mode.")]
    zero_results: Annotated[int, describe("Searches that found nothing.")]


class Dashboard(msgspec.Struct, forbid_unknown_fields=True):
    """Searches in recent days. Only counts are stored: no addresses, no texts."""

    success: Annotated[bool, describe("Always true.")]
    days: Annotated[int, describe("Days that are counted.")]
    daily: Annotated[list[DayCount], describe("Searches by day.")]
    top_zips: Annotated[list[ZipCount], describe("ZIP codes that were searched most.")]
    zero_result_searches: Annotated[list[ZeroCount], describe("ZIP codes where nothing was found.")]
