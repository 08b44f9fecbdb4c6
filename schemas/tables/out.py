"""Output tables: those the service answers from, and those that are published."""

from __future__ import annotations

from schemas.fields import fields
from schemas.table import ForeignKey, Table

TYPE_COUNTS = Table(
    "out_directory__type_counts",
    "Active resources by state and type.",
    (*fields("state resource_type"), *fields("resource_count")),
    key=("state", "resource_type"),
    required=("resource_count",),
    order_by=("state", "resource_type"),
)

QUALITY = Table(
    "out_directory__quality_checks",
    "Data-quality measurements of each build: coverage, piles of equal points, shared telephone "
    "numbers, types that contradict names. A failed blocking check prevents promotion of the "
    "release.",
    fields("check_id check_group measured threshold severity is_passed detail"),
    key=("check_id", "check_group"),
    required=("measured", "severity", "is_passed", "detail"),
    order_by=("check_id", "check_group"),
)

DOUBTFUL = Table(
    "out_directory__doubtful_pairs",
    "Pairs of listed places that may be one place and were left apart: the list that reviewers work through.",
    fields(
        "source_id source_key other_source_id other_source_key resource_id other_resource_id doubt_reason"
        " name_similarity miles_apart"
    ),
    key=("source_id", "source_key", "other_source_id", "other_source_key"),
    required=("resource_id", "other_resource_id", "doubt_reason", "name_similarity"),
    order_by=("source_id", "source_key", "other_source_id", "other_source_key"),
)

CROSSWALK = Table(
    "out_directory__crosswalk",
    "Identifiers of listed places in other registers, from the source records behind each place. An "
    "identifier that leads to two places is left out, and so is every confidential place.",
    fields("resource_id identifier_scheme identifier source_id"),
    key=("resource_id", "identifier_scheme", "identifier"),
    required=("source_id",),
    foreign_keys=(ForeignKey("resource_id", "core_directory__resources", "resource_id"),),
    order_by=("resource_id", "identifier_scheme", "identifier"),
)
