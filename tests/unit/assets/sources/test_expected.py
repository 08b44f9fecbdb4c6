"""What each source reads, as `expected/<source>.yaml` declares it: values of its invented files,
and figures of the publisher's real ones.
"""

from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
import pytest

from assets.sources.assemble import assemble
from schemas.sources.registry import sources
from tests.support.source_files import (
    RETRIEVED,
    fixture_rows,
    fixture_value,
    plain,
    raw_file,
    shared_rows,
)

_FILES = sorted(Path(__file__).with_name("expected").glob("*.yaml"))


class Columns(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Statements on columns of the rows of a file; `_if_used` ones on rows without a reject reason.

    `known`, `unknown`: columns with a value in every row, in no row. `values`: the one value of a
    column. `within`: its bounds. `always`, `never`: a pattern that all values, or no values, match.
    `counts`: the number of rows with a value.
    """

    known: list[str] = []
    unknown: list[str] = []
    values: dict[str, Any] = {}
    within: dict[str, tuple[float, float]] = {}
    always: dict[str, str] = {}
    never: dict[str, str] = {}
    counts: dict[str, dict[Any, int]] = {}
    types: dict[str, int] | None = None
    keys: int | None = None
    known_if_used: list[str] = []
    unknown_if_used: list[str] = []
    values_if_used: dict[str, Any] = {}
    within_if_used: dict[str, tuple[float, float]] = {}
    always_if_used: dict[str, str] = {}
    never_if_used: dict[str, str] = {}
    counts_if_used: dict[str, dict[Any, int]] = {}
    types_if_used: dict[str, int] | None = None
    keys_if_used: int | None = None


class Real(Columns, kw_only=True):
    """Figures of real files that are read together. `folder` is their folder, by default the
    source's.
    """

    files: list[str]
    folder: str | None = None
    rows: int | None = None
    used: int | None = None
    rejected: int | None = None
    rejects: dict[str, int] | None = None
    retrieved: date | None = None


class Expected(msgspec.Struct, forbid_unknown_fields=True):
    """`fixtures`: for each file, or files joined by " + ": row or key, field and value of each
    case. `vintages`: fields of the one row of a file in the layout of another year, found by its
    columns whatever its name; headings are the publishers', rows invented. `retrieved`: the day
    on which a file came, where that decides. `absent`: words of the fixtures, of contacts, that no row may hold.
    """

    fixtures: dict[str, dict[str, tuple[int | str, str, Any]]] = {}
    retrieved: dict[str, date] = {}
    absent: list[str] = []
    vintages: dict[str, dict[str, Any]] = {}
    real: list[Real] = []


EXPECTED = {
    path.stem: msgspec.yaml.decode(path.read_bytes(), type=Expected, strict=False)
    for path in _FILES
}
FIXTURES = [(source, file) for source, expected in EXPECTED.items() for file in expected.fixtures]
VINTAGES = [
    pytest.param(source, file, fields, id=f"{source}-{file}")
    for source, expected in EXPECTED.items()
    for file, fields in expected.vintages.items()
]
REAL = [
    pytest.param(source, real, id=f"{source}-{real.files[0]}")
    for source, expected in EXPECTED.items()
    for real in expected.real
]


@pytest.mark.parametrize(("source", "files"), FIXTURES)
def test_fields_of_a_fixture(source: str, files: str) -> None:
    expected = EXPECTED[source]
    came = _instant(expected.retrieved.get(files))
    cases = expected.fixtures[files]
    fields = {
        name: fixture_value(source, files, row, field, came)
        for name, (row, field, _) in cases.items()
    }
    assert fields == {name: value for name, (_, _, value) in cases.items()}
    rows = fixture_rows(source, *files.split(" + "))
    _check_any(rows)
    assert [word for word in expected.absent if word in rows.to_csv()] == []


def _instant(day: date | None) -> datetime:
    return RETRIEVED if day is None else datetime.combine(day, time(), UTC)


def _check_any(rows: pd.DataFrame) -> None:
    assert rows["source_row"].tolist() == list(range(1, len(rows) + 1))
    assert rows["source_key"].notna().all()
    for column in ("hours_text", "services_text", "requirements_text", "notes", "website"):
        if column in rows:
            assert not rows[column].astype("str").str.contains(r"\w@\w+\.\w").any(), column


@pytest.mark.parametrize(("source", "file", "fields"), VINTAGES)
def test_a_vintage_is_read(source: str, file: str, fields: dict[str, Any]) -> None:
    declared, path = sources()[source], Path(__file__).parent / "vintages" / source / file
    rows = assemble(declared, [raw_file(declared, path)]).accepted
    assert len(rows) == 1
    assert {name: plain(rows.iloc[0][name]) for name in fields} == fields


@pytest.mark.shared
@pytest.mark.parametrize(("source", "real"), REAL)
def test_real_files(source: str, real: Real) -> None:
    came = _instant(real.retrieved)
    rows = shared_rows(source, real.folder or source, *real.files, retrieved_at=came)
    accepted = rows[rows["reject_reason"].isna()]
    assert real.rows in (None, len(rows))
    assert real.used in (None, len(accepted))
    assert real.rejected in (None, len(rows) - len(accepted))
    assert real.rejects in (None, rows["reject_reason"].value_counts().to_dict())
    if len(real.files) == 1:
        _check_any(rows)
    _check(rows, real, "")
    _check(accepted, real, "_if_used")


def _check(rows: pd.DataFrame, real: Real, suffix: str) -> None:
    def declared(name: str) -> Any:
        return getattr(real, f"{name}{suffix}")

    if declared("types") is not None:
        assert rows["resource_type"].value_counts().to_dict() == declared("types")
    assert declared("keys") in (None, rows["source_key"].nunique())
    known_count, unknown = rows[declared("known")], rows[declared("unknown")]
    assert known_count.columns[known_count.isna().any()].tolist() == []
    assert unknown.columns[unknown.notna().any()].tolist() == []
    for column, value in declared("values").items():
        assert (rows[column] == value).all(), column
    for column, (low, high) in declared("within").items():
        assert rows[column].between(low, high).all(), column
    for column, pattern in declared("always").items():
        assert rows[column].dropna().str.fullmatch(pattern).all(), column
    for column, pattern in declared("never").items():
        assert not rows[column].dropna().str.contains(pattern).any(), column
    for column, counts in declared("counts").items():
        assert {value: (rows[column] == value).sum() for value in counts} == counts
