"""Releases on a real S3 server: publication, replication, and their failures."""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import msgspec
import pytest

from schemas.tables.serving import SEARCH_ZIPS
from tests.support.releases import resource, write_release
from tests.support.storage import SECRET
from warehouse.duckdb import connection
from warehouse.files import sha256_of, write_text
from warehouse.release.log import manifest_sha256
from warehouse.release.manifest import MANIFEST_NAME, read_manifest, write_manifest
from warehouse.release.signing import public_keys, write_new_key
from warehouse.release.store import ReleaseError, ReleaseStore
from warehouse.storage.bucket import Bucket, ConflictError, StorageDownError, StorageError
from warehouse.storage.publish import POINTER, prune_storage, push, read_pointer
from warehouse.storage.replica import PullError, Replica
from warehouse.storage.sync import StorageFollower, read_status, storage_fault

pytestmark = pytest.mark.slow
IDS = [f"2026110{n}T060000Z-0000000{n}" for n in range(1, 6)]
RECORDS = "serving/records.arrow"
DATABASE = "serving/directory.duckdb"


@pytest.fixture
def builder(tmp_path):
    """A data folder with one release; `grow` of the module adds more."""
    return grow(tmp_path / "builder", 0)


def grow(folder, number):
    write_release(
        folder,
        [resource(n, name=f"Pantry {n} of {number}") for n in range(1, 4)],
        release_id=IDS[number],
    )
    return folder


def replica_of(s3, tmp_path, name="replica", keys=None, **settings):
    return Replica(s3.bucket(), tmp_path / name, keys or {}, **settings)


def published(s3, builder):
    return push(ReleaseStore(builder), s3.bucket())


def path_of(release_id, file):
    return f"releases/{release_id}/{file}"


def test_a_pushed_release_is_pulled_whole(s3, builder, tmp_path):
    result = published(s3, builder)
    assert result.is_moved
    assert result.files_sent == len(ReleaseStore(builder).manifest(IDS[0]).files)
    replica = replica_of(s3, tmp_path)
    pulled = replica.pull()
    assert (pulled.release_id, pulled.files_fetched, pulled.files_linked) == (
        IDS[0],
        result.files_sent,
        0,
    )
    assert replica.store.current() == IDS[0]
    replica.store.verify(IDS[0])
    assert replica.store.log.content() == ReleaseStore(builder).log.content()
    assert replica.store.history.manifest(IDS[0]) is not None
    assert not replica.pull().is_moved
    assert not published(s3, builder).is_moved


def test_only_changed_files_are_fetched(s3, builder, tmp_path):
    replica = replica_of(s3, tmp_path)
    for number in range(4):
        grow(builder, number) if number else None
        published(s3, builder)
        pulled = replica.pull()
    assert pulled.files_linked > 0
    assert pulled.files_fetched + pulled.files_linked == len(replica.store.manifest(IDS[3]).files)
    assert replica.store.ids() == IDS[2:4]
    assert replica.store.history.manifest(IDS[0]) is not None, "manifests stay"
    same = {e.path for e in replica.store.manifest(IDS[3]).files} & {
        e.path for e in replica.store.manifest(IDS[2]).files
    }
    inodes = [[(replica.store.root / i / p).stat().st_ino for i in IDS[2:4]] for p in same]
    assert sum(a == b for a, b in inodes) >= pulled.files_linked


def test_a_roll_back_is_followed_without_a_download(s3, builder, tmp_path):
    published(s3, builder)
    replica = replica_of(s3, tmp_path)
    replica.pull()
    grow(builder, 1)
    published(s3, builder)
    replica.pull()
    ReleaseStore(builder).rollback()
    published(s3, builder)
    pulled = replica.pull()
    assert (pulled.release_id, pulled.is_moved, pulled.files_fetched) == (IDS[0], True, 0)
    assert replica.store.current() == IDS[0]


def test_a_withdrawn_release_leaves_storage_and_replicas(s3, builder, tmp_path):
    published(s3, builder)
    grow(builder, 1)
    published(s3, builder)
    replica = replica_of(s3, tmp_path)
    replica.pull()
    poisoned = s3.bucket().read(POINTER, 4096)[0]
    ReleaseStore(builder).withdraw(IDS[1], "Poisoned.")
    published(s3, builder)
    assert not s3.bucket().sizes(path_of(IDS[1], ""))
    assert replica.pull().release_id == IDS[0]
    assert replica.store.ids() == [IDS[0]]
    # The next pull deletes its files: a service may still have read them until now.
    grow(builder, 2)
    published(s3, builder)
    replica.pull()
    assert not (replica.store.root / IDS[1]).exists()
    # Someone moves the pointer back.
    s3.bucket().write(POINTER, poisoned)
    for name in ("replica", "another"):
        with pytest.raises(PullError):
            replica_of(s3, tmp_path, name).pull()


def test_a_pointer_to_a_withdrawn_release_is_refused(s3, builder, tmp_path):
    store = ReleaseStore(builder)
    grow(builder, 1)
    store.withdraw(IDS[1], "Poisoned.")
    # A forged promotion: the log was continued by hand.
    manifest = store.history.manifest_bytes(IDS[1])
    with store.log.lock():
        store.log.append("promote", IDS[1], manifest_sha256(manifest), None)
    write_text(store.pointer, IDS[1])
    with pytest.raises(ReleaseError, match="withdrawn"):
        published(s3, builder)


def cut(content):
    return content[: len(content) // 2]


def flipped(content):
    return bytes([content[0] ^ 1]) + content[1:]


@pytest.mark.parametrize(
    ("file", "damage", "expected"),
    [
        (RECORDS, cut, "truncated: "),
        (RECORDS, flipped, "has another content than in the manifest"),
        (RECORDS, lambda content: content + b"x", "longer than the "),
        (RECORDS, None, "is not there"),
        (
            "exports/core_directory__resources.parquet",
            flipped,
            "has another content than in the manifest",
        ),
        (MANIFEST_NAME, cut, "the manifest of 20261102T060000Z-00000002 in the storage is damaged"),
        (MANIFEST_NAME, None, "the pointer names a missing object"),
    ],
    ids=["cut", "changed", "longer", "missing", "table", "manifest cut", "manifest missing"],
)
def test_damaged_files_are_not_served_and_are_fetched_again(
    s3, builder, tmp_path, file, damage, expected
):
    published(s3, builder)
    replica, bucket = replica_of(s3, tmp_path), s3.bucket()
    replica.pull()
    grow(builder, 1)
    published(s3, builder)
    path = path_of(IDS[1], file)
    good, _ = bucket.read(path, 1 << 30)
    bucket.write(path, damage(good)) if damage else bucket.delete([path])
    with pytest.raises(PullError, match=expected):
        replica.pull()
    assert replica.store.current() == IDS[0]
    assert replica.store.ids() == [IDS[0]], "nothing that is not whole has the name of a release"
    assert list(replica.store.root.rglob("*.part")) == []
    push(ReleaseStore(builder), bucket, again=True)
    pulled = replica.pull()
    assert replica.store.current() == IDS[1]
    if file != MANIFEST_NAME:
        assert pulled.files_fetched <= 1, "what was fetched well before is not fetched again"
    replica.store.verify(IDS[1])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "is no pointer"),
        (b'{"format": 9}', "is no pointer"),
        (b"[", "is no pointer"),
        (b"x" * 5000, "has more than 4096 bytes"),
    ],
)
def test_a_damaged_pointer(s3, builder, tmp_path, content, expected):
    published(s3, builder)
    replica = replica_of(s3, tmp_path)
    replica.pull()
    s3.bucket().write(POINTER, content)
    with pytest.raises(StorageError, match=expected):
        replica.pull()
    assert replica.store.current() == IDS[0]


@pytest.mark.parametrize("release_id", [IDS[4], "../../etc", ""])
def test_a_pointer_to_a_missing_release(s3, builder, tmp_path, release_id):
    published(s3, builder)
    replica, bucket = replica_of(s3, tmp_path), s3.bucket()
    replica.pull()
    pointer, _ = read_pointer(bucket)
    bucket.write(
        POINTER, msgspec.json.encode(msgspec.structs.replace(pointer, release_id=release_id))
    )
    with pytest.raises(PullError, match=r"no release id|not there"):
        replica.pull()
    assert replica.store.current() == IDS[0]


def test_a_manifest_with_paths_outside_its_folder(s3, builder, tmp_path):
    from warehouse.storage.replica import _is_safe

    unsafe = [
        "../x",
        "/etc/x",
        "a/../../x",
        "",
        "manifest.json",
        "a//b",
        "./a",
        "a\\b",
        "a.part",
        "a/..",
    ]
    assert [path for path in unsafe if _is_safe(path)] == []
    assert _is_safe("exports/core_directory__resources.parquet")


def test_storage_that_is_down(s3, builder, tmp_path):
    published(s3, builder)
    events = []
    replica = replica_of(s3, tmp_path)
    follower = StorageFollower(replica, 0.01, lambda event, facts: events.append((event, facts)))
    follower.step()
    root, now = replica.store.root, datetime.now(UTC)
    assert storage_fault(root, 0.01, now) is None
    s3.stop()
    try:
        with pytest.raises(StorageDownError) as raised:
            replica.pull()
        follower.step()
        since = read_status(root).failing_since
        follower.step()
    finally:
        s3.start()
    assert read_status(root).failing_since == since, "the first failure counts"
    assert f"since {since}: " in storage_fault(root, 0.01, now)
    assert SECRET not in f"{raised.value}{events}"
    assert replica.store.current() == IDS[0]
    assert follower.pause_seconds() > 0.01
    follower.step()
    assert storage_fault(root, 0.01, now) is None
    assert [event for event, _ in events] == ["release_fetched", "storage_failing"]
    follower.close()


def test_one_process_of_several_polls_the_storage(s3, builder, tmp_path):
    published(s3, builder)
    first, second = (StorageFollower(replica_of(s3, tmp_path), 1.0, lambda *_: None) for _ in "12")
    first.step()
    second.step()
    assert not second._lease.is_ours()
    first.close()
    second.step()
    assert second._lease.is_ours()
    second.close()


def test_pushes_at_once_from_one_folder_agree(s3, builder):
    with ThreadPoolExecutor(4) as threads:
        pushes = [threads.submit(published, s3, builder) for _ in range(4)]
    for outcome in pushes:
        outcome.result()
    assert read_pointer(s3.bucket())[0].release_id == IDS[0]


def test_a_second_builder_cannot_cut_the_history(s3, builder, tmp_path):
    published(s3, builder)
    other = grow(tmp_path / "other", 1)
    with pytest.raises(ConflictError, match="from another data folder"):
        published(s3, other)
    joined_builder = tmp_path / "joined"
    Replica(s3.bucket(), joined_builder, {}).pull()
    published(s3, grow(joined_builder, 2))
    with pytest.raises(ConflictError):
        published(s3, grow(builder, 3))
    assert read_pointer(s3.bucket())[0].release_id == IDS[2]


def test_a_pointer_that_moved_meanwhile_is_not_overwritten(s3, builder):
    published(s3, builder)
    bucket = s3.bucket()
    _, tag = read_pointer(bucket)
    bucket.replace(POINTER, b"other", tag)
    with pytest.raises(ConflictError):
        bucket.replace(POINTER, b"late", tag)
    with pytest.raises(ConflictError):
        bucket.write_new(POINTER, b"late")


def test_signatures(s3, tmp_path, monkeypatch):
    monkeypatch.setenv("LARDER_SIGNING_KEY", str(tmp_path / "key.pem"))
    keys = public_keys(str(write_new_key(tmp_path / "key.pem")))
    strange = public_keys(str(write_new_key(tmp_path / "strange.pem")))
    builder = grow(tmp_path / "builder", 0)
    published(s3, builder)
    replica = replica_of(s3, tmp_path, keys=keys)
    assert replica.pull().is_moved
    with pytest.raises(PullError, match="not a trusted key"):
        replica_of(s3, tmp_path, "strange", keys=strange).pull()
    monkeypatch.delenv("LARDER_SIGNING_KEY")
    published(s3, grow(builder, 1))
    with pytest.raises(PullError, match="not signed"):
        replica_of(s3, tmp_path, keys=keys).pull()


def test_a_history_that_was_rewritten_is_not_followed(s3, builder, tmp_path):
    published(s3, builder)
    replica = replica_of(s3, tmp_path)
    replica.pull()
    bucket = s3.bucket()
    bucket.delete([POINTER])
    published(s3, grow(tmp_path / "other", 1))
    with pytest.raises(PullError, match="history was rewritten"):
        replica.pull()
    assert replica.store.current() == IDS[0]


def test_a_release_that_does_not_open_is_not_served(s3, builder, tmp_path):
    published(s3, builder)
    replica = replica_of(s3, tmp_path)
    replica.pull()
    store = ReleaseStore(grow(builder, 1))
    folder = store.folder(IDS[1])
    with connection(folder / DATABASE) as db:
        db.execute(f"DROP TABLE {SEARCH_ZIPS}")
    # As if a fault of the builder had written and described it.
    manifest = read_manifest(folder)
    entries = [
        msgspec.structs.replace(
            e,
            size_bytes=(folder / DATABASE).stat().st_size,
            sha256=sha256_of(folder / DATABASE),
        )
        if e.path == DATABASE
        else e
        for e in manifest.files
    ]
    write_manifest(folder, msgspec.structs.replace(manifest, files=entries))
    (store.root / "history" / IDS[1] / MANIFEST_NAME).unlink()
    store.log.path.write_bytes(b"".join(store.log.content().splitlines(keepends=True)[:1]))
    store.pointer.write_text(IDS[0])
    store.promote(IDS[1])
    published(s3, builder)
    with pytest.raises(PullError, match="does not open"):
        replica.pull()
    assert replica.store.current() == IDS[0]
    assert replica.store.ids() == [IDS[0]]


def test_a_release_that_cannot_be_counted_is_not_promoted(builder):
    store = ReleaseStore(grow(builder, 1))
    path = store.folder(IDS[1]) / RECORDS
    manifest = store.manifest(IDS[1])
    path.write_bytes(b"no arrow at all")
    entries = [
        msgspec.structs.replace(e, size_bytes=15, sha256=sha256_of(path))
        if e.path == RECORDS
        else e
        for e in manifest.files
    ]
    write_manifest(path.parents[1], msgspec.structs.replace(manifest, files=entries))
    with pytest.raises(ReleaseError, match="cannot be read"):
        store.promote(IDS[1])


def test_damage_on_the_disk_here_is_not_linked_on(s3, builder, tmp_path):
    published(s3, builder)
    replica = replica_of(s3, tmp_path)
    replica.pull()
    for entry in replica.store.manifest(IDS[0]).files:
        path = replica.store.root / IDS[0] / entry.path
        path.write_bytes(flipped(path.read_bytes()) if entry.size_bytes else b"")
    grow(builder, 1)
    published(s3, builder)
    replica.pull()
    assert replica.store.current() == IDS[1]
    assert replica.store.verify(IDS[1]).release_id == IDS[1]


def test_pruning_the_storage(s3, builder, tmp_path):
    for number in range(4):
        grow(builder, number) if number else None
        published(s3, builder)
    assert prune_storage(s3.bucket(), 2) == IDS[:2]
    objects = s3.bucket().sizes("releases/")
    assert not any(path.startswith(f"releases/{IDS[0]}/") for path in objects)
    assert sum(path.startswith("releases/logs/") for path in objects) == 1
    assert replica_of(s3, tmp_path).pull().release_id == IDS[3]


@pytest.mark.parametrize(
    "url",
    ["ftp://x/y", "s3://", "s3://key:secret-word@bucket/x", "s3://bucket/x?secret-word=1", "s3:/x"],
)
def test_an_unusable_address_is_refused_without_repeating_it(url):
    with pytest.raises(StorageError) as raised:
        Bucket(url)
    assert "secret-word" not in str(raised.value)


def test_credentials_are_in_no_message(s3, builder, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(StorageDownError) as raised:
        published(s3, builder)
    assert SECRET not in str(raised.value)
    assert SECRET not in repr(Bucket(s3.url)._store)
    assert os.environ["AWS_SECRET_ACCESS_KEY"] == SECRET
