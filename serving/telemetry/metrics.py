"""Counts and latencies by route, as plain numbers, rendered for Prometheus on request.

One request costs a dictionary look-up and three additions; the Prometheus client's own counters,
with their locks, cost ten times that, and its multiprocess files more. `observe` runs on the event
loop, so no lock is needed.

Workers share a port, so any of them answers `/metrics` for all: each writes its numbers to its own
file every second, off the path of requests, and reads the others' files at a scrape. Counts of an
ended worker are retained, so that no counter ever decreases. A single worker has no files.

metrics.yaml declares every metric. Counters end in `_total` in `/metrics`, histograms have
`_bucket`, `_sum` and `_count`.
"""

import asyncio
import os
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from warehouse.operations.times import BUCKETS as STORE_BUCKETS

Kind = Literal["counter", "gauge", "histogram"]
Together = Literal["sum", "max", "min"]


class Metric(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Metric declaration. `together`: how workers' values are combined. Counters and histograms are
    summed."""

    kind: Kind
    meaning: str
    labels: tuple[str, ...] = ()
    together: Together = "sum"


METRICS: dict[str, Metric] = msgspec.yaml.decode(
    Path(__file__).with_name("metrics.yaml").read_bytes(), type=dict[str, Metric]
)


# Upper bounds in seconds.
BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_AS_ONE: dict[str, Callable[[Iterable[float]], float]] = {"sum": sum, "max": max, "min": min}
_BOUNDS = {"larder_request_seconds": BUCKETS, "larder_store_seconds": STORE_BUCKETS}
Labels = tuple[str, ...]
# A number, or the counts of the buckets and the sum of a histogram.
Histogram = tuple[list[int], float]
Numbers = dict[str, list[tuple[Labels, float]]]
Histograms = dict[str, list[tuple[Labels, Histogram]]]
Key = tuple[str, str, int]
Measure = Callable[[], tuple[Numbers, Histograms]]
Family = CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily


class Snapshot(msgspec.Struct):
    """All numbers of one worker at an instant (`at`, of the machine's monotonic clock)."""

    at: float
    numbers: Numbers
    histograms: Histograms


class _Series:
    __slots__ = ("buckets", "total")

    def __init__(self) -> None:
        self.buckets = [0] * (len(BUCKETS) + 1)
        self.total = 0.0


class Metrics:
    """Requests by method, route template and status; `measure` returns all other numbers by the
    names in METRICS."""

    def __init__(self, measure: Measure) -> None:
        self._series: dict[Key, _Series] = {}
        self._measure = measure
        self.started = time.monotonic()

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        key = (method, route, status)
        series = self._series.get(key)
        if series is None:
            series = self._series[key] = _Series()
        series.buckets[bisect_left(BUCKETS, seconds)] += 1
        series.total += seconds

    def snapshot(self) -> Snapshot:
        """Return the current numbers. Call it on the event loop."""
        numbers, histograms = self._measure()
        requests: list[tuple[Labels, Histogram]] = [
            ((method, route, str(status)), (list(s.buckets), s.total))
            for (method, route, status), s in self._series.items()
        ]
        numbers["larder_requests"] = [(labels, sum(buckets)) for labels, (buckets, _) in requests]
        numbers["larder_up_seconds"] = [((), time.monotonic() - self.started)]
        numbers["larder_workers"] = [((), 1)]
        histograms["larder_request_seconds"] = requests
        return Snapshot(time.monotonic(), numbers, histograms)


def render_metrics(living: Iterable[Snapshot], ended: Iterable[Snapshot] = ()) -> bytes:
    """Return Prometheus text of several workers as one. Ended workers contribute only counters."""
    registry = CollectorRegistry()
    registry.register(_Together(list(living), list(ended)))
    return generate_latest(registry)


class _Together(Collector):
    def __init__(self, living: list[Snapshot], ended: list[Snapshot]) -> None:
        self._living = living
        self._all = [*living, *ended]

    def collect(self) -> Iterator[Family]:
        for name, metric in METRICS.items():
            yield (
                self._histogram(name, metric)
                if metric.kind == "histogram"
                else self._number(name, metric)
            )

    def _number(self, name: str, metric: Metric) -> Family:
        is_counter = metric.kind == "counter"
        values: dict[Labels, list[float]] = {}
        for snapshot in self._all if is_counter else self._living:
            for labels, value in snapshot.numbers.get(name, ()):
                values.setdefault(tuple(labels), []).append(value)
        make = CounterMetricFamily if is_counter else GaugeMetricFamily
        family = make(name, metric.meaning, labels=metric.labels)
        for labels, several in values.items():
            family.add_metric(labels, _AS_ONE[metric.together](several))
        return family

    def _histogram(self, name: str, metric: Metric) -> Family:
        sums: dict[Labels, Histogram] = {}
        for snapshot in self._all:
            for labels, (buckets, total) in snapshot.histograms.get(name, ()):
                old_buckets, old_total = sums.get(tuple(labels), ([0] * len(buckets), 0.0))
                sums[tuple(labels)] = (
                    [a + b for a, b in zip(old_buckets, buckets, strict=True)],
                    old_total + total,
                )
        family = HistogramMetricFamily(name, metric.meaning, labels=metric.labels)
        names = [*map(str, _BOUNDS[name]), "+Inf"]
        for labels, (buckets, total) in sums.items():
            cumulative, steps = 0, []
            for bound, count in zip(names, buckets, strict=True):
                cumulative += count
                steps.append((bound, float(cumulative)))
            family.add_metric(labels, steps, total)
        return family


EVERY_SECONDS = 1.0
# A worker without an update for this long has ended, or hangs.
_GONE_SECONDS = 10.0


class WorkerNumbers:
    """`folder` None: there is only this worker."""

    def __init__(self, metrics: Metrics, folder: Path | None) -> None:
        self._metrics, self._folder = metrics, folder
        self.begin()

    def begin(self) -> None:
        """Choose a unique name: a worker is forked from the process that made this."""
        self.name = os.urandom(4).hex()
        self._own = self._folder and self._folder / f"{os.getpid()}-{self.name}.json"
        self._metrics.started = time.monotonic()

    @property
    def is_shared(self) -> bool:
        """Return whether there may be other workers."""
        return self._own is not None

    async def render(self) -> bytes:
        """Return Prometheus text of all workers. Call it on the event loop."""
        return await asyncio.to_thread(self._render, self._metrics.snapshot())

    async def follow(self) -> None:
        """Write the numbers periodically. Raises OSError."""
        while True:
            await self.leave()
            await asyncio.sleep(EVERY_SECONDS)

    async def leave(self) -> None:
        """Write the current numbers. Raises OSError."""
        if self._own is not None:
            await asyncio.to_thread(self._write, self._own, self._metrics.snapshot())

    @staticmethod
    def _write(path: Path, snapshot: Snapshot) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Losing it in a crash does not matter: no sync to disk.
        part = path.with_suffix(".part")
        part.write_bytes(msgspec.json.encode(snapshot))
        os.replace(part, path)

    def _render(self, own: Snapshot) -> bytes:
        others = self._others()
        now = time.monotonic()
        is_alive = [now - other.at < _GONE_SECONDS for other in others]
        living = [o for o, alive in zip(others, is_alive, strict=True) if alive]
        ended = [o for o, alive in zip(others, is_alive, strict=True) if not alive]
        return render_metrics([own, *living], ended)

    def _others(self) -> list[Snapshot]:
        if self._own is None:
            return []
        snapshots = []
        for path in sorted(self._own.parent.glob("*.json")):
            if path != self._own:
                snapshots.append(msgspec.json.decode(path.read_bytes(), type=Snapshot))
        return snapshots
