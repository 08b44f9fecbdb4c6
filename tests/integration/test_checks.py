"""Test that a run with a table that violates its declaration builds no release."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pandas as pd
import pyarrow as pa
import pytest

from assets.directory import assets as directory_assets
from assets.directory.assets import core_directory
from assets.steps.keys import key_of, name_of
from assets.steps.workspace import Workspace
from pipelines.build import build, workspace_for
from pipelines.run import failures_of, run_build
from schemas.tables.core import RESOURCES
from tests.support.dated_builds import FIRST, copy_data, demo_files, share_first
from tests.support.running_build import running_build

pytestmark = pytest.mark.slow
RELEASE = "out_directory__release"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    data = copy_data(share_first(), tmp_path_factory.mktemp("checks") / "data")
    return workspace_for("demo", data, demo_rows=600, as_of="2026-11-01")


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


FAULTS = {
    "point": ({"lat": 123.0}, "check declaration of core_directory__resources: lat is at most 90"),
    "type": ({"resource_type": "bakery"}, "resource_type is in its vocabulary"),
    "key": ({"resource_id": 1}, "key (resource_id) is unique"),
}


def _build_release(workspace: Workspace, instance: dg.DagsterInstance) -> dg.ExecuteInProcessResult:
    """Run the step of the directory and that of the release."""
    definitions = build({"workspace": workspace})
    keys = [key_of(RELEASE), *core_directory.keys]
    job = dg.define_asset_job("again", dg.AssetSelection.assets(*keys))
    with_job = dg.Definitions.merge(definitions, dg.Definitions(jobs=[job]))
    return with_job.resolve_job_def("again").execute_in_process(
        instance=instance, raise_on_error=False
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failed_check_stops_the_release(
    workspace: Workspace, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """A wrong table fails in its check."""
    values, message = FAULTS[fault]
    whole, merge = workspace.path(RESOURCES.name).read_bytes(), directory_assets.merge_in_ranges

    def merge_wrong(*arguments: Any) -> dict[str, Any]:
        tables = merge(*arguments)
        rows = tables[RESOURCES.name].read_all().to_pandas(types_mapper=pd.ArrowDtype)
        wrong = pa.Table.from_pandas(rows.assign(**values), RESOURCES.arrow_schema())
        return {**tables, RESOURCES.name: wrong.to_reader()}

    monkeypatch.setattr(directory_assets, "merge_in_ranges", merge_wrong)
    try:
        result = _build_release(workspace, instance)
    finally:
        workspace.path(RESOURCES.name).write_bytes(whole)
    assert not result.success
    steps = {name_of(e.asset_key) for e in result.all_events if e.is_step_materialization}
    assert RELEASE not in steps
    failures = failures_of(result.all_events)
    assert any(message in failure for failure in failures), failures
    assert workspace.releases.current() == FIRST


def test_one_source_is_refreshed_alone_after_a_run_that_writes(
    workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        running_build(workspace.root / "dagster") as has_ended,
        caplog.at_level("INFO", "larder.build"),
    ):
        outcome = run_build(workspace, only=["usda_snap"])
        assert has_ended()
    assert "Another run is at work in this data folder; waiting until it ends" in caplog.text
    assert outcome.is_success, outcome.failures
    assert {step.name for step in outcome.steps} == {
        "core_geography__cities",
        "core_geography__zips",
        "raw_usda_snap__retailers",
        "core_usda_snap__places",
        "core_usda_snap__rejects",
        "core_usda_snap__located",
        "core_usda_snap__located_rejects",
    }
    assert outcome.release_id == FIRST


def test_a_run_uses_the_given_workspace(
    workspace: Workspace, tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    data = copy_data(Path(workspace.data_dir), tmp_path / "data")
    own = workspace_for("demo", data, demo_rows=600, as_of="2026-11-01")
    own.path("core_wic_clinics__places").unlink()
    job = build({"workspace": own}).resolve_job_def("refresh_wic_clinics")
    assert job.execute_in_process(instance=instance).success
    assert len(own.read("core_wic_clinics__places"))


def test_a_release_of_publishers_files_is_not_synthetic(tmp_path: Path) -> None:
    """The tables exist, and no release is served yet."""
    data = copy_data(share_first(), tmp_path / "data")
    shutil.rmtree(data / "releases")
    files = str(demo_files(data))
    own = workspace_for("folder", data, sources_dir=files, as_of="2026-11-01")
    job = build({"workspace": own}).resolve_implicit_global_asset_job_def()
    assert job.execute_in_process(asset_selection=[key_of(RELEASE)]).success
    assert not own.releases.manifest(FIRST).is_synthetic
