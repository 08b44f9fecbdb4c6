"""Load the service beyond its capacity.

    python -m bench.saturation [--minutes 10] [--data FOLDER]

The first load measures the capacity. The second runs at 80 % of it and must not fail; the third
runs at twice the capacity, for the given minutes. The load is open (`bench.paced`): it does not
slow down when answers do. Beyond capacity, the service must refuse excess requests at once and
correctly (503 or 429 with `Retry-After`) and answer the others in time; memory and connections must
not grow. Prints a table; exits with status 1 on a failure.
"""

import argparse
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.support.processes import children_of
from tests.support.server import ROOT, Services, free_port, running_process
from tests.support.town import write_town

# In milliseconds: the wait for a turn (LARDER_MOST_WAIT_SECONDS), one more long turn, and the
# client's own wait.
MAX_P99_MS = 3000
MAX_GROWTH_BYTES = 200e6
_HEADER = (
    "| offered | a second | answered a second | of them refused | without an answer | p50 ms | "
    "p99 ms | p99 of answers ms | memory MB |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | "
    "---: | ---: |"
)


@dataclass(frozen=True)
class Step:
    """Outcome of a load. Times in milliseconds, memory in bytes of all workers, before and peak."""

    name: str
    per_second: float
    figures: dict[str, Any]
    before: float
    most: float

    @property
    def line(self) -> str:
        t = self.figures
        return (
            f"| {self.name} | {self.per_second:,.0f} | {t['per_second']:,} | {t['refused']:,} | "
            f"{t['lost']:,} | {t['p50_ms']:,.0f} | {t['p99_ms']:,.0f} | {t['good_p99_ms']:,.0f} | "
            f"{self.before / 1e6:,.0f} -> {self.most / 1e6:,.0f} |"
        )


def faults(below: Step, beyond: Step) -> list[str]:
    """Return the broken promises."""
    problems = []
    if below.figures["errors"] or below.figures["lost"]:
        problems.append(
            f"below capacity {below.figures['errors']} errors, {below.figures['lost']} without an "
            "answer"
        )
    if beyond.figures["lost"] or beyond.figures["errors"] > beyond.figures["refused"]:
        problems.append(
            f"beyond capacity {beyond.figures['lost']} without an answer, "
            f"{beyond.figures['errors'] - beyond.figures['refused']} errors that say nothing of "
            "when to come again"
        )
    if not beyond.figures["refused"]:
        problems.append("nothing was refused: the load was not beyond capacity")
    if beyond.figures["p99_ms"] > MAX_P99_MS:
        problems.append(f"p99 {beyond.figures['p99_ms']} ms beyond capacity")
    if beyond.most - beyond.before > MAX_GROWTH_BYTES:
        problems.append(f"memory grew by {(beyond.most - beyond.before) / 1e6:.0f} MB")
    return problems


def requests(base: str, count: int = 2000) -> list[list[str | None]]:
    """Return searches around places of the release, each around another point to defeat
    caches.
    """
    resources = httpx.get(f"{base}/api/resources/bulk?limit=500", timeout=20).json()["resources"]
    points = [(place["lat"], place["lng"]) for place in resources if place["lat"]]
    chance = random.Random(10)
    calls: list[list[str | None]] = []
    for _ in range(count):
        lat, lng = (degrees + chance.gauss(0, 0.05) for degrees in chance.choice(points))
        calls.append(
            ["GET", f"/api/resources/nearby?lat={lat:.5f}&lng={lng:.5f}&radius=25&limit=50", None]
        )
    return calls


def send_paced(base: str, per_second: float, seconds: float, connections: int) -> dict[str, Any]:
    """Run one load in a separate process; return its figures."""
    plan = {
        "base": base,
        "per_second": per_second,
        "seconds": seconds,
        "connections": connections,
        "requests": requests(base),
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(plan, file)
        file.flush()
        process = subprocess.run(
            [sys.executable, "-m", "bench.paced", file.name],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    if process.returncode:
        raise RuntimeError(f"the load failed: {process.stderr}")
    figures: dict[str, Any] = json.loads(process.stdout)
    return figures


@contextmanager
def watch(process: int) -> Iterator[list[int]]:
    """Sample the memory of all workers every half second during the block."""
    sizes: list[int] = []
    end = threading.Event()

    def record() -> None:
        while not end.wait(0.5):
            sizes.append(sum(map(resident_bytes, children_of(process))))

    thread = threading.Thread(target=record, daemon=True)
    thread.start()
    try:
        yield sizes
    finally:
        end.set()
        thread.join()


def resident_bytes(pid: int) -> int:
    """Return the memory of a process; 0 when it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def step(
    services: Services, name: str, per_second: float, seconds: float, connections: int
) -> Step:
    """Run one load; return it with the memory of the workers, before and peak."""
    before = sum(map(resident_bytes, children_of(services.process.pid)))
    with watch(services.process.pid) as sizes:
        figures = send_paced(services.food, per_second, seconds, connections)
    return Step(name, per_second, figures, before, max(sizes, default=before))


def capacity(services: Services, connections: int) -> float:
    """Return answers a second under excess load."""
    figures = send_paced(services.food, 50_000, 10, min(connections, 64))
    return float(figures["per_second"])


def run(data: Path, *, minutes: float, workers: int, connections: int) -> int:
    """Print the table; return the number of failures."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    port = free_port()
    options = {"LARDER_SIBLING_PORT": "0", "LARDER_METRICS_PORT": str(port)}
    with running_process(data, LARDER_WORKERS=str(workers), **options) as services:
        send_paced(services.food, 500, 5, 32)
        most = capacity(services, connections)
        print(f"capacity: {most:,.0f} answers a second, {workers} workers\n\n{_HEADER}", flush=True)
        below = step(services, "80 % of capacity", most * 0.8, 20, connections)
        print(below.line, flush=True)
        beyond = step(
            services, f"twice the capacity, {minutes:g} min", most * 2, minutes * 60, connections
        )
        print(beyond.line, flush=True)
        time.sleep(2)
        after = step(services, "80 % again", most * 0.8, 20, connections)
        print(after.line, flush=True)
        refusals = [
            line
            for line in httpx.get(f"http://127.0.0.1:{port}/metrics").text.splitlines()
            if line.startswith("larder_requests_refused_total")
        ]
    problems = faults(below, beyond) + [
        f"afterwards: {f}" for f in faults(after, beyond) if f.startswith("below")
    ]
    print("\n" + "; ".join(refusals), *(f"fault: {f}" for f in problems), sep="\n", flush=True)
    return len(problems)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.saturation")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--data", type=Path, help="a data folder; the small town when left out")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--connections", type=int, default=8000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="larder-saturation-") as folder:
        data = Path(folder, "data")
        if options.data:
            # The release is unchanged, with shared files; everything else is separate.
            shutil.copytree(options.data / "releases", data / "releases", symlinks=True)
        else:
            write_town(data)
        return int(
            run(
                data,
                minutes=options.minutes,
                workers=options.workers,
                connections=options.connections,
            )
            > 0
        )


if __name__ == "__main__":
    raise SystemExit(main())
