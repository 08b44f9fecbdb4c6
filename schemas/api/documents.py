"""Informational documents: what all of them share. Each adds members of its own (docs/content.md)."""

from typing import Annotated, Any

import msgspec

from schemas.descriptions import describe


class DocumentLinks(msgspec.Struct):
    """Addresses of the document in each format."""

    self: Annotated[str | None, describe("This JSON.")]
    page: Annotated[str | None, describe("The page for people.")]
    twin: Annotated[str | None, describe("The JSON in the other language.")]
    twin_page: Annotated[str | None, describe("The page in the other language.")]


class DocumentSource(msgspec.Struct):
    """Source of the document's figures."""

    title: Annotated[str, describe("Title.")]
    url: Annotated[str | None, describe("Address; null where it has none.")]
    as_of: Annotated[str, describe("Day on which the source was read.")]
    facts: Annotated[list[str], describe("Ids of the facts that it gives.")]
    is_current: Annotated[
        bool, describe("False when a figure has expired and we have no newer one.")
    ]


class InformationDocument(msgspec.Struct):
    """A document of facts and words. It has further members, with the same keys in both languages."""

    id: Annotated[str, describe("Name of the document.")]
    version: Annotated[str, describe("Version of the document's shape.")]
    language: Annotated[str, describe("en-US or es-US.")]
    title: Annotated[str, describe("Title.")]
    description: Annotated[str, describe("Description.")]
    updated: Annotated[str, describe("Day when someone last reviewed the text.")]
    figures_on: Annotated[str, describe("Day for which dated figures were looked up.")]
    generated_at: Annotated[
        str | None, describe("When the release was made that live figures are of (UTC).")
    ]
    release_id: Annotated[
        str | None, describe("Release of the figures in it; null where it has none.")
    ]
    is_synthetic: Annotated[
        bool | None, describe("True when the places are invented (demonstration data).")
    ]
    license: Annotated[str, describe("SPDX id of the licence.")]
    organization: Annotated[
        dict[str, Any],
        describe("Who runs this service: the usual few facts, or all that the document is about."),
    ]
    links: Annotated[DocumentLinks, describe("Related addresses.")]
    summary: Annotated[str, describe("In one or two sentences.")]
    sections: Annotated[
        list[dict[str, Any]], describe("The page's text that is not in other members.")
    ]
    sources: Annotated[list[DocumentSource], describe("Where the facts come from.")]
