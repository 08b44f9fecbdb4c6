"""Embeds for other sites: one place as JSON, and the catalog of embeds."""

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
    city: Annotated[str | None, describe("City or town.")]
    state: Annotated[str | None, describe("State or territory code.")]
    zip: Annotated[str | None, describe("ZIP code.")]
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
    website: Annotated[str | None, describe("Web address.")]
    verification_status: Annotated[str, describe("How far the listing is verified.")]
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
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]


class EmbedOrganization(msgspec.Struct, forbid_unknown_fields=True):
    """Organization that offers the catalog."""

    name: Annotated[str, describe("Its name.")]
    ein: Annotated[str, describe("Employer Identification Number.")]


class EmbedItem(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One thing to put on another site or into another machine."""

    id: Annotated[str, describe("Name that does not change.", "search-widget")]
    name: Annotated[str, describe("Name of the embed.")]
    description: Annotated[str, describe("Description.")]
    type: Annotated[ItemType, describe("How it is put into a page.")]
    preview_url: Annotated[str, describe("A working example.")]
    embed_html: Annotated[
        str, describe("Code to copy; put your own id, ZIP code or state where the example has one.")
    ]
    embed_script: Annotated[str | msgspec.UnsetType, describe("The same with a script.")] = (
        msgspec.UNSET
    )
    docs_url: Annotated[str, describe("Page that explains it.")]
    use_cases: Annotated[list[str], describe("What it is good for.")]
    audience: Annotated[list[str], describe("Whom it is for.")]
    params: Annotated[
        list[str] | msgspec.UnsetType, describe("Query parameters that it takes.")
    ] = msgspec.UNSET
    cost: Annotated[int, describe("Price in dollars: nothing.")]
    license: Annotated[str, describe("SPDX id of the licence of the data in it.")]


class EmbedCatalog(msgspec.Struct, forbid_unknown_fields=True):
    """All that can be embedded."""

    generated_at: Annotated[str, describe("When the release that answers was made.")]
    version: Annotated[Literal["1.0"], describe("Version of the document's shape.")]
    organization: Annotated[EmbedOrganization, describe("Who offers the embeds.")]
    items_count: Annotated[int, describe("Number of embeds.")]
    items: Annotated[list[EmbedItem], describe("The embeds.")]
    license: Annotated[str, describe("SPDX id of the licence of the data.")]
    contact: Annotated[str, describe("Email address for questions.")]
    docs: Annotated[str, describe("This catalog as a page.")]


class RichEmbed(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An oEmbed answer of the type `rich` (oEmbed 1.0)."""

    type: Annotated[Literal["rich"], describe("Type of oEmbed.")]
    version: Annotated[Literal["1.0"], describe("Version of oEmbed.")]
    title: Annotated[str, describe("Title of the embed.")]
    provider_name: Annotated[str, describe("Who offers it.")]
    provider_url: Annotated[str, describe("Front page of the service.")]
    cache_age: Annotated[int, describe("Seconds the answer may be cached.")]
    html: Annotated[str, describe("An iframe.")]
    width: Annotated[int, describe("Pixels, at most `maxwidth`.", ge=1)]
    height: Annotated[int, describe("Pixels, at most `maxheight`.", ge=1)]
    thumbnail_url: Annotated[str | msgspec.UnsetType, describe("A picture of it.")] = msgspec.UNSET
    thumbnail_width: Annotated[
        int | msgspec.UnsetType, describe("Width of the picture in pixels.")
    ] = msgspec.UNSET
    thumbnail_height: Annotated[
        int | msgspec.UnsetType, describe("Height of the picture in pixels.")
    ] = msgspec.UNSET
