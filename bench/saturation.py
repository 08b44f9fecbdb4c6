"""Load the service beyond its capacity, or for long below it.

    python -m bench.saturation [--minutes 10] [--data FOLDER] [--soak]

The first loads warm the service and measure its capacity for a mix of requests: half pages, a third
API, the rest files. Then a load runs at 80 % of it, one at twice the capacity for the given
minutes, and one at 80 % again. With `--soak`, one load runs at 70 % for the given minutes, and
another release is promoted in the middle. Operators report all the while.

The load is open (`bench.paced`): it does not slow down when answers do. Below capacity no request
may fail, and in a soak p99 may be 100 ms. Beyond capacity, the service must refuse excess requests
at once and correctly (503 or 429 with `Retry-After`) and answer the others in time; memory must not
grow. The store must have every acknowledged report. Prints a table; exits with status 1 on a
failure.
"""

import argparse
import json
import random
import resource
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from msgspec import structs

from bench.paced import Request, Sender
from tests.support.operators import count_notes, make_tokens
from tests.support.processes import children_of
from tests.support.server import free_port, running_process
from tests.support.sharing import copy_folder
from tests.support.town import write_town
from warehouse.release.manifest import MANIFEST_NAME, Manifest
from warehouse.release.store import ReleaseStore

# In milliseconds: the wait for a turn (LARDER_MOST_WAIT_SECONDS), one more long turn, and the
# client's own wait.
MAX_P99_MS = 3000
MAX_SOAK_P99_MS = 100
MAX_GROWTH_BYTES = 200e6
REPORTS_A_SECOND = 5
_HEADER = (
    "| offered | a second | answered a second | of them refused | without an answer | p50 ms | "
    "p99 ms | p50 of refusals ms | p99 of refusals ms | memory MB |\n| --- | ---: | ---: | ---: | "
    "---: | ---: | ---: | ---: | ---: | ---: |"
)
# Addresses of a mix, with their weights: half pages, a third API, the rest files. A point or radius
# differs in each request, so that the response cache answers only what it can answer in production.
_MIX = {
    "/search?zip={zip}": 4,
    "/es/search?zip={zip}&radius={radius:.4f}": 2,
    "/zip/{zip}": 4,
    "/urgent?zip={zip}": 2,
    "/place/{id}": 4,
    "/": 2,
    "/api/resources/nearby?lat={lat:.5f}&lng={lng:.5f}&radius=25&limit=50": 4,
    "/api/resources/search?zip={zip}&radius={radius:.4f}": 4,
    "/api/resources/{id}": 2,
    "/api/llm-search?q=free%20food%20today%20near%20{zip}": 2,
    "/api/resources/bulk?limit=100&page={page}": 2,
    "/api/feed/news.atom": 1,
    "/sitemaps/site.xml": 1,
    "/exports/datapackage.json": 1,
}


@dataclass(frozen=True)
class Step:
    """Outcome of a load. Times in milliseconds, memory in bytes of all workers, before and peak."""

    name: str
    per_second: float
    figures: dict[str, Any]
    reports: dict[str, Any]
    before: float
    most: float

    @property
    def line(self) -> str:
        t = self.figures
        return (
            f"| {self.name} | {self.per_second:,.0f} | {t['per_second']:,} | {t['refused']:,} | "
            f"{t['lost']:,} | {t['p50_ms']:,.1f} | {t['p99_ms']:,.1f} | "
            f"{t['refused_p50_ms']:,.1f} | {t['refused_p99_ms']:,.1f} | "
            f"{self.before / 1e6:,.0f} -> {self.most / 1e6:,.0f} |"
        )

    @property
    def failures(self) -> list[str]:
        """Return what failed, of a load below capacity."""
        return [
            f"{self.name}: {load['errors']} {name} with errors, {load['lost']} without an answer"
            for name, load in (("requests", self.figures), ("reports", self.reports))
            if load["errors"] or load["lost"]
        ]


def overload_failures(beyond: Step) -> list[str]:
    """Return the broken promises of a load beyond capacity."""
    problems = []
    for name, load in (("requests", beyond.figures), ("reports", beyond.reports)):
        silent = load["errors"] - load["refused"]
        if load["lost"] or silent > 0:
            problems.append(
                f"beyond capacity {load['lost']} {name} without an answer, {silent} errors that do "
                "not say when to come again"
            )
    if not beyond.figures["refused"]:
        problems.append("nothing was refused: the load was not beyond capacity")
    if beyond.figures["p99_ms"] > MAX_P99_MS:
        problems.append(f"p99 {beyond.figures['p99_ms']} ms beyond capacity")
    if beyond.most - beyond.before > MAX_GROWTH_BYTES:
        problems.append(f"memory grew by {(beyond.most - beyond.before) / 1e6:.0f} MB")
    return problems


class Service:
    """A running service with a load of reads and reports."""

    def __init__(self, base: str, pid: int, store_url: str, connections: int) -> None:
        self.base, self._pid, self._connections = base, pid, connections
        places = httpx.get(f"{base}/api/resources/bulk?limit=500", timeout=20).json()["resources"]
        chance = random.Random(10)
        usable = [place for place in places if place["lat"] and place["zip"]]
        self._reads: list[Request] = []
        for path in chance.choices(list(_MIX), list(_MIX.values()), k=6000):
            place = dict(chance.choice(usable))
            place["lat"], place["lng"] = (place[n] + chance.gauss(0, 0.05) for n in ("lat", "lng"))
            place |= {"radius": chance.uniform(20, 30), "page": chance.randint(1, 5)}
            self._reads.append(("GET", path.format_map(place), None))
        self._tokens = make_tokens(store_url, [place["id"] for place in usable])
        self._report_count = 0
        self.steps: list[Step] = []

    def load(
        self, name: str, per_second: float, seconds: float, connections: int | None = None
    ) -> Step:
        """Run one load and print its line; return it with the memory of the workers, before and
        peak."""
        reports: list[Request] = []
        for _ in range(int(seconds * REPORTS_A_SECOND) + 1):
            token = self._tokens[self._report_count % len(self._tokens)]
            self._report_count += 1
            body = {"claim_token": token, "status": "open_today", "notes": f"{self._report_count}"}
            reports.append(("POST", "/api/pantry/status", json.dumps(body)))
        before = memory_bytes(self._pid)
        with watch(self._pid) as sizes:
            senders = (
                Sender(
                    self.base, self._reads, per_second, seconds, connections or self._connections
                ),
                Sender(self.base, reports, REPORTS_A_SECOND, seconds, 8),
            )
            figures, report_figures = (sender.results() for sender in senders)
        step = Step(name, per_second, figures, report_figures, before, max(sizes, default=before))
        self.steps.append(step)
        print(step.line, flush=True)
        return step


@contextmanager
def watch(process: int) -> Iterator[list[int]]:
    """Sample the memory of all workers every half second during the block."""
    sizes: list[int] = []
    end = threading.Event()

    def record() -> None:
        while not end.wait(0.5):
            sizes.append(memory_bytes(process))

    thread = threading.Thread(target=record, daemon=True)
    thread.start()
    try:
        yield sizes
    finally:
        end.set()
        thread.join()


def memory_bytes(process: int) -> int:
    """Return the resident memory of the workers of a service; those that have ended use none."""
    total = 0
    for pid in children_of(process):
        try:
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        except (OSError, IndexError):
            continue
    return total * resource.getpagesize()


def overload(service: Service, capacity: float, minutes: float) -> list[str]:
    """Load the service at 80 % of its capacity, at twice its capacity, and again; return what
    failed."""
    below = service.load("80 % of capacity", capacity * 0.8, 20)
    beyond = service.load(f"twice the capacity, {minutes:g} min", capacity * 2, minutes * 60)
    time.sleep(2)
    after = service.load("80 % again", capacity * 0.8, 20)
    return below.failures + overload_failures(beyond) + after.failures


def soak(service: Service, capacity: float, minutes: float, data: Path) -> list[str]:
    """Load the service at 70 % of its capacity, and promote a copy of its release in the middle;
    return what failed."""
    store = ReleaseStore(data)
    second = seal_copy(store)
    swap = threading.Timer(minutes * 30, lambda: store.promote(second.release_id, sealed=second))
    swap.start()
    step = service.load(f"70 % of capacity, {minutes:g} min", capacity * 0.7, minutes * 60)
    swap.join()
    failures = step.failures
    if step.figures["p99_ms"] > MAX_SOAK_P99_MS:
        failures.append(f"p99 {step.figures['p99_ms']} ms at 70 % of capacity")
    served = httpx.get(f"{service.base}/api/resources/types", timeout=20).headers["x-release"]
    if served != second.release_id:
        failures.append(f"{served} is served, not {second.release_id}")
    return failures


def seal_copy(store: ReleaseStore) -> Manifest:
    """Seal a copy of the served release under a later id; return its manifest."""
    current = str(store.current())
    with store.building() as staging:
        copy_folder(store.folder(current), staging)
        (staging / MANIFEST_NAME).unlink()
        release_id = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{current[-8:]}"
        manifest = structs.replace(store.manifest(current), release_id=release_id, parent=current)
        return store.seal(staging, manifest)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.saturation")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--data", type=Path, help="a data folder; the small town when left out")
    parser.add_argument("--soak", action="store_true", help="stay below the capacity")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--connections", type=int, default=8000)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory(prefix="larder-saturation-") as folder:
        data, store_url = Path(folder, "data"), f"sqlite:///{folder}/operations.sqlite"
        if options.data:
            shutil.copytree(options.data / "releases", data / "releases", symlinks=True)
        else:
            write_town(data, bulk=True)
        port = free_port()
        settings = {
            "LARDER_SIBLING_PORT": "0",
            "LARDER_METRICS_PORT": str(port),
            "LARDER_OPERATIONS_URL": store_url,
            "LARDER_LIMITS": "off",
            "LARDER_WORKERS": str(options.workers),
        }
        with running_process(data, **settings) as services:
            service = Service(services.food, services.process.pid, store_url, options.connections)
            print(_HEADER)
            service.load("warm-up", 500, 5, connections=32)
            most = service.load("beyond capacity, 32 connections", 10_000, 10, connections=32)
            per_second = float(most.figures["per_second"])
            if options.soak:
                failures = soak(service, per_second, options.minutes, data)
            else:
                failures = overload(service, per_second, options.minutes)
            metrics = httpx.get(f"http://127.0.0.1:{port}/metrics").text.splitlines()
        accepted = sum(step.reports["answered"] - step.reports["errors"] for step in service.steps)
        missing = accepted - count_notes(store_url).total()
        if missing > 0:
            failures.append(f"{missing} of {accepted} acknowledged reports are not in the store")
    print("\n" + "; ".join(m for m in metrics if m.startswith("larder_requests_refused_total")))
    print(*(f"failure: {each}" for each in failures), sep="\n", flush=True)
    return int(bool(failures))


if __name__ == "__main__":
    raise SystemExit(main())
