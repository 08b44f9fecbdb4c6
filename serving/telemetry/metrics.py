"""The metrics that metrics.yaml declares, kept by the Prometheus client.

Several workers share a port, so any of them answers `/metrics` for all, by the client's
multiprocess mode: each writes its values to files in the folder `PROMETHEUS_MULTIPROC_DIR`, which
`larder-serve` sets, and the one that is asked adds up all files. Counts of an ended worker remain.
Requests are counted as they end; all other values are measured every second, or, for a single
worker, when they are asked for. They are never served on the public port.
"""

import asyncio
import contextlib
import math
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

MULTIPROCESS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
Aggregation = Literal["sum", "max", "min"]


class Metric(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Metric declaration. `aggregation`: how workers' values are combined. Counters and histograms
    are summed. `buckets`: upper bounds of a histogram."""

    kind: Literal["counter", "gauge", "histogram"]
    meaning: str
    labels: tuple[str, ...] = ()
    aggregation: Aggregation = "sum"
    buckets: tuple[float, ...] = ()

    def make(self, name: str, registry: CollectorRegistry) -> Any:
        """Return the client's object for this metric."""
        if self.kind == "counter":
            return Counter(name, self.meaning, self.labels, registry=registry)
        if self.kind == "histogram":
            return Histogram(
                name, self.meaning, self.labels, registry=registry, buckets=self.buckets
            )
        mode: Any = f"live{self.aggregation}"
        return Gauge(name, self.meaning, self.labels, registry=registry, multiprocess_mode=mode)


METRICS: dict[str, Metric] = msgspec.yaml.decode(
    Path(__file__).with_name("metrics.yaml").read_bytes(), type=dict[str, Metric]
)
Labels = tuple[str, ...]
Numbers = dict[str, list[tuple[Labels, float]]]
EVERY_SECONDS = 1.0
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """The metrics of one process. `measure` returns values by the names in METRICS: of a gauge the
    present one, of a counter the count since the start."""

    def __init__(self, measure: Callable[[], Numbers]) -> None:
        self._measure = measure
        self._registry = CollectorRegistry()
        self._families = {
            name: metric.make(name, self._registry) for name, metric in METRICS.items()
        }
        # Looking up the series of a request costs the client more than adding to it.
        self._requests: dict[tuple[str, str, int], tuple[Any, Any]] = {}
        self._measured: dict[tuple[str, Labels], float] = {}
        self._started = time.monotonic()

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        key = (method, route, status)
        series = self._requests.get(key)
        if series is None:
            labels = (method, route, str(status))
            series = self._requests[key] = (
                self._families["larder_requests"].labels(*labels),
                self._families["larder_request_seconds"].labels(*labels),
            )
        series[0].inc()
        series[1].observe(seconds)

    def observe_store(self, kind: str, seconds: float) -> None:
        """Count one transaction of the operations store."""
        self._families["larder_store_seconds"].labels(kind).observe(seconds)

    def update(self) -> None:
        """Measure all other values. Call it on the event loop."""
        numbers = self._measure()
        numbers["larder_up_seconds"] = [((), time.monotonic() - self._started)]
        numbers["larder_workers"] = [((), 1)]
        present = {
            (name, labels): value for name, series in numbers.items() for labels, value in series
        }
        # The client cannot forget a series in files: one that is gone has no number.
        gone = dict.fromkeys(self._measured.keys() - present.keys(), math.nan)
        for (name, labels), value in {**gone, **present}.items():
            family = self._families[name]
            series = family.labels(*labels) if labels else family
            if isinstance(family, Gauge):
                series.set(value)
            elif not math.isnan(value):
                series.inc(max(value - self._measured.get((name, labels), 0.0), 0.0))
        self._measured = present

    async def follow(self) -> None:
        """Update repeatedly, for other workers to read."""
        while True:
            self.update()
            await asyncio.sleep(EVERY_SECONDS)

    async def render(self) -> bytes:
        """Return Prometheus text of all workers. Call it on the event loop."""
        self.update()
        return await asyncio.to_thread(self._text)

    def _text(self) -> bytes:
        folder = os.environ.get(MULTIPROCESS_FOLDER)
        if not folder:
            return generate_latest(self._registry)
        for path in Path(folder).glob("gauge_live*.db"):
            pid = int(path.stem.rpartition("_")[2])
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]
        registry = CollectorRegistry()
        MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


# ---------------------------------------------------------------- the address of Prometheus

_HEAD_SECONDS: Final = 5.0
_MAX_HEAD_BYTES: Final = 16_384
_TYPE: Final = b"text/plain; version=0.0.4; charset=utf-8"


@contextlib.asynccontextmanager
async def metrics_endpoint(
    host: str, port: int, render: Callable[[], Awaitable[bytes]], log: Any
) -> AsyncIterator[None]:
    """Answer `GET /metrics` during the block; port 0 disables it.

    An unavailable port is logged: the service works without metrics too.
    """
    if not port:
        yield
        return

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, TimeoutError, EOFError, asyncio.LimitOverrunError):
            async with asyncio.timeout(_HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                is_for_metrics = head.split(b"\r\n", 1)[0].startswith(b"GET /metrics HTTP/1.")
                writer.write(
                    _response(200, await render()) if is_for_metrics else _response(404, b"")
                )
                await writer.drain()
        writer.close()

    try:
        server = await asyncio.start_server(
            answer, host, port, limit=_MAX_HEAD_BYTES, reuse_port=True
        )
    except OSError as error:
        log.error("metrics_not_served", port=port, fault=str(error))
        yield
        return
    try:
        yield
    finally:
        server.close()


def _response(status: int, body: bytes) -> bytes:
    reason = b"OK" if status == 200 else b"Not Found"
    return (
        b"HTTP/1.1 %d %b\r\ncontent-type: %b\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%b"
        % (
            status,
            reason,
            _TYPE,
            len(body),
            body,
        )
    )
