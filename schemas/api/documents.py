"""Informational documents: their shared members. Each adds members of its own (docs/content.md)."""

from typing import Any

import msgspec


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
    """A document of facts and words. It has further members, with the same keys in both languages."""

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
