"""The HSDS folder: texts and tables agree, equal input gives equal bytes."""

import csv
import gzip
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from schemas.hsds.collections import COLLECTIONS, Collection
from tests.support.releases import resource, write_release
from tests.support.town import resources

EACH = pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda c: c.name)
ODD = resource(
    900,
    name='Quote " comma, and\r\nlines',
    organization="Tab\there",
    notes="Serves residents of zip codes 10001, 10002",
    requirements_text="Photo ID required",
    hours_text="ask",
    phone="211",
    languages=["es"],
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the folder and its source tables."""
    data = tmp_path_factory.mktemp("data")
    return _build(data), data / "tables"


def _build(data: Path) -> Path:
    release = write_release(data, [*resources_of_a_day(), ODD], hsds=True)
    return data / "releases" / release / "hsds"


def resources_of_a_day() -> list[dict[str, Any]]:
    """Return the town with fixed dates."""
    return [
        row | {"source_updated_date": date(2026, 10, 1), "last_verified_date": None}
        for row in resources()
    ]


@EACH
def test_json_csv_and_table_agree(built: tuple[Path, Path], collection: Collection) -> None:
    folder, tables = built
    expected = [
        {k: _plain(v) for k, v in row.items() if v is not None}
        for row in pq.read_table(tables / f"{collection.table_name}.parquet").to_pylist()
    ]
    lines = _decoded(folder, f"{collection.name}.ndjson").splitlines()
    assert [json.loads(line) for line in lines] == expected
    text = _decoded(folder, collection.csv_name).decode("utf-8")
    assert text.endswith("\r\n")
    header, *cells = csv.reader(io.StringIO(text, newline=""))
    assert header == collection.column_names
    assert cells == [[_cell(row.get(n)) for n in header] for row in expected]
    ids = [row["id"] for row in expected]
    assert ids == sorted(ids)


def _decoded(folder: Path, name: str) -> bytes:
    return gzip.decompress((folder / f"{name}.gz").read_bytes())


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_two_builds_of_the_same_rows_give_the_same_bytes(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    folder, _ = built
    again = _build(tmp_path)
    files = sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    assert files == sorted(p.relative_to(again) for p in again.rglob("*") if p.is_file())
    assert [n for n in files if (folder / n).read_bytes() != (again / n).read_bytes()] == []
