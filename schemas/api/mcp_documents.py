"""The documents that lead to the Model Context Protocol server."""

from typing import Annotated

import msgspec

from schemas.descriptions import describe


class ToolLine(msgspec.Struct, forbid_unknown_fields=True):
    """A tool as documents list it; its schemas come from `tools/list`."""

    name: Annotated[str, describe("Name to call it by.")]
    title: Annotated[str, describe("Name for people.")]
    description: Annotated[str, describe("What it does.")]


class McpTransport(msgspec.Struct, forbid_unknown_fields=True):
    """Transport of messages."""

    type: Annotated[str, describe("Always `streamable-http`.")]
    url: Annotated[str, describe("Where to POST.", pattern=r"^https?://[^\s]+$")]
    is_stateless: Annotated[bool, describe("True: there is no session between requests.")]


class McpAuthentication(msgspec.Struct, forbid_unknown_fields=True):
    """Authentication of callers."""

    type: Annotated[str, describe("`none`: no key is needed.")]


class McpEntry(msgspec.Struct, forbid_unknown_fields=True):
    """The entry for a client's file of servers."""

    type: Annotated[str, describe("Always `http`.")]
    url: Annotated[str, describe("Where to POST.")]


class McpDescription(
    msgspec.Struct, forbid_unknown_fields=True, rename={"mcp_servers": "mcpServers"}
):
    """Description of the server, and how to connect."""

    name: Annotated[str, describe("Short name.")]
    title: Annotated[str, describe("Name for people.")]
    description: Annotated[str, describe("What it is for.")]
    version: Annotated[str, describe("Version of the service.")]
    instructions: Annotated[str, describe("What a model should know before it calls.")]
    protocol_versions: Annotated[list[str], describe("Protocol versions, the newest first.")]
    transport: Annotated[McpTransport, describe("How it is spoken to.")]
    authentication: Annotated[McpAuthentication, describe("Whether a key is needed.")]
    mcp_servers: Annotated[
        dict[str, McpEntry], describe("Ready to copy into a client's file of servers.")
    ]
    tools: Annotated[list[ToolLine], describe("The tools.")]
    server_card_url: Annotated[str, describe("Address of the server card.")]
    documentation_url: Annotated[str, describe("Address of the documentation.")]
    organization: Annotated[str, describe("Who runs it.")]
    contact: Annotated[str, describe("Where to write.")]


class CardRemote(msgspec.Struct, forbid_unknown_fields=True):
    """An address of the server."""

    type: Annotated[str, describe("Always `streamable-http`.")]
    url: Annotated[str, describe("Where to POST.")]


class ServerCard(
    msgspec.Struct,
    forbid_unknown_fields=True,
    rename={"schema": "$schema", "website_url": "websiteUrl"},
):
    """The card by which catalogs know a server."""

    schema: Annotated[str, describe("Schema of this document.")]
    name: Annotated[
        str,
        describe(
            "Name under a reversed domain.",
            min_length=3,
            max_length=200,
            pattern="^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
        ),
    ]
    version: Annotated[str, describe("Version of the service.", max_length=255)]
    title: Annotated[str, describe("Name for people.", min_length=1, max_length=100)]
    description: Annotated[str, describe("What it is for.", min_length=1, max_length=100)]
    website_url: Annotated[str, describe("Address of the service.")]
    remotes: Annotated[list[CardRemote], describe("Where the server answers.")]


class CatalogEntry(
    msgspec.Struct, forbid_unknown_fields=True, rename={"display_name": "displayName"}
):
    """One thing that is offered."""

    identifier: Annotated[str, describe("Name that no other host has.")]
    display_name: Annotated[str, describe("Name for people.")]
    description: Annotated[str, describe("What it is for.")]
    type: Annotated[str, describe("Media type of the content at `url`.")]
    url: Annotated[str, describe("Address of its description.")]


class AiCatalog(msgspec.Struct, forbid_unknown_fields=True, rename={"spec_version": "specVersion"}):
    """Offers of a host to language models."""

    spec_version: Annotated[str, describe("Version of this format.")]
    entries: Annotated[list[CatalogEntry], describe("The things offered.")]
