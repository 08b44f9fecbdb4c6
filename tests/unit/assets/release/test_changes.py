"""The check on the changes of a release: figures that do not add up are named."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assets.release.assets import _parent
from assets.release.changes import (
    change_faults,
    changes_add_up,
    core_directory__last_changes,
    out_directory__changes,
)
from assets.steps.workspace import Workspace
from schemas.api.history import ReleaseReport
from schemas.tables.core import (
    AUTOMATIC_CHANGES,
    IDENTITIES,
    LAST_CHANGES,
    RECORD_SOURCES,
    RESOURCES,
    RIGHTS,
)
from tests.support.releases import as_table, resource, write_release
from tests.support.steps import run_check, run_steps
from warehouse.parquet import read_frame, write_table
from warehouse.release.changes import time_of
from warehouse.release.log import read_report
from warehouse.release.store import ReleaseError

OLD, NEW = (f"2026110{n}T060000Z-0000000{n}" for n in (1, 2))


def report(**figures: int) -> ReleaseReport:
    counts = {
        "before": 10,
        "after": 11,
        "added": 3,
        "changed": 5,
        "reactivated": 1,
        "merged": 1,
        "retired": 2,
    }
    return ReleaseReport(
        older=OLD,
        newer=NEW,
        **{**counts, **figures},
        changed_fields={},
        retired_reasons={},
        by_type=[],
        by_state=[],
        by_source=[],
        examples=[],
        uncounted_fields={},
    )


FIGURES: dict[str, tuple[dict[str, int], list[str]]] = {
    "sound": ({}, []),
    "one added too many": ({"added": 4}, ["sum: 12 reported, 11 counted"]),
    "one retired too few": ({"retired": 1}, ["sum: 12 reported, 11 counted"]),
    "another count before": ({"before": 9}, ["before: 9 reported, 10 counted"]),
    "another count after": ({"after": 12}, ["after: 12 reported, 11 counted"]),
    "changes do not count": ({"changed": 99}, []),
}


@pytest.mark.parametrize(("figures", "faults"), FIGURES.values(), ids=FIGURES)
def test_inconsistent_reports_fail(figures: dict[str, int], faults: list[str]) -> None:
    assert change_faults(report(**figures), 10, 11) == faults


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two listed places are served; in the making, one of them is changed and one is new."""
    folder = tmp_path_factory.mktemp("changes")
    write_release(folder, [resource(1), resource(2)], release_id=OLD, history=True)
    workspace = Workspace(data_dir=str(folder))
    workspace.begin_release(NEW)
    rows: dict[Any, list[dict[str, Any]]] = {
        RESOURCES: [resource(1), resource(2, phone="x"), resource(3)],
        IDENTITIES: [],
        RECORD_SOURCES: [],
        RIGHTS: [],
        AUTOMATIC_CHANGES: [],
    }
    for table, values in rows.items():
        write_table(as_table(values, table), table, workspace.path(table.name))
    result = run_steps([core_directory__last_changes, out_directory__changes], workspace)
    assert result.success
    return folder


@pytest.fixture
def workspace(data: Path, tmp_path: Path) -> Workspace:
    """A copy of it, to be spoilt."""
    shutil.copytree(data, tmp_path, symlinks=True, dirs_exist_ok=True)
    return Workspace(data_dir=str(tmp_path))


def _spoil_summary(workspace: Workspace) -> None:
    path = workspace.product("changes") / "summary.json"
    report = read_report(path)
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(report, added=report.added + 1)))


def _cut_feed(workspace: Workspace) -> None:
    path = workspace.product("changes") / "changes.ndjson"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])


def _lose_a_row(workspace: Workspace) -> None:
    path = workspace.path(RESOURCES.name)
    write_table(read_frame(path).head(2), RESOURCES, path)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (_spoil_summary, "sum: 4 reported, 3 counted"),
        (_cut_feed, "2 changes, 1 lines in the feed"),
        (_lose_a_row, "after: 3 reported, 2 counted"),
    ],
)
def test_the_check_counts_again_and_fails(workspace: Workspace, fault: Any, message: str) -> None:
    assert run_check(changes_add_up, workspace).passed
    fault(workspace)
    result = run_check(changes_add_up, workspace)
    assert not result.passed
    assert message in str(result.description)


def test_instants_are_those_of_the_releases(workspace: Workspace) -> None:
    instant_rows = read_frame(workspace.path(LAST_CHANGES.name))
    instants = dict(zip(instant_rows["resource_id"], instant_rows["last_changed_at"], strict=True))
    assert instants == {1: time_of(OLD), 2: time_of(NEW), 3: time_of(NEW)}


def test_changes_against_another_release_than_the_served_one_are_not_released(
    workspace: Workspace, tmp_path: Path
) -> None:
    assert _parent(workspace) == OLD
    other = "20261101T070000Z-00000009"
    write_release(tmp_path, [resource(1)], release_id=other)
    with pytest.raises(
        ReleaseError, match=f"{other} is served now, but the changes were computed against {OLD}"
    ):
        _parent(workspace)
