"""Measures one request by stage, in microseconds, in this process.

Requests run one at a time, without server or network. A stage is a function; its time excludes
nested stages. Medians hardly depend on other load of the machine.
"""

import asyncio
import importlib
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import uvloop
from litestar import Litestar
from litestar.testing import TestClient

from bench.questions import questions
from serving.app import create_app
from serving.settings import read_settings
from warehouse.index.records import RecordFile
from warehouse.release.store import ReleaseStore

# Label, module, name there: the name by which callers use the function.
STAGES = (
    ("parameters to query", "serving.search.parameters", "SearchParameters.query"),
    ("point to place name", "serving.search.routes", "start_of_point"),
    ("text to point", "serving.search.routes", "start_of_text"),
    ("R-tree and distances", "warehouse.index.spatial", "Selection.inside"),
    ("total and order", "warehouse.index.spatial", "Selection.page"),
    ("distances as shown", "warehouse.index.points", "PointColumns.display_miles"),
    ("records with live members", "serving.search.render", "record_parts"),
    ("home deliveries", "serving.search.render", "home_deliveries"),
    ("envelope and joining", "serving.search.answer", "list_json"),
    ("ETag and headers", "serving.http.policy", "_Exchange._complete"),
)
_REST = "framework, edge, event loop"
_NOTES = """On a later machine, at 323,202 places, free food within 50 miles (least of ten, µs): point to place name 15 (29 before, with
the search for places instead of one lookup), R-tree, distances, total and order 54, ten records 34, envelope 19,
parameters 12, the rest 87, together 221.

Tried without gain: `intersection_v` for one query (31 to 34 µs, `intersection` 15 to 20). One struct for the whole query
string, converted by one call of msgspec: 8 of the 221 µs, for a parser, a list of faults and an API description of our own.
In a filtered search, computing distances only for places that pass the filters took 382 µs a request against 370 to 383,
because it also filters places beyond the radius."""  # noqa: E501 - Markdown
_ENDPOINTS = ("nearby", "search_new")
_COUNT, _ROUNDS = 2_000, 3


class _Stages:
    """Times functions; `nanoseconds` by label since the last `clear`."""

    def __init__(self) -> None:
        self.nanoseconds: dict[str, int] = defaultdict(int)
        self._within: list[int] = []

    def watch(self, label: str, module: str, name: str) -> Callable[[], None]:
        """Start timing a function; return a function that stops it."""
        owner: Any = importlib.import_module(module)
        *path, last = name.split(".")
        for part in path:
            owner = getattr(owner, part)
        function = getattr(owner, last)

        def measure(*args: Any, **kwargs: Any) -> Any:
            began = time.perf_counter_ns()
            self._within.append(0)
            try:
                return function(*args, **kwargs)
            finally:
                duration = time.perf_counter_ns() - began
                self.nanoseconds[label] += duration - self._within.pop()
                if self._within:
                    self._within[-1] += duration

        setattr(owner, last, measure)
        return lambda: setattr(owner, last, function)


def measure(data: Path) -> dict[str, dict[str, float]]:
    """Return microseconds by stage of each endpoint, in order; `total` is the whole request."""
    os.environ |= {"DIRECTORY_DATA_DIR": str(data), "LARDER_LOG_LEVEL": "error"}
    app = create_app(read_settings())
    places = _places(data)
    # The client opens the release and runs the background tasks in a separate loop.
    with TestClient(app):
        return {
            name: uvloop.run(_measure(app, questions(name, places)[:_COUNT])) for name in _ENDPOINTS
        }


def _places(data: Path) -> list[dict[str, Any]]:
    store = ReleaseStore(data)
    records = RecordFile(store.folder(str(store.current())) / "serving" / "records.arrow")
    rows = range(0, len(records), max(1, len(records) // 1000))
    return [msgspec.json.decode(records.record(row) + b"}") for row in rows]


async def _measure(app: Litestar, paths: Sequence[str]) -> dict[str, float]:
    stages, rows = _Stages(), []
    ends = [stages.watch(*stage) for stage in STAGES]
    try:
        for _ in range(_ROUNDS):
            rows = [await _time_request(app, path, stages) for path in paths]
    finally:
        for end in ends:
            end()
    labels = [label for label, *_ in STAGES]
    medians = {
        label: statistics.median(row.get(label, 0) for row in rows) / 1000
        for label in (*labels, "total")
    }
    total = medians.pop("total")
    nonzero = {label: each for label, each in medians.items() if each}
    return {**nonzero, _REST: total - sum(nonzero.values()), "total": total}


async def _time_request(app: Litestar, path: str, stages: _Stages) -> dict[str, int]:
    stages.nanoseconds.clear()
    began = time.perf_counter_ns()
    await _call(app, path)
    return {**stages.nanoseconds, "total": time.perf_counter_ns() - began}


async def _call(app: Litestar, path: str) -> None:
    """Request a path. Raises RuntimeError if the answer is not 200."""
    address, _, query = path.partition("?")
    scope: Any = {
        "type": "http",
        "http_version": "1.1",
        "scheme": "http",
        "method": "GET",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 40_000),
        "root_path": "",
        "path": unquote(address),
        "raw_path": address.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1:8000")],
        "state": {},
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message.get("status", 200) != 200:
            raise RuntimeError(f"{path}: {message['status']}")

    await app(scope, receive, send)
    await asyncio.sleep(0)  # the end of a turn: the gate counts requests per turn


def budget_lines(stages_by_path: dict[str, dict[str, float]]) -> Iterator[str]:
    """Return a section of the report."""
    yield "## Budget of one request"
    yield ""
    yield (
        "Microseconds by stage (medians): one request at a time in the benchmark process, without "
        "server, network or compression."
    )
    labels = list(dict.fromkeys(label for stages in stages_by_path.values() for label in stages))
    labels.sort(key=lambda label: (label == "total", label == _REST))
    yield ""
    yield f"| stage | {' | '.join(stages_by_path)} |"
    yield "| --- |" + " ---: |" * len(stages_by_path)
    for label in labels:
        cells = [
            f"{stages[label]:.0f}" if label in stages else "–" for stages in stages_by_path.values()
        ]
        yield f"| {label} | {' | '.join(cells)} |"
    yield ""
    yield _NOTES
