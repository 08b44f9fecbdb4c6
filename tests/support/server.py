"""The real service in a process of its own, on a free port of the loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    """A port nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running_service(data_dir: Path, **environment: str) -> Iterator[str]:
    """Starts `serving.run` on a data folder; yields its address once it answers."""
    port = free_port()
    variables = {**os.environ, "LARDER_DATA": str(data_dir), "LARDER_PORT": str(port), **environment}  # fmt: skip
    log = (data_dir / "service.log").open("w")
    process = subprocess.Popen([sys.executable, "-m", "serving.run"], cwd=ROOT, env=variables, stdout=log, stderr=log)  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, process, data_dir / "service.log")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=20)
        log.close()


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(200):
        if process.poll() is not None:
            break
        try:
            if httpx.get(f"{address}/api/health", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError(f"the service did not start:\n{log.read_text()}")
