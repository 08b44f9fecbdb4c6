"""Closed vocabularies of operators' reports and claims."""

from typing import Literal, get_args

from schemas.vocab.resource_types import TYPES_BY_MODE

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
