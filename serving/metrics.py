"""Counts and latencies by route, kept as plain numbers and rendered for Prometheus when asked.

One request costs a dictionary look-up and three additions; the Prometheus client's own counters, with
their locks, cost ten times that. Everything runs on the event loop, so no lock is needed.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

# Upper bounds in seconds.
BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
Key = tuple[str, str, int]
Gauges = Callable[[], dict[str, tuple[str, float]]]


class _Series:
    __slots__ = ("buckets", "total")

    def __init__(self) -> None:
        self.buckets = [0] * (len(BUCKETS) + 1)
        self.total = 0.0


class Metrics(Collector):
    """Requests by method, route template and status. `gauges` gives name -> (help, value)."""

    def __init__(self, gauges: Gauges) -> None:
        self._series: dict[Key, _Series] = {}
        self._gauges = gauges
        self._started = time.time()
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        key = (method, route, status)
        series = self._series.get(key)
        if series is None:
            series = self._series[key] = _Series()
        series.buckets[bisect_left(BUCKETS, seconds)] += 1
        series.total += seconds

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily]:
        """The numbers as Prometheus families."""
        labels = ["method", "route", "status"]
        requests = CounterMetricFamily("larder_requests", "Requests answered.", labels=labels)
        latency = HistogramMetricFamily("larder_request_seconds", "Time to answer.", labels=labels)
        for (method, route, status), series in self._series.items():
            names, reached = [method, route, str(status)], 0
            buckets: list[tuple[str, float]] = []
            for bound, count in zip([*map(str, BUCKETS), "+Inf"], series.buckets, strict=True):
                reached += count
                buckets.append((bound, reached))
            requests.add_metric(names, reached)
            latency.add_metric(names, buckets, series.total)
        yield requests
        yield latency
        for name, (meaning, value) in self._gauges().items():
            yield GaugeMetricFamily(name, meaning, value=value)
        yield GaugeMetricFamily("larder_up_seconds", "Age of this process.", value=time.time() - self._started)  # fmt: skip

    def render(self) -> bytes:
        """Prometheus text."""
        return generate_latest(self._registry)
