"""Records are merged a range of ids at a time."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather

from assets.directory import ranges
from assets.directory.ranges import ranges_of
from assets.steps.workspace import Workspace
from schemas.tables.core import LOCATED

ID = st.integers(0, 12)


@given(ids=st.lists(ID), size=st.integers(1, 5))
def test_parts_hold_every_record_once_and_part_no_resource(ids: list[int], size: int) -> None:
    resource_ids = pd.Series(ids, dtype="Int64")
    parts = [part.tolist() for part in ranges_of(resource_ids, size)]
    assert sorted(place for part in parts for place in part) == list(range(len(ids)))
    of_parts = [{ids[place] for place in part} for part in parts]
    assert sum(map(len, of_parts)) == len(set(ids))
    assert all(part == sorted(part) for part in parts)


def test_parts_are_alike_so_that_processes_end_together() -> None:
    resource_ids = pd.Series(range(326), dtype="Int64")
    assert [len(part) for part in ranges_of(resource_ids, 100)] == [82, 82, 82, 80]


def test_records_of_a_range_are_in_a_file_of_their_own_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranges, "_RECORDS_AT_ONCE", 30_000)
    rows = 150_000  # more than are read at once
    workspace = Workspace(data_dir=str(tmp_path))
    path = workspace.path(LOCATED.name)
    path.parent.mkdir()
    pq.write_table(pa.table({"source_key": [f"key {n}" for n in range(rows)]}), path)
    ids = pd.Series([n * 7 % 50_000 for n in range(rows)], dtype="Int64")
    directory_rows = pd.DataFrame({"match_reason": "only record", "resource_id": ids})
    folders = ranges._part_records(workspace, directory_rows, tmp_path)
    parts = [feather.read_table(folder / "records").to_pandas() for folder in folders]
    assert [len(part) for part in parts] == [30_000] * 5
    for part in parts:
        expected = ids[ids.isin(part["resource_id"])]
        assert [*part["source_key"]] == [f"key {n}" for n in expected.index]
        assert [*part["resource_id"]] == [*expected]
