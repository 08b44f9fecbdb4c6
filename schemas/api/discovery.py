"""Shapes of the discovery files and of the JSON Feed."""

from typing import Annotated, Literal

import msgspec


class PluginAuth(msgspec.Struct):
    """No key is needed."""

    type: Literal["none"]


class PluginApi(msgspec.Struct):
    """Location of the API description."""

    type: Literal["openapi"]
    url: str


class AiPlugin(msgspec.Struct):
    """Manifest of an AI plugin, version 1."""

    schema_version: Literal["v1"]
    name_for_human: Annotated[str, msgspec.Meta(max_length=20)]
    name_for_model: Annotated[str, msgspec.Meta(max_length=50)]
    description_for_human: Annotated[str, msgspec.Meta(max_length=100)]
    description_for_model: str
    auth: PluginAuth
    api: PluginApi
    logo_url: str
    contact_email: str
    legal_info_url: str


class FeedAuthor(msgspec.Struct):
    """Publisher of the feed."""

    name: str
    url: str


class FeedItem(msgspec.Struct):
    """One item of a JSON Feed."""

    id: str
    url: str
    title: str
    summary: str
    content_text: str
    date_published: str
    language: str


class JsonFeed(msgspec.Struct):
    """JSON Feed 1.1 (jsonfeed.org)."""

    version: Literal["https://jsonfeed.org/version/1.1"]
    title: str
    home_page_url: str
    feed_url: str
    description: str
    language: str
    authors: list[FeedAuthor]
    items: list[FeedItem]
