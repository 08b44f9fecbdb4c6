"""Bodies of public submissions: new places, feedback, partners' edits."""

from typing import Annotated, Any, Literal

import msgspec

from schemas.api.common import StreetAddress
from schemas.descriptions import describe
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.reviews import EDITABLE, FeedbackType
from schemas.vocab.states import STATE_CODES

_Email = Annotated[
    str | None, describe("Email address for questions. Never shown.", "volunteer@example.org")
]


class NewSubmission(msgspec.Struct):
    """A place that the directory lacks."""

    name: Annotated[str, describe("Name of the place.", "St. Brigid Food Pantry", max_length=200)]
    address: Annotated[str, describe("Street address.", "1 Example Street", max_length=200)]
    city: Annotated[str, describe("City.", "New York", max_length=200)]
    state: Annotated[
        str, describe("Two-letter code of the state or territory.", "NY", max_length=200)
    ]
    zip: Annotated[str, describe("ZIP code or ZIP+4.", "10002", max_length=200)]
    resource_type: Annotated[
        str, describe(f"One of {', '.join(TYPE_IDS)}.", "food_pantry", max_length=200)
    ]
    phone: Annotated[str | None, describe("Telephone number.", "(212) 555-0101")] = None
    website: Annotated[str | None, describe("Web address.", "https://example.org")] = None
    hours_text: Annotated[
        str | None, describe("Opening hours, as people write them.", "Tue, Thu 10am-noon")
    ] = None
    services_offered: Annotated[
        str | None, describe("What people get, parted by semicolons.", "groceries; diapers")
    ] = None
    requirements_text: Annotated[
        str | None, describe("What people must bring or be.", "Photo ID")
    ] = None
    submitter_email: _Email = None
    submitter_name: Annotated[str | None, describe("Who reports it. Never shown.")] = None
    submitter_relationship: Annotated[
        str | None, describe("What the person has to do with the place.", "volunteer")
    ] = None


class SubmissionReceipt(msgspec.Struct, forbid_unknown_fields=True):
    """The submission is stored and waits for an administrator."""

    success: Annotated[bool, describe("Always true.")]
    id: Annotated[int, describe("Number of the submission, not of a place.")]
    is_active: Annotated[int, describe("0: not listed.")]
    verification_status: Annotated[Literal["pending"], describe("It waits for review.")]
    message: Annotated[str, describe("In words, for people.")]


class NewFeedback(msgspec.Struct):
    """A visitor's feedback on a listing, or on the directory if there is no `resource_id`."""

    type: Annotated[
        FeedbackType,
        describe(
            "`helpful`: the listing is right. `wrong_info`: something in it is wrong. `closed`: the place is closed for good. `other`: a message."
        ),
    ]
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

    success: Annotated[bool, describe("Always true.")]
    id: Annotated[int, describe("Number of the report.")]
    effects: Annotated[
        list[str],
        describe(
            "What it did: `counted`, `replaced` (it replaces the same client's vote "
            "on the place today), `age_reset` (the place counts as confirmed today, "
            "from the next release on), `doubted` (enough visitors reported the "
            "same: the listing shows it as `doubt`, and stays listed), "
            "`sent_to_review` (an administrator will decide), `doubt_lifted` (too "
            "few say so now), `held` (many votes came at once: none has any effect "
            "until an administrator has reviewed them), `repeated` (this very request "
            "was stored before: nothing changed).",
            ["counted"],
        ),
    ]


class NewEdit(msgspec.Struct):
    """Changes of a listed place."""

    resource_id: Annotated[int, describe("Permanent id of the place.", 101, ge=1, le=2**53 - 1)]
    changes: Annotated[
        dict[str, Any],
        describe(
            f"JSON merge patch (RFC 7396) over the public record: null removes a value. Members that may be changed: {', '.join(EDITABLE)}. `is_active` takes false only: closed for good.",
            {"phone": "(212) 555-0199", "hours_text": "Tue 10am-noon"},
        ),
    ]
    submitted_by: Annotated[
        str,
        describe(
            "Who requests it: a name or an email address. Never shown.",
            "partner@example.org",
            min_length=1,
            max_length=254,
        ),
    ]


class EditedMember(msgspec.Struct, forbid_unknown_fields=True):
    """One field before and after."""

    field: Annotated[str, describe("Name of the member.")]
    before: Annotated[Any, describe("Value before.")]
    after: Annotated[Any, describe("Value after.")]


class EditReceipt(msgspec.Struct, forbid_unknown_fields=True):
    """The edit is stored and waits for review."""

    success: Annotated[bool, describe("Always true.")]
    id: Annotated[int, describe("Number of the edit.")]
    status: Annotated[Literal["pending"], describe("It waits for review.")]
    resource_id: Annotated[int, describe("Permanent id of the place.")]
    diff: Annotated[
        list[EditedMember],
        describe("What would change, in the form in which it would be published."),
    ]
    unchanged: Annotated[
        list[str],
        describe(
            "Fields sent with the value the record already has. They are not part of the edit."
        ),
    ]
    message: Annotated[str, describe("In words, for people.")]


class PartnerListing(msgspec.Struct, forbid_unknown_fields=True):
    """A listing that may be the one meant."""

    id: Annotated[int, describe("Permanent id of the place.")]
    name: Annotated[str, describe("Name.")]
    resource_type: Annotated[str, describe("Type of the place; `/api/resources/types` lists them.")]
    address: StreetAddress
    city: Annotated[str | None, describe("City or town.")]
    state: Annotated[str, describe(f"One of {len(STATE_CODES)} codes.")]
    zip: Annotated[str | None, describe("ZIP code.")]
    phone: Annotated[str | None, describe("Phone number as published.")]
    verification_status: Annotated[str, describe("How far the listing is verified.")]
    name_similarity: Annotated[
        float,
        describe(
            "How similar the names are, letter by letter; 1 when one contains the other.",
            ge=0,
            le=1,
        ),
    ]
    url: Annotated[str, describe("Path of its record.")]


class PartnerMatches(msgspec.Struct, forbid_unknown_fields=True):
    """Listings in a ZIP code with a name similar to the requested one."""

    success: Annotated[bool, describe("Always true.")]
    match: Annotated[PartnerListing | None, describe("The best of them; null where none is alike.")]
    matches: Annotated[list[PartnerListing], describe("Listings with a similar name.")]
