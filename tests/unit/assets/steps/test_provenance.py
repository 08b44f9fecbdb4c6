"""The content behind a release: small assets, materialized and checked by Dagster, then mixed on
purpose."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import dagster as dg
import pandas as pd
import pytest

from assets.steps.checks import check
from assets.steps.keys import keys_of
from assets.steps.provenance import check_entries, mixture_faults
from assets.steps.tables import asset_of, outputs, outs_of, read
from assets.steps.workspace import Workspace
from schemas.tables.core import TYPE_COUNTS
from tests.support.steps import run_steps
from tests.support.workspaces import COUNTS

SOURCE, LEFT, RIGHT, TOP = (
    replace(TYPE_COUNTS, name=f"core_town__{name}") for name in ("counts", "left", "right", "top")
)
TABLES = {table.name: table for table in (SOURCE, LEFT, RIGHT, TOP)}
SUMS = (TOP.name, "sums")


class _Town:
    """Three steps, one of which writes two tables, and a check that can fail.

    The first step writes `offset`, the check reports `is_broken`.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace, self.offset, self.is_broken = workspace, 0, False
        town = self

        @check(asset=TOP.name, name="sums", description="Sums agree.", reads=[SOURCE.name])
        def sums(workspace: Workspace) -> dg.AssetCheckResult:
            workspace.read(TOP.name)
            text = "3 too many" if town.is_broken else "fine"
            return dg.AssetCheckResult(passed=not town.is_broken, description=text)

        @dg.asset(**asset_of(SOURCE, "directory"))
        def source() -> pd.DataFrame:
            return COUNTS.assign(resource_count=COUNTS["resource_count"] + town.offset)

        @dg.multi_asset(
            ins={"counts": read(SOURCE)}, outs=outs_of("directory", LEFT, RIGHT), can_subset=True
        )
        def sides(
            context: dg.AssetExecutionContext, counts: pd.DataFrame
        ) -> Iterator[dg.Output[pd.DataFrame]]:
            total = int(counts["resource_count"].sum())
            frames = {LEFT: COUNTS.assign(resource_count=total), RIGHT: COUNTS}
            yield from outputs(context, frames)

        @dg.asset(deps=keys_of([LEFT.name]), **asset_of(TOP, "directory"))
        def top() -> pd.DataFrame:
            return COUNTS.assign(resource_count=7)

        self.assets = [source, sides, top, sums]

    def run(self, *names: str) -> bool:
        return run_steps(self.assets, self.workspace, *names, tables=TABLES).success

    def faults(self) -> list[str]:
        return mixture_faults(self.workspace, list(TABLES), [SUMS])


@pytest.fixture
def town(tmp_path: Path) -> _Town:
    return _Town(Workspace(data_dir=str(tmp_path / "data")))


def test_a_whole_run_is_one_release_and_its_checks_are_listed(town: _Town) -> None:
    assert town.run()
    assert town.faults() == []
    (entry,) = check_entries(town.workspace, [SUMS])
    assert (entry.asset, entry.name, entry.passed, entry.detail) == (*SUMS, True, "fine")
    assert entry.digest
    assert set(entry.seen) == {SOURCE.name}
    assert entry.checked_at.startswith("20")


def test_steps_of_several_runs_are_one_release_if_they_match(town: _Town) -> None:
    town.offset = 5
    assert town.run(SOURCE.name)
    assert town.run(LEFT.name, RIGHT.name)
    assert town.faults() == [
        f"{TOP.name}: no record of how it was made",
        f"check sums of {TOP.name}: no result",
    ]
    assert town.run()
    assert town.faults() == []
    # The same content, made again by itself.
    assert town.run(SOURCE.name)
    assert town.faults() == []


def test_a_step_alone_makes_a_mixture_that_is_refused_by_name(town: _Town) -> None:
    assert town.run()
    town.offset = 5
    assert town.run(SOURCE.name)
    assert [fault.split(";")[0].rsplit(" ", 1)[0] for fault in town.faults()] == [
        f"{LEFT.name} was made from {SOURCE.name}",
        f"{RIGHT.name} was made from {SOURCE.name}",
        f"check sums of {TOP.name} saw {SOURCE.name}",
    ]
    assert town.run(LEFT.name, RIGHT.name)
    assert any(f.startswith(f"{TOP.name} was made from {LEFT.name} ") for f in town.faults())
    assert town.run()
    assert town.faults() == []


@pytest.mark.parametrize("with_notes", [False, True], ids=["file", "file and notes"])
def test_an_older_version_of_a_table_is_noticed(
    town: _Town, tmp_path: Path, with_notes: bool
) -> None:
    assert town.run()
    table = town.workspace.path(LEFT.name)
    notes = table.parent / ".notes" / f"{table.name}.json"
    shutil.copyfile(table, tmp_path / "table")
    shutil.copyfile(notes, tmp_path / "notes")
    town.offset = 5
    assert town.run()
    shutil.copyfile(tmp_path / "table", table)
    if with_notes:
        shutil.copyfile(tmp_path / "notes", notes)
    faults = town.faults()
    assert any(f.startswith(f"{TOP.name} was made from {LEFT.name} ") for f in faults)
    own = f"{LEFT.name} was made from {SOURCE.name} " if with_notes else f"{LEFT.name}: no record"
    assert any(f.startswith(own) for f in faults)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda path: path.unlink(), "no record of how it was made"),
        (lambda path: path.write_bytes(b"PAR1"), "cannot be read"),
    ],
    ids=["gone", "damaged"],
)
def test_a_missing_or_damaged_table_is_named(
    town: _Town, spoil: Callable[[Path], None], fault: str
) -> None:
    assert town.run()
    spoil(town.workspace.path(RIGHT.name))
    assert any(f.startswith(RIGHT.name) and fault in f for f in town.faults())


def test_failed_and_unfinished_checks_do_not_count(town: _Town) -> None:
    assert town.run()
    town.is_broken = True
    assert not town.run()
    assert town.faults() == [f"check sums of {TOP.name} failed: 3 too many"]
