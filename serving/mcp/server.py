"""The MCP server on the SDK: tools, resources, prompts and completions.

Imported with the first request only: the SDK takes 0.4 s.
"""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import mcp_types as types
import msgspec
from litestar.types import Scope
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError

from serving.context import context_of, request_id_of
from serving.http.errors import ServiceProblem, release_of
from serving.mcp.arguments import (
    INSTRUCTIONS,
    Call,
    ToolFault,
    clean_arguments,
    fault_of,
    read_arguments,
    with_prefix,
)
from serving.mcp.search_tools import record_json
from serving.mcp.tools import TOOLS, TOOLS_BY_NAME, schema_of
from serving.reference.organization import organization_of
from serving.search.suggest import suggest_index_of, suggestions
from serving.settings import API_VERSION, Settings
from serving.statistics import reports

PROMPT, PLACE_ARGUMENT = "help_someone_find_food", "location"
_TYPES, _STATS, _RECORD = "/api/v1/types.json", "/api/stats", "/api/resources/{id}"
_RECORD_PATH = re.compile(r"/api/resources/([1-9][0-9]{0,15})\Z")
_COMPLETIONS = 10
_JSON = "application/json"


def scope_of(request: ServerRequestContext) -> Scope:
    """Return the scope of the HTTP request, with context and release."""
    scope: Scope = request.request.scope  # type: ignore[union-attr]
    return scope


# ---------------------------------------------------------------- resources


def list_resources(settings: Settings) -> types.ListResourcesResult:
    """Return documents under their own public addresses."""
    documents = (
        (
            _TYPES,
            "types",
            "Types of places",
            "Every type of place with its name in English and Spanish and how many there are.",
        ),
        (
            _STATS,
            "stats",
            "Statistics",
            "Contents of the directory: places by type and state, sources, age of the data.",
        ),
    )
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=settings.url + path,
                name=name,
                title=title,
                description=description,
                mime_type=_JSON,
            )
            for path, name, title, description in documents
        ]
    )


def list_templates(settings: Settings) -> types.ListResourceTemplatesResult:
    """Return one place by its id."""
    template = types.ResourceTemplate(
        uri_template=settings.url + _RECORD,
        name="place",
        title="One place",
        description="The whole record of a place with its sources.",
        mime_type=_JSON,
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def read_resource(
    request: ServerRequestContext, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    """Return the document at an address. Raises MCPError when there is none."""
    scope = scope_of(request)
    context, address = context_of(scope), str(params.uri)
    path = address.removeprefix(context.settings.url)
    try:
        release = release_of(scope)
        if path == _TYPES:
            body = msgspec.json.encode(reports.type_catalog(release))
        elif path == _STATS:
            body = msgspec.json.encode(reports.stats(release))
        elif match := _RECORD_PATH.match(path):
            call = Call(context, release, "")
            body, _ = await record_json(call, int(match[1]), datetime.now(UTC))
        else:
            raise ServiceProblem(
                "not-found",
                "There is no such resource. See resources/list and resources/templates/list",
            )
    except ServiceProblem as problem:
        fault = str(fault_of(problem))
        raise MCPError(types.INVALID_PARAMS, fault, {"uri": address}) from problem
    contents = types.TextResourceContents(uri=address, mime_type=_JSON, text=body.decode())
    return types.ReadResourceResult(contents=[contents], ttl_ms=60_000, cache_scope="public")


# ---------------------------------------------------------------- prompts


LISTED_PROMPTS = types.ListPromptsResult(
    prompts=[
        types.Prompt(
            name=PROMPT,
            title="Help someone find food",
            description=(
                "Begins a conversation that finds free food near a place, in English or Spanish."
            ),
            arguments=[
                types.PromptArgument(
                    name=PLACE_ARGUMENT, description="ZIP code, or `City, ST`.", required=True
                ),
                types.PromptArgument(
                    name="language", description="en or es; English without it.", required=False
                ),
            ],
        )
    ]
)
_PROMPTS = {
    "en": (
        "Find free food near {location} for a person who needs it. Begin with {open}; if "
        "little is open, use {find}. For each place say name, distance, whether it is "
        "open, telephone and address, and how old the facts are. Where it is not known "
        "whether a place is open, say to call first."
    ),
    "es": (
        "Busca comida gratis cerca de {location} para una persona que la necesita, y "
        "responde en español. Empieza con {open}; si hay poco abierto, usa {find}. De cada "
        "lugar di nombre, distancia, si está abierto, teléfono y dirección, y de cuándo "
        "son los datos. Si no se sabe si está abierto, di que llame primero."
    ),
}


async def get_prompt(
    _: ServerRequestContext, params: types.GetPromptRequestParams, prefix: str
) -> types.GetPromptResult:
    """Return the prompt with its place. Raises MCPError for another name, or without a place."""
    if params.name != PROMPT:
        raise MCPError(
            types.INVALID_PARAMS,
            f"There is no prompt {params.name[:80]!r}. The prompt is {PROMPT}.",
        )
    arguments = params.arguments or {}
    location, language = arguments.get(PLACE_ARGUMENT, "").strip(), arguments.get("language", "en")
    if not location or language not in _PROMPTS:
        raise MCPError(
            types.INVALID_PARAMS,
            "The prompt needs `location` (ZIP code or `City, ST`). `language` is en or es.",
        )
    tools = {
        "open": with_prefix(prefix, "find_open_now"),
        "find": with_prefix(prefix, "find_food_resources"),
    }
    text = _PROMPTS[language].format(location=location[:100], **tools)
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(messages=[message])


async def complete(
    request: ServerRequestContext, params: types.CompleteRequestParams
) -> types.CompleteResult:
    """Return cities and ZIP codes that begin with the typed text, for the prompt's place; nothing
    for other arguments."""
    values: list[str] = []
    ref, argument = params.ref, params.argument
    is_place = (
        isinstance(ref, types.PromptReference)
        and ref.name == PROMPT
        and argument.name == PLACE_ARGUMENT
    )
    if is_place and len(argument.value.strip()) >= 2:
        release = release_of(scope_of(request))
        index = await suggest_index_of.in_thread(release)
        values = [s.label for s in suggestions(index, argument.value[:100], _COMPLETIONS)]
    return types.CompleteResult(completion=types.Completion(values=values, has_more=False))


R = TypeVar("R")
# Tools change with a new version of the service only.
_CACHED: tuple[CacheableMethod, ...] = (
    "tools/list",
    "server/discover",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
)
_HOUR = CacheHint(ttl_ms=3_600_000, scope="public")
_READ_ONLY = types.ToolAnnotations(
    read_only_hint=True, idempotent_hint=True, destructive_hint=False, open_world_hint=False
)


def make_manager(settings: Settings, max_body_bytes: int) -> StreamableHTTPSessionManager:
    """Return the transport with its server: no sessions, one JSON answer for each request.

    Hosts and origins are checked before (see `serving.mcp.routes`).
    """
    return StreamableHTTPSessionManager(
        make_server(settings),
        json_response=True,
        stateless=True,
        max_request_body_size=max_body_bytes,
    )


def make_server(settings: Settings) -> Server[Any]:
    """Return the server with its tools, resources and prompts."""
    prefix = settings.mcp_prefix
    tools = [
        types.Tool(
            name=with_prefix(prefix, tool.name),
            title=tool.title,
            description=tool.description,
            input_schema=schema_of(tool.takes),
            output_schema=schema_of(tool.gives),
            annotations=_READ_ONLY.model_copy(update={"title": tool.title}),
        )
        for tool in TOOLS
    ]
    return Server(
        "open-larder",
        version=API_VERSION,
        title=organization_of(settings).common_name,
        description="Food assistance in the United States: places, opening hours, how to apply.",
        instructions=INSTRUCTIONS,
        website_url=settings.url,
        cache_hints=dict.fromkeys(_CACHED, _HOUR),
        on_list_tools=_always(types.ListToolsResult(tools=tools)),
        on_call_tool=partial(_call, prefix=prefix),
        on_list_resources=_always(list_resources(settings)),
        on_list_resource_templates=_always(list_templates(settings)),
        on_read_resource=read_resource,
        on_list_prompts=_always(LISTED_PROMPTS),
        on_get_prompt=partial(get_prompt, prefix=prefix),
        on_completion=complete,
    )


def _always(result: R) -> Callable[[ServerRequestContext, Any], Awaitable[R]]:
    """Return a handler that gives the same answer to every request: these lists have one page."""

    async def handler(_: ServerRequestContext, __: Any) -> R:
        return result

    return handler


async def _call(
    request: ServerRequestContext, params: types.CallToolRequestParams, prefix: str
) -> types.CallToolResult:
    scope = scope_of(request)
    name = params.name.removeprefix(f"{prefix}_") if prefix else params.name
    tool = TOOLS_BY_NAME.get(name)
    if tool is None:
        names = ", ".join(with_prefix(prefix, tool.name) for tool in TOOLS)
        return _fail(
            f"There is no tool {params.name[:80]!r}. The tools are {names}: call one of them."
        )
    try:
        arguments: Any = (
            clean_arguments(params.arguments)
            if tool.is_checked_by_service
            else read_arguments(params.arguments, tool.takes, params.name)
        )
        result = await tool.run(Call(context_of(scope), release_of(scope), prefix), arguments)
    except ServiceProblem as problem:
        return _fail(str(fault_of(problem)))
    except ToolFault as fault:
        return _fail(str(fault))
    except Exception as error:
        context_of(scope).log.error(
            "tool_failed", tool=name, request_id=request_id_of(scope), exc_info=error
        )
        return _fail(
            "The service failed on its side. Try once more; if it fails again, tell "
            f"the operators the request id {request_id_of(scope)}."
        )
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=msgspec.json.encode(result).decode())],
        structured_content=msgspec.to_builtins(result),
    )


def _fail(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
