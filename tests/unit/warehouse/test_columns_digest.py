"""The digest of some columns of a table file depends on their contents only."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.tables.registry import TABLES
from warehouse.parquet import columns_digest

ROWS = {"a": ["x", "y", None], "b": [1, 2, 3], "languages": [["p"], [], None]}


def _digest(folder: Path, rows: dict[str, list[object]], columns: list[str]) -> str | None:
    path = folder / "table.parquet"
    pq.write_table(
        pa.table({**rows, "languages": pa.array(rows["languages"], pa.list_(pa.string()))}), path
    )
    return columns_digest(path, columns)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("a", ["x", "y", ""]),
        ("b", [1, 3, 2]),
        ("languages", [["p"], None, None]),
        ("languages", [["p"], [None], None]),
        ("languages", [["q"], [], None]),
    ],
)
def test_another_content_is_another_digest(
    tmp_path: Path, column: str, values: list[object]
) -> None:
    columns = ["a", "b", "languages"]
    assert _digest(tmp_path, {**ROWS, column: values}, columns) != _digest(tmp_path, ROWS, columns)


def test_order_and_other_columns_do_not_count(tmp_path: Path) -> None:
    other = {"a": ["y", "x", None], "b": [7, 8, 9], "languages": [[], ["p"], None]}
    assert _digest(tmp_path, other, ["a", "languages"]) == _digest(
        tmp_path, ROWS, ["a", "languages"]
    )


def test_a_missing_file_has_no_digest(tmp_path: Path) -> None:
    assert columns_digest(tmp_path / "missing.parquet", ["a"]) is None


def test_a_name_of_a_list_is_the_name_of_nothing_else() -> None:
    """Lists are recognised by the names of their columns (`warehouse.duckdb.content_sql`)."""
    kinds: dict[str, set[bool]] = {}
    for table in TABLES.values():
        for field in table.fields:
            kinds.setdefault(field.name, set()).add(field.type == "strings")
    assert [name for name, kind in kinds.items() if len(kind) > 1] == []
