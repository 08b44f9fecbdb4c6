"""Webhooks: registrations, and the events that are posted (Standard Webhooks 1.0)."""

from typing import Annotated, Literal

import msgspec

from schemas.api.common import IsSynthetic, NonNegative, PlaceId, Success
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

    url: Annotated[str, msgspec.Meta(max_length=2000, pattern="^https?://[!-~]+$")]
    resource_id: Annotated[int, describe("Id of a place.", 101, ge=1, le=2**53 - 1)] | None = None
    zip: Annotated[str, describe("ZIP code.", "10002", pattern="^[0-9]{5}$")] | None = None
    state: Annotated[str, describe("State or territory.", "NY", pattern="^[A-Z]{2}$")] | None = None


class Webhook(msgspec.Struct, forbid_unknown_fields=True):
    """A webhook as its owner sees it. One of `resource_id`, `zip` and `state` is not null."""

    id: int
    url: str
    resource_id: int | None
    zip: _MaybeZip
    state: _MaybeState
    status: WebhookStatus
    waiting: NonNegative
    created_at: _Instant
    verified_at: _MaybeInstant
    rotated_at: _MaybeInstant
    delivered_at: str | None
    failing_since: str | None
    fault: str | None
    disabled_at: _MaybeInstant


class WebhookAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """A webhook."""

    success: Success
    webhook: Webhook


class WebhookSecrets(WebhookAnswer):
    """A webhook with its secrets, shown only once."""

    token: str
    secret: str


class WebhookRemoved(msgspec.Struct, forbid_unknown_fields=True):
    """The webhook is deleted, with everything that waited for it."""

    success: Success


# ---------------------------------------------------------------- events


class Challenge(msgspec.Struct):
    """Data of `webhook.verify`: answer with a status of 2xx and `{"challenge": "..."}`."""

    challenge: str


class PlaceStatus(msgspec.Struct):
    """Data of `place.status_changed`: what is shown of a place at once, as it is now."""

    resource_id: PlaceId
    name: str | None
    zip: _MaybeZip
    state: _MaybeState
    is_listed: bool
    live_status: LiveStatus | None
    url: str
    is_synthetic: IsSynthetic
    release_id: ReleaseId


class ChangedPlace(msgspec.Struct, omit_defaults=True):
    """One place that a release changed."""

    resource_id: PlaceId
    change: ChangeKind
    fields: list[str] = []
    merged_into: int | None = None
    reason: str | None = None


class PlacesChanged(msgspec.Struct):
    """Data of `places.changed`: what a new release changed within the topic."""

    resource_id: int | None
    zip: _MaybeZip
    state: _MaybeState
    since: ReleaseId
    until: ReleaseId
    total: int | None
    changes: list[ChangedPlace]
    changes_url: str
    is_synthetic: IsSynthetic
    release_id: ReleaseId


class DisastersChanged(msgspec.Struct):
    """Data of `disasters.changed`: declarations became active or ended, or D-SNAP became likely or
    is no longer."""

    resource_id: int | None
    zip: _MaybeZip
    state: _MaybeState
    active: list[str]
    has_dsnap_likely: bool
    url: str
    is_synthetic: IsSynthetic
    release_id: ReleaseId


EVENTS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "webhook.verify": (Challenge, "Whether the address wants events"),
    "place.status_changed": (PlaceStatus, "What is shown of a place at once has changed"),
    "places.changed": (PlacesChanged, "A new release changed places"),
    "disasters.changed": (DisastersChanged, "Active disasters have changed"),
}
