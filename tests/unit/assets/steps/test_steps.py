"""What the decorators of steps do for every step: skip, show, check."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import dagster as dg
import pandas as pd
import pytest

from assets.steps.checks import blocking_check
from assets.steps.decorators import Output, product_asset, step, table_asset
from assets.steps.workspace import Workspace
from schemas.tables.out import TYPE_COUNTS
from tests.support.steps import run_step
from tests.support.workspaces import COUNTS, workspace_with

FIRST, SECOND = (replace(TYPE_COUNTS, name=f"core_town__{name}") for name in ("first", "second"))
TABLES = (FIRST.name, SECOND.name)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return workspace_with(tmp_path, "core_town__input")


@table_asset(
    FIRST,
    SECOND,
    name="both",
    reads={"core_town__input": ["state", "resource_type"]},
    group="directory",
)
def both(rows: pd.DataFrame) -> Output:
    totals = rows.assign(resource_count=1)
    return Output([totals, totals.head(1)], {"counted": len(rows)})


@product_asset(
    "out_town__files",
    "town",
    reads={"core_town__input": None},
    group="directory",
    description="One file.",
    kinds={"txt"},
)
def files(folder: Path, table: Path) -> dict[str, object]:
    (folder / "name.txt").write_text(table.name)
    return {"dagster/row_count": 1, "list": "| a |\n| --- |"}


def test_a_skipped_step_repeats_its_metadata(workspace: Workspace) -> None:
    first, second = run_step(both, workspace), run_step(both, workspace)
    assert set(first) == set(TABLES)
    for name, rows in zip(TABLES, (2, 1), strict=True):
        assert "reused" not in first[name]
        assert second[name].pop("reused") is True
        assert second[name]["dagster/row_count"] == rows
        assert second[name]["counted"] == 2
        assert "| AK |" in second[name]["preview"]
        assert {n: second[name][n] for n in first[name]} == first[name]


def test_a_step_runs_again_when_an_input_changed(workspace: Workspace) -> None:
    run_step(both, workspace)
    workspace.write("core_town__input", COUNTS.assign(resource_count=[7, 8]), TYPE_COUNTS)
    assert run_step(both, workspace)[FIRST.name]["reused"], "a column that is not read"
    workspace.write("core_town__input", COUNTS.assign(state=["AK", "AZ"]), TYPE_COUNTS)
    assert "reused" not in run_step(both, workspace)[FIRST.name]
    workspace.path(SECOND.name).unlink()
    assert "reused" not in run_step(both, workspace)[FIRST.name], "one of its tables is gone"


def test_a_skipped_product_repeats_its_metadata(workspace: Workspace) -> None:
    first = run_step(files, workspace)["out_town__files"]
    second = run_step(files, workspace)["out_town__files"]
    assert (workspace.product("town") / "name.txt").read_text() == "core_town__input.parquet"
    assert "reused" not in first
    assert second.pop("reused") is True
    assert second == first
    assert second["dagster/row_count"] == 1


@pytest.mark.parametrize("is_sound", [True, False])
def test_a_failed_check_stops_later_steps(workspace: Workspace, is_sound: bool) -> None:
    @blocking_check(asset="core_town__top", name="sound", description="Is sound.")
    def sound(workspace: Workspace) -> dg.AssetCheckResult:
        return dg.AssetCheckResult(passed=is_sound, description="rows")

    @step(dg.AssetSpec("core_town__top"), name="top", group="directory", checks=[sound])
    def top(context: object, workspace: Workspace) -> Iterator[dg.MaterializeResult]:
        yield dg.MaterializeResult(asset_key="core_town__top")

    @step(
        dg.AssetSpec("core_town__below", deps=["core_town__top"]), name="below", group="directory"
    )
    def below(context: object, workspace: Workspace) -> Iterator[dg.MaterializeResult]:
        yield dg.MaterializeResult(asset_key="core_town__below")

    with dg.DagsterInstance.ephemeral() as instance:
        result = dg.materialize(
            [top, below],
            resources={"workspace": workspace},
            instance=instance,
            raise_on_error=False,
        )
    assert result.success is is_sound
    assert len(result.get_asset_materialization_events()) == 1 + is_sound
