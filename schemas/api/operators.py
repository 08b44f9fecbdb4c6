"""Claims of places, operators' live reports, and the answers to them."""

from typing import Annotated, Literal

import msgspec

from schemas.api.common import (
    SIX_DIGITS,
    City,
    IsSynthetic,
    PlaceId,
    ResourceType,
    ServedRelease,
    StreetAddress,
    Success,
    Zip,
)
from schemas.descriptions import describe
from schemas.vocab.reviews import (
    INVENTORY_ITEMS,
    REPORT_HOURS,
    ClaimState,
    InventoryLevel,
    ReportStatus,
)

_Token = Annotated[
    str,
    describe(
        "Token of the claim. Keep it secret: anyone who has it can report for the place.",
        "q8sW0m1vJc3pV0sYH1oZb7m5b8vU2r6tQk4nX9eLdAw",
        min_length=1,
        max_length=200,
    ),
]
# What no part of an address holds, spelled out: kinds of white space differ between dialects of
# patterns.
_NOT = r'@\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff<>"(),;:\\'
EMAIL_PATTERN = rf"^ *[^{_NOT}]+@[^{_NOT}]+\.[^{_NOT}.]+ *$"
_Instant = Annotated[str, describe("Instant in UTC.", "2026-11-23T15:00:00Z")]
_MaybeInstant = Annotated[str | None, describe("Instant in UTC; null for never.")]
_Id = Annotated[int, describe("Permanent id of the place.", 101, ge=1, le=2**53 - 1)]


class Inventory(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The food on hand; items left out were not reported."""

    produce: InventoryLevel | None = None
    dairy: InventoryLevel | None = None
    canned: InventoryLevel | None = None
    protein: InventoryLevel | None = None
    baby: InventoryLevel | None = None
    water: InventoryLevel | None = None
    bread: InventoryLevel | None = None
    other: InventoryLevel | None = None


assert Inventory.__struct_fields__ == INVENTORY_ITEMS


class LiveStatus(msgspec.Struct, forbid_unknown_fields=True):
    """Reports on a place from the last 24 hours."""

    status: ReportStatus
    notes: str | None
    inventory: Inventory
    reported_at: _Instant
    expires_at: _Instant
    is_confirmed: bool


class CurrentStatus(msgspec.Struct, forbid_unknown_fields=True):
    """The present report of a place."""

    success: Success
    id: PlaceId
    name: str
    live_status: Annotated[
        LiveStatus | None,
        describe(f"Null when nothing was reported in the last {REPORT_HOURS} hours."),
    ]


# ---------------------------------------------------------------- search


class ClaimablePantry(msgspec.Struct, forbid_unknown_fields=True):
    """A place that its operator can claim."""

    id: PlaceId
    name: str
    resource_type: ResourceType
    address: StreetAddress
    city: City
    state: str
    zip: Zip
    phone: str | None
    distance_miles: float
    is_claimed: bool | None


class ClaimablePantries(msgspec.Struct, forbid_unknown_fields=True):
    """Places within 5 miles of a ZIP code, nearest first."""

    success: Success
    zip: str
    radius_miles: float
    count: int
    resources: list[ClaimablePantry]
    is_synthetic: IsSynthetic
    release_id: ServedRelease


# ---------------------------------------------------------------- claims


class NewPantryClaim(msgspec.Struct):
    """The claim of a person who runs a place."""

    resource_id: _Id
    operator_email: Annotated[str, msgspec.Meta(max_length=254, pattern=EMAIL_PATTERN)]
    operator_phone: (
        Annotated[
            str, describe("Phone number for questions. Never shown.", "+12125550143", max_length=40)
        ]
        | None
    ) = None
    operator_name: (
        Annotated[str, describe("Name for questions. Never shown.", "Ann Operator", max_length=120)]
        | None
    ) = None


class PantryClaim(msgspec.Struct, forbid_unknown_fields=True):
    """The saved claim. An email address can claim a place once."""

    success: Success
    claim_token: str
    dashboard_url: str
    state: ClaimState
    is_link_sent: bool
    message: str
    message_es: str


class ClaimFacts(msgspec.Struct, forbid_unknown_fields=True):
    """A claim as its holder sees it."""

    id: int
    resource_id: PlaceId
    operator_email: str
    operator_name: str | None
    operator_phone: str | None
    state: ClaimState
    confirmed_by: Literal["email", "phone", "administrator"] | None
    created_at: _Instant
    confirmed_at: _MaybeInstant
    expires_at: str


class ClaimedPlace(msgspec.Struct, forbid_unknown_fields=True):
    """The listing as the public sees it."""

    id: PlaceId
    name: str
    resource_type: ResourceType
    address: StreetAddress
    city: City
    state: str
    zip: Zip
    phone: str | None
    hours_status: str
    hours_text: str | None
    url: str
    is_listed: bool


class PastReport(msgspec.Struct, forbid_unknown_fields=True):
    """A report made with this claim."""

    id: int
    status: ReportStatus
    notes: str | None
    inventory: Inventory
    reported_at: _Instant
    expires_at: _Instant
    is_withdrawn: bool


class ManagedPantry(msgspec.Struct, forbid_unknown_fields=True):
    """The operator's dashboard."""

    success: Success
    claim: ClaimFacts
    resource: ClaimedPlace
    current_status: LiveStatus | None
    recent_statuses: list[PastReport]
    poster_url: str


# ---------------------------------------------------------------- reports


class NewPantryStatus(msgspec.Struct):
    """Operator's report. It is shown for 24 hours, or until the next report."""

    claim_token: _Token
    status: ReportStatus
    notes: (
        Annotated[
            str,
            describe(
                "Anything people should know, as plain text.", "Use the back door.", max_length=500
            ),
        ]
        | None
    ) = None
    inventory: Inventory | None = None
    resource_id: (
        Annotated[
            int,
            describe(
                "Id of the place, if the client wants it checked: the token must be its own.",
                ge=1,
                le=2**53 - 1,
            ),
        ]
        | None
    ) = None


class StatusReceipt(msgspec.Struct, forbid_unknown_fields=True):
    """The report is stored and shown."""

    success: Success
    id: int
    resource_id: PlaceId
    status: ReportStatus
    reported_at: _Instant
    expires_at: _Instant
    is_confirmed: bool
    is_shown: bool


class TokenOnly(msgspec.Struct):
    """The token of a claim."""

    claim_token: _Token


class PhoneCode(msgspec.Struct):
    """The code that was sent to the place's listed telephone."""

    claim_token: _Token
    code: Annotated[str, msgspec.Meta(pattern=SIX_DIGITS)]


class LinkSecret(msgspec.Struct):
    """The secret in the link sent by email."""

    secret: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Done(msgspec.Struct, forbid_unknown_fields=True):
    """The request was carried out."""

    success: Success
    state: ClaimState
    message: str
