"""The documents that lead to the Model Context Protocol server."""

from typing import Annotated

import msgspec


class ToolLine(msgspec.Struct, forbid_unknown_fields=True):
    """A tool as documents list it; its schemas come from `tools/list`."""

    name: str
    title: str
    description: str


class McpTransport(msgspec.Struct, forbid_unknown_fields=True):
    """Transport of messages."""

    type: str
    url: Annotated[str, msgspec.Meta(pattern=r"^https?://[^\s]+$")]
    is_stateless: bool


class McpAuthentication(msgspec.Struct, forbid_unknown_fields=True):
    """Authentication of callers."""

    type: str


class McpEntry(msgspec.Struct, forbid_unknown_fields=True):
    """The entry for a client's file of servers."""

    type: str
    url: str


class McpDescription(
    msgspec.Struct, forbid_unknown_fields=True, rename={"mcp_servers": "mcpServers"}
):
    """Description of the server, and how to connect."""

    name: str
    title: str
    description: str
    version: str
    instructions: str
    protocol_versions: list[str]
    transport: McpTransport
    authentication: McpAuthentication
    mcp_servers: dict[str, McpEntry]
    tools: list[ToolLine]
    server_card_url: str
    documentation_url: str
    organization: str
    contact: str


class CardRemote(msgspec.Struct, forbid_unknown_fields=True):
    """An address of the server."""

    type: str
    url: str


class ServerCard(
    msgspec.Struct,
    forbid_unknown_fields=True,
    rename={"schema": "$schema", "website_url": "websiteUrl"},
):
    """The card by which catalogs know a server."""

    schema: str
    name: Annotated[
        str, msgspec.Meta(min_length=3, max_length=200, pattern="^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$")
    ]
    version: Annotated[str, msgspec.Meta(max_length=255)]
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    description: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    website_url: str
    remotes: list[CardRemote]


class CatalogEntry(
    msgspec.Struct, forbid_unknown_fields=True, rename={"display_name": "displayName"}
):
    """One thing that is offered."""

    identifier: str
    display_name: str
    description: str
    type: str
    url: str


class AiCatalog(msgspec.Struct, forbid_unknown_fields=True, rename={"spec_version": "specVersion"}):
    """Offers of a host to language models."""

    spec_version: str
    entries: list[CatalogEntry]
