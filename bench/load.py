"""Load from another process: wrk requests a list of paths and reports figures."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
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
