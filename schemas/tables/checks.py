"""Tables of what the directory checks and changes by itself."""

from __future__ import annotations

from schemas.fields import fields
from schemas.table import Table

AUTOMATIC_CHANGES = Table(
    "core_directory__automatic_changes",
    "Every change of a listing that a behaviour rule made or took back, once, in the release that made it.",
    fields("resource_id rule_id changed_field old_value new_value observed_on evidence release_id"),
    key=("resource_id", "rule_id", "changed_field", "release_id"),
    required=("observed_on", "evidence"),
    order_by=("resource_id", "observed_on", "release_id", "rule_id", "changed_field"),
)

RULE_OBSERVATIONS = Table(
    "core_directory__rule_observations",
    "Active conditions of behaviour rules for a listing, and the number of consecutive days with "
    "builds that saw them.",
    fields("resource_id rule_id observation_count first_observed_on last_observed_on evidence"),
    key=("resource_id", "rule_id"),
    required=("observation_count", "first_observed_on", "last_observed_on", "evidence"),
    order_by=("resource_id", "rule_id"),
)

WEBSITE_PROBES = Table(
    "core_directory__website_probes",
    "The last probe of every website that was ever probed and is still listed by a source.",
    fields(
        "website probe_result http_status final_url probe_detail probed_at failures_in_row last_success_at"
    ),
    key=("website",),
    required=("probe_result", "probed_at", "failures_in_row"),
    order_by=("website",),
)

PHONE_VALIDATIONS = Table(
    "core_directory__phone_validations",
    "Validation of every telephone number by the numbering plan, for each state that lists it. "
    "Nobody is called.",
    fields(
        "phone_e164 state is_possible is_valid phone_type phone_state is_state_match validated_on"
    ),
    key=("phone_e164", "state"),
    required=("is_possible", "is_valid", "phone_type", "validated_on"),
    order_by=("phone_e164", "state"),
)
