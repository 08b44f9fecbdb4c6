"""Metrics of an instance for Prometheus."""

from serving.telemetry.metrics import METRICS
from tests.support.clients import Client


def metrics_of(client: Client) -> str:
    """Return the text of the metrics port for the service of an open client."""
    with client.portal() as portal:
        text: bytes = portal.call(client.app.state.context.metrics.render)
    return text.decode()


def list_metric_names(name: str) -> set[str]:
    """Return the names under which Prometheus stores a metric."""
    kind = METRICS[name].kind
    if kind == "counter":
        return {f"{name}_total"}
    return {f"{name}_bucket", f"{name}_sum", f"{name}_count"} if kind == "histogram" else {name}
