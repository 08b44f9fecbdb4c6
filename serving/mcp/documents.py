"""The documents by which clients find the MCP server. None of them needs the SDK."""

from urllib.parse import urlsplit

from schemas.api import mcp_documents as shapes
from serving.mcp.arguments import with_prefix
from serving.mcp.tools import TOOLS
from serving.mcp.words import INSTRUCTIONS
from serving.reference.organization import organization_of
from serving.settings import API_VERSION, Settings

PATH, CARD_PATH = "/mcp/v1", "/mcp/v1/server-card"
CARD_TYPE, CATALOG_TYPE = "application/mcp-server-card+json", "application/ai-catalog+json"
NAME, TITLE = "open-larder", "Open Larder: food assistance"
# Newest first; the first needs no handshake, the others begin with one.
PROTOCOL_VERSIONS = ("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26")
# A server card takes at most 100 characters.
DESCRIPTION = "Food assistance in the United States: places, opening hours, how to apply for SNAP."
_SCHEMAS = "https://static.modelcontextprotocol.io/schemas"
CARD_SCHEMA = f"{_SCHEMAS}/v1/server-card.schema.json"
# Of the MCP registry's `server.json`.
REGISTRY_SCHEMA = f"{_SCHEMAS}/2025-12-11/server.schema.json"


def description(settings: Settings) -> shapes.McpDescription:
    """Describe the server and how to reach it: `/.well-known/mcp.json`, and GET of its
    address."""
    url, organization = settings.url + PATH, organization_of(settings)
    prefix = settings.mcp_prefix
    return shapes.McpDescription(
        name=NAME,
        title=TITLE,
        description=DESCRIPTION,
        version=API_VERSION,
        instructions=INSTRUCTIONS,
        protocol_versions=list(PROTOCOL_VERSIONS),
        transport=shapes.McpTransport("streamable-http", url, is_stateless=True),
        authentication=shapes.McpAuthentication("none"),
        mcp_servers={NAME: shapes.McpEntry("http", url)},
        tools=[shapes.ToolLine(with_prefix(prefix, t.name), t.title, t.description) for t in TOOLS],
        server_card_url=settings.url + CARD_PATH,
        documentation_url=f"{settings.url}/docs",
        organization=organization.common_name,
        contact=organization.email,
    )


def server_card(settings: Settings, schema: str = CARD_SCHEMA) -> shapes.ServerCard:
    """Return the server card, or by the other schema the entry of the MCP registry: they have the
    same members."""
    domain = ".".join(reversed(organization_of(settings).domain.split(".")))
    return shapes.ServerCard(
        schema=schema,
        name=f"{domain}/{NAME}",
        version=API_VERSION,
        title=TITLE,
        description=DESCRIPTION,
        website_url=settings.url,
        remotes=[shapes.CardRemote("streamable-http", settings.url + PATH)],
    )


def catalog(settings: Settings) -> shapes.AiCatalog:
    """List the services of this host for language models."""
    host = urlsplit(settings.url).hostname
    identifier = f"urn:air:{host}:mcp:{NAME}"
    entry = shapes.CatalogEntry(identifier, TITLE, DESCRIPTION, CARD_TYPE, settings.url + CARD_PATH)
    return shapes.AiCatalog("1.0", [entry])
