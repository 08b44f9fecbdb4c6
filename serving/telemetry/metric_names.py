"""Every metric of the service, declared once: what kind of number, what it means, how workers'
numbers add up.

Counters end in `_total` in `/metrics`, histograms have `_bucket`, `_sum` and `_count`: see
`exposed_names`.
"""

from pathlib import Path
from typing import Literal

import msgspec

Kind = Literal["counter", "gauge", "histogram"]
Together = Literal["sum", "max", "min"]


class Metric(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Metric declaration. `together`: how workers' values are combined. Counters and histograms
    are added."""

    kind: Kind
    meaning: str
    labels: tuple[str, ...] = ()
    together: Together = "sum"


METRICS: dict[str, Metric] = msgspec.yaml.decode(
    Path(__file__).with_name("metrics.yaml").read_bytes(), type=dict[str, Metric]
)


def exposed_names(name: str) -> set[str]:
    """Return the names under which Prometheus stores a metric."""
    kind = METRICS[name].kind
    if kind == "counter":
        return {f"{name}_total"}
    return {f"{name}_bucket", f"{name}_sum", f"{name}_count"} if kind == "histogram" else {name}
