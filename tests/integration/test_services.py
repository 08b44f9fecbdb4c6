"""Two services, one command: they begin together, end together, and say so when one is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.server import ROOT, Services, free_port, running_services
from tests.support.town import write_town

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("services")
    write_town(folder, veterans=True)
    return folder


@pytest.fixture
def services(town: Path) -> Iterator[Services]:
    with running_services(town, LARDER_LOG_LEVEL="error") as found:
        yield found


def _is_silent(address: str) -> bool:
    try:
        httpx.get(f"{address}/api/health", timeout=2)
    except httpx.TransportError:
        return True
    return False


def _wait_until_silent(*addresses: str) -> None:
    for _ in range(200):
        if all(_is_silent(address) for address in addresses):
            return
        time.sleep(0.1)
    raise AssertionError("a service still answers")


def _children(services: Services) -> list[tuple[int, str]]:
    """Process ids and commands of the processes that the command has started."""
    found = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(services.process.pid)], capture_output=True, text=True, check=True)  # fmt: skip
    return [(int(pid), command) for pid, _, command in (line.strip().partition(" ") for line in found.stdout.splitlines())]  # fmt: skip


def test_both_answer_from_one_release(services: Services) -> None:
    food, sibling = (httpx.get(f"{a}/api/health").json() for a in (services.food, services.sibling))
    assert food == sibling
    assert httpx.get(f"{services.sibling}/api/discovery").json()["datasets"]
    assert httpx.get(f"{services.food}/api/discovery").status_code == 404


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_both(services: Services, sent: signal.Signals) -> None:
    services.process.send_signal(sent)
    assert services.process.wait(timeout=20) == 0
    assert _is_silent(services.food)
    assert _is_silent(services.sibling)


def test_a_sibling_that_ends_is_reported_and_ends_the_command(
    services: Services, town: Path
) -> None:
    (sibling,) = (pid for pid, command in _children(services) if "--sibling" in command)
    os.kill(sibling, signal.SIGTERM)
    assert services.process.wait(timeout=20) == 1
    _wait_until_silent(services.food, services.sibling)
    assert "the sibling service ended" in (town / "service.log").read_text(encoding="utf-8")


def test_a_sibling_whose_parent_was_killed_ends_too(services: Services) -> None:
    (worker,) = (pid for pid, command in _children(services) if "--sibling" not in command)
    services.process.kill()
    services.process.wait(timeout=20)
    _wait_until_silent(services.sibling)
    # The server's own worker outlives a SIGKILL of its parent: nothing of the test stays behind.
    os.kill(worker, signal.SIGKILL)


@pytest.mark.parametrize("variable", ["LARDER_PORT", "LARDER_SIBLING_PORT"])
@pytest.mark.parametrize("option", [[], ["--check"]])
def test_a_taken_port_of_either_is_explained(services: Services, variable: str, option: list[str]) -> None:  # fmt: skip
    taken = services.sibling.rpartition(":")[2]
    ports = {"LARDER_PORT": str(free_port()), "LARDER_SIBLING_PORT": "0", variable: taken}
    done = subprocess.run([sys.executable, "-m", "serving.run", *option], cwd=ROOT, env={**os.environ, **ports}, capture_output=True, text=True, timeout=30, check=False)  # fmt: skip
    assert done.returncode == 2
    assert f"cannot listen on 127.0.0.1:{taken}" in done.stderr
    assert f"{variable}=" in done.stderr
