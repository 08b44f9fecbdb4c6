"""Requests to an application in this process, without server or network."""

import asyncio
from typing import Any
from urllib.parse import unquote

from litestar import Litestar


async def call(app: Litestar, path: str) -> None:
    """Request a path. Raises RuntimeError if the answer is not 200."""
    address, _, query = path.partition("?")
    scope: Any = {
        "type": "http",
        "http_version": "1.1",
        "scheme": "http",
        "method": "GET",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 40_000),
        "root_path": "",
        "path": unquote(address),
        "raw_path": address.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1:8000")],
        "state": {},
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message.get("status", 200) != 200:
            raise RuntimeError(f"{path}: {message['status']}")

    await app(scope, receive, send)
    await asyncio.sleep(0)  # the end of a turn: the gate counts requests per turn
