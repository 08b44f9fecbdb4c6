"""Claims of places, operators' live reports, and what is answered to them."""

from typing import Annotated, Literal

import msgspec

from schemas.api.common import IsSynthetic, StreetAddress
from schemas.api.patterns import SIX_DIGITS
from schemas.descriptions import describe
from schemas.vocab.operators import (
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
_ADDRESS = rf"^ *[^{_NOT}]+@[^{_NOT}]+\.[^{_NOT}.]+ *$"
_Instant = Annotated[str, describe("Instant in UTC.", "2026-11-23T15:00:00Z")]
_MaybeInstant = Annotated[str | None, describe("Instant in UTC; null for never.")]
_Id = Annotated[int, describe("Permanent id of the place.", 101, ge=1, le=2**53 - 1)]


class Inventory(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The food on hand; items left out were not reported."""

    produce: Annotated[InventoryLevel | None, describe("Fruit and vegetables.")] = None
    dairy: Annotated[InventoryLevel | None, describe("Milk and dairy.")] = None
    canned: Annotated[InventoryLevel | None, describe("Canned food.")] = None
    protein: Annotated[InventoryLevel | None, describe("Meat, fish, beans.")] = None
    baby: Annotated[InventoryLevel | None, describe("Things for babies.")] = None
    water: Annotated[InventoryLevel | None, describe("Water.")] = None
    bread: Annotated[InventoryLevel | None, describe("Bread.")] = None
    other: Annotated[InventoryLevel | None, describe("Other things.")] = None


assert Inventory.__struct_fields__ == INVENTORY_ITEMS


class LiveStatus(msgspec.Struct, forbid_unknown_fields=True):
    """Reports on a place from the last 24 hours."""

    status: Annotated[ReportStatus, describe("Status as reported.")]
    notes: Annotated[
        str | None,
        describe("The operator's own words: plain text, to be escaped where it is shown."),
    ]
    inventory: Annotated[Inventory, describe("What there is: each plenty, low or out.")]
    reported_at: _Instant
    expires_at: _Instant
    is_confirmed: Annotated[
        bool,
        describe(
            "Whether a confirmed operator reported it. Otherwise show it as `reported, not confirmed`; it then does not change whether the place counts as open."
        ),
    ]


class CurrentStatus(msgspec.Struct, forbid_unknown_fields=True):
    """The present report of a place."""

    success: Annotated[bool, describe("Always true.")]
    id: Annotated[int, describe("Permanent id of the place.")]
    name: Annotated[str, describe("Name.")]
    live_status: Annotated[
        LiveStatus | None,
        describe(f"Null when nothing was reported in the last {REPORT_HOURS} hours."),
    ]


# ---------------------------------------------------------------- search


class ClaimablePantry(msgspec.Struct, forbid_unknown_fields=True):
    """A place that its operator can claim."""

    id: Annotated[int, describe("Permanent id of the place.")]
    name: Annotated[str, describe("Name.")]
    resource_type: Annotated[str, describe("Type of the place; `/api/resources/types` lists them.")]
    address: StreetAddress
    city: Annotated[str | None, describe("City or town.")]
    state: Annotated[str, describe("State or territory code.")]
    zip: Annotated[str | None, describe("ZIP code.")]
    phone: Annotated[str | None, describe("Phone number as published.")]
    distance_miles: Annotated[float, describe("Miles from the ZIP code.")]
    is_claimed: Annotated[
        bool | None,
        describe(
            "Whether a confirmed operator speaks for it; another claim is then reviewed. Null if unknown right now."
        ),
    ]


class ClaimablePantries(msgspec.Struct, forbid_unknown_fields=True):
    """Places within 5 miles of a ZIP code, nearest first."""

    success: Annotated[bool, describe("Always true.")]
    zip: Annotated[str, describe("ZIP code that was searched.")]
    radius_miles: Annotated[float, describe("Radius in miles.")]
    count: Annotated[int, describe("Number of places.")]
    resources: Annotated[list[ClaimablePantry], describe("The places.")]
    is_synthetic: IsSynthetic
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]


# ---------------------------------------------------------------- claims


class NewPantryClaim(msgspec.Struct):
    """Claim of somebody who runs a place."""

    resource_id: _Id
    operator_email: Annotated[
        str,
        describe(
            "Email address. We send a confirmation link there. Never shown.",
            "ann@pantry.example",
            max_length=254,
            pattern=_ADDRESS,
        ),
    ]
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

    success: Annotated[bool, describe("Always true.")]
    claim_token: Annotated[
        str,
        describe(
            "Token of the claim. Asked again from the same network within an hour, the answer is the same; later it is a problem `already-claimed` (409), and the link sent by email gives a new token."
        ),
    ]
    dashboard_url: Annotated[
        str, describe("Operator's page. Keep it secret, because it contains the token.")
    ]
    state: Annotated[
        ClaimState,
        describe(
            "`unconfirmed`: reports are shown as not confirmed. `contested`: someone else claimed the place first, and an administrator will decide."
        ),
    ]
    is_link_sent: Annotated[
        bool,
        describe(
            "Whether a confirmation link is sent to the email address. A mailbox gets at most three messages in 24 hours."
        ),
    ]
    message: Annotated[str, describe("What to do next.")]
    message_es: Annotated[str, describe("In Spanish.")]


class ClaimFacts(msgspec.Struct, forbid_unknown_fields=True):
    """A claim as its holder sees it."""

    id: Annotated[int, describe("Number of the claim.")]
    resource_id: Annotated[int, describe("Permanent id of the place.")]
    operator_email: Annotated[str, describe("Email address of the operator.")]
    operator_name: Annotated[str | None, describe("Name of the operator.")]
    operator_phone: Annotated[str | None, describe("Phone number of the operator.")]
    state: Annotated[ClaimState, describe("State of the claim.")]
    confirmed_by: Annotated[
        Literal["email", "phone", "administrator"] | None, describe("How it was confirmed.")
    ]
    created_at: _Instant
    confirmed_at: _MaybeInstant
    expires_at: Annotated[str, describe("When the token ends (UTC).")]


class ClaimedPlace(msgspec.Struct, forbid_unknown_fields=True):
    """The listing as the public sees it."""

    id: Annotated[int, describe("Permanent id of the place.")]
    name: Annotated[str, describe("Name.")]
    resource_type: Annotated[str, describe("Type of the place; `/api/resources/types` lists them.")]
    address: StreetAddress
    city: Annotated[str | None, describe("City or town.")]
    state: Annotated[str, describe("State or territory code.")]
    zip: Annotated[str | None, describe("ZIP code.")]
    phone: Annotated[str | None, describe("Phone number as published.")]
    hours_status: Annotated[str, describe("Whether it is open now.")]
    hours_text: Annotated[str | None, describe("Hours as the source writes them.")]
    url: Annotated[str, describe("Path of its record.")]
    is_listed: Annotated[bool, describe("Whether it is in the present release.")]


class PastReport(msgspec.Struct, forbid_unknown_fields=True):
    """A report made with this claim."""

    id: Annotated[int, describe("Number of the report.")]
    status: Annotated[ReportStatus, describe("Status as reported.")]
    notes: Annotated[str | None, describe("Notes of the operator.")]
    inventory: Annotated[Inventory, describe("What there is.")]
    reported_at: _Instant
    expires_at: _Instant
    is_withdrawn: Annotated[bool, describe("Whether the operator withdrew it.")]


class ManagedPantry(msgspec.Struct, forbid_unknown_fields=True):
    """The operator's dashboard."""

    success: Annotated[bool, describe("Always true.")]
    claim: Annotated[ClaimFacts, describe("The claim.")]
    resource: Annotated[ClaimedPlace, describe("The place.")]
    current_status: Annotated[
        LiveStatus | None, describe("The report the public sees now, from any claim.")
    ]
    recent_statuses: Annotated[
        list[PastReport], describe("The last 20 reports of this claim, newest first.")
    ]
    poster_url: Annotated[
        str, describe("Poster with a QR code that leads to the public page of the place.")
    ]


# ---------------------------------------------------------------- reports


class NewPantryStatus(msgspec.Struct):
    """Operator's report. It is shown for 24 hours, or until the next report."""

    claim_token: _Token
    status: Annotated[
        ReportStatus,
        describe(
            "`open_today` and `closed_today` of a confirmed operator change whether the place counts as open that day. The others are shown with it."
        ),
    ]
    notes: (
        Annotated[
            str,
            describe(
                "Anything people should know, as plain text.", "Use the back door.", max_length=500
            ),
        ]
        | None
    ) = None
    inventory: Annotated[Inventory | None, describe("What there is.")] = None
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

    success: Annotated[bool, describe("Always true.")]
    id: Annotated[int, describe("Number of the report.")]
    resource_id: Annotated[int, describe("Permanent id of the place.")]
    status: Annotated[ReportStatus, describe("Status as reported.")]
    reported_at: _Instant
    expires_at: _Instant
    is_confirmed: Annotated[
        bool,
        describe(
            "Whether the claim is confirmed. If not, the report is shown as not confirmed, and not at all where a confirmed operator speaks for the place."
        ),
    ]
    is_shown: Annotated[bool, describe("Whether this is what the public sees now.")]


class TokenOnly(msgspec.Struct):
    """The token of a claim."""

    claim_token: _Token


class PhoneCode(msgspec.Struct):
    """The code that was sent to the place's listed telephone."""

    claim_token: _Token
    code: Annotated[str, describe("Six digits.", "123456", pattern=SIX_DIGITS)]


class LinkSecret(msgspec.Struct):
    """The secret in the link sent by email."""

    secret: Annotated[
        str,
        describe(
            "Last part of the link.",
            "q8sW0m1vJc3pV0sYH1oZb7m5b8vU2r6tQk4nX9eLdAw",
            min_length=1,
            max_length=200,
        ),
    ]


class Done(msgspec.Struct, forbid_unknown_fields=True):
    """The request was carried out."""

    success: Annotated[bool, describe("Always true.")]
    state: Annotated[ClaimState, describe("State of the claim.")]
    message: Annotated[str, describe("In words, for people.")]
