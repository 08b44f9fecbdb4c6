"""Shapes of the discovery files and of the JSON Feed."""

from typing import Annotated, Literal

import msgspec

from schemas.descriptions import describe


class PluginAuth(msgspec.Struct):
    """No key is needed."""

    type: Annotated[Literal["none"], describe("No key is needed.")]


class PluginApi(msgspec.Struct):
    """Location of the API description."""

    type: Annotated[Literal["openapi"], describe("Format of the description.")]
    url: Annotated[str, describe("Address of the description.")]


class AiPlugin(msgspec.Struct):
    """Manifest of an AI plugin, version 1."""

    schema_version: Annotated[Literal["v1"], describe("Version of the manifest's format.")]
    name_for_human: Annotated[
        Annotated[str, msgspec.Meta(max_length=20)], describe("Name for people.")
    ]
    name_for_model: Annotated[
        Annotated[str, msgspec.Meta(max_length=50)], describe("Name for language models.")
    ]
    description_for_human: Annotated[
        Annotated[str, msgspec.Meta(max_length=100)], describe("For people.")
    ]
    description_for_model: Annotated[str, describe("For language models.")]
    auth: Annotated[PluginAuth, describe("How to sign in.")]
    api: Annotated[PluginApi, describe("Where the API is described.")]
    logo_url: Annotated[str, describe("Picture.")]
    contact_email: Annotated[str, describe("Whom to write to.")]
    legal_info_url: Annotated[str, describe("Terms.")]


class FeedAuthor(msgspec.Struct):
    """Publisher of the feed."""

    name: Annotated[str, describe("Name of the author.")]
    url: Annotated[str, describe("Page of the author.")]


class FeedItem(msgspec.Struct):
    """One item of a JSON Feed."""

    id: Annotated[str, describe("Permanent id (a tag URI, RFC 4151).")]
    url: Annotated[str, describe("Page of the entry.")]
    title: Annotated[str, describe("Title.")]
    summary: Annotated[str, describe("In one or two sentences.")]
    content_text: Annotated[str, describe("The text.")]
    date_published: Annotated[str, describe("RFC 3339.")]
    language: Annotated[str, describe("Language of the texts.")]


class JsonFeed(msgspec.Struct):
    """JSON Feed 1.1 (jsonfeed.org)."""

    version: Annotated[
        Literal["https://jsonfeed.org/version/1.1"], describe("Version of JSON Feed.")
    ]
    title: Annotated[str, describe("Title.")]
    home_page_url: Annotated[str, describe("Page of the news.")]
    feed_url: Annotated[str, describe("Address of this feed.")]
    description: Annotated[str, describe("Description.")]
    language: Annotated[str, describe("Language of the texts.")]
    authors: Annotated[list[FeedAuthor], describe("Who writes.")]
    items: Annotated[list[FeedItem], describe("The entries.")]
