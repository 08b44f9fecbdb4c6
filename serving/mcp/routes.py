"""The MCP endpoint, and the documents by which clients find it. Only a call loads the SDK."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Litestar, asgi, get
from litestar.types import Receive, Scope, Send

from schemas.api import mcp as shapes
from schemas.api.mcp import AiCatalog, McpDescription, ServerCard
from serving.context import Context, context_of
from serving.http.answers import HOUR, Answer, json_answer
from serving.http.openapi import answers
from serving.http.request_limits import MAX_NESTING, is_nested_too_deep
from serving.mcp.arguments import INSTRUCTIONS, with_prefix
from serving.mcp.tools import TOOLS
from serving.reference.organization import organization_of
from serving.settings import API_VERSION, Settings, entries_of

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


_NO_STORE = (b"cache-control", b"no-store")
INVALID_REQUEST, INTERNAL_ERROR, HEADER_MISMATCH = -32600, -32603, -32020
# The SDK takes some two seconds to import.
_LOAD_SECONDS = 20.0
_NOT_READY = "The MCP server could not be started. Try again in a minute."
# Most bytes of a body before its era is known; the transport refuses longer ones.
MAX_BODY_BYTES = 64 * 1024
_TOO_DEEP = f"The body nests lists and objects more than {MAX_NESTING} deep."
_VERSION_HEADER, _VERSION_KEY = b"mcp-protocol-version", "io.modelcontextprotocol/protocolVersion"
_NO_HEADER = (
    f"The body names its protocol version in `{_VERSION_KEY}`: send the header "
    "MCP-Protocol-Version with the same value."
)


class McpHost:
    """The MCP server of one application. The SDK is imported in a thread on the first call.

    Its transport needs a separate task, which runs in the background from that call on.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._origins = Origins(settings)
        self._manager: Any = None
        self._is_ready = asyncio.Event()

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one POST."""
        reason = self._origins.refusal(scope)
        if reason is not None:
            await refuse(403, INVALID_REQUEST, reason)(scope, receive, send)
            return
        receive, body = await _peek(receive)
        if is_nested_too_deep(body):
            await refuse(400, INVALID_REQUEST, _TOO_DEEP)(scope, receive, send)
            return
        # Without the header, the SDK takes any message for one of the older eras.
        if _VERSION_HEADER not in dict(scope["headers"]) and _names_version(body):
            await refuse(400, HEADER_MISMATCH, _NO_HEADER)(scope, receive, send)
            return
        if self._manager is None and not await self._is_loaded(context_of(scope)):
            await refuse(503, INTERNAL_ERROR, _NOT_READY)(scope, receive, send)
            return
        await self._manager.handle_request(scope, receive, _forbid_caching(send))

    async def _is_loaded(self, context: Context) -> bool:
        context.tasks.start("run_mcp", self._run)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LOAD_SECONDS):
                await self._is_ready.wait()
        return self._manager is not None

    async def _run(self) -> None:
        """Run a new transport: one that has failed cannot run again."""

        def make() -> Any:
            from serving.mcp.server import make_manager  # noqa: PLC0415 - see the class

            return make_manager(self._settings, MAX_BODY_BYTES)

        manager = await asyncio.to_thread(make)
        try:
            async with manager.run():
                self._manager = manager
                self._is_ready.set()
                await asyncio.Event().wait()
        finally:
            self._manager = None
            self._is_ready.clear()


def refuse(status: int, code: int, reason: str, headers: Any = ()) -> Answer:
    """Return a JSON-RPC error for a request that was not read."""
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": reason}}
    return Answer(msgspec.json.encode(error), status=status, max_age=0, headers=headers)


class _Params(msgspec.Struct):
    meta: dict[str, Any] = msgspec.field(default_factory=dict, name="_meta")


class _Message(msgspec.Struct):
    params: _Params


def _names_version(body: bytes) -> bool:
    """Return whether a message names its version: it is of the stateless era."""
    try:
        return _VERSION_KEY in msgspec.json.decode(body, type=_Message).params.meta
    except msgspec.DecodeError:
        return False


async def _peek(receive: Receive) -> tuple[Receive, bytes]:
    """Return the body up to its size limit, and a `receive` that replays it."""
    messages: list[Any] = []
    size = 0
    while size <= MAX_BODY_BYTES:
        message: Any = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if not message.get("more_body", False):
            break
    waiting = iter(messages)

    async def again() -> Any:
        return next(waiting, None) or await receive()

    return again, b"".join(message.get("body", b"") for message in messages)


def _forbid_caching(send: Send) -> Send:
    """Tell caches not to store the answer to a POST."""

    async def passing(message: Any) -> None:
        if message["type"] == "http.response.start":
            names = {name for name, _ in message["headers"]}
            if _NO_STORE[0] not in names:
                message["headers"] = [*message["headers"], _NO_STORE]
        await send(message)

    return passing


_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
ANY = "*"


class Origins:
    """Origins of pages that may call: the public address, this machine, and those of the settings.
    No foreign page may use the server on a person's own machine."""

    def __init__(self, settings: Settings) -> None:
        address = urlsplit(settings.url)
        self._origins = {f"{address.scheme}://{address.netloc}"} | entries_of(settings.mcp_origins)
        for scheme in ("http", "https"):
            for name in _LOOPBACK:
                self._origins |= {f"{scheme}://{name}", f"{scheme}://{name}:*"}

    def refusal(self, scope: Scope) -> str | None:
        """Return why a request is refused; None if it is accepted."""
        origin = dict(scope["headers"]).get(b"origin", b"").decode("latin-1")
        if not origin or ANY in self._origins or origin in self._origins:
            return None
        name, colon, port = origin.rpartition(":")
        if colon and port.isdigit() and f"{name}:*" in self._origins:
            return None
        return (
            f"The origin {origin[:100]!r} may not call this server. Operators: add it to "
            "LARDER_MCP_ORIGINS."
        )


_ALLOWED = ((b"allow", b"GET, HEAD, POST, OPTIONS"),)
_STREAM = b"text/event-stream"
_NO_STREAM = (
    "This server only answers requests: it has no stream of messages. Send requests by POST."
)
_KEY = "mcp_host"
_get = partial(get, tags=["discovery"])


@contextlib.asynccontextmanager
async def lifespan(app: Litestar) -> AsyncIterator[None]:
    """Run the server with the application; it is loaded on its first call."""
    app.state[_KEY] = McpHost(app.state.settings)
    yield


@asgi(PATH, copy_scope=True)
async def serve(scope: Scope, receive: Receive, send: Send) -> None:
    """Pass POST to the SDK's server; describe it on GET."""
    request: Any = scope
    wants_stream = any(n == b"accept" and _STREAM in v.lower() for n, v in request["headers"])
    if request["method"] == "POST":
        await request["litestar_app"].state[_KEY].handle(scope, receive, send)
    elif request["method"] == "GET" and not wants_stream:
        body = msgspec.json.encode(description(context_of(scope).settings))
        await Answer(body, max_age=HOUR)(scope, receive, send)
    else:
        await refuse(405, INVALID_REQUEST, _NO_STREAM, _ALLOWED)(scope, receive, send)


@_get(
    "/.well-known/mcp.json",
    summary="The MCP server",
    responses=answers(McpDescription, "What the server is, its tools, how to reach it."),
)
async def get_mcp_description(scope: Scope) -> Answer:
    """Return the Model Context Protocol server of this directory: address, protocol versions,
    tools. GET of the server's own address gives the same."""
    return json_answer(description(context_of(scope).settings), HOUR)


@_get(
    [CARD_PATH, "/.well-known/mcp/server-card.json"],
    operation_id=lambda _handler, _method, path: (
        f"get{'Mcp' if 'mcp' in path[0] else 'WellKnown'}ServerCard"
    ),
    summary="Server card",
    responses=answers(ServerCard, "The card.", media_type=CARD_TYPE),
)
async def card(scope: Scope) -> Answer:
    """Return the card by which catalogs know the Model Context Protocol server."""
    return json_answer(
        server_card(context_of(scope).settings),
        HOUR,
        media_type=CARD_TYPE.encode(),
    )


@_get(
    "/.well-known/mcp/server.json",
    summary="Entry of the MCP registry",
    responses=answers(ServerCard, "The entry, `server.json`."),
)
async def get_mcp_registry_entry(scope: Scope) -> Answer:
    """Return `server.json`, with which the operator lists this server in the registry of the Model
    Context Protocol."""
    settings = context_of(scope).settings
    return json_answer(server_card(settings, REGISTRY_SCHEMA), HOUR)


@_get(
    "/.well-known/ai-catalog.json",
    summary="Catalog of tools for AI models",
    responses=answers(AiCatalog, "The catalog.", media_type=CATALOG_TYPE),
)
async def get_ai_catalog(scope: Scope) -> Answer:
    """List the services of this host for language models: the Model Context Protocol server."""
    return json_answer(
        catalog(context_of(scope).settings),
        HOUR,
        media_type=CATALOG_TYPE.encode(),
    )


LIFESPANS = [lifespan]
