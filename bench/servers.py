"""Servers to measure, on free ports of this machine."""

import compileall
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.server import free_port

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Server:
    base: str
    pid: int
    seconds_to_first_answer: float

    def processes(self) -> list[int]:
        """Return the process and its workers."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [self.pid, *map(int, children)]

    def memory_mb(self) -> float:
        """Return the proportional set size of all processes: shared pages count once."""
        return sum(_pss_mb(pid) for pid in self.processes())


def _pss_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no memory figures for process {pid}")


@contextmanager
def the_service(environment: dict[str, str], *, workers: int, ready: str) -> Iterator[Server]:
    """Run the service as users start it, without its sibling; ready when the path `ready`
    answers.
    """
    # As in an image and the runbook: a start that compiles takes twice the time.
    for package in ("schemas", "warehouse", "serving"):
        compileall.compile_dir(ROOT / package, quiet=1)
    port = free_port()
    settings = {
        "LARDER_PORT": str(port),
        "LARDER_SIBLING_PORT": "0",
        "LARDER_WORKERS": str(workers),
        "LARDER_LOG_LEVEL": "error",
        **environment,
    }
    with _start([sys.executable, "-m", "serving.run"], port, settings, ready) as server:
        yield server


@contextmanager
def serving(
    target: str, environment: dict[str, str], *, workers: int, ready: str
) -> Iterator[Server]:
    """Run another application on the same kind of server; ready when the path `ready` answers."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "granian",
        target,
        "--interface",
        "asgi",
        "--host",
        "127.0.0.1",
        "--http",
        "1",
        "--port",
        str(port),
        "--workers",
        str(workers),
        "--loop",
        "uvloop",
        "--no-ws",
        "--log-level",
        "warning",
    ]
    with _start(command, port, environment, ready) as server:
        yield server


@contextmanager
def _start(
    command: list[str], port: int, environment: dict[str, str], ready: str
) -> Iterator[Server]:
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment})
    base = f"http://127.0.0.1:{port}"
    try:
        _wait(base + ready, process)
        yield Server(base, process.pid, time.perf_counter() - start)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(300)  # with 330,000 rows, shutdown takes over 30 s under load


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(3000):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                answer.read()
                return
        except OSError:
            time.sleep(0.01)
    raise RuntimeError(f"{url} did not answer")
