"""The documents that lead to the Model Context Protocol server."""

from __future__ import annotations

from typing import Annotated

import msgspec

_Meta = msgspec.Meta


class ToolLine(msgspec.Struct, forbid_unknown_fields=True):
    """A tool as documents list it; its schemas come from `tools/list`."""

    name: Annotated[str, _Meta(description="Name to call it by.")]
    title: Annotated[str, _Meta(description="Name for people.")]
    description: Annotated[str, _Meta(description="What it does.")]


class McpTransport(msgspec.Struct, forbid_unknown_fields=True):
    """Transport of messages."""

    type: Annotated[str, _Meta(description="Always `streamable-http`.")]
    url: Annotated[str, _Meta(description="Where to POST.")]
    is_stateless: Annotated[bool, _Meta(description="True: there is no session between requests.")]


class McpAuthentication(msgspec.Struct, forbid_unknown_fields=True):
    """Authentication of callers."""

    type: Annotated[str, _Meta(description="`none`: no key is needed.")]


class McpEntry(msgspec.Struct, forbid_unknown_fields=True):
    """The entry for a client's file of servers."""

    type: Annotated[str, _Meta(description="Always `http`.")]
    url: Annotated[str, _Meta(description="Where to POST.")]


class McpDescription(
    msgspec.Struct, forbid_unknown_fields=True, rename={"mcp_servers": "mcpServers"}
):
    """Description of the server, and how to connect."""

    name: Annotated[str, _Meta(description="Short name.")]
    title: Annotated[str, _Meta(description="Name for people.")]
    description: Annotated[str, _Meta(description="What it is for.")]
    version: Annotated[str, _Meta(description="Version of the service.")]
    instructions: Annotated[str, _Meta(description="What a model should know before it calls.")]
    protocol_versions: Annotated[
        list[str], _Meta(description="Protocol versions, the newest first.")
    ]
    transport: McpTransport
    authentication: McpAuthentication
    mcp_servers: Annotated[
        dict[str, McpEntry], _Meta(description="Ready to copy into a client's file of servers.")
    ]
    tools: Annotated[list[ToolLine], _Meta(description="The tools.")]
    server_card_url: Annotated[str, _Meta(description="Address of the server card.")]
    documentation_url: Annotated[str, _Meta(description="Address of the documentation.")]
    organization: Annotated[str, _Meta(description="Who runs it.")]
    contact: Annotated[str, _Meta(description="Where to write.")]


class CardRemote(msgspec.Struct, forbid_unknown_fields=True):
    """An address of the server."""

    type: Annotated[str, _Meta(description="Always `streamable-http`.")]
    url: Annotated[str, _Meta(description="Where to POST.")]


class ServerCard(
    msgspec.Struct,
    forbid_unknown_fields=True,
    rename={"schema": "$schema", "website_url": "websiteUrl"},
):
    """The card by which catalogs know a server."""

    schema: Annotated[str, _Meta(description="Schema of this document.")]
    name: Annotated[
        str,
        _Meta(
            min_length=3,
            max_length=200,
            pattern="^[^/]+/[^/]+$",
            description="Name under a reversed domain.",
        ),
    ]
    version: Annotated[str, _Meta(description="Version of the service.")]
    title: Annotated[str, _Meta(description="Name for people.")]
    description: Annotated[str, _Meta(min_length=1, max_length=100, description="What it is for.")]
    website_url: Annotated[str, _Meta(description="Address of the service.")]
    remotes: Annotated[list[CardRemote], _Meta(description="Where the server answers.")]


class CatalogEntry(
    msgspec.Struct, forbid_unknown_fields=True, rename={"display_name": "displayName"}
):
    """One thing that is offered."""

    identifier: Annotated[str, _Meta(description="Name that no other host has.")]
    display_name: Annotated[str, _Meta(description="Name for people.")]
    description: Annotated[str, _Meta(description="What it is for.")]
    type: Annotated[str, _Meta(description="Media type of the content at `url`.")]
    url: Annotated[str, _Meta(description="Address of its description.")]


class AiCatalog(msgspec.Struct, forbid_unknown_fields=True, rename={"spec_version": "specVersion"}):
    """Offers of a host to language models."""

    spec_version: Annotated[str, _Meta(description="Version of this format.")]
    entries: Annotated[list[CatalogEntry], _Meta(description="The things offered.")]
