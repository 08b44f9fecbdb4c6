"""Test that swaps of releases under load lose no request and mix no answer."""

import asyncio

import httpx
import pytest

from tests.support.releases import resource, write_release
from tests.support.server import free_port, running_service
from tests.support.town import zips
from warehouse.release.store import ReleaseStore

PROMOTIONS = 20
PATHS = (
    "/api/resources/search?zip=10002&limit=50",
    "/api/resources/nearby?lat=40.7&lng=-74&limit=50",
    "/api/resources/bulk?limit=200",
    "/api/resources/1",
    "/api/stats/quality",
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


async def promote(data_dir, stop: asyncio.Event, releases: list[str]) -> None:
    """Promote both releases in turn, each after an answer from the last."""
    store = ReleaseStore(data_dir)
    try:
        async with asyncio.timeout(120):
            for number in range(PROMOTIONS):
                release = release_id(number % 2 + 1)
                await asyncio.to_thread(store.promote, release)
                while releases[-1:] != [release]:
                    await asyncio.sleep(0.02)
    finally:
        stop.set()


@pytest.mark.slow
def test_no_request_is_lost(two_releases):
    faults: list[str] = []
    releases: list[str] = []

    async def run(address: str) -> None:
        stop = asyncio.Event()
        await asyncio.gather(
            *(hammer(address, stop, faults, releases) for _ in range(6)),
            promote(two_releases, stop, releases),
        )

    port = free_port()
    options = {"LARDER_POLL_SECONDS": "0.03", "LARDER_METRICS_PORT": str(port)}
    with running_service(two_releases, **options) as address:
        asyncio.run(run(address))
        metrics = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    assert faults == []
    assert set(releases) == {release_id(1), release_id(2)}
    swaps = float(metrics.partition("\nlarder_release_swaps_total ")[2].split()[0])
    assert swaps >= PROMOTIONS - 4, "the service opened most promotions"
    assert len(releases) > 100
