"""Embeds for other sites: one place as JSON, and the catalog of embeds."""

from typing import Annotated, Any, Literal

import msgspec

from schemas.api.common import City, ServedRelease, Zip
from schemas.api.record import Doubt
from schemas.hours.opening import OpenStatus
from schemas.words import Words

ItemType = Literal["iframe", "svg-image", "json-api", "wordpress-plugin", "mcp"]


class PlaceBadge(msgspec.Struct, forbid_unknown_fields=True):
    """Text of a place's badge."""

    id: Literal["verified", "listed"]
    label: str
    date: str | None
    image_url: str
    page_url: str


class PlaceEmbed(msgspec.Struct, forbid_unknown_fields=True):
    """One place as a card shows it."""

    id: Annotated[int, msgspec.Meta(ge=1)]
    name: str
    organization: str | None
    resource_type: str
    type_label: Words
    address: str
    city: City
    state: str | None
    zip: Zip
    hours_status: OpenStatus
    hours_in_words: Words | None
    hours_confirmed: Words
    is_doubtful: bool
    live_status: dict[str, Any] | None
    doubt: Doubt | None
    phone: str | None
    website: str | None
    verification_status: str
    badges: list[PlaceBadge]
    embed_url: str
    detail_url: str
    directions_url: str | None
    image_url: str
    license: str
    is_synthetic: bool
    release_id: ServedRelease


class EmbedOrganization(msgspec.Struct, forbid_unknown_fields=True):
    """Organization that offers the catalog."""

    name: str
    ein: str


class EmbedItem(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One thing to put on another site or into another machine."""

    id: str
    name: str
    description: str
    type: ItemType
    preview_url: str
    embed_html: str
    embed_script: str | msgspec.UnsetType = msgspec.UNSET
    docs_url: str
    use_cases: list[str]
    audience: list[str]
    params: list[str] | msgspec.UnsetType = msgspec.UNSET
    cost: int
    license: str


class EmbedCatalog(msgspec.Struct, forbid_unknown_fields=True):
    """Everything that can be embedded."""

    generated_at: str
    version: Literal["1.0"]
    organization: EmbedOrganization
    items_count: int
    items: list[EmbedItem]
    license: str
    contact: str
    docs: str


class RichEmbed(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An oEmbed answer of the type `rich` (oEmbed 1.0)."""

    type: Literal["rich"]
    version: Literal["1.0"]
    title: str
    provider_name: str
    provider_url: str
    cache_age: int
    html: str
    width: Annotated[int, msgspec.Meta(ge=1)]
    height: Annotated[int, msgspec.Meta(ge=1)]
    thumbnail_url: str | msgspec.UnsetType = msgspec.UNSET
    thumbnail_width: int | msgspec.UnsetType = msgspec.UNSET
    thumbnail_height: int | msgspec.UnsetType = msgspec.UNSET
