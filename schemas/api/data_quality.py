"""The data-quality report: completeness, age, sources and merges of the data."""

from typing import Annotated

import msgspec

from schemas.api.common import NonNegative
from schemas.api.organization import Publisher
from schemas.api.reports import Freshness, Rate
from schemas.api.snapshots import Count, DocumentHead
from schemas.descriptions import describe

Known = Annotated[Rate, describe("Places that have it; the share is of total_records.")]


class FieldCompleteness(msgspec.Struct, forbid_unknown_fields=True):
    """Counts of places of a class by the fields that visitors need."""

    total_records: NonNegative
    phone: Known
    website: Known
    hours: Rate
    hours_current: Rate
    hours_old: Rate
    address: Rate
    geocode: Rate
    verification_date: Rate
    services_offered: Known
    requirements_text: Known
    languages_offered: Known


class VerificationMix(msgspec.Struct, forbid_unknown_fields=True):
    """Active places of all types by verification; the three add up to all."""

    partner_verified: Count
    verified: Count
    unverified: Count


class FreshnessDistribution(msgspec.Struct, forbid_unknown_fields=True):
    """Active places of all types by the age of their last verification; each age includes the
    shorter ones.
    """

    verified_in_last_7d: Count
    verified_in_last_30d: Count
    verified_in_last_90d: Count
    verified_in_last_180d: Count
    verified_in_last_365d: Count
    older_than_365d_or_unknown: Count
    never_verified: NonNegative
    total_records: Count
    hours_180d_staleness_gate_explanation: str
    confirmed: Freshness


class SourceCount(msgspec.Struct, forbid_unknown_fields=True):
    """A source and the places it leads."""

    source: str
    count: NonNegative
    records: NonNegative
    title: str
    publisher: str
    license: str


class SnapRetailers(msgspec.Struct, forbid_unknown_fields=True):
    """Stores that take EBT, counted separately from free food."""

    total: Count
    source: str | None
    by_source: dict[str, int]
    share_of_all_pct: float
    note: str


class Deduplication(msgspec.Struct, forbid_unknown_fields=True):
    """Result of merging: source_records = resources + merged_records."""

    source_records: NonNegative
    resources: NonNegative
    merged_records: NonNegative
    merged_records_pct: float
    resources_of_two_or_more_records: Count
    resources_of_two_or_more_sources: Count
    most_records_in_one_resource: Count
    pairs_left_to_a_reviewer: NonNegative
    ids_merged: NonNegative
    ids_retired: NonNegative
    records_by_match_reason: dict[str, int]
    method: str


class HoursOld(msgspec.Struct, forbid_unknown_fields=True):
    """Places whose published hours can be read but are too old to be asserted."""

    pantry_class: Rate
    free_food: Rate
    all: Rate


class HoursKnown(msgspec.Struct, forbid_unknown_fields=True):
    """Counts of places with a known opening state; `published_but_old` counts those whose hours
    are stale."""

    definition: str
    pantry_class: Rate
    free_food: Rate
    all: Rate
    published_but_old: HoursOld


class WebsiteProbes(msgspec.Struct, forbid_unknown_fields=True):
    """Probes of listed websites: how many were asked, and when last."""

    note: str
    probed: NonNegative
    last_date: str | None


class DataQuality(DocumentHead):
    """Completeness and age of the directory's records."""

    organization: Publisher
    field_completeness_pantry_class: FieldCompleteness
    field_completeness_all: FieldCompleteness
    hours_known_share: HoursKnown
    verification_mix: VerificationMix
    freshness_distribution: FreshnessDistribution
    top_data_sources: list[SourceCount]
    snap_retailer_data: SnapRetailers
    deduplication: Deduplication
    website_probes: WebsiteProbes
