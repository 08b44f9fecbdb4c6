"""Test that no step releases tables of different builds, on a persistent Dagster instance."""

import os
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from click.testing import CliRunner, Result

from assets.release import assets as release_asset
from assets.release.assets import RELEASE
from assets.steps.keys import keys_of
from assets.steps.workspace import Workspace
from pipelines.build import build, workspace_for
from pipelines.cli import main
from pipelines.dagster_home import prepare_dagster_home
from pipelines.jobs import BUILD_RELEASE
from pipelines.run import failures_of
from schemas.tables.core import LAST_CHANGES
from tests.support.dated_builds import AS_OF, build_command, copy_data, share_unreleased
from warehouse.release.store import ReleaseStore

pytestmark = pytest.mark.slow


def _workspace(data: Path) -> Workspace:
    return workspace_for("demo", data, demo_rows=600, as_of=AS_OF)


def build_again() -> dg.JobDefinition:
    """Return the job `build_release`, as Dagster creates it for a retry."""
    workspace = _workspace(Path(os.environ["DIRECTORY_DATA_DIR"]))
    return build({"workspace": workspace}).resolve_job_def(BUILD_RELEASE)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data folder with a release of a demo and the inputs of the next."""
    return copy_data(share_unreleased(), tmp_path_factory.mktemp("torn") / "data")


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dg.DagsterInstance]:
    monkeypatch.setenv("DAGSTER_HOME", "")  # restored at the end
    with dg.DagsterInstance.from_config(str(prepare_dagster_home(tmp_path))) as found:
        yield found


def _build_by_command(data: Path, *options: str) -> Result:
    return CliRunner().invoke(main, [*build_command(data), *options])


def _materialize(job: dg.JobDefinition, instance: dg.DagsterInstance, *names: str) -> list[str]:
    """Do what "Materialize" does on assets of one step; return the failures."""
    result = job.execute_in_process(
        instance=instance,
        raise_on_error=False,
        asset_selection=keys_of(names),
    )
    return failures_of(result.all_events)


def test_a_release_that_could_not_be_written_is_finished_from_its_failure(
    data: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIRECTORY_DATA_DIR", str(data))
    served = ReleaseStore(data).current()
    write = release_asset.link_tables

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(release_asset, "link_tables", full_disk)
    with dg.execute_job(dg.reconstructable(build_again), instance=instance) as first:
        assert [f.split(":")[0] for f in failures_of(first.all_events)] == [
            "step out__directory__release"
        ]
    assert ReleaseStore(data).current() == served
    monkeypatch.setattr(release_asset, "link_tables", write)
    again = dg.ReexecutionOptions.from_failure(first.run_id, instance)
    with dg.execute_job(
        dg.reconstructable(build_again), instance=instance, reexecution_options=again
    ) as second:
        assert failures_of(second.all_events) == []
        steps = {e.step_key for e in second.all_events if e.is_step_start}
    assert steps == {"out__directory__release", "out__directory__publication"}
    store = ReleaseStore(data)
    current = store.current()
    assert current not in {served, None}
    manifest = store.verify(str(current))
    assert len(manifest.checks) > 50
    assert all(c.passed and c.digest and c.checked_at for c in manifest.checks)


def test_a_release_is_refused_by_name_after_a_build_that_failed(
    data: Path, instance: dg.DagsterInstance
) -> None:
    store = ReleaseStore(data)
    served, ids = store.current(), store.ids()
    (path,) = (data / "demo").rglob("*snap_retailer*.csv")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 3]))
    stopped = _build_by_command(data)
    assert stopped.exit_code == 1, stopped.output
    assert "rows_by_type of core_directory__resources" in stopped.output
    assert "The last good release remains current" in stopped.output
    assert store.current() == served
    smaller = build({"workspace": _workspace(data)}).resolve_implicit_global_asset_job_def()
    (failure,) = _materialize(smaller, instance, RELEASE)
    assert "run build_release" in failure
    assert "was made from core_directory__resources" in failure
    # One step more, and still: each of the rest is of the older directory.
    assert not _materialize(smaller, instance, LAST_CHANGES.name, "out_directory__changes")
    (failure,) = _materialize(smaller, instance, RELEASE)
    assert "out_hsds__package was made from" in failure or "and " in failure
    assert store.current() == served
    assert store.ids() == ids
    # A build that accepts the loss mends the mixture.
    mended = _build_by_command(data, "--accept-drops")
    assert mended.exit_code == 0, mended.output
    assert store.current() not in ids
    assert store.verify(str(store.current())).parent == served
