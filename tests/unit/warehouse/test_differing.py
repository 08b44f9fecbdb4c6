"""Which rows of a table differ between two of its files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from schemas.table import Table
from schemas.tables.core import RECORD_SOURCES, RESOURCES
from tests.support.releases import as_table, resource
from warehouse import differing as module
from warehouse.differing import differing
from warehouse.parquet import write_table

ROWS = [resource(n, name=f"Pantry {n}") for n in range(1, 6)]


def written(path: Path, rows: list[dict[str, Any]], table: Table = RESOURCES) -> Path:
    write_table(as_table(rows, table), table, path)
    return path


@pytest.mark.parametrize(
    ("rows", "ids"),
    [
        (ROWS, []),
        ([ROWS[0] | {"name": "Renamed"}, *ROWS[1:]], [1]),
        (ROWS[1:], [1]),
        ([*ROWS, resource(9)], [9]),
        ([*ROWS[:4], resource(9)], [5, 9]),
        ([ROWS[0] | {"is_active": False}, *ROWS[1:]], [1]),
        (
            [ROWS[0] | {"name": ROWS[1]["name"]}, ROWS[1] | {"name": ROWS[0]["name"]}, *ROWS[2:]],
            [1, 2],
        ),
        ([ROWS[0] | {"food_types": []}, *ROWS[1:]], [1]),
        ([], [1, 2, 3, 4, 5]),
    ],
)
def test_rows_that_changed_came_and_went(
    tmp_path: Path, rows: list[dict[str, Any]], ids: list[int]
) -> None:
    now, then = written(tmp_path / "now.parquet", rows), written(tmp_path / "then.parquet", ROWS)
    assert differing(RESOURCES, now, then).to_pylist() == ids
    assert differing(RESOURCES, then, now).to_pylist() == ids


def _source(resource_id: int, key: str, **values: Any) -> dict[str, Any]:
    return {
        "resource_id": resource_id,
        "source_id": "x",
        "source_key": key,
        "is_primary": True,
        "supplied_fields": ["name"],
        "match_reason": "only record",
        "retrieved_at": ROWS[0]["retrieved_at"],
        **values,
    }


def test_all_rows_of_a_key_count(tmp_path: Path) -> None:
    rows = [_source(1, "a"), _source(1, "b"), _source(2, "c")]
    then = written(tmp_path / "then.parquet", rows, RECORD_SOURCES)
    for change in ([rows[0], rows[2]], [rows[0], rows[1] | {"is_primary": False}, rows[2]]):
        now = written(tmp_path / f"now{len(change)}.parquet", change, RECORD_SOURCES)
        assert differing(RECORD_SOURCES, now, then).to_pylist() == [1]


def test_a_column_that_a_file_lacks_is_unknown(tmp_path: Path) -> None:
    now, then = (
        written(tmp_path / "now.parquet", [ROWS[0] | {"notes": "x"}, *ROWS[1:]]),
        tmp_path / "then.parquet",
    )
    pq.write_table(
        pq.read_table(written(tmp_path / "whole.parquet", ROWS)).drop_columns(["notes"]), then
    )
    assert differing(RESOURCES, now, then).to_pylist() == [1]


def test_the_same_contents_are_compared_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, then = (
        written(tmp_path / "now.parquet", ROWS[1:]),
        written(tmp_path / "then.parquet", ROWS),
    )
    assert differing(RESOURCES, now, then).to_pylist() == [1]
    written(now, [*ROWS[:2], *ROWS[3:]])
    assert differing(RESOURCES, now, then).to_pylist() == [3]
    monkeypatch.setattr(module, "shared_connection", None)
    written(now, ROWS[1:])
    assert differing(RESOURCES, now, then).to_pylist() == [1]
    assert differing(RESOURCES, now, now).to_pylist() == []


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    now = written(tmp_path / "now.parquet", ROWS)
    with pytest.raises(FileNotFoundError, match="then"):
        differing(RESOURCES, now, tmp_path / "then.parquet")
