"""Tables of what people wrote and a person approved."""

from __future__ import annotations

from schemas.fields import fields
from schemas.table import Table, names

EDITS = Table(
    "core_{source}__edits",
    "Approved changes of listings, confirmations and what came of votes: only the fields that change are filled.",
    fields(
        "source_id source_key source_row file_name resource_id target_key edit_authority name organization resource_type "
        "address city state zip lat lng phone phone_e164 website hours_text services_text requirements_text "
        "eligibility_text languages notes accepts_walkins requires_appointment is_active is_confirmed cleared_fields "
        "base_json evidence retrieved_at source_updated_date is_synthetic"
    ),
    key=("source_id", "source_key"),
    required=names(
        "source_row file_name edit_authority is_confirmed source_updated_date retrieved_at "
        "is_synthetic"
    ),
    order_by=("source_id", "source_key"),
    published=False,
)

DECISIONS = Table(
    "core_operations__decisions",
    "Reviewers' answers on pairs of source records: one place, or two. The matching obeys.",
    fields("source_id source_key other_source_id other_source_key decision"),
    key=("source_id", "source_key", "other_source_id", "other_source_key"),
    required=("decision",),
    order_by=("source_id", "source_key", "other_source_id", "other_source_key"),
    published=False,
)
