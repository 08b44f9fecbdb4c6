"""Taking over the rows of resources that are as they were, and reading only the records of the
others.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.defs import directory_delta
from assets.defs.directory_delta import as_frame, parts_of, records_at, spliced
from warehouse.parquet import read_frame

ID = st.integers(0, 12)


def _rows(ids: list[int], said: str) -> pa.Table:
    """A row for each id, in order, that tells which table it is from."""
    return pa.table(
        {
            "resource_id": pa.array(sorted(ids), pa.int64()),
            "said": pa.array([f"{said} {n}" for n in range(len(ids))], pa.string()),
        }
    )


@pytest.mark.parametrize("most", [0, 10_000])
@given(before=st.lists(ID), kept=st.sets(ID), made=st.lists(ID))
def test_rows_that_are_put_in_come_where_their_resource_belongs(
    most: int, before: list[int], kept: set[int], made: list[int]
) -> None:
    """However many there are; with more than a few, the writer puts them in order."""
    old, new = _rows(before, "old"), _rows([i for i in made if i not in kept], "new")
    is_kept = pa.chunked_array([[i in kept for i in old["resource_id"].to_pylist()]], pa.bool_())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(directory_delta, "_MOST_SPLICES", most)
        found = spliced(old, is_kept, new).to_pandas()
    everything = pa.concat_tables([old.filter(is_kept), new]).to_pandas()
    expected = everything.sort_values("resource_id", kind="stable", ignore_index=True)
    if most == 0:
        found = found.sort_values("resource_id", kind="stable", ignore_index=True)
    pd.testing.assert_frame_equal(found, expected)


def test_a_table_of_which_nothing_is_made_again_is_not_copied() -> None:
    old = _rows([1, 2, 2], "old")
    is_kept = pa.chunked_array([[True] * 3])
    assert spliced(old, is_kept, old.slice(0, 0)) is old


@given(places=st.sets(st.integers(0, 9)))
def test_records_are_found_in_every_piece_of_the_file(
    tmp_path_factory: pytest.TempPathFactory, places: set[int]
) -> None:
    path = _file_of_pieces(tmp_path_factory.mktemp("pieces"))
    chosen = np.array(sorted(places), dtype=np.int64)
    expected = read_frame(path).iloc[chosen].reset_index(drop=True)
    pd.testing.assert_frame_equal(as_frame(records_at(path, chosen)), expected)


def test_pieces_without_a_record_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    whole = pq.ParquetFile.read_row_group

    def noted(file: pq.ParquetFile, number: int) -> pa.Table:
        read.append(number)
        return whole(file, number)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", noted)
    records_at(_file_of_pieces(tmp_path), np.array([4, 9]))
    assert read == [1, 3]


def _file_of_pieces(folder: Path) -> Path:
    """Ten records in pieces of three."""
    path = folder / "records.parquet"
    table = pa.table(
        {
            "source_key": [f"k{n}" for n in range(10)],
            "source_row": pa.array([n if n % 4 else None for n in range(10)], pa.int64()),
            "is_public": pa.array([None if n % 5 else n > 4 for n in range(10)], pa.bool_()),
            "languages": [["en"] * (n % 3) for n in range(10)],
        }
    )
    pq.write_table(table, path, row_group_size=3)
    return path


@given(ids=st.lists(ID), size=st.integers(1, 5))
def test_parts_hold_every_record_once_and_part_no_resource(ids: list[int], size: int) -> None:
    known = pd.Series(ids, dtype="Int64")
    parts = [part.tolist() for part in parts_of(known, size)]
    assert sorted(place for part in parts for place in part) == list(range(len(ids)))
    of_parts = [{ids[place] for place in part} for part in parts]
    assert sum(map(len, of_parts)) == len(set(ids))
    assert all(part == sorted(part) for part in parts)
