"""A watch serves no damaged release; it falls back to the newest intact one."""

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.dated_builds import copy_data
from tests.support.releases import resource, write_release
from warehouse.files import Lease, write_text
from warehouse.release import integrity
from warehouse.release.background_verification import FileRounds
from warehouse.release.integrity import list_open_files, other_files
from warehouse.release.manifest import CheckEntry
from warehouse.release.store import ReleaseStore
from warehouse.release.watch import ReleaseWatch

FIRST, SECOND, THIRD = (f"2026110{n}T060000Z-0000000{n}" for n in (1, 2, 3))


@pytest.fixture(scope="module")
def two_releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("releases")
    for number, release_id in enumerate((FIRST, SECOND), start=1):
        write_release(folder, [resource(number)], release_id=release_id, history=True)
    return folder


@pytest.fixture
def data(two_releases: Path, tmp_path: Path) -> Path:
    """A copy of two releases, to be damaged."""
    return copy_data(two_releases, tmp_path / "data")


@pytest.fixture
def watch(data: Path):
    release_watch = ReleaseWatch(data, lambda event, facts: None)
    yield release_watch
    release_watch.close()


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def served(watch: ReleaseWatch) -> str | None:
    return watch.release.release_id if watch.release else None


def follow(
    watches: list[ReleaseWatch], is_done: Callable[[], bool], choose=list_open_files
) -> None:
    """Follow and verify as processes of one machine do, until a condition is true."""

    async def until_done() -> None:
        rounds = [FileRounds(w, choose, 0.2, Lease(w.store.root / ".verify.lock")) for w in watches]
        works = [w.follow(0.02) for w in watches] + [r.follow() for r in rounds]
        tasks = [asyncio.create_task(work) for work in works]
        try:
            while not is_done():
                assert not any(task.done() for task in tasks)
                await asyncio.sleep(0.02)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(asyncio.wait_for(until_done(), 60))


@pytest.mark.parametrize(
    "name",
    [
        "serving/records.arrow",
        "serving/detail_tails.arrow",
        "exports/core_directory__resources.parquet",
    ],
)
def test_a_start_on_a_short_file_serves_the_release_before(data, watch, name):
    path = ReleaseStore(data).folder(SECOND) / name
    path.write_bytes(path.read_bytes()[:-1])
    watch.open_now()
    assert served(watch) == FIRST
    assert watch.refusal is not None
    assert watch.refusal[0] == SECOND
    assert f"{name} has another size" in watch.refusal[1]


def test_damage_that_leaves_the_size_is_found_after_the_start(data, watch):
    flip(ReleaseStore(data).folder(SECOND) / "serving" / "details.arrow")
    watch.open_now()
    follow([watch], lambda: served(watch) == FIRST)
    assert "serving/details.arrow has another content" in watch.refusal[1]
    assert not watch.is_damaged


@pytest.mark.parametrize(
    "name",
    ["serving/records.arrow", "serving/facts.arrow", "exports/core_directory__resources.parquet"],
)
def test_every_process_leaves_a_release_that_one_finds_damaged(data, watch, monkeypatch, name):
    monkeypatch.setattr("warehouse.release.watch.RETRY_SECONDS", 0.1)
    other = ReleaseWatch(data, lambda event, facts: None)
    both = [watch, other]
    for each in both:
        each.open_now()
    path = ReleaseStore(data).folder(SECOND) / name
    whole = path.read_bytes()
    flip(path)
    follow(both, lambda: [served(w) for w in both] == [FIRST, FIRST])
    assert all(f"{name} has another content" in w.refusal[1] for w in both)
    assert all(w.damage == {SECOND: {name: "has another content"}} for w in both)
    later = ReleaseWatch(data, lambda event, facts: None)
    later.open_now()  # knows at once, by the note
    assert served(later) == FIRST
    path.write_bytes(whole)
    follow(
        [*both, later], lambda: all(served(w) == SECOND and not w.damage for w in [*both, later])
    )
    assert all(w.refusal is None for w in both)
    later.close()
    other.close()


def test_a_release_left_for_a_file_that_is_not_open_is_not_returned_to(data, watch, monkeypatch):
    monkeypatch.setattr("warehouse.release.watch.RETRY_SECONDS", 0.0)
    (name,) = [f.path for f in other_files(ReleaseStore(data).manifest(SECOND))][:1]
    path = ReleaseStore(data).folder(SECOND) / name
    watch.open_now()
    whole = path.read_bytes()
    flip(path)
    follow([watch], lambda: served(watch) == FIRST, other_files)
    for _ in range(3):
        asyncio.run(watch.step())
        assert served(watch) == FIRST
    path.write_bytes(whole)
    asyncio.run(watch.step())
    assert served(watch) == SECOND


def test_an_error_while_reading_has_the_files_verified_at_once(data, watch):
    watch.open_now()
    flip(ReleaseStore(data).folder(SECOND) / "exports/core_directory__resources.parquet")
    asyncio.run(watch.step())
    assert served(watch) == SECOND
    watch.suspect()
    asyncio.run(watch.step())
    assert served(watch) == FIRST


def test_a_process_without_free_handles_finds_no_damage(data, watch, monkeypatch):
    watch.open_now()
    watch.suspect()

    def open_none(path):
        raise OSError(errno.EMFILE, "Too many open files", str(path))

    with monkeypatch.context() as patch:
        patch.setattr("warehouse.release.integrity.sha256_of", open_none)
        with pytest.raises(OSError, match="Too many open files"):
            asyncio.run(watch.step())
    assert served(watch) == SECOND
    assert watch.damage == {}


def test_the_only_release_is_served_damaged_and_reported(tmp_path):
    write_release(tmp_path, [resource(1)], release_id=FIRST)
    flip(ReleaseStore(tmp_path).folder(FIRST) / "serving" / "details.arrow")
    watch = ReleaseWatch(tmp_path, lambda event, facts: None)
    watch.open_now()
    follow([watch], lambda: watch.is_damaged)
    assert served(watch) == FIRST
    assert "serving/details.arrow has another content" in watch.refusal[1]
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
    monkeypatch.setattr("warehouse.release.watch.RETRY_SECONDS", 0.0)
    watch.open_now()
    path = Path(
        write_release(data, [resource(3)], release_id=THIRD)
        and ReleaseStore(data).folder(THIRD) / "serving" / "records.arrow"
    )
    whole = path.read_bytes()
    flip(path)
    asyncio.run(watch.step())
    assert served(watch) == SECOND
    assert "serving/records.arrow has another content" in watch.refusal[1]
    path.write_bytes(whole)
    asyncio.run(watch.step())
    assert served(watch) == THIRD
    assert watch.refusal is None


def test_damage_that_is_noted_during_a_look_is_not_forgotten(data, watch, monkeypatch):
    """A process that has just read the files does not hide the findings of another."""
    watch.open_now()
    path = ReleaseStore(data).folder(SECOND) / "serving" / "hours.arrow"
    checksum_mismatches = integrity.checksum_mismatches

    def damaged_after_reading(folder, entries, **how):
        damage = checksum_mismatches(folder, entries, **how)
        flip(path)
        other = ReleaseWatch(data, lambda event, facts: None)
        other.report_damage(SECOND, {"serving/hours.arrow": "has another content"})
        return damage

    monkeypatch.setattr("warehouse.release.watch.checksum_mismatches", damaged_after_reading)
    watch.suspect()
    asyncio.run(watch.step())
    assert served(watch) == SECOND
    monkeypatch.undo()
    asyncio.run(watch.step())
    assert served(watch) == FIRST


def test_a_process_leaves_a_release_that_another_refuses_to_open(data, watch):
    other = ReleaseWatch(data, lambda event, facts: None)
    store = ReleaseStore(data)
    write_text(store.pointer, FIRST + "\n")
    other.open_now()
    write_text(store.pointer, SECOND + "\n")
    watch.open_now()
    flip(store.folder(SECOND) / "serving" / "hours.arrow")
    asyncio.run(other.step())
    assert [served(each) for each in (watch, other)] == [SECOND, FIRST]
    asyncio.run(watch.step())
    assert served(watch) == FIRST
    other.close()


def test_a_withdrawn_release_is_left_and_is_no_fallback(data: Path, watch: ReleaseWatch) -> None:
    write_release(data, [resource(3)], release_id=THIRD, history=True)
    watch.open_now()
    assert served(watch) == THIRD
    watch.store.withdraw(SECOND, "Poisoned.")
    watch.store.withdraw(THIRD, "Poisoned as well.")
    follow([watch], lambda: served(watch) == FIRST)


def test_no_release_is_served_rather_than_a_withdrawn_one(data: Path, watch: ReleaseWatch) -> None:
    watch.open_now()
    flip(data / "releases" / FIRST / "serving/records.arrow")
    with pytest.MonkeyPatch.context() as patch:
        # It was damaged after the check.
        patch.setattr(watch.store, "verify", watch.store.manifest)
        watch.store.withdraw(SECOND, "Poisoned.")
    follow([watch], lambda: served(watch) is None)
