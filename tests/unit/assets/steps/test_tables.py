"""Tables and products as Dagster's I/O managers store and load them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import dagster as dg
import pandas as pd
import pyarrow as pa
import pytest

from assets.steps.keys import key_of
from assets.steps.provenance import FAILED, MADE_FROM, PRODUCT_FOLDERS, RUN
from assets.steps.tables import (
    LastGood,
    asset_of,
    outputs,
    outs_of,
    product_facts,
    product_files,
    product_of,
    read,
)
from assets.steps.workspace import Workspace
from schemas.tables.core import TYPE_COUNTS
from tests.support.steps import run_step, run_steps
from tests.support.workspaces import COUNTS
from warehouse.parquet import content_digest, notes_of, write_table

INPUT, FIRST, SECOND = (
    replace(TYPE_COUNTS, name=f"core_town__{name}") for name in ("input", "first", "second")
)
TABLES = {table.name: table for table in (INPUT, FIRST, SECOND)}
FILES = next(iter(PRODUCT_FOLDERS))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(data_dir=str(tmp_path))
    write_table(COUNTS, INPUT, workspace.path(INPUT.name))
    return workspace


@dg.multi_asset(
    name="both",
    ins={"rows": read(INPUT, ["state", "resource_type"])},
    outs=outs_of("directory", FIRST, SECOND),
    can_subset=True,
)
def both(
    context: dg.AssetExecutionContext, rows: pd.DataFrame
) -> Iterator[dg.Output[pd.DataFrame]]:
    assert list(rows.columns) == ["state", "resource_type"]
    totals = rows.assign(resource_count=1)
    yield from outputs(context, {FIRST: totals, SECOND: totals.head(1)}, {"counted": len(rows)})


def test_a_table_is_written_noted_and_shown(workspace: Workspace) -> None:
    shown = run_step(both, workspace, tables=TABLES)
    for table, rows in ((FIRST, 2), (SECOND, 1)):
        assert len(workspace.read(table.name)) == rows
        assert shown[table.name]["dagster/row_count"] == rows
        assert shown[table.name]["counted"] == 2
        assert "| AK |" in shown[table.name]["preview"]
        notes = workspace.notes(table.name)
        assert notes["counted"] == 2
        assert notes[RUN]
        assert notes[MADE_FROM] == {INPUT.name: content_digest(workspace.path(INPUT.name))}


def test_one_of_several_tables_is_made_alone(workspace: Workspace) -> None:
    assert run_steps([both], workspace, SECOND.name, tables=TABLES).success
    assert workspace.path(SECOND.name).exists()
    assert not workspace.path(FIRST.name).exists()


def test_a_step_gets_what_its_annotation_asks_for(workspace: Workspace) -> None:
    seen: list[Any] = []
    write_table(COUNTS, SECOND, workspace.path(SECOND.name))

    @dg.asset(ins={"file": read(INPUT), "rows": read(SECOND)}, key=key_of("core_town__seen"))
    def see(file: Path, rows: pa.Table) -> None:
        seen.extend([file, rows])

    assert run_steps([see], workspace, "core_town__seen", tables=TABLES).success
    assert seen[0] == workspace.path(INPUT.name)
    assert seen[1].num_rows == len(COUNTS)


@pytest.mark.parametrize("has_earlier", [True, False])
def test_a_failed_step_leaves_the_last_good_table(workspace: Workspace, has_earlier: bool) -> None:
    if has_earlier:
        write_table(COUNTS, FIRST, workspace.path(FIRST.name), notes={"rows_read": 2})

    @dg.asset(**asset_of(FIRST, "directory"))
    def failing() -> Any:
        return LastGood("the list is cut off")

    shown = run_step(failing, workspace, tables=TABLES)[FIRST.name]
    notes = notes_of(workspace.path(FIRST.name))
    assert notes[FAILED] == "the list is cut off"
    assert notes["rows_read"] == shown["dagster/row_count"] == (2 if has_earlier else 0)


def test_a_table_that_violates_its_declaration_is_not_written(workspace: Workspace) -> None:
    @dg.asset(**asset_of(FIRST, "directory"))
    def wrong() -> pd.DataFrame:
        return COUNTS.drop(columns="state")

    result = run_steps([wrong], workspace, tables=TABLES)
    assert not result.success
    assert not workspace.path(FIRST.name).exists()


def _product(text: str) -> dg.AssetsDefinition:
    @dg.asset(**product_of(FILES, "directory", description="One file.", kinds={"txt"}))
    def files(workspace: Workspace) -> Iterator[dg.Output[Path]]:
        with workspace.scratch() as folder:
            (folder / "inner").mkdir()
            (folder / "inner" / "name.txt").write_text(text)
            yield dg.Output(folder, metadata={"said": text})

    return files


def test_a_product_replaces_the_last_one_whole(workspace: Workspace) -> None:
    folder = PRODUCT_FOLDERS[FILES]
    run_step(_product("old"), workspace, tables=TABLES)
    old = workspace.product(folder) / "inner" / "name.txt"
    linked = workspace.root / "linked"
    linked.hardlink_to(old)
    run_step(_product("new"), workspace, tables=TABLES)
    assert old.read_text() == "new"
    assert linked.read_text() == "old", "a release links the files of the last run"
    assert list(product_files(workspace, folder)) == ["inner/name.txt"]
    assert product_facts(workspace, folder) == {"said": "new"}
    assert [path.name for path in (workspace.root / "products").glob(".scratch*")] == []
