"""Kinds of public submissions, validity of votes, and reasons for retiring a listing."""

from typing import Literal, get_args

from schemas.vocab.changes import BEHAVIOUR_RULES, BehaviourRule
from schemas.vocab.resource_types import TYPES_BY_MODE

FeedbackType = Literal["helpful", "wrong_info", "closed", "other"]
# Kinds of report that put a listing in doubt, the graver first: where both do, the first is shown.
DoubtKind = Literal["closed", "wrong_info"]

# Votes that put a listing in doubt: the rule that says how many, and for how many days a vote
# counts. The rule on `closed` names no time; after 180 days nothing said of a place counts as news
# any more.
VOTE_RULES: dict[DoubtKind, tuple[BehaviourRule, int]] = {
    "closed": (BEHAVIOUR_RULES["feedback_closed"], 180),
    "wrong_info": (BEHAVIOUR_RULES["feedback_wrong_info"], 30),
}
KIND_OF_RULE: dict[str, DoubtKind] = {rule.id: kind for kind, (rule, _) in VOTE_RULES.items()}

# Who retired a listing: its operator, the place itself when asked, or an administrator. No vote
# does.
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

# Members of the public record that an edit may change. Everything else is worked out or has another
# way in.
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
# dead for good.
ClaimState = Literal["unconfirmed", "confirmed", "contested", "revoked"]
# Types of places among which an operator looks for theirs: those of the search mode "free".
PANTRY_TYPES: tuple[str, ...] = TYPES_BY_MODE["free"]
# Types of places that an operator can claim: those that hand out food or things for babies.
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
