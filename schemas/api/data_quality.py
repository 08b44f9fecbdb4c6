"""The data-quality report: how complete and recent the data is, its sources, and what was merged."""

from typing import Annotated

import msgspec

from schemas.api.organization import Publisher
from schemas.api.reports import Freshness, Rate
from schemas.api.snapshots import Count, DocumentHead
from schemas.descriptions import describe

Known = Annotated[Rate, describe("Places that have it; the share is of total_records.")]


class FieldCompleteness(msgspec.Struct, forbid_unknown_fields=True):
    """Counts of places of a class by the fields that visitors need."""

    total_records: Annotated[int, describe("Active places of the class.", ge=0)]
    phone: Known
    website: Known
    hours: Annotated[Rate, describe("Opening hours are published in some form.")]
    hours_current: Annotated[
        Rate,
        describe(
            "Opening hours can be read and may be asserted on the day of the release: open or closed is said."
        ),
    ]
    hours_old: Annotated[
        Rate,
        describe(
            "Opening hours are published and readable, but too old to rely on, so open or closed is unknown."
        ),
    ]
    address: Annotated[Rate, describe("A street address is known.")]
    geocode: Annotated[
        Rate,
        describe("The point is exact to the street or better. A ZIP code's middle does not count."),
    ]
    verification_date: Annotated[
        Rate,
        describe(
            "A dated partner's list or register includes the place, or its operator "
            "confirmed it, however long ago."
        ),
    ]
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
    never_verified: Annotated[
        int,
        describe("Places without a day of verification; part of older_than_365d_or_unknown.", ge=0),
    ]
    total_records: Count
    hours_180d_staleness_gate_explanation: Annotated[
        str, describe("Why hours older than 180 days are not asserted.")
    ]
    confirmed: Annotated[
        Freshness,
        describe(
            "By the day when someone confirmed the place, and by its newest date of any kind. Equal to `freshness` of /api/stats/quality."
        ),
    ]


class SourceCount(msgspec.Struct, forbid_unknown_fields=True):
    """A source and the places it leads."""

    source: Annotated[str, describe("Id of the source.")]
    count: Annotated[int, describe("Active places whose record this source leads.", ge=0)]
    records: Annotated[
        int,
        describe(
            "Its source records behind active places, also those that another source leads.", ge=0
        ),
    ]
    title: Annotated[str, describe("Title.")]
    publisher: Annotated[str, describe("Who publishes it.")]
    license: Annotated[str, describe("SPDX id of its licence.")]


class SnapRetailers(msgspec.Struct, forbid_unknown_fields=True):
    """Stores that take EBT, counted separately from free food."""

    total: Count
    source: Annotated[str | None, describe("Title of the source that leads most of them.")]
    by_source: Annotated[dict[str, int], describe("Shops by leading source.")]
    share_of_all_pct: Annotated[float, describe("Per cent of all active places.")]
    note: Annotated[str, describe("What the count means.")]


class Deduplication(msgspec.Struct, forbid_unknown_fields=True):
    """Result of merging: source_records = resources + merged_records."""

    source_records: Annotated[int, describe("Source records behind active places.", ge=0)]
    resources: Annotated[int, describe("Active places.", ge=0)]
    merged_records: Annotated[
        int, describe("Source records that describe a place another record leads.", ge=0)
    ]
    merged_records_pct: Annotated[float, describe("Per cent of the source records.")]
    resources_of_two_or_more_records: Count
    resources_of_two_or_more_sources: Count
    most_records_in_one_resource: Count
    pairs_left_to_a_reviewer: Annotated[
        int, describe("Pairs that may be one place and were not merged.", ge=0)
    ]
    ids_merged: Annotated[
        int, describe("Ids of earlier releases that now lead to another id.", ge=0)
    ]
    ids_retired: Annotated[
        int, describe("Ids in earlier releases that are no longer listed.", ge=0)
    ]
    records_by_match_reason: Annotated[
        dict[str, int],
        describe("Why each source record belongs to its place; adds up to source_records."),
    ]
    method: Annotated[str, describe("How records of one place are found.")]


class HoursOld(msgspec.Struct, forbid_unknown_fields=True):
    """Places whose published hours can be read but are too old to be asserted."""

    pantry_class: Annotated[Rate, describe("Of the food-pantry class.")]
    free_food: Annotated[Rate, describe("Of places with free food.")]
    all: Annotated[Rate, describe("Of all places.")]


class HoursKnown(msgspec.Struct, forbid_unknown_fields=True):
    """Counts of places with a known opening state; `published_but_old` counts those whose hours
    are stale."""

    definition: Annotated[str, describe("What counts as known.")]
    pantry_class: Annotated[Rate, describe("Of the food-pantry class.")]
    free_food: Annotated[Rate, describe("Of places with free food.")]
    all: Annotated[Rate, describe("Of all places.")]
    published_but_old: Annotated[
        HoursOld, describe("Hours that are published and too old to assert.")
    ]


class WebsiteProbes(msgspec.Struct, forbid_unknown_fields=True):
    """Probes of listed websites: how many were asked, and when last."""

    note: Annotated[
        str,
        describe("The same in words.", "1,200 websites have been probed, the last on 2026-11-20."),
    ]
    probed: Annotated[int, describe("Listed websites that were ever probed.", ge=0)]
    last_date: Annotated[
        str | None, describe("Day of the last probe, YYYY-MM-DD (UTC); null where none was made.")
    ]


class DataQuality(DocumentHead):
    """Completeness and age of the directory's records."""

    organization: Publisher
    field_completeness_pantry_class: Annotated[
        FieldCompleteness, describe("Facts known of places of the food-pantry class.")
    ]
    field_completeness_all: Annotated[FieldCompleteness, describe("Facts known of all places.")]
    hours_known_share: Annotated[HoursKnown, describe("Places whose hours can be asserted.")]
    verification_mix: Annotated[VerificationMix, describe("Places by verification.")]
    freshness_distribution: Annotated[
        FreshnessDistribution, describe("Places by the age of their verification.")
    ]
    top_data_sources: Annotated[
        list[SourceCount], describe("At most 20, those that lead most places first.")
    ]
    snap_retailer_data: Annotated[SnapRetailers, describe("Stores of the SNAP list.")]
    deduplication: Annotated[Deduplication, describe("Places made of several records.")]
    website_probes: Annotated[WebsiteProbes, describe("Web addresses that were tried.")]
