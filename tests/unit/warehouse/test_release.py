"""Releases: whole or not there, verified before they are served, never mixed."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.support.dated_builds import copy_data
from tests.support.releases import resource, write_release
from warehouse.files import BusyError
from warehouse.release.manifest import CheckEntry, FileEntry
from warehouse.release.store import ReleaseError, ReleaseStore

OLD, NEW, NEWEST = (f"2026110{n}T060000Z-0000000{n}" for n in (1, 2, 3))


@pytest.fixture(scope="module")
def two_releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("releases")
    write_release(folder, [resource(1), resource(2)], release_id=OLD)
    write_release(folder, [resource(1), resource(3)], release_id=NEW)
    return folder


@pytest.fixture
def data(two_releases: Path, tmp_path: Path) -> Path:
    return copy_data(two_releases, tmp_path / "data")


@pytest.fixture
def store(data: Path) -> ReleaseStore:
    return ReleaseStore(data)


def test_the_promoted_release_is_served_and_remembers_its_parent(store: ReleaseStore) -> None:
    assert store.current() == NEW
    assert store.ids() == [OLD, NEW]
    assert store.manifest(NEW).parent == OLD
    assert store.manifest(NEW).table("core_directory__resources").rows == 2


def test_the_digest_does_not_depend_on_row_order(tmp_path: Path) -> None:
    for release_id, rows in ((OLD, [resource(1), resource(2)]), (NEW, [resource(2), resource(1)])):
        write_release(tmp_path, rows, release_id=release_id)
    store = ReleaseStore(tmp_path)
    digests = [store.manifest(i).table("core_directory__resources").digest for i in (OLD, NEW)]
    assert digests[0] == digests[1]


def _truncate(folder: Path) -> str:
    path = folder / "serving" / "records.arrow"
    path.write_bytes(path.read_bytes()[:-1])
    return "serving/records.arrow has another size"


def _flip_a_byte(folder: Path) -> str:
    path = folder / "exports/core_directory__resources.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    return "exports/core_directory__resources.parquet has another content"


def _remove(folder: Path) -> str:
    (folder / "serving" / "directory.duckdb").unlink()
    return "serving/directory.duckdb is missing"


def _add(folder: Path) -> str:
    (folder / "extra.txt").write_text("x")
    return "extra.txt is not in the manifest"


@pytest.mark.parametrize("damage", [_truncate, _flip_a_byte, _remove, _add])
def test_a_damaged_release_is_named_and_never_promoted(store: ReleaseStore, damage) -> None:
    expected = damage(store.folder(OLD))
    with pytest.raises(ReleaseError, match=expected):
        store.promote(OLD)
    assert store.current() == NEW


def test_a_file_that_differs_from_its_note_stops_the_release(store: ReleaseStore) -> None:
    actual = store.manifest(NEW)
    files = [FileEntry("bulk/a.csv", 0, "0" * 64), FileEntry("bulk/b.csv", 0, "")]
    with store.building() as staging:
        (staging / "bulk").mkdir()
        for entry in files:
            (staging / entry.path).write_text(entry.path)
        with pytest.raises(ReleaseError, match=r"bulk/a\.csv has another content$"):
            store.seal(staging, msgspec.structs.replace(actual, release_id=NEWEST, files=files))
    assert store.ids() == [OLD, NEW]


def test_only_the_release_that_was_sealed_is_not_read_again(store: ReleaseStore) -> None:
    expected = _flip_a_byte(store.folder(OLD))
    with pytest.raises(ReleaseError, match=expected):
        store.promote(OLD, sealed=store.manifest(NEW))


def test_a_release_with_a_failed_check_is_not_promoted(store: ReleaseStore, data: Path) -> None:
    failed = CheckEntry("rows_by_state", False, "CA: 900 -> 12")
    write_release(data, [resource(1)], release_id=NEWEST, checks=[failed], promote=False)
    with pytest.raises(ReleaseError, match=r"rows_by_state: CA: 900 -> 12"):
        store.promote(NEWEST)
    assert store.current() == NEW


def test_roll_back_serves_the_release_before_and_stops_at_the_oldest(store: ReleaseStore) -> None:
    assert store.rollback() == OLD
    assert store.current() == OLD
    with pytest.raises(ReleaseError, match="no release older"):
        store.rollback()
    assert [(e.event, e.release_id) for e in store.log.entries()] == [
        ("promote", OLD),
        ("promote", NEW),
        ("rollback", OLD),
    ]


def test_a_withdrawn_release_is_never_served_again(store: ReleaseStore, data: Path) -> None:
    assert store.withdraw(NEW, "The points of shelters.") == OLD
    assert store.current() == OLD
    assert store.ids() == [OLD]
    for attempt in (store.folder, store.promote, store.verify):
        with pytest.raises(ReleaseError, match=f"{NEW} was withdrawn: The points of shelters"):
            attempt(NEW)
    last = store.log.entries()[-1]
    assert (last.event, last.release_id, last.why) == ("withdraw", NEW, "The points of shelters.")
    assert store.check_log({})[-1] == last
    # It stays out when later releases come and go, and its files can be deleted.
    write_release(data, [resource(1)], release_id=NEWEST)
    assert store.rollback() == OLD
    assert store.prune(5) == [NEW]
    assert not (store.root / NEW).exists()
    assert store.check_log({})


def test_an_older_release_is_withdrawn_while_another_is_served(store: ReleaseStore) -> None:
    assert store.withdraw(OLD, "Poisoned.") == NEW
    with pytest.raises(ReleaseError, match="no release older"):
        store.rollback()
    with pytest.raises(ReleaseError, match="no release older"):
        store.withdraw(NEW, "The only one: the next release continues its ids.")
    assert store.current() == NEW
    assert store.log.withdrawn() == {OLD: "Poisoned."}


def test_prune_preserves_the_newest_and_the_served_release(store: ReleaseStore, data: Path) -> None:
    store.promote(OLD)
    write_release(data, [resource(1)], release_id=NEWEST, promote=False)
    assert store.prune(1) == [NEW]
    assert store.ids() == [OLD, NEWEST]
    manifest = store.history.manifest(NEW)
    assert manifest is not None, "the manifest of a release stays"
    assert manifest.release_id == NEW


@pytest.mark.parametrize("name", ["", "..", "../x", "20261101", OLD + "/..", "current"])
def test_only_release_ids_name_a_folder(store: ReleaseStore, name: str) -> None:
    with pytest.raises(ReleaseError, match="is not a release id"):
        store.folder(name)


def test_two_builds_at_once_are_refused_in_words(store: ReleaseStore) -> None:
    code = (
        "import sys, pathlib; from warehouse.release.store import ReleaseStore\n"
        "with ReleaseStore(pathlib.Path(sys.argv[1])).building(): print('in', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(store.root.parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert other.stdout is not None
    assert other.stdin is not None
    try:
        assert other.stdout.readline() == b"in\n"
        with pytest.raises(BusyError, match=rf"process {other.pid} is at work"), store.building():
            pass
    finally:
        other.kill()
        other.wait()
        other.stdin.close()
        other.stdout.close()
    # The lock went with the process; what it left goes with the next build.
    assert list(store.root.glob(".building-*"))
    with store.building() as staging:
        assert [p.name for p in store.root.glob(".building-*")] == [staging.name]
    assert not list(store.root.glob(".building-*"))
    assert store.current() == NEW
