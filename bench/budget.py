"""Measures one request by stage, in microseconds, in this process.

Requests run one at a time, without server or network. A stage is a function; its time excludes
nested stages. Medians hardly depend on other load of the machine.
"""

import importlib
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from litestar import Litestar
from litestar.testing import TestClient

from bench import pages
from bench.pages import call
from bench.questions import questions
from serving.app import create_app
from serving.http.caching import MAX_CACHE_BYTES
from serving.settings import read_settings
from warehouse.index.records import RecordFile
from warehouse.release.store import ReleaseStore

# Label, module, name there: the name by which callers use the function.
STAGES = (
    ("parameters to query", "serving.search.parameters", "SearchParameters.query"),
    ("point to place name", "serving.search.routes", "start_of_point"),
    ("text to point", "serving.search.routes", "start_of_text"),
    ("R-tree and distances", "warehouse.index.spatial", "_Group.count_within"),
    ("total and order", "warehouse.index.spatial", "Selection.page"),
    ("distances as shown", "warehouse.index.points", "PointColumns.display_miles"),
    ("records with live members", "serving.search.render", "record_parts"),
    ("home deliveries", "serving.search.render", "home_deliveries"),
    ("envelope and joining", "serving.search.render", "list_json"),
    ("ETag and headers", "serving.http.policy", "_Exchange._complete"),
)
_REST = "framework, edge, event loop"
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


def measure(data: Path) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Return microseconds by stage of each endpoint, in order (`total` is the whole request), and
    the milliseconds of each page."""
    os.environ |= {"DIRECTORY_DATA_DIR": str(data), "LARDER_LOG_LEVEL": "error"}
    # Its share of the cache of so many workers holds no answer.
    app = create_app(replace(read_settings(), workers=MAX_CACHE_BYTES + 1))
    places = _places(data)
    # The client opens the release and runs the background tasks in a separate loop.
    with TestClient(app):
        stages = {
            name: uvloop.run(_measure(app, questions(name, places)[:_COUNT])) for name in _ENDPOINTS
        }
        return stages, uvloop.run(pages.measure(app))


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
    await call(app, path)
    return {**stages.nanoseconds, "total": time.perf_counter_ns() - began}


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
