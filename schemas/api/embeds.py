"""Embeds for other sites: one place as JSON, and the catalog of embeds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from schemas.api.record import Doubt
from schemas.descriptions import describe
from schemas.hours.opening import OpenStatus
from schemas.words import Words

ItemType = Literal["iframe", "svg-image", "json-api", "wordpress-plugin", "mcp"]


class PlaceBadge(msgspec.Struct, forbid_unknown_fields=True):
    """Text of a place's badge."""

    id: Annotated[
        Literal["verified", "listed"],
        describe("verified: a partner lists the place, or its approved operator confirmed it."),
    ]
    label: Annotated[str, describe("Words of the badge.", "LISTED ON")]
    date: Annotated[
        str | None,
        describe(
            "Day of the partner's list or the operator's confirmation, or the day on which the place came into the directory."
        ),
    ]
    image_url: Annotated[str, describe("Address of the badge (SVG, 240 by 60).")]
    page_url: Annotated[str, describe("Page with the code of the badge.")]


class PlaceEmbed(msgspec.Struct, forbid_unknown_fields=True):
    """One place, with what a card shows."""

    id: Annotated[int, describe("Permanent id of the place.", ge=1)]
    name: Annotated[str, describe("Name of the place.")]
    organization: Annotated[str | None, describe("Organization behind it, where known.")]
    resource_type: Annotated[str, describe("Type id; see /api/resources/types.")]
    type_label: Annotated[Words, describe("The type in words.")]
    address: Annotated[
        str,
        describe(
            "Address on one line; the town only where the rest is not known or not published."
        ),
    ]
    city: str | None
    state: str | None
    zip: str | None
    hours_status: Annotated[
        OpenStatus,
        describe("Whether the place is open now, in its own time zone."),
    ]
    hours_in_words: Annotated[
        Words | None, describe("All hours, however old; null where none can be read.")
    ]
    hours_confirmed: Annotated[
        Words, describe("How old the hours are, in words. Show it next to the hours.")
    ]
    is_doubtful: Annotated[
        bool,
        describe(
            "True where it is not known whether the place is open: no hours, or hours too old to rely on; or visitors reported a fault (`doubt`). `hours_confirmed` then says what to do first."
        ),
    ]
    live_status: Annotated[
        dict[str, Any] | None, describe("The operator's report from the last 24 hours, if any.")
    ]
    doubt: Annotated[
        Doubt | None,
        describe(
            "What visitors reported against the listing, if anything waits for review: show it."
        ),
    ]
    phone: Annotated[str | None, describe("Telephone number as people write it.")]
    website: str | None
    verification_status: str
    badges: Annotated[list[PlaceBadge], describe("The badge of the place.")]
    embed_url: Annotated[str, describe("The card as a page for an iframe, 420 by 380.")]
    detail_url: Annotated[str, describe("The page of the place.")]
    directions_url: Annotated[
        str | None,
        describe("Directions on a map; null where the door is not known or not published."),
    ]
    image_url: Annotated[str, describe("Card for previews of links (PNG, 1200 by 630).")]
    license: Annotated[str, describe("SPDX id of the licence of the record.")]
    is_synthetic: Annotated[bool, describe("True when the place is invented.")]
    release_id: str


class EmbedOrganization(msgspec.Struct, forbid_unknown_fields=True):
    """Organization that offers the catalog."""

    name: str
    ein: str


class EmbedItem(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One thing to put on another site or into another machine."""

    id: Annotated[str, describe("Name that does not change.", "search-widget")]
    name: str
    description: str
    type: ItemType
    preview_url: Annotated[str, describe("A working example.")]
    embed_html: Annotated[
        str, describe("Code to copy; put your own id, ZIP code or state where the example has one.")
    ]
    embed_script: Annotated[str | msgspec.UnsetType, describe("The same with a script.")] = (
        msgspec.UNSET
    )
    docs_url: str
    use_cases: list[str]
    audience: list[str]
    params: Annotated[
        list[str] | msgspec.UnsetType, describe("Query parameters that it takes.")
    ] = msgspec.UNSET
    cost: Annotated[int, describe("Price in dollars: nothing.")]
    license: str


class EmbedCatalog(msgspec.Struct, forbid_unknown_fields=True):
    """All that can be embedded."""

    generated_at: Annotated[str, describe("When the release that answers was made.")]
    version: Literal["1.0"]
    organization: EmbedOrganization
    items_count: int
    items: list[EmbedItem]
    license: Annotated[str, describe("SPDX id of the licence of the data.")]
    contact: Annotated[str, describe("Email address for questions.")]
    docs: Annotated[str, describe("This catalog as a page.")]


class RichEmbed(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An oEmbed answer of the type `rich` (oEmbed 1.0)."""

    type: Literal["rich"]
    version: Literal["1.0"]
    title: str
    provider_name: str
    provider_url: str
    cache_age: Annotated[int, describe("Seconds the answer may be cached.")]
    html: Annotated[str, describe("An iframe.")]
    width: Annotated[int, describe("Pixels, at most `maxwidth`.", ge=1)]
    height: Annotated[int, describe("Pixels, at most `maxheight`.", ge=1)]
    thumbnail_url: str | msgspec.UnsetType = msgspec.UNSET
    thumbnail_width: int | msgspec.UnsetType = msgspec.UNSET
    thumbnail_height: int | msgspec.UnsetType = msgspec.UNSET
