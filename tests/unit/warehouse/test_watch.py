"""A watch serves no damaged release, and the newest good one before it where there is no other."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.support.releases import resource, write_release
from warehouse.manifest import CheckEntry
from warehouse.release import ReleaseStore
from warehouse.watch import ReleaseWatch

FIRST, SECOND, THIRD = (f"2026110{n}T060000Z-0000000{n}" for n in (1, 2, 3))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for number, release_id in enumerate((FIRST, SECOND), start=1):
        write_release(tmp_path, [resource(number)], release_id=release_id)
    return tmp_path


@pytest.fixture
def watch(data: Path):
    made = ReleaseWatch(data, lambda event, facts: None)
    yield made
    made.close()


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def served(watch: ReleaseWatch) -> str | None:
    return watch.release.release_id if watch.release else None


def look_closely(watch: ReleaseWatch) -> None:
    async def for_a_moment() -> None:
        task = asyncio.create_task(watch.follow(60))
        # The look at the start is over when the watch waits for its next step.
        await asyncio.wait({task}, timeout=0.1)
        while watch.failed is None and not task.done():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(asyncio.wait_for(for_a_moment(), 30))


@pytest.mark.parametrize("name", ["serving/records.arrow", "serving/lines.arrow", "directory.duckdb"])  # fmt: skip
def test_a_start_on_a_short_file_serves_the_release_before(data, watch, name):
    path = ReleaseStore(data).folder(SECOND) / name
    path.write_bytes(path.read_bytes()[:-1])
    watch.open_now()
    assert served(watch) == FIRST
    assert watch.failed is not None
    assert watch.failed[0] == SECOND
    assert f"{name} has another size" in watch.failed[1]


def test_damage_that_leaves_the_size_is_found_after_the_start(data, watch):
    flip(ReleaseStore(data).folder(SECOND) / "serving" / "details.arrow")
    watch.open_now()
    look_closely(watch)
    assert served(watch) == FIRST
    assert "serving/details.arrow has another content" in watch.failed[1]


def test_the_only_release_is_served_damaged_and_told(tmp_path):
    write_release(tmp_path, [resource(1)], release_id=FIRST)
    flip(ReleaseStore(tmp_path).folder(FIRST) / "serving" / "details.arrow")
    watch = ReleaseWatch(tmp_path, lambda event, facts: None)
    watch.open_now()
    look_closely(watch)
    assert served(watch) == FIRST
    assert "serving/details.arrow has another content" in watch.failed[1]
    watch.close()


def test_a_release_that_failed_its_checks_is_not_fallen_back_to(data, watch):
    bad = CheckEntry(name="rows", passed=False, detail="too few")
    write_release(data, [resource(3)], release_id=THIRD, checks=[bad], promote=False)
    fourth = "20261104T060000Z-00000004"
    write_release(data, [resource(4)], release_id=fourth)
    (ReleaseStore(data).folder(fourth) / "serving" / "points.arrow").unlink()
    watch.open_now()
    assert served(watch) == SECOND


def test_a_damaged_release_is_never_swapped_in_and_a_mended_one_is(data, watch, monkeypatch):
    monkeypatch.setattr("warehouse.watch.RETRY_SECONDS", 0.0)
    watch.open_now()
    path = Path(write_release(data, [resource(3)], release_id=THIRD) and ReleaseStore(data).folder(THIRD) / "serving" / "records.arrow")  # fmt: skip
    whole = path.read_bytes()
    flip(path)
    asyncio.run(watch.step())
    assert served(watch) == SECOND
    assert "serving/records.arrow has another content" in watch.failed[1]
    path.write_bytes(whole)
    asyncio.run(watch.step())
    assert served(watch) == THIRD
    assert watch.failed is None
