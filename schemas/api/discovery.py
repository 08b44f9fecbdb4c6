"""Shapes of the discovery files, of the JSON Feed and of the documents of the site."""

from typing import Annotated, Any, Literal

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


class DocumentLinks(msgspec.Struct):
    """Addresses of the document in each format."""

    self: str | None
    page: str | None
    twin: str | None
    twin_page: str | None


class DocumentSource(msgspec.Struct):
    """Source of the document's figures."""

    title: str
    url: str | None
    as_of: str
    facts: list[str]
    is_current: bool


class InformationDocument(msgspec.Struct):
    """A document of facts and texts. Its further members have the same names in both languages."""

    id: str
    version: str
    language: str
    title: str
    description: str
    updated: str
    figures_on: str
    generated_at: str | None
    release_id: str | None
    is_synthetic: bool | None
    license: str
    organization: dict[str, Any]
    links: DocumentLinks
    summary: str
    sections: list[dict[str, Any]]
    sources: list[DocumentSource]
