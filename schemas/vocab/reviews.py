"""What the public may send for review, and how long a vote counts."""

from __future__ import annotations

from typing import Literal

from schemas.vocab.behaviour_rules import BEHAVIOUR_RULES, BehaviourRule

FeedbackType = Literal["helpful", "wrong_info", "closed", "other"]

# Votes that can take a listing away: the rule that says how many, and for how many days a vote counts.
# The rule on `closed` names no time; after 180 days nothing said of a place counts as news any more.
VOTE_RULES: dict[str, tuple[BehaviourRule, int]] = {
    "wrong_info": (BEHAVIOUR_RULES["feedback_wrong_info"], 30),
    "closed": (BEHAVIOUR_RULES["feedback_closed"], 180),
}

# Kinds of values that a person may write: see `schemas.values.place_fields`.
Kind = Literal["line", "text", "phone", "website", "zip", "state", "type", "truth", "codes", "list", "latitude", "longitude", "closing"]  # fmt: skip

# Members of the public record that an edit may change. Everything else is worked out or has another way in.
EDITABLE: dict[str, Kind] = {
    "name": "line",
    "organization": "line",
    "resource_type": "type",
    "address": "line",
    "city": "line",
    "state": "state",
    "zip": "zip",
    "lat": "latitude",
    "lng": "longitude",
    "phone": "phone",
    "website": "website",
    "hours_text": "text",
    "services_offered": "list",
    "requirements_text": "text",
    "eligibility_text": "text",
    "languages": "codes",
    "notes": "text",
    "accepts_walkins": "truth",
    "requires_appointment": "truth",
    "is_active": "closing",
}
# What a listing cannot be without: null is no value for these.
NEVER_EMPTY = frozenset(
    {"name", "resource_type", "city", "state", "zip", "lat", "lng", "is_active"}
)

# Fields of a submission, in the order of the form; the first six are required.
SUBMITTED: dict[str, Kind] = {
    "name": "line",
    "address": "line",
    "city": "line",
    "state": "state",
    "zip": "zip",
    "resource_type": "type",
    "phone": "phone",
    "website": "website",
    "hours_text": "text",
    "services_offered": "text",
    "requirements_text": "text",
}
REQUIRED_OF_SUBMISSION = ("name", "address", "city", "state", "zip", "resource_type")

# A confirmation by the place itself holds as long as hours do.
CONFIRMED_FOR_DAYS = 180
