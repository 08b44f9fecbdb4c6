"""Test that swaps of releases under load lose no request and mix no answer."""

import asyncio
import os

import httpx
import pytest

from tests.support.processes import children_of
from tests.support.releases import resource, write_release
from tests.support.server import Services, free_port, running_process
from tests.support.town import zips
from warehouse.release.store import ReleaseStore

PROMOTIONS = 20
PATHS = (
    "/api/resources/search?zip=10002&limit=50",
    "/api/resources/nearby?lat=40.7&lng=-74&limit=50",
    "/api/resources/bulk?limit=200",
    "/api/resources/1",
    "/api/stats/quality",
    "/api/llm-search?q=food+near+10002",
    "/search?zip=10002",
    "/zip/10002",
)


def release_id(number: int) -> str:
    return f"20261101T0600{number:02d}Z-{number:08x}"


@pytest.fixture
def two_releases(tmp_path):
    """Two releases, whose places have the number of the release in their names."""
    for number in (1, 2):
        rows = [
            resource(n, name=f"Of release {number}", lat=40.7 + n / 1000, lng=-74.0)
            for n in range(1, 100)
        ]
        write_release(tmp_path, rows, zips=zips(), release_id=release_id(number))
    return tmp_path


async def hammer(address: str, stop: asyncio.Event, faults: list[str], releases: list[str]) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=20) as client:
        while not stop.is_set():
            for path in PATHS:
                try:
                    answer = await client.get(path)
                except httpx.TransportError as error:
                    faults.append(f"{path}: {error!r}")
                    continue
                release = answer.headers.get("x-release", "")
                releases.append(release)
                other = 3 - int(release[-1]) if release else 0
                if answer.status_code != 200 or f"Of release {other}" in answer.text:
                    faults.append(f"{path}: {answer.status_code} {release}")


def count_open_files(pid: int) -> int:
    """Return the number of files and connections that the workers of a service hold."""
    return sum(len(os.listdir(f"/proc/{child}/fd")) for child in children_of(pid))


async def promote(data_dir, pid: int, stop: asyncio.Event, releases: list[str]) -> list[int]:
    """Promote both releases in turn, each after an answer from the last; return the numbers of open
    files after each.
    """
    counts = []
    store = ReleaseStore(data_dir)
    try:
        async with asyncio.timeout(120):
            for number in range(PROMOTIONS):
                release = release_id(number % 2 + 1)
                await asyncio.to_thread(store.promote, release)
                while releases[-1:] != [release]:
                    await asyncio.sleep(0.02)
                counts.append(count_open_files(pid))
        return counts
    finally:
        stop.set()


@pytest.mark.slow
def test_no_request_is_lost(two_releases):
    faults: list[str] = []
    releases: list[str] = []

    async def run(services: Services) -> list[int]:
        stop = asyncio.Event()
        counts, *_ = await asyncio.gather(
            promote(two_releases, services.process.pid, stop, releases),
            *(hammer(services.food, stop, faults, releases) for _ in range(6)),
        )
        return counts

    port = free_port()
    options = {"LARDER_POLL_SECONDS": "0.03", "LARDER_METRICS_PORT": str(port)}
    with running_process(two_releases, LARDER_SIBLING_PORT="0", **options) as services:
        open_files = asyncio.run(run(services))
        metrics = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    assert faults == []
    assert set(releases) == {release_id(1), release_id(2)}
    swaps = float(metrics.partition("\nlarder_release_swaps_total ")[2].split()[0])
    assert swaps >= PROMOTIONS - 4, "the service opened most promotions"
    assert len(releases) > 100
    # A release that is no longer served is closed.
    assert max(open_files[-4:]) <= max(open_files[:4]) + 4
