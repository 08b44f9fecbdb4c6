"""The chain of content: small assets of their own, materialized and checked by Dagster, then mixed
on purpose.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import pytest

from assets.steps.checks import blocking_check
from assets.steps.decorators import step
from assets.steps.lineage import Chain, chain_faults, chain_of, check_entries
from assets.steps.workspace import Workspace
from schemas.tables.out import TYPE_COUNTS
from tests.support.workspaces import COUNTS

SOURCE, LEFT, RIGHT, TOP = (
    "core_town__counts",
    "core_town__left",
    "core_town__right",
    "out_town__top",
)


def _write(workspace: Workspace, name: str, offset: int = 0) -> dg.MaterializeResult:
    frame = COUNTS.assign(resource_count=COUNTS["resource_count"] + offset)
    workspace.write(name, frame, TYPE_COUNTS)
    return dg.MaterializeResult(asset_key=name)


class _Town:
    """Three steps, one of which writes two tables and continues the served release, and a check
    that can fail.

    The first step writes `offset`, the check reports `is_broken`, and `on_top` runs in the last
    step.
    """

    def __init__(self) -> None:
        self.offset = 0
        self.is_broken = False
        self.on_top: Callable[[], None] = lambda: None
        town = self

        @blocking_check(asset=TOP, name="sums", description="Sums agree.", reads=[SOURCE])
        def sums(workspace: Workspace) -> dg.AssetCheckResult:
            workspace.read(TOP)
            return dg.AssetCheckResult(
                passed=not town.is_broken, description="3 too many" if town.is_broken else "fine"
            )

        @step(dg.AssetSpec(SOURCE), name=SOURCE, group="directory")
        def source(context: object, workspace: Workspace) -> Iterator[dg.MaterializeResult]:
            yield _write(workspace, SOURCE, town.offset)

        @step(
            *(dg.AssetSpec(name, deps=[SOURCE]) for name in (LEFT, RIGHT)),
            name="both",
            group="directory",
            continues_served=True,
        )
        def both(context: object, workspace: Workspace) -> Iterator[dg.MaterializeResult]:
            counts = int(workspace.read(SOURCE)["resource_count"].sum())
            for number, name in enumerate((LEFT, RIGHT)):
                yield _write(workspace, name, counts + number)

        @step(dg.AssetSpec(TOP, deps=[LEFT]), name=TOP, group="directory", checks=[sums])
        def top(context: object, workspace: Workspace) -> Iterator[dg.MaterializeResult]:
            town.on_top()
            yield _write(workspace, TOP, 7)

        self.assets, self.sums = [source, both, top], sums

    @property
    def chain(self) -> Chain:
        return chain_of(self.assets)


@pytest.fixture
def town() -> _Town:
    return _Town()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(data_dir=str(tmp_path / "data"))


@pytest.fixture
def run(town: _Town, workspace: Workspace) -> Iterator[Callable[..., bool]]:
    """Materializes assets (all unless named) on one instance."""
    with dg.DagsterInstance.ephemeral() as instance:

        def materialized(*names: str) -> bool:
            result = dg.materialize(
                town.assets,
                resources={"workspace": workspace},
                instance=instance,
                raise_on_error=False,
                selection=dg.AssetSelection.assets(*names) if names else None,
            )
            return result.success

        yield materialized


def test_a_whole_run_is_proved_and_its_checks_are_listed(run, town, workspace):
    assert run()
    assert chain_faults(workspace, town.chain) == []
    (entry,) = check_entries(workspace, town.chain)
    assert (entry.asset, entry.name, entry.passed, entry.detail) == (TOP, "sums", True, "fine")
    assert entry.digest
    assert set(entry.seen) == {SOURCE}
    assert entry.checked_at.startswith("20")


def test_steps_of_several_runs_are_proved_together(run, town, workspace):
    town.offset = 5
    assert run(SOURCE)
    assert run(LEFT, RIGHT)
    assert chain_faults(workspace, town.chain) == [
        f"{TOP}: no record of how it was made",
        f"check sums of {TOP}: no result",
    ]
    assert run()
    assert chain_faults(workspace, town.chain) == []


def test_a_step_alone_makes_a_mixture_that_is_refused_by_name(run, town, workspace):
    assert run()
    town.offset = 5
    assert run(SOURCE)
    faults = chain_faults(workspace, town.chain)
    assert [f.split(";")[0].rsplit(" ", 1)[0] for f in faults] == [
        f"{LEFT} was made from {SOURCE}",
        f"{RIGHT} was made from {SOURCE}",
        f"check sums of {TOP} saw {SOURCE}",
    ]
    assert run(LEFT, RIGHT)
    faults = chain_faults(workspace, town.chain)
    assert any(f.startswith(f"{TOP} was made from {LEFT} ") for f in faults)
    assert run()
    assert chain_faults(workspace, town.chain) == []


@pytest.mark.parametrize("with_record", [False, True], ids=["file", "file and record"])
def test_an_older_version_of_a_table_is_noticed(run, town, workspace, tmp_path, with_record):
    assert run()
    older = tmp_path / "older"
    older.mkdir()
    record = workspace.path(LEFT).parent / ".lineage" / f"{LEFT}.json"
    shutil.copyfile(workspace.path(LEFT), older / "table")
    shutil.copyfile(record, older / "record")
    town.offset = 5
    assert run()
    shutil.copyfile(older / "table", workspace.path(LEFT))
    if with_record:
        shutil.copyfile(older / "record", record)
    faults = chain_faults(workspace, town.chain)
    assert any(f.startswith(f"{TOP} was made from {LEFT} ") for f in faults)
    actual = f"{LEFT} was made from {SOURCE} " if with_record else f"{LEFT} is "
    assert any(f.startswith(actual) for f in faults)


def test_failed_and_unfinished_checks_do_not_count(run, town, workspace, monkeypatch):
    assert run()
    town.is_broken = True
    assert not run()
    assert chain_faults(workspace, town.chain) == [f"check sums of {TOP} failed: 3 too many"]
    # The result of before does not stay when the check itself breaks down.
    town.is_broken = False
    workspace.path(TOP).unlink()
    with pytest.raises(FileNotFoundError):
        town.sums(workspace)
    assert f"check sums of {TOP}: no result" in chain_faults(workspace, town.chain)


def test_another_served_release_is_another_input(run, town, workspace):
    assert run()
    (workspace.root / "releases").mkdir()
    (workspace.root / "releases" / "current").write_text("20261101T060000Z-00000001\n")
    assert chain_faults(workspace, town.chain) == [
        f"{name} was made from served release none; 20261101T060000Z-00000001 is there now"
        for name in (LEFT, RIGHT)
    ]


def test_an_input_that_changes_meanwhile_fails_the_step(run, town, workspace):
    assert run()
    town.on_top = lambda: _write(workspace, LEFT, 99)
    assert not run()
    assert any(f.startswith(f"{LEFT} is ") for f in chain_faults(workspace, town.chain))


def test_a_file_that_cannot_be_read_is_named(run, town, workspace):
    assert run()
    workspace.path(LEFT).write_bytes(workspace.path(LEFT).read_bytes()[:200])
    assert f"{LEFT} cannot be read" in chain_faults(workspace, town.chain)
