"""Bodies of public submissions: new places, feedback, partners' edits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.reviews import EDITABLE, FeedbackType
from schemas.vocab.states import STATE_CODES

_Email = Annotated[
    str | None,
    Meta(
        description="Email address for questions. Never shown.", examples=["volunteer@example.org"]
    ),
]


class NewSubmission(msgspec.Struct):
    """A place that the directory lacks."""

    name: Annotated[
        str,
        Meta(description="Name of the place.", max_length=200, examples=["St. Brigid Food Pantry"]),
    ]
    address: Annotated[
        str, Meta(description="Street address.", max_length=200, examples=["1 Example Street"])
    ]
    city: Annotated[str, Meta(description="City.", max_length=200, examples=["New York"])]
    state: Annotated[
        str,
        Meta(
            description="Two-letter code of the state or territory.",
            max_length=200,
            examples=["NY"],
        ),
    ]
    zip: Annotated[str, Meta(description="ZIP code or ZIP+4.", max_length=200, examples=["10002"])]
    resource_type: Annotated[
        str,
        Meta(
            description=f"One of {', '.join(TYPE_IDS)}.", max_length=200, examples=["food_pantry"]
        ),
    ]
    phone: Annotated[
        str | None, Meta(description="Telephone number.", examples=["(212) 555-0101"])
    ] = None
    website: Annotated[
        str | None, Meta(description="Web address.", examples=["https://example.org"])
    ] = None
    hours_text: Annotated[
        str | None,
        Meta(description="Opening hours, as people write them.", examples=["Tue, Thu 10am-noon"]),
    ] = None
    services_offered: Annotated[
        str | None,
        Meta(description="What people get, parted by semicolons.", examples=["groceries; diapers"]),
    ] = None
    requirements_text: Annotated[
        str | None, Meta(description="What people must bring or be.", examples=["Photo ID"])
    ] = None
    submitter_email: _Email = None
    submitter_name: Annotated[str | None, Meta(description="Who reports it. Never shown.")] = None
    submitter_relationship: Annotated[
        str | None,
        Meta(description="What the person has to do with the place.", examples=["volunteer"]),
    ] = None


class SubmissionReceipt(msgspec.Struct, forbid_unknown_fields=True):
    """The submission is stored and waits for an administrator."""

    success: bool
    id: Annotated[int, Meta(description="Number of the submission, not of a place.")]
    is_active: Annotated[int, Meta(description="0: not listed.")]
    verification_status: Literal["pending"]
    message: str


class NewFeedback(msgspec.Struct):
    """A visitor's feedback on a listing, or on the directory if there is no `resource_id`."""

    type: Annotated[
        FeedbackType,
        Meta(
            description="`helpful`: the listing is right. `wrong_info`: something in it is wrong. `closed`: the place is closed for good. `other`: a message."
        ),
    ]
    resource_id: (
        Annotated[
            int, Meta(ge=1, le=2**53 - 1, description="Permanent id of the place.", examples=[101])
        ]
        | None
    ) = None
    comment: (
        Annotated[
            str,
            Meta(
                max_length=1000, description="Anything else. Read by administrators, never shown."
            ),
        ]
        | None
    ) = None
    contact: (
        Annotated[
            str,
            Meta(
                max_length=254,
                description="Email address or phone number for questions. Never shown.",
            ),
        ]
        | None
    ) = None


class FeedbackReceipt(msgspec.Struct, forbid_unknown_fields=True):
    """The feedback is stored."""

    success: bool
    id: int
    effects: Annotated[
        list[str],
        Meta(
            description="What it did: `counted`, `replaced` (it replaces the same client's vote "
            "on the place today), `age_reset` (the place counts as confirmed today, "
            "from the next release on), `doubted` (enough visitors reported the "
            "same: the listing shows it as `doubt`, and stays listed), "
            "`sent_to_review` (an administrator will decide), `doubt_lifted` (too "
            "few say so now), `held` (many votes came at once: none has any effect "
            "until an administrator has reviewed them).",
            examples=[["counted"]],
        ),
    ]


class NewEdit(msgspec.Struct):
    """Changes of a listed place."""

    resource_id: Annotated[
        int, Meta(ge=1, le=2**53 - 1, description="Permanent id of the place.", examples=[101])
    ]
    changes: Annotated[
        dict[str, Any],
        Meta(
            description=f"JSON merge patch (RFC 7396) over the public record: null removes a value. Members that may be changed: {', '.join(EDITABLE)}. `is_active` takes false only: closed for good.",
            examples=[{"phone": "(212) 555-0199", "hours_text": "Tue 10am-noon"}],
        ),
    ]
    submitted_by: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=254,
            description="Who requests it: a name or an email address. Never shown.",
            examples=["partner@example.org"],
        ),
    ]


class FieldChange(msgspec.Struct, forbid_unknown_fields=True):
    """One field before and after."""

    field: str
    before: Any
    after: Any


class EditReceipt(msgspec.Struct, forbid_unknown_fields=True):
    """The edit is stored and waits for review."""

    success: bool
    id: Annotated[int, Meta(description="Number of the edit.")]
    status: Literal["pending"]
    resource_id: int
    diff: Annotated[
        list[FieldChange],
        Meta(description="What would change, in the form in which it would be published."),
    ]
    unchanged: Annotated[
        list[str],
        Meta(
            description="Fields sent with the value the record already has. They are not part of the edit."
        ),
    ]
    message: str


class PartnerListing(msgspec.Struct, forbid_unknown_fields=True):
    """A listing that may be the one meant."""

    id: int
    name: str
    resource_type: str
    address: str | None
    city: str | None
    state: Annotated[str, Meta(description=f"One of {len(STATE_CODES)} codes.")]
    zip: str | None
    phone: str | None
    verification_status: str
    name_similarity: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="How similar the names are, letter by letter; 1 when one contains the other.",
        ),
    ]
    url: Annotated[str, Meta(description="Path of its record.")]


class PartnerMatches(msgspec.Struct, forbid_unknown_fields=True):
    """Listings in a ZIP code with a name similar to the requested one."""

    success: bool
    match: Annotated[
        PartnerListing | None, Meta(description="The best of them; null where none is alike.")
    ]
    matches: list[PartnerListing]
