"""The Model Context Protocol server and the documents that lead to it."""

import contextlib
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import msgspec
from litestar import Litestar, asgi, get
from litestar.types import Receive, Scope, Send

from schemas.api.mcp_documents import AiCatalog, McpDescription, ServerCard
from serving.context import context_of
from serving.http.answers import HOUR, Answer, json_answer
from serving.http.openapi import answers
from serving.mcp import documents
from serving.mcp.host import INVALID_REQUEST, McpHost, refuse

_ALLOWED = ((b"allow", b"GET, HEAD, POST, OPTIONS"),)
_STREAM = b"text/event-stream"
_NO_STREAM = (
    "This server sends no messages of its own accord: there is no stream to open. POST "
    "your requests."
)
_KEY = "mcp_host"
_get = partial(get, tags=["discovery"])


@contextlib.asynccontextmanager
async def lifespan(app: Litestar) -> AsyncIterator[None]:
    """Run the server with the application; it is loaded on its first call."""
    app.state[_KEY] = McpHost(app.state.settings)
    yield


@asgi(documents.PATH, copy_scope=True)
async def serve(scope: Scope, receive: Receive, send: Send) -> None:
    """Pass POST to the SDK's server; describe it on GET."""
    request: Any = scope
    wants_stream = any(n == b"accept" and _STREAM in v.lower() for n, v in request["headers"])
    if request["method"] == "POST":
        await request["litestar_app"].state[_KEY].handle(scope, receive, send)
    elif request["method"] == "GET" and not wants_stream:
        body = msgspec.json.encode(documents.description(context_of(scope).settings))
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
    return json_answer(documents.description(context_of(scope).settings), HOUR)


@_get(
    [documents.CARD_PATH, "/.well-known/mcp/server-card.json"],
    operation_id=lambda _handler, _method, path: (
        f"get{'Mcp' if 'mcp' in path[0] else 'WellKnown'}ServerCard"
    ),
    summary="Server card",
    responses=answers(ServerCard, "The card.", media_type=documents.CARD_TYPE),
)
async def card(scope: Scope) -> Answer:
    """Return the card by which catalogs know the Model Context Protocol server."""
    return json_answer(
        documents.server_card(context_of(scope).settings),
        HOUR,
        media_type=documents.CARD_TYPE.encode(),
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
    return json_answer(documents.server_card(settings, documents.REGISTRY_SCHEMA), HOUR)


@_get(
    "/.well-known/ai-catalog.json",
    summary="Catalog of tools for AI models",
    responses=answers(AiCatalog, "The catalog.", media_type=documents.CATALOG_TYPE),
)
async def get_ai_catalog(scope: Scope) -> Answer:
    """List the services of this host for language models: the Model Context Protocol server."""
    return json_answer(
        documents.catalog(context_of(scope).settings),
        HOUR,
        media_type=documents.CATALOG_TYPE.encode(),
    )


LIFESPANS = [lifespan]
