"""A catalogue of DuckLake over releases: a snapshot each, and columns that come and go."""

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from warehouse.exports.lake import LakeFile, LakeRelease, write_lake

DAYS = ("2026-11-01T06:00:00+00:00", "2026-11-02T06:00:00+00:00", "2026-11-03T06:00:00+00:00")
IDS = ("first", "second", "third")


def release(folder: Path, number: int, **tables: pa.Table) -> LakeRelease:
    files = []
    for name, rows in tables.items():
        path = folder / f"{name}-{number}.parquet"
        pq.write_table(rows, path)
        files.append(LakeFile(name, path, f"https://food.example/exports/{number}/{name}.parquet"))
    return LakeRelease(IDS[number], DAYS[number], tuple(files))


@pytest.fixture
def three(tmp_path: Path) -> list[LakeRelease]:
    """A column is new in the second and gone in the third, which has another table."""
    ids, names = pa.array([1, 2]), pa.array(["a", "b"])
    tags = pa.array([["x"], []], pa.list_(pa.string()))
    return [
        release(tmp_path, 0, places=pa.table({"id": ids, "name": names})),
        release(tmp_path, 1, places=pa.table({"id": ids, "name": names, "tags": tags})),
        release(
            tmp_path, 2, places=pa.table({"id": ids, "name": names}), zips=pa.table({"zip": names})
        ),
    ]


def test_every_release_is_a_snapshot_with_its_own_columns_and_files(
    tmp_path: Path, three: list[LakeRelease]
) -> None:
    path = tmp_path / "releases.ducklake"
    write_lake(path, three)
    with duckdb.connect(str(path), read_only=True) as db:
        snapshots = db.execute("SELECT snapshot_id, commit_message FROM ducklake_snapshot_changes")
        assert snapshots.fetchall() == [(0, "first"), (1, "second"), (2, "third")]
        columns = db.execute(
            "SELECT column_name, column_type, begin_snapshot, end_snapshot FROM ducklake_column WHERE table_id = 1 ORDER BY column_id"
        ).fetchall()
        assert columns == [
            ("id", "int64", 0, None),
            ("name", "varchar", 0, None),
            ("tags", "list", 1, 2),
            ("element", "varchar", 1, 2),
        ]
        files = db.execute(
            "SELECT path, begin_snapshot, end_snapshot, record_count, row_id_start FROM ducklake_data_file WHERE table_id = 1 ORDER BY 2"
        ).fetchall()
        address = "https://food.example/exports/{}/places.parquet"
        assert files == [
            (address.format(0), 0, 1, 2, 0),
            (address.format(1), 1, 2, 2, 2),
            (address.format(2), 2, None, 2, 4),
        ]
        assert db.execute("SELECT begin_snapshot FROM ducklake_table ORDER BY 1").fetchall() == [
            (0,),
            (2,),
        ]


def test_equal_releases_give_equal_bytes(tmp_path: Path, three: list[LakeRelease]) -> None:
    paths = [tmp_path / name for name in ("one.ducklake", "two.ducklake")]
    for path in paths:
        write_lake(path, three)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_type_that_ducklake_lacks_is_named(tmp_path: Path) -> None:
    odd = pa.table({"days": pa.array([None], pa.duration("s"))})
    with pytest.raises(ValueError, match="column days: DuckLake has no type for duration"):
        write_lake(tmp_path / "a.ducklake", [release(tmp_path, 0, places=odd)])
