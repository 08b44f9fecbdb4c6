"""Runs the service in a separate process, on a free port of the loopback."""

import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.support.sharing import shared_root

ROOT = Path(__file__).resolve().parents[2]


# Below the ephemeral ports (32768 and up in Linux, 49152 in RFC 6335): no outgoing connection of
# another process takes a port between its choice and its use, or during a restart.
_LISTENING = range(11_000, 32_768)
# A start takes 2 s, and has taken 22 s on a machine under load.
_HANGS_SECONDS = 120


def free_port() -> int:
    """Return a port without a listener, a different one at each call in the session."""
    while True:
        port = random.choice(_LISTENING)
        with socket.socket() as probe, suppress(OSError):
            (shared_root() / f"port-{port}").touch(exist_ok=False)
            probe.bind(("127.0.0.1", port))
            return port


# For polls: creating a client takes a hundred times longer than a request.
# Each request has its own connection, so that any worker may answer.
CLIENT = httpx.Client(headers={"Connection": "close"}, timeout=20)


def answers(address: str, seconds: float = 2) -> bool:
    """Return whether a service answers its health check."""
    try:
        return CLIENT.get(f"{address}/api/health", timeout=seconds).status_code == 200
    except httpx.TransportError:
        return False


@dataclass(frozen=True)
class Services:
    """The addresses of both services, and their process."""

    food: str
    sibling: str
    process: subprocess.Popen[bytes]


@contextmanager
def running_service(data_dir: Path, **environment: str) -> Iterator[str]:
    """Run `serving.run` on a data folder, without its sibling; yield its address when it answers."""
    with running_process(data_dir, LARDER_SIBLING_PORT="0", **environment) as services:
        yield services.food


@contextmanager
def running_services(data_dir: Path, **environment: str) -> Iterator[Services]:
    """Run `serving.run` on a data folder; yield both addresses when both services answer."""
    sibling = str(free_port())
    with running_process(data_dir, LARDER_SIBLING_PORT=sibling, **environment) as services:
        wait_for(services.sibling, services.process, data_dir / "service.log")
        yield services


@contextmanager
def running_process(data_dir: Path, **environment: str) -> Iterator[Services]:
    """Run the process of `running_service` until the block ends."""
    port = int(environment.get("LARDER_PORT") or free_port())
    variables = {
        **os.environ,
        "LARDER_DATA": str(data_dir),
        "LARDER_PORT": str(port),
        **environment,
    }
    log = (data_dir / "service.log").open("w")
    process = subprocess.Popen(
        [sys.executable, "-m", "serving.run"], cwd=ROOT, env=variables, stdout=log, stderr=log
    )
    food, sibling = (f"http://127.0.0.1:{p}" for p in (port, variables["LARDER_SIBLING_PORT"]))
    try:
        wait_for(food, process, data_dir / "service.log")
        yield Services(food, sibling, process)
    finally:
        process.terminate()
        process.wait(timeout=40)  # a worker may take 20 seconds to start
        log.close()


def wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the service answers its health check; raise RuntimeError with its log if it ended
    or hangs.
    """
    deadline = time.monotonic() + _HANGS_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if answers(address):
            return
        time.sleep(0.1)
    raise RuntimeError(f"the service did not start:\n{log.read_text()}")
