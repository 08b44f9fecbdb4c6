"""A load by wrk, and its costs: rates, latencies, processor time and its price."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SCRIPT = """
local paths = {}
for line in io.lines(os.getenv("LARDER_PATHS")) do paths[#paths + 1] = line end
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
done = function(summary, latency)
  io.write(string.format("RESULT %d %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    summary.errors.status, summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
"""


@dataclass(frozen=True)
class Load:
    """Requests per second and latencies in milliseconds; `errors` counts answers other than 2xx
    and 3xx.

    `cpu_seconds` is the service's processor time during the load, 0 if not measured.
    """

    per_second: float
    p50_ms: float
    p99_ms: float
    errors: int
    requests: int = 0
    cpu_seconds: float = 0.0


def hammer(base: str, paths: Sequence[str], *, seconds: int = 8, connections: int = 32) -> Load:
    """Request the paths in turn with wrk (Debian package `wrk`), one thread.

    Raises RuntimeError when wrk is missing or fails.
    """
    wrk = shutil.which("wrk")
    if wrk is None:
        raise RuntimeError("the benchmarks need wrk: apt-get install wrk")
    with tempfile.TemporaryDirectory() as folder:
        script, path_file = Path(folder, "paths.lua"), Path(folder, "paths.txt")
        script.write_text(_SCRIPT)
        path_file.write_text("\n".join(paths) + "\n")
        process = subprocess.run(
            [wrk, "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(script), base],
            capture_output=True,
            text=True,
            check=False,
            env={"LARDER_PATHS": str(path_file)},
        )
    match = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)", process.stdout)
    if not match:
        raise RuntimeError(f"wrk failed: {process.stdout} {process.stderr}")
    requests, micros, p50, p99, status, other = map(int, match.groups())
    return Load(requests / (micros / 1e6), p50 / 1000, p99 / 1000, status + other, requests)


# ---------------------------------------------------------------- processor time

# Dollars for an hour of one virtual core: a round figure near on-demand cloud prices.
PRICE_OF_CORE_HOUR = 0.05
_TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """Return the user and system time of a process and its descendants so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / _TICK
    return own + sum(cpu_seconds(child) for child in children(pid))


def children(pid: int) -> list[int]:
    """Return the running processes that any thread of a process has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def milliseconds(load: Load) -> float:
    """Return the processor time of one request."""
    return 1000 * load.cpu_seconds / load.requests


def cost_lines(loads: Mapping[int, Sequence[tuple[str, Load, Load]]]) -> Iterator[str]:
    """Return a section of the report: core hours of a million requests are milliseconds · 10⁶ /
    3.6·10⁶. `loads` has (endpoint, ours, bare) by number of workers."""
    yield "## What a million requests cost"
    yield ""
    yield (
        "Processor time of the service (all processes, without the load generator) per request, "
        "under the loads above. Core hours for a million requests = milliseconds / 3.6; dollars "
        f"= hours · {PRICE_OF_CORE_HOUR:.2f}, an assumed price per core hour, not an offer. "
        "Memory and traffic are excluded."
    )
    yield ""
    counts = sorted(loads)
    heads = [f"ms each, {n} worker{'s' if n > 1 else ''} | core hours | dollars" for n in counts]
    yield f"| endpoint | {' | '.join(heads)} |"
    yield "| --- |" + " ---: |" * (3 * len(counts))
    for row in zip(*(loads[n] for n in counts), strict=True):
        cells = [
            f"{each:.3f} | {each / 3.6:.4f} | {each / 3.6 * PRICE_OF_CORE_HOUR:.4f}"
            for each in (milliseconds(ours) for _, ours, _ in row)
        ]
        yield f"| {row[0][0]} | {' | '.join(cells)} |"
