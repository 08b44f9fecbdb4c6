"""Every rule of soundness is broken once and found."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.cases import labelled, table_of
from tests.support.releases import resource, write_release
from warehouse.duckdb import connection
from warehouse.hsds.soundness import SCHEDULE_RULES, check_schedules, check_whole

BROKEN: dict[str, dict[str, Any]] = table_of(__file__, "broken_schedules")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    write_release(data, [resource(1, hours_text="ask"), resource(2)], hsds=True)
    return data / "tables"


def _changed(tables: Path, folder: Path, table: str, sql: str) -> Path:
    """Return a copy of the tables with one replaced by the result of `sql` over `t`."""
    for path in tables.glob("*.parquet"):
        (folder / path.name).hardlink_to(path)
    target = folder / f"out_hsds__{table}.parquet"
    before = pq.read_table(target)
    target.unlink()
    with connection() as db:
        db.register("t", before)
        pq.write_table(db.sql(sql).to_arrow_table().cast(before.schema), target)
    return folder


def test_every_rule_has_a_case() -> None:
    assert set(BROKEN) == set(SCHEDULE_RULES)


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_schedule_is_found(tables: Path, tmp_path: Path, rule: str) -> None:
    replaced = pa.table(
        {name: [value] for name, value in BROKEN[rule].items() if value is not None}
    )
    unset = [
        n for n in ("freq", "byday", "opens_at", "description") if n not in replaced.column_names
    ]
    values = [f"'{v}' AS {k}" for k, v in BROKEN[rule].items() if v is not None]
    values += [f"NULL AS {name}" for name in unset]
    folder = _changed(
        tables, tmp_path, "schedules", f"SELECT * REPLACE ({', '.join(values)}) FROM t"
    )
    assert rule in {f.rule.removeprefix("schedules: ") for f in check_schedules(folder)}


def test_sound_tables_have_no_findings(tables: Path) -> None:
    assert check_schedules(tables) == []
    assert check_whole(tables, tables / "core_directory__resources.parquet") == []


@labelled("table, sql, rule")
def test_totals_that_disagree_are_found(
    tables: Path, tmp_path: Path, table: str, sql: str, rule: str
) -> None:
    folder = _changed(tables, tmp_path, table, sql)
    faults = check_whole(folder, tables / "core_directory__resources.parquet")
    assert rule in {f.rule for f in faults}
