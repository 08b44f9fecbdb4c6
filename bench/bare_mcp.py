"""A bare SDK server for comparison: one tool with an answer of the same size, no work.

granian --interface asgi bench.bare_mcp:app
"""

import json
import os
from typing import Any

import mcp_types as types
from litestar.types import Receive, Scope, Send
from mcp.server.lowlevel.server import Server

_ANSWER = json.loads(os.environ.get("LARDER_BENCH_ANSWER", '{"summary": "nothing"}'))
_READY = b'{"ready":true}'


async def _list(_: Any, __: Any) -> types.ListToolsResult:
    tool = types.Tool(
        name="bare", description="Gives what it holds.", input_schema={"type": "object"}
    )
    return types.ListToolsResult(tools=[tool])


async def _call(_: Any, __: types.CallToolRequestParams) -> types.CallToolResult:
    text = types.TextContent(type="text", text=json.dumps(_ANSWER))
    return types.CallToolResult(content=[text], structured_content=_ANSWER)


_server: Server[Any] = Server("bare", on_list_tools=_list, on_call_tool=_call)
_app: Any = _server.streamable_http_app(
    streamable_http_path="/mcp/v1", stateless_http=True, json_response=True
)


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer as the SDK's application; any GET reports readiness."""
    http: Any = scope
    if http["type"] == "http" and http["method"] == "GET":
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"14")]}
        )
        await send({"type": "http.response.body", "body": _READY, "more_body": False})
        return
    await _app(scope, receive, send)
