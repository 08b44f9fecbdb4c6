"""A day in minutes: two workers under an accelerated clock (libfaketime), with all kinds of
requests.

The wall clock is fast, and so are the timers of the event loop, which reads the kernel's coarse
clock: opening hours, expiring reports, dates, limits and periodic tasks run through 24 hours. Only
polls of the store use the normal interval: a second of fast time would be milliseconds. Two
releases alternate every hour. Memory and open files of every worker are measured after the sixth
hour and at the end.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from faults.ground import Ground
from faults.hostile import resident_bytes
from faults.outcome import Outcome
from faults.table import fault
from tests.support.processes import children_of, comes_true
from tests.support.releases import write_release
from tests.support.server import CLIENT, ROOT, free_port
from tests.support.town import resources, zips
from warehouse.release.store import ReleaseStore

DAY_SECONDS = float(os.environ.get("LARDER_FAULTS_DAY_SECONDS", "240"))
_HOURS, _WARM_HOURS = 24, 6
_WORKERS = 2
_START_SECONDS = 240
_ONE, _OTHER = "20261115T060000Z-00000001", "20261116T060000Z-00000002"
_GROWTH, _CONSTANT_BYTES, _CONSTANT_FILES = 0.10, 32e6, 20
_READS = (
    "/api/resources/101",
    "/api/resources/search?zip=10002",
    "/api/resources/search?zip=10003&limit=100",
    "/api/resources/nearby?lat=40.72&lng=-73.98&radius=10",
    "/llms.txt",
    "/api/llm-search?q=comida+gratis+cerca+de+10002",
    "/api/stats",
    "/",
    "/es",
    "/urgent",
    "/api/resources/bulk?limit=1000",
    "/api/autocomplete?q=New",
    "/search?zip=10002",
    "/api/openapi.json",
    "/static/style.css",
)


@dataclass(frozen=True)
class Usage:
    """Memory of a worker (private and shared) and its open files."""

    resident: int
    share: int
    files: int

    @classmethod
    def of(cls, pid: int) -> Usage:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        share = (
            next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
            * 1024
        )
        return cls(resident_bytes(pid), share, len(os.listdir(f"/proc/{pid}/fd")))

    def list_growth(self, before: Usage) -> list[str]:
        """Return the figures that grew by more than a tenth and a constant."""
        growth = []
        for name in ("resident", "share"):
            earlier, value = getattr(before, name), getattr(self, name)
            if value > earlier * (1 + _GROWTH) + _CONSTANT_BYTES:
                growth.append(f"{name} memory from {earlier / 1e6:.0f} to {value / 1e6:.0f} MB")
        if self.files > before.files * (1 + _GROWTH) + _CONSTANT_FILES:
            growth.append(f"open files from {before.files} to {self.files}")
        return growth


@contextmanager
def _run_fast(ground: Ground, factor: float) -> Iterator[tuple[str, list[int]]]:
    """Run the service under a fast clock; yield its address and workers."""
    port = free_port()
    variables = ground.environment(
        LARDER_DATA=str(ground.data),
        LARDER_PORT=str(port),
        LARDER_WORKERS=str(_WORKERS),
        LARDER_POLL_SECONDS=str(factor / 2),
        LARDER_FLUSH_SECONDS=str(factor * 5),
        LARDER_MOST_WAIT_SECONDS="0",
    )
    command = [
        "faketime",
        "--exclude-monotonic",
        "-f",
        f"+0 x{factor:.0f}",
        sys.executable,
        "-m",
        "serving.run",
    ]
    address = f"http://127.0.0.1:{port}"
    with (ground.data / "service.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **variables}, stdout=log, stderr=log
        )
    try:
        _wait(address, process)
        # faketime waits for the service; its children are the workers.
        (service,) = children_of(process.pid) or [process.pid]
        workers = children_of(service)
        if len(workers) != _WORKERS:
            raise RuntimeError(f"{len(workers)} workers of {_WORKERS} under faketime")
        yield address, workers
    finally:
        for pid in children_of(process.pid) or [process.pid]:
            os.kill(pid, signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:  # ending the fault's process group ends the others
            process.kill()


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    def answers() -> bool:
        if process.poll() is not None:
            raise RuntimeError("the service ended under faketime")
        # Every worker must have started: request often enough.
        try:
            return all(
                CLIENT.get(f"{address}/api/health", timeout=2).status_code == 200 for _ in range(20)
            )
        except httpx.TransportError:
            return False

    if not comes_true(answers, seconds=_START_SECONDS):
        raise RuntimeError("the service did not start under faketime")


def _requests(number: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the requests of an anonymous client: name, address and body."""
    place = {
        "name": f"Day Pantry {number}",
        "address": f"{number} Example Street",
        "city": "New York",
        "state": "NY",
        "zip": "10002",
        "resource_type": "food_pantry",
    }
    yield "submission", "/api/submissions", {"json": place}
    yield "feedback", "/api/feedback", {"json": {"type": "helpful", "resource_id": 101}}
    changes = {"notes": f"ring {number} times"}
    edit = {"resource_id": 102, "changes": changes, "submitted_by": "Ann"}
    yield "edit", "/api/partner/edit", {"json": edit}
    message = {
        "MessageSid": f"SM{number:032d}",
        "From": f"+1212555{number % 10_000:04d}",
        "To": "+12125550100",
        "Body": "10002",
    }
    yield "text message", "/api/sms", {"data": message}
    household = {"state": "NY", "household_size": 1 + number % 8}
    yield "estimate", "/api/snap/calculate", {"json": household}


def _send_others(address: str, stop: threading.Event, counts: Counter[str]) -> None:
    """Send requests other than reports in sequence until stopped."""
    with httpx.Client(base_url=address, timeout=20) as client:
        for number in itertools.count():
            if stop.wait(0.05):
                return
            for name, path, body in _requests(number):
                answer = client.post(path, **body)
                # Ten seconds for a body are milliseconds under this clock.
                if answer.status_code == 408:
                    counts[f"{name} too slow for the clock"] += 1
                    continue
                is_good = answer.status_code < 300 or (
                    answer.status_code in {429, 503} and "retry-after" in answer.headers
                )
                counts[name if is_good else f"{name} {answer.status_code}"] += 1
                if not is_good:
                    facts = answer.status_code, answer.text[:300]
                    print("not as it should be:", name, *facts, flush=True)


def _missing() -> str | None:
    return None if shutil.which("faketime") else "no faketime: apt-get install faketime"


@fault(
    "24 hours of mixed load, in minutes",
    group="day",
    missing=_missing,
    max_seconds=DAY_SECONDS + 600,
)
def run_day(ground: Ground) -> Outcome:
    """No figure may grow, and no request may fail."""
    for release_id in (_OTHER, _ONE):
        write_release(ground.data, resources(), zips=zips(), bulk=True, release_id=release_id)
    store = ReleaseStore(ground.data)
    hour = DAY_SECONDS / _HOURS
    counts, stop = Counter[str](), threading.Event()
    with (
        _run_fast(ground, _HOURS * 3600 / DAY_SECONDS) as (address, workers),
        ground.load(address, reads=_READS, readers=6) as load,
    ):
        others = threading.Thread(target=_send_others, args=(address, stop, counts), daemon=True)
        others.start()
        began, before = time.monotonic(), []
        for number in range(_HOURS):
            store.promote((_OTHER, _ONE)[number % 2])
            if number == _WARM_HOURS:
                before = [Usage.of(pid) for pid in workers]
            time.sleep(max(0.0, began + (number + 1) * hour - time.monotonic()))
        after = [Usage.of(pid) for pid in workers]
        stop.set()
        others.join(30)
        service_day = httpx.get(f"{address}/api/health").headers.get("date", "?")
        # Before the end: under this clock the server's own wait for its workers fails now and
        # then (EINVAL).
        log = (ground.data / "service.log").read_text(errors="replace")
    wrong = [
        g for earlier, now in zip(before, after, strict=True) for g in now.list_growth(earlier)
    ]
    wrong += [
        f"{name}: {count}" for name, count in counts.items() if name.rpartition(" ")[2].isdigit()
    ]
    wrong += [word for word in ("Traceback", "request_failed", "Unexpected exit") if word in log]
    swaps = log.count('"release_opened"')
    usages = (
        f"{_usage(earlier)} -> {_usage(now)}" for earlier, now in zip(before, after, strict=True)
    )
    text = (
        f"{DAY_SECONDS:.0f} s with the clock {_HOURS * 3600 / DAY_SECONDS:.0f} times as fast, "
        f"until {service_day}; {swaps} releases opened by {len(workers)} workers; "
        f"{', '.join(f'{count:,} {name}s' for name, count in counts.items())}; memory, share, "
        f"files of each worker: {'; '.join(usages)}"
    )
    outcome = ground.outcome(load, text + (f"; wrong: {'; '.join(wrong)}" if wrong else ""))
    return Outcome(
        outcome.text,
        outcome.requests + sum(counts.values()),
        outcome.requests_lost + len(wrong),
        outcome.data_lost,
    )


def _usage(usage: Usage) -> str:
    return f"{usage.resident / 1e6:.0f} MB, {usage.share / 1e6:.0f} MB, {usage.files}"
