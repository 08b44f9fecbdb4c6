"""The check of HSDS totals finds damage."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from assets.hsds.assets import hsds_totals_agree
from assets.steps.workspace import Workspace
from tests.support.releases import resource, write_release
from tests.support.steps import run_check
from warehouse.duckdb import connection

SERVICES = "out_hsds__services"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    write_release(tmp_path, [resource(1), resource(2)], hsds=True)
    return Workspace(data_dir=str(tmp_path))


def _change(workspace: Workspace, sql: str) -> None:
    path = workspace.path(SERVICES)
    before = pq.read_table(path)
    path.unlink()
    with connection() as db:
        db.register("t", before)
        pq.write_table(db.sql(sql).to_arrow_table().cast(before.schema), path)


@pytest.mark.parametrize(
    "sql",
    [
        "FROM t LIMIT 1",
        "SELECT * REPLACE (99 AS resource_id) FROM t",
        "SELECT * REPLACE ('00000000-0000-5000-8000-000000000000' AS organization_id) FROM t",
        "SELECT * REPLACE ('00000000-0000-5000-8000-000000000000' AS id) FROM t",
    ],
)
def test_later_damage_fails_the_check(workspace: Workspace, sql: str) -> None:
    assert run_check(hsds_totals_agree, workspace).passed
    _change(workspace, sql)
    assert not run_check(hsds_totals_agree, workspace).passed
