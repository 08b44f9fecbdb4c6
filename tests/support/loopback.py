"""Requests as if from this machine: the test client names its peer "testclient"."""

from litestar import Litestar
from litestar.types import Receive, Scope, Send


def on_loopback(app: Litestar, peer: str = "127.0.0.1") -> Litestar:
    """Have all requests of an application come from an address."""
    inner = app.asgi_handler

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("client"):
            scope["client"] = (peer, 50_000)  # type: ignore[typeddict-item]
        await inner(scope, receive, send)

    app.asgi_handler = handle
    return app
