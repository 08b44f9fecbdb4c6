"""The server as an ASGI application that costs nothing until it is called."""

import asyncio
import contextlib
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar.types import Receive, Scope, Send

from serving.context import Context, context_of
from serving.http.answers import Answer
from serving.http.request_limits import MAX_NESTING, is_nested_too_deep
from serving.settings import Settings, entries_of

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
        manager = await asyncio.to_thread(_make, self._settings)
        try:
            async with manager.run():
                self._manager = manager
                self._is_ready.set()
                await asyncio.Event().wait()
        finally:
            self._manager = None
            self._is_ready.clear()


def _make(settings: Settings) -> Any:
    from serving.mcp.server import make_manager  # noqa: PLC0415 - see the class

    return make_manager(settings, MAX_BODY_BYTES)


def refuse(status: int, code: int, reason: str, headers: Any = ()) -> Answer:
    """Return a JSON-RPC error for a request of which nothing was read."""
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": reason}}
    return Answer(msgspec.json.encode(error), status=status, max_age=0, headers=headers)


class _Params(msgspec.Struct):
    meta: dict[str, Any] = msgspec.field(default_factory=dict, name="_meta")


class _Message(msgspec.Struct):
    params: _Params


def _names_version(body: bytes) -> bool:
    """Return whether a message is of the stateless era: it names its version, and so has to send
    the header too.

    Without the header the SDK takes any message for one of the older eras.
    """
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
    """Forbid caches to store the answer to a POST."""

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
        """Return the reason when a request is not let in; None when it is."""
        origin = _header(scope, b"origin")
        if not origin or _is_among(origin, self._origins):
            return None
        return (
            f"The origin {origin[:100]!r} may not call this server. Operators: add it to "
            "LARDER_MCP_ORIGINS."
        )


def _is_among(origin: str, origins: set[str]) -> bool:
    if ANY in origins or origin in origins:
        return True
    name, colon, port = origin.rpartition(":")
    return bool(colon) and port.isdigit() and f"{name}:*" in origins


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")
