"""The store of publishers' bytes: content, address and time."""

import gzip
import hashlib
import io
import os
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from schemas.tables.core import RAW_FILES
from tests.support.cases import cases
from warehouse.files import BusyError
from warehouse.gzip_files import DamagedFileError, OversizedFileError
from warehouse.raw_store import Arrival, RawFile, RawStore, plain_name

BODY = b"name,zip\nInvented Pantry,00601\n"
SHA = hashlib.sha256(BODY).hexdigest()
FIRST_DAY = datetime(2026, 11, 1, 6, tzinfo=UTC)


class DailyClock:
    """A day later on every look."""

    def __init__(self) -> None:
        self._days: Iterator[int] = iter(range(1000))

    def __call__(self) -> datetime:
        return FIRST_DAY + timedelta(days=next(self._days))


@pytest.fixture
def store(tmp_path: Path) -> RawStore:
    return RawStore(tmp_path / "data", clock=DailyClock(), max_unpacked_bytes=10_000)


def keep(store: RawStore, body: bytes, name: str = "list.csv", etag: str | None = None) -> RawFile:
    arrival = Arrival(etag=etag)
    return store.keep_stream("usda_x", io.BytesIO(body), "https://example.org/", name, arrival)


def test_a_stored_file_has_the_columns_of_the_raw_table(store: RawStore) -> None:
    assert set(RAW_FILES.field_names) <= set(RawFile.__struct_fields__)
    assert set(RawFile.__struct_fields__) - set(RAW_FILES.field_names) == {
        "path",
        "etag",
        "last_modified",
    }


@cases(
    "arrived_as, body, stored_name",
    {
        "plain": ("list.csv", BODY, "list.csv"),
        "storage gzip": ("list.csv.gz", gzip.compress(BODY), "list.csv.gz"),
        "gzip by magic number only": ("list.csv", gzip.compress(BODY), "list.csv.gz"),
    },
)
def test_digest_is_of_the_publishers_bytes_and_the_arrived_bytes_stay(
    store: RawStore, arrived_as: str, body: bytes, stored_name: str
) -> None:
    file = keep(store, body, arrived_as)
    assert (file.file_name, file.sha256, file.size_bytes) == ("list.csv", SHA, len(BODY))
    assert file.stored_as == f"raw/usda_x/{SHA[:16]}/{stored_name}"
    assert file.path == store.data_dir / file.stored_as
    assert file.path.read_bytes() == body
    assert file.media_type == "text/csv"
    store.verify(file)


def test_unchanged_bytes_have_their_first_time_and_new_validators(store: RawStore) -> None:
    first = keep(store, BODY, etag='"a"')
    again = keep(store, gzip.compress(BODY), "list.csv.gz", etag='"b"')
    other = keep(store, BODY + b"Other,00602\n", etag='"c"')
    assert first.retrieved_at == again.retrieved_at == FIRST_DAY
    assert (again.etag, again.stored_as) == ('"b"', first.stored_as)
    assert other.retrieved_at > FIRST_DAY
    assert other.stored_as != first.stored_as


def test_the_current_set_changes_only_when_it_is_replaced(store: RawStore) -> None:
    assert store.files("usda_x") == []
    one, two = keep(store, BODY, "b.csv"), keep(store, BODY, "a.csv")
    store.replace_latest("usda_x", [one, two])
    keep(store, b"half a fetch", "b.csv")
    assert store.files("usda_x") == [two, one]


def test_facts_survive_a_move_of_the_data_directory(store: RawStore, tmp_path: Path) -> None:
    arrival = Arrival(
        media_type="text/x", last_modified="Sun", source_updated_date=date(2026, 7, 29)
    )
    file = store.keep_stream("usda_x", io.BytesIO(BODY), "folder/list.csv", "list.csv", arrival)
    store.replace_latest("usda_x", [file])
    (tmp_path / "data").rename(tmp_path / "moved")
    store_files = RawStore(tmp_path / "moved").files("usda_x")
    assert store_files == [msgspec.structs.replace(file, path=tmp_path / "moved" / file.stored_as)]
    assert str(tmp_path) not in b"".join(
        path.read_bytes() for path in (tmp_path / "moved").rglob("*") if path.is_file()
    ).decode("utf-8", "replace")


@pytest.mark.parametrize("source_id", ["", "..", "a/b", "A", "_x", ".parts"])
def test_source_ids_that_could_leave_the_folder_are_refused(
    store: RawStore, source_id: str
) -> None:
    with pytest.raises(ValueError, match="is not a source id"):
        store.keep_stream(source_id, io.BytesIO(BODY), "x", "a.csv")


def test_plain_names_lose_one_gz() -> None:
    assert [plain_name(n) for n in ("a.csv", "a.csv.gz", "José 1.kml")] == [
        "a.csv",
        "a.csv",
        "José 1.kml",
    ]


_NAMES_OUTSIDE = [
    *("", ".", "..", ".gz", ".hidden", "a/b.csv", "../a.csv", "a\\b.csv"),
    *("a\0b", "a\nb", "x" * 201),
]


@cases(
    "name, body, error, message",
    {
        "cut gzip": (
            "a.csv.gz",
            gzip.compress(BODY)[:-9],
            DamagedFileError,
            "a.csv.gz: broken gzip",
        ),
        "no gzip": ("a.csv.gz", BODY, DamagedFileError, "named .gz and is not gzip"),
        "bomb": ("a.csv.gz", gzip.compress(bytes(2**20)), OversizedFileError, "more than 10000"),
        "large": ("a.csv", bytes(10_001), OversizedFileError, "more than 10000"),
        **{
            f"name {name!r:.12}": (name, BODY, ValueError, "is not a plain file name")
            for name in _NAMES_OUTSIDE
        },
    },
)
def test_refused_files_are_not_stored(
    store: RawStore, name: str, body: bytes, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        keep(store, body, name)
    assert [path for path in store.data_dir.rglob("*") if path.is_file()] == []


def test_verify_reports_damage_and_storing_again_repairs(
    store: RawStore,
) -> None:
    file = keep(store, BODY)
    file.path.write_bytes(BODY.replace(b"1", b"2"))
    with pytest.raises(DamagedFileError, match=f"recorded are {len(BODY)} with {SHA[:16]}"):
        store.verify(file)
    file.path.unlink()
    with pytest.raises(DamagedFileError, match="is gone"):
        store.verify(file)
    assert keep(store, BODY).retrieved_at == FIRST_DAY
    store.verify(file)


def test_a_set_with_a_missing_file_is_an_error(store: RawStore) -> None:
    file = keep(store, BODY)
    store.replace_latest("usda_x", [file])
    file.path.unlink()
    with pytest.raises(DamagedFileError, match=r"list\.csv .* Fetch the source again"):
        store.files("usda_x")


@pytest.mark.parametrize(
    ("source_id", "names", "message"),
    [
        ("usda_x", ["a.csv", "a.csv"], "two files of one name"),
        ("usda_y", ["a.csv"], r"files of \['usda_x'\]"),
    ],
)
def test_an_invalid_set_is_refused(
    store: RawStore, source_id: str, names: list[str], message: str
) -> None:
    files = [keep(store, BODY, name) for name in names]
    with pytest.raises(ValueError, match=message):
        store.replace_latest(source_id, files)


def test_prune_preserves_current_sets_and_released_files(store: RawStore) -> None:
    oldest, released, current = (keep(store, BODY * n) for n in (1, 2, 3))
    store.replace_latest("usda_x", [current])
    old_part = store.parts_folder("usda_x") / "list.csv.part"
    new_part = store.parts_folder("usda_x") / "other.csv.part"
    for part in (old_part, new_part):
        part.write_bytes(b"x")
    long_ago = time.time() - 30 * 86_400
    os.utime(old_part, (long_ago, long_ago))
    assert store.prune(keep={released.sha256}) == [oldest.stored_as]
    assert [f.path.exists() for f in (oldest, released, current)] == [False, True, True]
    assert (old_part.exists(), new_part.exists()) == (False, True)
    assert store.files("usda_x") == [current]
    assert store.prune(keep={released.sha256}) == []


def test_a_source_being_fetched_is_not_pruned_and_not_fetched_twice(store: RawStore) -> None:
    file = keep(store, BODY)
    with store.updating("usda_x"):
        assert store.prune() == []
        with pytest.raises(BusyError, match="fetch of usda_x"), store.updating("usda_x"):
            pass
    assert store.prune() == [file.stored_as]


def test_prune_of_an_empty_data_directory_does_nothing(tmp_path: Path) -> None:
    assert RawStore(tmp_path).prune() == []
