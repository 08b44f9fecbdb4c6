"""The numbers that an instance gives to Prometheus."""

from serving.telemetry.metrics import METRICS
from tests.support.clients import Client


def metrics_of(client: Client) -> str:
    """The text that the metrics port of an opened client's service would answer with."""
    with client.portal() as portal:
        text: bytes = portal.call(client.app.state.context.workers.render)
    return text.decode()


def list_metric_names(name: str) -> set[str]:
    """Return the names under which Prometheus stores a metric."""
    kind = METRICS[name].kind
    if kind == "counter":
        return {f"{name}_total"}
    return {f"{name}_bucket", f"{name}_sum", f"{name}_count"} if kind == "histogram" else {name}
