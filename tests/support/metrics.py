"""The numbers that an instance gives to Prometheus."""

from tests.support.clients import Client


def metrics_of(client: Client) -> str:
    """The text that the metrics port of an opened client's service would answer with."""
    with client.portal() as portal:
        text: bytes = portal.call(client.app.state.context.workers.render)
    return text.decode()
