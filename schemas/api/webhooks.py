"""Webhooks: what is registered, and the events that are posted (Standard Webhooks 1.0)."""

from typing import Annotated, Literal

import msgspec

from schemas.api.common import IsSynthetic
from schemas.api.history import ReleaseId
from schemas.api.operators import LiveStatus
from schemas.descriptions import describe
from schemas.vocab.changes import ChangeKind

WebhookStatus = Literal["pending", "active", "disabled"]
_Instant = Annotated[str, describe("Instant in UTC.", "2026-11-23T15:00:00Z")]
_MaybeInstant = Annotated[str | None, describe("Instant in UTC; null for never.")]
_MaybeZip = Annotated[str | None, describe("ZIP code, or null.", "10002")]
_MaybeState = Annotated[str | None, describe("Code of a state or territory, or null.", "NY")]


class NewWebhook(msgspec.Struct, forbid_unknown_fields=True):
    """Address for events. Send one of `resource_id`, `zip` and `state`."""

    url: Annotated[
        str,
        describe(
            "Your address: https, on port 443 of a public host, without a user name.",
            "https://hooks.example.org/larder",
            max_length=2000,
            pattern="^https?://[!-~]+$",
        ),
    ]
    resource_id: Annotated[int, describe("Id of a place.", 101, ge=1, le=2**53 - 1)] | None = None
    zip: Annotated[str, describe("ZIP code.", "10002", pattern="^[0-9]{5}$")] | None = None
    state: Annotated[str, describe("State or territory.", "NY", pattern="^[A-Z]{2}$")] | None = None


class Webhook(msgspec.Struct, forbid_unknown_fields=True):
    """A webhook as its owner sees it. One of `resource_id`, `zip` and `state` is not null."""

    id: Annotated[int, describe("Number of the hook.")]
    url: Annotated[str, describe("Address that is called.")]
    resource_id: Annotated[int | None, describe("Id of the place, or null.")]
    zip: _MaybeZip
    state: _MaybeState
    status: Annotated[
        WebhookStatus,
        describe(
            "`pending`: your address has not answered the challenge yet. `active`: it gets events. `disabled`: it took nothing for three days, or 1,000 events waited; verify it again."
        ),
    ]
    waiting: Annotated[int, describe("Messages that wait for your address.", ge=0)]
    created_at: _Instant
    verified_at: _MaybeInstant
    rotated_at: _MaybeInstant
    delivered_at: Annotated[str | None, describe("When your address last took a message (UTC).")]
    failing_since: Annotated[
        str | None, describe("First failure since then (UTC); null when all is well.")
    ]
    fault: Annotated[
        str | None, describe("Fault of the last attempt; null when all is well.", "status 500")
    ]
    disabled_at: _MaybeInstant


class WebhookAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """A webhook."""

    success: Annotated[bool, describe("Always true.")]
    webhook: Annotated[Webhook, describe("The hook.")]


class WebhookSecrets(WebhookAnswer):
    """A webhook with what is shown only once."""

    token: Annotated[
        str, describe("Opens this webhook, as `Authorization: Bearer <token>`. Shown once.")
    ]
    secret: Annotated[
        str,
        describe(
            "Verifies signatures. Shown once.",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwqrTwjUPD8IL=",
        ),
    ]


class WebhookRemoved(msgspec.Struct, forbid_unknown_fields=True):
    """The webhook is deleted, with everything that waited for it."""

    success: Annotated[bool, describe("Always true.")]


# ---------------------------------------------------------------- events


class Challenge(msgspec.Struct):
    """Data of `webhook.verify`: answer with a status of 2xx and `{"challenge": "..."}`."""

    challenge: Annotated[str, describe("Text to send back.")]


class PlaceStatus(msgspec.Struct):
    """Data of `place.status_changed`: what is shown of a place at once, as it is now."""

    resource_id: Annotated[int, describe("Permanent id of the place.")]
    name: Annotated[str | None, describe("Null when the place is not in the release.")]
    zip: _MaybeZip
    state: _MaybeState
    is_listed: Annotated[bool, describe("False once it was closed for good.")]
    live_status: Annotated[
        LiveStatus | None,
        describe("The report shown now. It ends at `expires_at` without another event."),
    ]
    url: Annotated[str, describe("Its record, with everything else.")]
    is_synthetic: IsSynthetic
    release_id: ReleaseId


class ChangedPlace(msgspec.Struct, omit_defaults=True):
    """One place that a release changed."""

    resource_id: Annotated[int, describe("Permanent id of the place.")]
    change: Annotated[ChangeKind, describe("What happened to it.")]
    fields: Annotated[list[str], describe("Of a changed place: its fields with other values.")] = []
    merged_into: Annotated[int | None, describe("Id of the place that it was merged into.")] = None
    reason: Annotated[str | None, describe("Why.")] = None


class PlacesChanged(msgspec.Struct):
    """Data of `places.changed`: what a new release changed within the topic."""

    resource_id: Annotated[int | None, describe("Place that the hook is for; null for an area.")]
    zip: _MaybeZip
    state: _MaybeState
    since: ReleaseId
    until: ReleaseId
    total: Annotated[
        int | None,
        describe("Places that changed; null when the two releases could not be compared."),
    ]
    changes: Annotated[list[ChangedPlace], describe("The first 100 of them, in order of id.")]
    changes_url: Annotated[str, describe("The change feed between the two releases.")]
    is_synthetic: IsSynthetic
    release_id: ReleaseId


class DisastersChanged(msgspec.Struct):
    """Data of `disasters.changed`: declarations became active or ended, or D-SNAP became likely or
    is no longer."""

    resource_id: Annotated[int | None, describe("Place that the hook is for; null for an area.")]
    zip: _MaybeZip
    state: _MaybeState
    active: Annotated[list[str], describe("Names of the active declarations.", ["DR-4834-FL"])]
    has_dsnap_likely: Annotated[bool, describe("Whether D-SNAP is likely somewhere in the area.")]
    url: Annotated[str, describe("The declarations in full.")]
    is_synthetic: IsSynthetic
    release_id: ReleaseId


EVENTS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "webhook.verify": (Challenge, "Whether the address wants events"),
    "place.status_changed": (PlaceStatus, "What is shown of a place at once has changed"),
    "places.changed": (PlacesChanged, "A new release changed places"),
    "disasters.changed": (DisastersChanged, "Active disasters have changed"),
}
