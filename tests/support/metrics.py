"""The numbers that an instance gives to Prometheus."""

from litestar import Litestar
from litestar.testing import TestClient


def metrics_of(client: TestClient[Litestar]) -> str:
    """The text that the metrics port of an opened client's service would answer with."""
    with client.portal() as portal:
        text: bytes = portal.call(client.app.state.context.workers.render)
    return text.decode()
