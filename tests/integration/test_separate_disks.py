"""Test builds on two Celery workers without a shared folder: tables go through an S3 server.

A build in one process has already stored the tables of most sources: their steps are the same code,
and Celery takes longer to pass on a step than the step takes.
"""

import json
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import dagster as dg
import pytest

from bench.executors import (
    environment_of,
    find_differences,
    gather,
    read_served,
    redis,
    run_timed,
    tables_of,
)
from pipelines.build import build
from pipelines.jobs import BUILD_RELEASE
from tests.support.dated_builds import AS_OF, FIRST, share_first
from tests.support.processes import comes_true
from tests.support.releases import resource, write_release
from tests.support.storage import SECRET, S3Server, s3_server
from tests.support.stores import missing_postgresql, postgresql_server
from warehouse.parquet import read_arrow
from warehouse.release.store import ReleaseStore
from warehouse.storage.bucket import Bucket
from warehouse.storage.publish import push, read_pointer
from warehouse.storage.shared_files import SharedFiles

_REASON = (
    "the extra [scale] is not installed"
    if find_spec("dagster_celery") is None
    else missing_postgresql()
    or (None if shutil.which("redis-server") else "no redis-server: apt-get install redis-server")
)
pytestmark = [pytest.mark.slow, pytest.mark.skipif(_REASON is not None, reason=_REASON or "")]
_ROWS = 600
# Sources of each kind: a table of places, files of several forms, a module, edits, areas.
_READ = (
    "diaper_banks",
    "haarrrvest_2025",
    "feeding_america_2026",
    "fema_declarations",
    "operations",
)
_CONFIG = {"resources": {"workspace": {"config": {"as_of": AS_OF}}}}
_MATERIALIZE = (
    Path(sys.executable).with_name("dagster"),
    *("asset", "materialize", "-m", "pipelines.definitions"),
    *("--config-json", json.dumps(_CONFIG), "--select"),
)
_TIMES = {"retrieved_at", "first_release_id", "last_changed_at", "created_at", "updated_at"}


@dataclass
class Builds:
    """Runs builds, each in its own folder below `folder`."""

    folder: Path
    postgres: str
    redis_port: int
    s3: S3Server

    def run(self, name: str, steps: list[str]) -> Path:
        """Make some assets on two workers; return the data folder of who starts them. Raises
        RuntimeError when it fails.
        """
        environment = {
            **environment_of(self.folder / name, self.postgres, "celery", _ROWS),
            **self.s3.environment,
            "LARDER_STORAGE_URL": self.s3.url,
            "LARDER_CELERY_BROKER": f"redis://127.0.0.1:{self.redis_port}/0",
            "LARDER_CELERY_BACKEND": f"redis://127.0.0.1:{self.redis_port}/1",
        }
        command = (*_MATERIALIZE, ",".join(steps))
        run_timed(self.folder / name, environment, 2, command)
        return self.folder / name / "data"

    def log(self, name: str) -> str:
        """Return the log of a build's workers."""
        return "".join(
            p.read_text() for p in (self.folder / name).glob("worker-*/dagster/worker.log")
        )


@pytest.fixture
def builds(tmp_path, monkeypatch):
    with postgresql_server() as postgres, s3_server() as s3, ExitStack() as stack:
        for name, value in s3.environment.items():
            monkeypatch.setenv(name, value)
        yield Builds(tmp_path, postgres, stack.enter_context(redis("redis-server")), s3)


def test_two_workers_with_own_disks_build_the_same_bytes(builds):
    one = share_first()
    first = (ReleaseStore(one).verify(FIRST), tables_of(one))
    builds.s3.new_bucket()
    steps, others = _list_steps()
    _send(one, others, builds.s3.bucket())
    coordinator = builds.run("celery", steps)
    assert not (coordinator / "tables").exists(), "nothing runs, or is needed, here"
    workers = [coordinator.parent / f"worker-{n}" / "data" for n in (1, 2)]
    made = [{file.name for file in (w / "tables").glob("*.parquet")} for w in workers]
    assert all(made), "both have worked"
    assert made[0] != made[1], "neither has all"
    gather(coordinator, builds.s3.bucket())
    found = find_differences(
        first, (read_served(coordinator, builds.s3.bucket()), tables_of(coordinator))
    )
    others = [text.removeprefix("bytes of ") for text in found]
    assert [
        name for name in others if _without_times(one, name) != _without_times(coordinator, name)
    ] == []


def _list_steps() -> tuple[list[str], list[str]]:
    """Return the assets of sources that run here and of other steps, and those of other sources."""
    graph = build().resolve_job_def(BUILD_RELEASE).asset_layer.asset_graph
    of_sources = dg.AssetSelection.groups("sources").resolve(graph)
    names = sorted(key.to_user_string() for key in dg.AssetSelection.all().resolve(graph))
    general = ("core_directory_", "core_sources_", *_READ)
    others = [
        name
        for name in names
        if dg.AssetKey(name) in of_sources and not any(part in name for part in general)
    ]
    return [name for name in names if name not in others], others


def _send(data: Path, others: list[str], bucket: Bucket) -> None:
    """Store the tables of other sources, as their steps would."""
    files = SharedFiles(bucket, data)
    for name in others:
        files.send(f"tables/{name}")
        files.send(f"tables/{name}_rejects")
    for folder in (data / "raw").iterdir():
        if folder.is_dir() and folder.name not in _READ:
            files.send(f"raw/{folder.name}")


def _without_times(data: Path, name: str) -> dict[str, list[object]]:
    """Return a table without the times of its build."""
    table = read_arrow(data / "tables" / f"{name}.parquet")
    return table.select([c for c in table.column_names if c not in _TIMES]).to_pydict()


def test_storage_that_fails_in_the_middle_fails_the_build_and_keeps_the_release(builds, tmp_path):
    builds.s3.new_bucket()
    write_release(tmp_path / "good", [resource(1)])
    push(ReleaseStore(tmp_path / "good"), builds.s3.bucket())
    good = read_pointer(builds.s3.bucket())
    steps, _ = _list_steps()

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(builds.run, "fault", steps)
        assert comes_true(lambda: builds.s3.bucket().sizes("build/units/tables/"), 600)
        builds.s3.stop()
        with pytest.raises(RuntimeError, match="failed"):
            running.result()
    builds.s3.start()
    assert re.search(rf"StorageError: step \w+: {builds.s3.url}/build/", builds.log("fault"))
    assert SECRET not in builds.log("fault")
    assert read_pointer(builds.s3.bucket()) == good
