"""Answers about the directory as a whole: catalog, statistics, quality, health, analytics."""

from typing import Annotated, Any, Literal

import msgspec

from schemas.api.common import (
    CompilationLicense,
    IsSynthetic,
    NonNegative,
    PlaceId,
    ServedRelease,
    Success,
)
from schemas.api.record import Doubt, RecordFreshness
from schemas.descriptions import describe
from schemas.words import Words

Share = Annotated[float, describe("Percent.", ge=0, le=100)]


class TypeEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A type of place and how many there are."""

    id: str
    mode: str | None
    label: str
    label_es: str
    description: str
    count: NonNegative


class TypeCatalog(msgspec.Struct, forbid_unknown_fields=True):
    """All types of places, including those without a place."""

    success: Success
    total: NonNegative
    types: list[TypeEntry]
    is_synthetic: IsSynthetic
    release_id: ServedRelease


class SourceEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A source and the outcome of its rows: read = published + merged + rejected + withheld."""

    id: str
    rows_read: int
    rows_published: int
    rows_merged: int
    rows_rejected: int
    rows_withheld: int
    newest_vintage: str | None
    retrieved_at: str | None
    failed_at: str | None = None
    failure: str | None = None


class Stats(msgspec.Struct, forbid_unknown_fields=True):
    """Statistics of the release being served."""

    success: Success
    generated_at: str
    as_of_date: str
    total_resources: NonNegative
    by_mode: dict[str, int]
    by_type: dict[str, int]
    by_state: dict[str, int]
    by_verification_status: dict[str, int]
    states_covered: int
    zip_codes_known: int
    sources: list[SourceEntry]
    license: CompilationLicense
    is_synthetic: IsSynthetic
    release_id: ServedRelease


class Rate(msgspec.Struct, forbid_unknown_fields=True):
    """A number of places and its share of all."""

    count: NonNegative
    pct: Share


class Freshness(msgspec.Struct, forbid_unknown_fields=True):
    """Places by the age of their newest confirmation, and of their newest date of any kind
    (confirmed, updated or listed). Each age includes the shorter ones. The last figure counts
    places that nobody confirmed within a year."""

    confirmed_in_last_7d: Rate
    confirmed_in_last_30d: Rate
    confirmed_in_last_90d: Rate
    confirmed_in_last_180d: Rate
    confirmed_in_last_365d: Rate
    dated_in_last_7d: Rate
    dated_in_last_30d: Rate
    dated_in_last_90d: Rate
    dated_in_last_180d: Rate
    dated_in_last_365d: Rate
    confirmed_older_than_365d_or_unknown: Rate


class QualityReport(msgspec.Struct, forbid_unknown_fields=True):
    """Completeness and age of the directory's records."""

    success: Success
    generated_at: str
    total_resources: int
    verification: dict[str, Rate]
    freshness: Freshness
    freshness_explanation: str
    field_completeness: dict[str, Rate]
    average_completeness_score: float
    is_synthetic: IsSynthetic
    release_id: ServedRelease


# ---------------------------------------------------------------- one resource's status


class PhoneCheck(msgspec.Struct, forbid_unknown_fields=True):
    """Facts about the phone number."""

    phone: str | None
    phone_e164: str | None
    is_valid: bool | None
    is_toll_free: bool | None


class HoursCheck(msgspec.Struct, forbid_unknown_fields=True):
    """Facts about the hours, now."""

    status: Literal["open", "closed", "closes_soon", "opens_soon", "unknown"]
    reason: str
    timezone: str
    days_since_confirmed: int | None
    changes_at: str | None
    reason_es: str
    opens_at: str | None
    closes_at: str | None
    in_words: Words | None


class VerificationCheck(msgspec.Struct, forbid_unknown_fields=True):
    """Trustworthiness of a listing."""

    status: str
    confidence: Annotated[int, msgspec.Meta(ge=0, le=100)]
    reasons: list[str]
    last_verified_date: str | None


class ResourceStatus(msgspec.Struct, forbid_unknown_fields=True):
    """Telephone, hours and verification of one place."""

    success: Success
    id: PlaceId
    name: str
    phone: PhoneCheck
    hours: HoursCheck
    verification: VerificationCheck
    freshness: RecordFreshness
    live_status: dict[str, Any] | None
    doubt: Doubt | None
    is_synthetic: IsSynthetic
    release_id: ServedRelease


# ---------------------------------------------------------------- health


class Health(msgspec.Struct, forbid_unknown_fields=True):
    """Liveness of the service."""

    status: Literal["ok", "no_release"]
    version: str
    release_id: str | None
    is_synthetic: bool | None


HealthStatus = Literal["ok", "degraded", "broken"]


class HealthCheck(msgspec.Struct, forbid_unknown_fields=True):
    """One check of the deep health report."""

    name: str
    is_ok: bool
    detail: str
    milliseconds: float
    status: HealthStatus


class DeepHealth(msgspec.Struct, forbid_unknown_fields=True):
    """State of every part of the service."""

    status: HealthStatus
    release_id: str | None
    checks: list[HealthCheck]


class ServiceHealth(msgspec.Struct, forbid_unknown_fields=True):
    """Status, content and starting points of the service."""

    status: HealthStatus
    faults: dict[str, str]
    version: str
    release_id: str
    generated_at: str
    is_synthetic: IsSynthetic
    tables: dict[str, int]
    verification: dict[str, int]
    freshness: Freshness
    coverage: dict[str, int]
    discovery: dict[str, str]


# ---------------------------------------------------------------- analytics


class DayCount(msgspec.Struct, forbid_unknown_fields=True):
    day: str
    searches: int
    zero_results: int


class ZipCount(msgspec.Struct, forbid_unknown_fields=True):
    zip: str
    searches: int


class ZeroCount(msgspec.Struct, forbid_unknown_fields=True):
    zip: str
    mode: str
    zero_results: int


class Dashboard(msgspec.Struct, forbid_unknown_fields=True):
    """Searches in recent days. Only counts are stored: no addresses, no texts."""

    success: Success
    days: int
    daily: list[DayCount]
    top_zips: list[ZipCount]
    zero_result_searches: list[ZeroCount]
