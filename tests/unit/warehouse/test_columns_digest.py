"""The digest of some columns of a table file: contents count, and nothing beside."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from warehouse.parquet import columns_digest

ROWS = {"a": ["x", "y", None], "b": [1, 2, 3], "c": [["p"], [], None]}


def _digest(folder: Path, rows: dict[str, list[object]], columns: list[str]) -> str | None:
    path = folder / "table.parquet"
    pq.write_table(pa.table({**rows, "c": pa.array(rows["c"], pa.list_(pa.string()))}), path)
    return columns_digest(path, columns)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("a", ["x", "y", ""]),
        ("b", [1, 3, 2]),
        ("c", [["p"], None, None]),
        ("c", [["p"], [None], None]),
        ("c", [["q"], [], None]),
    ],
)
def test_another_content_is_another_digest(
    tmp_path: Path, column: str, values: list[object]
) -> None:
    columns = ["a", "b", "c"]
    assert _digest(tmp_path, {**ROWS, column: values}, columns) != _digest(tmp_path, ROWS, columns)


def test_order_and_other_columns_do_not_count(tmp_path: Path) -> None:
    other = {"a": ["y", "x", None], "b": [7, 8, 9], "c": [[], ["p"], None]}
    assert _digest(tmp_path, other, ["a", "c"]) == _digest(tmp_path, ROWS, ["a", "c"])


def test_no_file_has_none(tmp_path: Path) -> None:
    assert columns_digest(tmp_path / "missing.parquet", ["a"]) is None
