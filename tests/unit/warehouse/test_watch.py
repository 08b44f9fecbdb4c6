"""A watch serves no damaged release; it falls back to the newest intact one."""

import asyncio
import errno
import gc
from pathlib import Path

import pytest

from tests.support.dated_builds import copy_data
from tests.support.releases import resource, write_release
from warehouse.release.manifest import CheckEntry
from warehouse.release.store import ReleaseStore
from warehouse.release.watch import ReleaseWatch, keep_uncollected

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


@pytest.mark.parametrize(
    "name",
    [
        "serving/records.arrow",
        "serving/directory.duckdb",
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


def test_a_start_on_changed_bytes_serves_the_release_before(data, watch):
    flip(ReleaseStore(data).folder(SECOND) / "serving" / "directory.duckdb")
    watch.open_now()
    assert served(watch) == FIRST
    assert "serving/directory.duckdb has another content" in watch.refusal[1]


def test_the_only_release_is_not_served_damaged(tmp_path, monkeypatch):
    monkeypatch.setattr("warehouse.release.watch.RETRY_SECONDS", 0.0)
    write_release(tmp_path, [resource(1)], release_id=FIRST)
    path = ReleaseStore(tmp_path).folder(FIRST) / "serving" / "directory.duckdb"
    whole = path.read_bytes()
    flip(path)
    watch = ReleaseWatch(tmp_path, lambda event, facts: None)
    watch.open_now()
    assert served(watch) is None
    assert "serving/directory.duckdb has another content" in watch.refusal[1]
    path.write_bytes(whole)
    asyncio.run(watch.step())
    assert (served(watch), watch.refusal) == (FIRST, None)
    watch.close()


def test_a_process_without_free_handles_finds_no_damage(data, watch, monkeypatch):
    def open_none(path):
        raise OSError(errno.EMFILE, "Too many open files", str(path))

    with monkeypatch.context() as patch:
        patch.setattr("warehouse.release.watch.sha256_of", open_none)
        watch.open_now()
    assert served(watch) is None
    assert "is damaged" not in watch.refusal[1]
    assert "Too many open files" in watch.refusal[1]


def test_a_release_that_failed_its_checks_is_not_fallen_back_to(data, watch):
    bad = CheckEntry(name="rows", passed=False, detail="too few")
    write_release(data, [resource(3)], release_id=THIRD, checks=[bad], promote=False)
    fourth = "20261104T060000Z-00000004"
    write_release(data, [resource(4)], release_id=fourth)
    (ReleaseStore(data).folder(fourth) / "serving" / "directory.duckdb").unlink()
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


def test_a_withdrawn_release_is_left_and_is_no_fallback(data: Path, watch: ReleaseWatch) -> None:
    write_release(data, [resource(3)], release_id=THIRD, history=True)
    watch.open_now()
    assert served(watch) == THIRD
    watch.store.withdraw(SECOND, "Poisoned.")
    watch.store.withdraw(THIRD, "Poisoned as well.")
    asyncio.run(watch.step())
    assert served(watch) == FIRST


def test_no_release_is_served_rather_than_a_withdrawn_one(data: Path, watch: ReleaseWatch) -> None:
    watch.open_now()
    flip(data / "releases" / FIRST / "serving/records.arrow")
    with pytest.MonkeyPatch.context() as patch:
        # It was damaged after the check.
        patch.setattr(watch.store, "verify", watch.store.manifest)
        watch.store.withdraw(SECOND, "Poisoned.")
    asyncio.run(watch.step())
    assert served(watch) is None


def test_a_release_is_made_without_collections_and_exempt_from_them(watch):
    assert gc.isenabled()
    collections, frozen = [], gc.get_freeze_count()
    watch._prepare = lambda release: collections.append(gc.isenabled())
    watch.open_now()
    assert collections == [False]
    assert gc.isenabled()
    assert gc.get_freeze_count() > frozen


def test_a_failure_turns_collections_on_again():
    with pytest.raises(OSError, match="full"), keep_uncollected():
        raise OSError("full")
    assert gc.isenabled()
