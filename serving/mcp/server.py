"""The server of the SDK around the tools. Imported on the first request only: the SDK takes 0.4
s."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

import mcp_types as types
import msgspec
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from serving.context import context_of, request_id_of
from serving.http.errors import ServiceProblem, release_of
from serving.mcp import resources_and_prompts as extras
from serving.mcp.arguments import (
    Call,
    ToolFault,
    clean_arguments,
    fault_of,
    read_arguments,
    with_prefix,
)
from serving.mcp.tools import TOOLS, TOOLS_BY_NAME, Tool, schema_of
from serving.mcp.words import INSTRUCTIONS
from serving.reference.organization import organization_of
from serving.settings import API_VERSION, Settings

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

    Hosts and origins are checked before (see `serving.mcp.host`).
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
    tools = types.ListToolsResult(tools=[_declare(tool, prefix) for tool in TOOLS])

    return Server(
        "open-larder",
        version=API_VERSION,
        title=organization_of(settings).common_name,
        description="Food assistance in the United States: places, opening hours, how to apply.",
        instructions=INSTRUCTIONS,
        website_url=settings.url,
        cache_hints=dict.fromkeys(_CACHED, _HOUR),
        on_list_tools=_always(tools),
        on_call_tool=partial(_call, prefix=prefix),
        on_list_resources=_always(extras.list_resources(settings)),
        on_list_resource_templates=_always(extras.list_templates(settings)),
        on_read_resource=extras.read_resource,
        on_list_prompts=_always(extras.LISTED_PROMPTS),
        on_get_prompt=partial(extras.get_prompt, prefix=prefix),
        on_completion=extras.complete,
    )


def _always(result: R) -> Callable[[ServerRequestContext, Any], Awaitable[R]]:
    """Return a handler that gives the same answer to every request: these lists have one page."""

    async def handler(_: ServerRequestContext, __: Any) -> R:
        return result

    return handler


def _declare(tool: Tool, prefix: str) -> types.Tool:
    return types.Tool(
        name=with_prefix(prefix, tool.name),
        title=tool.title,
        description=tool.description,
        input_schema=schema_of(tool.takes),
        output_schema=schema_of(tool.gives),
        annotations=_READ_ONLY.model_copy(update={"title": tool.title}),
    )


async def _call(
    request: ServerRequestContext, params: types.CallToolRequestParams, prefix: str
) -> types.CallToolResult:
    scope = extras.scope_of(request)
    name = params.name.removeprefix(f"{prefix}_") if prefix else params.name
    tool = TOOLS_BY_NAME.get(name)
    if tool is None:
        return _fail(_answer_unknown_tool(params.name, prefix))
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


def _answer_unknown_tool(name: str, prefix: str) -> str:
    names = ", ".join(with_prefix(prefix, tool.name) for tool in TOOLS)
    return f"There is no tool {name[:80]!r}. The tools are {names}: call one of them."
