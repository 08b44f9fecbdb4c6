"""Bodies of public submissions: new places, feedback, partners' edits."""

from typing import Annotated, Any, Literal

import msgspec

from schemas.api.common import City, PlaceId, ResourceType, StreetAddress, Success, Zip
from schemas.descriptions import describe
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.reviews import EDITABLE, FeedbackType
from schemas.vocab.states import STATE_CODES

_Email = Annotated[
    str | None, describe("Email address for questions. Never shown.", "volunteer@example.org")
]


class NewSubmission(msgspec.Struct):
    """A place that the directory lacks."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    address: Annotated[str, msgspec.Meta(max_length=200)]
    city: Annotated[str, msgspec.Meta(max_length=200)]
    state: Annotated[str, msgspec.Meta(max_length=200)]
    zip: Annotated[str, msgspec.Meta(max_length=200)]
    resource_type: Annotated[
        str, describe(f"One of {', '.join(TYPE_IDS)}.", "food_pantry", max_length=200)
    ]
    phone: str | None = None
    website: str | None = None
    hours_text: str | None = None
    services_offered: str | None = None
    requirements_text: str | None = None
    submitter_email: _Email = None
    submitter_name: str | None = None
    submitter_relationship: str | None = None


class SubmissionReceipt(msgspec.Struct, forbid_unknown_fields=True):
    """The submission is stored and waits for an administrator."""

    success: Success
    id: int
    is_active: int
    verification_status: Literal["pending"]
    message: str


class NewFeedback(msgspec.Struct):
    """A visitor's feedback on a listing, or on the directory if there is no `resource_id`."""

    type: FeedbackType
    resource_id: (
        Annotated[int, describe("Permanent id of the place.", 101, ge=1, le=2**53 - 1)] | None
    ) = None
    comment: (
        Annotated[
            str, describe("Anything else. Read by administrators, never shown.", max_length=1000)
        ]
        | None
    ) = None
    contact: (
        Annotated[
            str,
            describe("Email address or phone number for questions. Never shown.", max_length=254),
        ]
        | None
    ) = None


class FeedbackReceipt(msgspec.Struct, forbid_unknown_fields=True):
    """The feedback is stored."""

    success: Success
    id: int
    effects: list[str]


class NewEdit(msgspec.Struct):
    """Changes of a listed place."""

    resource_id: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    changes: Annotated[
        dict[str, Any],
        describe(
            "JSON merge patch (RFC 7396) over the public record: null removes a value. Members "
            f"that may be changed: {', '.join(EDITABLE)}. `is_active` takes false only: closed "
            "for good.",
            {"phone": "(212) 555-0199", "hours_text": "Tue 10am-noon"},
        ),
    ]
    submitted_by: Annotated[str, msgspec.Meta(min_length=1, max_length=254)]


class EditedMember(msgspec.Struct, forbid_unknown_fields=True):
    """One field before and after."""

    field: str
    before: Any
    after: Any


class EditReceipt(msgspec.Struct, forbid_unknown_fields=True):
    """The edit is stored and waits for review."""

    success: Success
    id: int
    status: Literal["pending"]
    resource_id: PlaceId
    diff: list[EditedMember]
    unchanged: list[str]
    message: str


class PartnerListing(msgspec.Struct, forbid_unknown_fields=True):
    """A listing that may be the one meant."""

    id: PlaceId
    name: str
    resource_type: ResourceType
    address: StreetAddress
    city: City
    state: Annotated[str, describe(f"One of {len(STATE_CODES)} codes.")]
    zip: Zip
    phone: str | None
    verification_status: str
    name_similarity: Annotated[float, msgspec.Meta(ge=0, le=1)]
    url: str


class PartnerMatches(msgspec.Struct, forbid_unknown_fields=True):
    """Listings in a ZIP code with a name similar to the requested one."""

    success: Success
    match: PartnerListing | None
    matches: list[PartnerListing]
