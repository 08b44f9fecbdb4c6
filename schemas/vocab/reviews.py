"""Kinds of public submissions, validity of votes, and reasons for retiring a listing."""

from pathlib import Path
from typing import Literal, get_args

import msgspec

ChangeKind = Literal["added", "changed", "reactivated", "merged", "retired"]
RetirementReason = Literal["not_in_sources", "rule", "successor_not_listed", "withheld"]

# A listing of the newer release has one of these at most. Lines of one feed never name an id twice.
CHANGES: dict[ChangeKind, str] = {
    "added": "Listed now; its id did not exist before.",
    "changed": "Listed before and now; at least one published field has another value.",
    "reactivated": "Listed now and not before, under an id that had been issued earlier.",
    "merged": (
        "Listed before; it turned out to be the same place as `merged_into`, which is listed."
    ),
    "retired": "No longer listed, and no other listing replaced it.",
}
CHANGE_KINDS: tuple[ChangeKind, ...] = tuple(CHANGES)

RETIREMENT_REASONS: dict[RetirementReason, str] = {
    "not_in_sources": "None of its sources lists it now.",
    "rule": "A behavior rule removed the listing. The detail gives the reason.",
    "successor_not_listed": "It was merged into a place that is not listed itself.",
    "withheld": "Its sources still have it, but it may not be published.",
}


# Rules of automatic changes, as data: condition, limit and field.
#
# Every change of a listing that a rule of the release makes is a row of
# `core_directory__automatic_changes`.

# Who applies a rule: the build of a release, the service on answering, or the store of people's
# reports.
AppliedBy = Literal["release", "service", "operations"]


class ChangeRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`threshold` is in `unit`. `observations` is how often, on different days, the condition
    must be seen without a break before the effect. `types` empty: all types."""

    id: str
    condition: str
    threshold: int | float
    unit: str
    observations: int
    field: str
    effect: str
    applied_by: AppliedBy
    source: str
    types: tuple[str, ...] = ()


CHANGE_RULES: dict[str, ChangeRule] = {
    rule.id: rule
    for rule in msgspec.yaml.decode(
        Path(__file__).with_name("change_rules.yaml").read_bytes(), type=list[ChangeRule]
    )
}
RULE_IDS: tuple[str, ...] = tuple(CHANGE_RULES)


FeedbackType = Literal["helpful", "wrong_info", "closed", "other"]
# Kinds of report that put a listing in doubt, the more serious first: if both apply, it is shown.
DoubtKind = Literal["closed", "wrong_info"]

# Votes that put a listing in doubt: the rule with their number, and for how many days a vote
# counts. The rule on `closed` states no period: 180 days, as for a confirmation.
VOTE_RULES: dict[DoubtKind, tuple[ChangeRule, int]] = {
    "closed": (CHANGE_RULES["feedback_closed"], 180),
    "wrong_info": (CHANGE_RULES["feedback_wrong_info"], 30),
}
KIND_OF_RULE: dict[str, DoubtKind] = {rule.id: kind for kind, (rule, _) in VOTE_RULES.items()}

# Who retired a listing: its operator, the place itself when asked, or an administrator. Votes never
# do.
ClosureCause = Literal["operator", "place", "closed", "review"]
_CLOSURE_WORDS: dict[str, str] = {
    "operator": "closed for good, confirmed by its operator",
    "place": "closed for good, confirmed by the place itself",
    "closed": "closed for good, confirmed after review",
    "review": "removed after review",
}


def closure_words(cause: ClosureCause, reason: str | None) -> str:
    """State why a listing was retired: "removed after review: duplicates"."""
    return f"{_CLOSURE_WORDS[cause]}: {reason}" if reason else _CLOSURE_WORDS[cause]


# Kinds of values that a person may write: see `schemas.values.place_fields`.
Kind = Literal[
    "line",
    "text",
    "phone",
    "website",
    "zip",
    "state",
    "type",
    "truth",
    "codes",
    "list",
    "latitude",
    "longitude",
    "closing",
]

# Members of the public record that an edit may change. All others are computed, or are changed in
# another way.
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
# Required fields of a listing: null is no value for these.
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


# Closed vocabularies of operators' reports and claims.

ReportStatus = Literal[
    "open_today", "closed_today", "running_late", "low_stock", "out_of_stock", "other"
]
REPORT_STATUSES: tuple[ReportStatus, ...] = get_args(ReportStatus)
INVENTORY_ITEMS: tuple[str, ...] = (
    "produce",
    "dairy",
    "canned",
    "protein",
    "baby",
    "water",
    "bread",
    "other",
)
InventoryLevel = Literal["plenty", "low", "out"]
INVENTORY_LEVELS: tuple[InventoryLevel, ...] = get_args(InventoryLevel)

# unconfirmed: nobody checked who it is. confirmed: by e-mail, telephone or an administrator.
# contested: somebody else claimed the place before; an administrator decides. revoked: the token is
# permanently invalid.
ClaimState = Literal["unconfirmed", "confirmed", "contested", "revoked"]
# Types of places that an operator can claim: those that give out food or things for babies.
CLAIMABLE_TYPES: tuple[str, ...] = (
    "food_pantry",
    "food_bank",
    "soup_kitchen",
    "mobile_pantry",
    "community_fridge",
    "emergency",
    "tribal_food",
    "senior_commodity",
    "summer_meal",
    "diaper_bank",
)
REPORT_HOURS = 24
