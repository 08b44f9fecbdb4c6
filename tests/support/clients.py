"""Clients of services that run in this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from litestar import Litestar
from litestar.testing import TestClient
from litestar.types import Receive, Scope, Send

from serving.app import create_app
from serving.settings import Settings

Client = TestClient[Litestar]


@contextmanager
def open_client(data_dir: Path, peer: str = "", **settings: Any) -> Iterator[Client]:
    """Yield a client of the service on a data folder, with its store there by default.

    All requests come from the address `peer`, if given.
    """
    app = create_app(Settings(data_dir=data_dir, **{"log_level": "error", **settings}))
    with TestClient(
        on_loopback(app, peer) if peer else app, raise_server_exceptions=False
    ) as client:
        yield client


def read(client: httpx.Client, path: str, shape: type) -> Any:
    """Return the answer, decoded strictly as its declared type."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=shape)


def on_loopback(app: Litestar, peer: str = "127.0.0.1") -> Litestar:
    """Give all requests of an application a peer address; the test client's is "testclient"."""
    inner = app.asgi_handler

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("client"):
            scope["client"] = (peer, 50_000)  # type: ignore[typeddict-item]
        await inner(scope, receive, send)

    app.asgi_handler = handle
    return app
