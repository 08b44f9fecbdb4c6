"""Test both services of one command: common start and end."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from serving.run import check_ports
from serving.settings import Settings
from tests.support.processes import comes_true
from tests.support.server import (
    CLIENT,
    ROOT,
    Services,
    free_port,
    running_process,
    running_services,
)
from tests.support.town import write_town


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("services")
    write_town(folder, veterans=True)
    return folder


@pytest.fixture(scope="module")
def services(town: Path) -> Iterator[Services]:
    """Both services; every test leaves them running."""
    with running_services(town, LARDER_LOG_LEVEL="error") as services:
        yield services


def _is_silent(address: str) -> bool:
    try:
        CLIENT.get(f"{address}/api/health", timeout=2)
    except httpx.TransportError:
        return True
    return False


def _children(services: Services) -> list[tuple[int, str]]:
    """Return process ids and commands of the command's children."""
    listing = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(services.process.pid)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        (int(pid), command)
        for pid, _, command in (line.strip().partition(" ") for line in listing.stdout.splitlines())
    ]


def test_both_answer_from_one_release(services: Services) -> None:
    food, sibling = (httpx.get(f"{a}/api/health").json() for a in (services.food, services.sibling))
    assert food == sibling
    assert httpx.get(f"{services.sibling}/api/discovery").json()["datasets"]
    assert httpx.get(f"{services.food}/api/discovery").status_code == 404


def test_an_interrupt_ends_both(tmp_path: Path) -> None:
    write_town(tmp_path)
    with running_services(tmp_path, LARDER_LOG_LEVEL="error") as services:
        services.process.send_signal(signal.SIGINT)
        assert services.process.wait(timeout=20) == 0
        assert _is_silent(services.food)
        assert _is_silent(services.sibling)


def test_an_ended_sibling_is_reported_and_ends_the_service(tmp_path: Path) -> None:
    write_town(tmp_path)
    with running_services(tmp_path, LARDER_LOG_LEVEL="error") as services:
        (sibling,) = (pid for pid, command in _children(services) if "--sibling" in command)
        os.kill(sibling, signal.SIGTERM)
        assert services.process.wait(timeout=30) == 0
        assert _is_silent(services.food)
    assert "the sibling service ended" in (tmp_path / "service.log").read_text(encoding="utf-8")


def test_a_stopping_service_is_not_ready_answers_and_ends_both(tmp_path: Path) -> None:
    write_town(tmp_path)
    options = {"LARDER_LOG_LEVEL": "error", "LARDER_DRAIN_SECONDS": "10"}
    with running_services(tmp_path, **options) as services:
        services.process.terminate()

        def is_not_ready() -> bool:
            return CLIENT.get(f"{services.food}/api/health/ready").status_code == 503

        assert comes_true(is_not_ready, seconds=9)
        assert CLIENT.get(f"{services.food}/api/stats").status_code == 200
        assert services.process.wait(timeout=40) == 0
        assert _is_silent(services.food)
        assert _is_silent(services.sibling)


@pytest.mark.parametrize("variable", ["LARDER_PORT", "LARDER_SIBLING_PORT"])
@pytest.mark.parametrize("option", [[], ["--check"]])
def test_a_port_in_use_is_explained(services: Services, variable: str, option: list[str]) -> None:
    port = services.sibling.rpartition(":")[2]
    ports = {"LARDER_PORT": str(free_port()), "LARDER_SIBLING_PORT": "0", variable: port}
    process = subprocess.run(
        [sys.executable, "-m", "serving.run", *option],
        cwd=ROOT,
        env={**os.environ, **ports},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert process.returncode == 2
    assert f"cannot listen on 127.0.0.1:{port}" in process.stderr
    assert f"{variable}=" in process.stderr


def test_a_start_waits_for_the_port_of_an_ending_process() -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)) as ending:
        timer = threading.Timer(0.3, ending.close)
        timer.start()
        check_ports(Settings(port=port, sibling_port=0))
        timer.join()


def test_workers_follow_the_next_release(tmp_path: Path) -> None:
    write_town(tmp_path)
    with running_process(
        tmp_path, LARDER_WORKERS="2", LARDER_SIBLING_PORT="0", LARDER_LOG_LEVEL="info"
    ) as services:
        workers = [pid for pid, command in _children(services) if "resource_tracker" not in command]
        assert len(workers) == 2
        log = tmp_path / "service.log"

        def count_opened() -> int:
            return log.read_text(encoding="utf-8").count('"release_opened"')

        # One worker may answer before the other has started.
        assert comes_true(lambda: count_opened() == 2)
        for pid in workers:
            # Tables are read from DuckDB: no worker needs another library for them.
            maps = Path(f"/proc/{pid}/maps").read_text(encoding="ascii")
            assert "/_duckdb." in maps
            assert "/pandas/" not in maps
            assert "/pyarrow/_parquet." not in maps
        first = httpx.get(f"{services.food}/api/health").headers["x-release"]
        # Answers from memory, the indexes and the database.
        for path in ("resources/101", "resources/search?zip=10002", "stats", "resources/types"):
            assert httpx.get(f"{services.food}/api/{path}").status_code == 200, path
        write_town(tmp_path, release_id="20261102T060000Z-00000002")
        releases, ids = set[str](), list[str]()
        for _ in range(200):
            answers = [CLIENT.get(f"{services.food}/api/health").headers for _ in range(8)]
            releases = {headers["x-release"] for headers in answers}
            ids += (headers["x-request-id"] for headers in answers)
            # One worker may answer all eight requests: the log tells of both.
            opened = count_opened()
            if first not in releases and opened == 4:
                break
            time.sleep(0.1)
        assert opened == 4  # two workers, two releases
        assert len(releases) == 1
        assert first not in releases
        # Ids of requests differ between workers.
        assert len(set(ids)) == len(ids)
