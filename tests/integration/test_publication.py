"""Test that builds publish their release to object storage, or report why they cannot."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli import main
from pipelines.dagster_home import prepare_dagster_home
from tests.support.dated_builds import AS_OF, FIRST, copy_data, share_unreleased
from tests.support.server import ROOT
from tests.support.storage import SECRET, s3_server
from warehouse.release.store import ReleaseStore
from warehouse.storage.publish import read_pointer

pytestmark = pytest.mark.slow
# The command of Dagster's schedules, sensors and web page.
_JOB = [
    Path(sys.executable).with_name("dagster"),
    "job",
    "execute",
    "-m",
    "pipelines.definitions",
    "-j",
    "build_release",
]


def _run_larder(caplog: pytest.LogCaptureFixture, *words: str) -> tuple[int, str]:
    """Return exit status and output of a command."""
    done = CliRunner().invoke(main, words)
    assert SECRET not in done.output + caplog.text
    return done.exit_code, done.output


def _run_job(config: Path) -> tuple[int, str]:
    """Return exit status and output of the job in a process of Dagster."""
    done = subprocess.run(
        [*_JOB, "--config", config],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=1500,
    )
    assert SECRET not in done.stdout + done.stderr
    return done.returncode, done.stdout + done.stderr


def test_a_build_by_command_and_one_by_dagster_publish_alike(tmp_path, monkeypatch, caplog):
    data = copy_data(share_unreleased(), tmp_path / "data")
    store = ReleaseStore(data)
    # As of the day of the shared release, so that its tables are current.
    build = ("build", "--as-of", AS_OF)
    config = tmp_path / "config.yaml"
    config.write_text(f'resources: {{workspace: {{config: {{as_of: "{AS_OF}"}}}}}}')
    monkeypatch.setenv("DAGSTER_HOME", "")  # restored at the end
    prepare_dagster_home(tmp_path)
    with s3_server() as s3:
        for name, value in s3.environment.items():
            monkeypatch.setenv(name, value)
        s3.new_bucket()
        monkeypatch.setenv("LARDER_STORAGE_URL", s3.url)
        monkeypatch.setenv("DIRECTORY_DATA_DIR", str(data))
        monkeypatch.setenv("LARDER_PROFILE", "demo")
        monkeypatch.setenv("LARDER_DEMO_ROWS", "600")
        monkeypatch.setenv("DAGSTER_DISABLE_TELEMETRY", "1")

        def published() -> str:
            found = read_pointer(s3.bucket())
            assert found is not None
            return found[0].release_id

        status, output = _run_larder(caplog, "release", "push")
        assert status == 0, output
        assert published() == FIRST

        s3.stop()
        status, output = _run_larder(caplog, *build)
        second = store.current()
        assert status == 1, output
        assert second != FIRST, "the release is served here all the same"
        assert f"Served: release {second}" in output
        assert "Served here, but failed:\n\n  step out__directory__publication: " in output
        assert f"StorageDownError: {s3.url}/" in output
        s3.start()
        assert published() == FIRST, "the last good release stays"

        status, output = _run_larder(caplog, *build)
        assert status == 0, output
        third = store.current()
        assert third not in {FIRST, second}
        assert f"Published: {third} is served from {s3.url}" in output
        assert published() == third
        # The same start again, by the job.
        shutil.rmtree(data)
        copy_data(share_unreleased(), data)
        s3.new_bucket()
        monkeypatch.setenv("LARDER_STORAGE_URL", s3.url)
        status, output = _run_job(config)
        assert status == 0, output
        assert store.current() not in {FIRST, None}
        assert published() == store.current()
