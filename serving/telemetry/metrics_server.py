"""Serves the service's metrics to Prometheus on a separate address, never on the public port.

Every worker listens on the same port; the one that the kernel selects answers for all
(`serving.telemetry.metrics`).
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

_HEAD_SECONDS: Final = 5.0
_MAX_HEAD_BYTES: Final = 16_384
_TYPE: Final = b"text/plain; version=0.0.4; charset=utf-8"


@contextlib.asynccontextmanager
async def metrics_endpoint(
    host: str, port: int, render: Callable[[], Awaitable[bytes]], log: Any
) -> AsyncIterator[None]:
    """Answer `GET /metrics` during the block; port 0 disables it.

    An unavailable port is logged: the service works without metrics too.
    """
    if not port:
        yield
        return

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, TimeoutError, EOFError, asyncio.LimitOverrunError):
            async with asyncio.timeout(_HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                is_for_metrics = head.split(b"\r\n", 1)[0].startswith(b"GET /metrics HTTP/1.")
                writer.write(
                    _response(200, await render()) if is_for_metrics else _response(404, b"")
                )
                await writer.drain()
        writer.close()

    try:
        server = await asyncio.start_server(
            answer, host, port, limit=_MAX_HEAD_BYTES, reuse_port=True
        )
    except OSError as error:
        log.error("metrics_not_served", port=port, fault=str(error))
        yield
        return
    try:
        yield
    finally:
        server.close()


def _response(status: int, body: bytes) -> bytes:
    reason = b"OK" if status == 200 else b"Not Found"
    return (
        b"HTTP/1.1 %d %b\r\ncontent-type: %b\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%b"
        % (
            status,
            reason,
            _TYPE,
            len(body),
            body,
        )
    )
