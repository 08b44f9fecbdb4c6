"""Steps of one build on machines that share no folder: files go through a real S3 server."""

from dataclasses import replace

import pandas as pd
import pytest

from assets.steps.decorators import table_asset
from assets.steps.exchange import exchanging
from assets.steps.workspace import Workspace
from schemas.tables.out import TYPE_COUNTS
from tests.support.cases import cases
from tests.support.steps import run_step
from tests.support.storage import SECRET
from tests.support.workspaces import COUNTS
from warehouse.storage.bucket import StorageError
from warehouse.storage.shared_files import SharedFiles

MADE, READ = (replace(TYPE_COUNTS, name=f"core_town__{name}") for name in ("made", "read"))
UNIT = f"tables/{MADE.name}"


@table_asset(
    MADE, reads={}, group="directory", settings=lambda workspace: {"seed": workspace.demo_seed}
)
def made(seed: int) -> pd.DataFrame:
    return COUNTS.assign(resource_count=seed)


@table_asset(READ, reads={MADE.name: None}, group="directory")
def read(rows: pd.DataFrame) -> pd.DataFrame:
    return rows


@pytest.fixture
def s3(s3, monkeypatch):
    monkeypatch.setenv("LARDER_STORAGE_URL", s3.url)
    monkeypatch.setenv("LARDER_EXECUTOR", "celery")
    return s3


@pytest.fixture
def machine(tmp_path):
    return lambda name, seed=1: Workspace(data_dir=str(tmp_path / name), demo_seed=seed)


def _bytes(workspace, table):
    return workspace.path(table.name).read_bytes()


def test_a_new_machine_runs_a_step_on_inputs_of_another(s3, machine):
    first, second = machine("first"), machine("second")
    run_step(made, first)
    assert "reused" not in run_step(read, second)[READ.name]
    assert _bytes(second, MADE) == _bytes(first, MADE)
    assert run_step(read, first)[READ.name]["reused"], "made there, and not again here"
    assert _bytes(first, READ) == _bytes(second, READ)


def test_files_changed_elsewhere_are_fetched_again(s3, machine):
    first, second = machine("first"), machine("second")
    run_step(made, first)
    run_step(read, second)
    run_step(made, machine("first", seed=5))
    assert "reused" not in run_step(read, second)[READ.name]
    assert set(second.read(READ.name)["resource_count"]) == {5}


def test_a_skipped_step_transfers_no_files(s3, machine, monkeypatch):
    workspace = machine("first")
    run_step(made, workspace)
    before = s3.bucket().write_times("build/files/")
    monkeypatch.setattr(SharedFiles, "_fetch_file", None)
    assert run_step(made, workspace)[MADE.name]["reused"]
    assert {
        k: v for k, v in s3.bucket().write_times("build/files/").items() if k in before
    } == before


def test_the_release_in_making_is_known_elsewhere(s3, machine):
    first, second = machine("first"), machine("second")
    with exchanging(first.root, "begins", []):
        first.begin_release("20261101T060000Z-00000001")
    with exchanging(second.root, "goes on", []):
        assert second.release_in_making == "20261101T060000Z-00000001"


def test_one_machine_exchanges_nothing(s3, machine, monkeypatch):
    monkeypatch.setenv("LARDER_EXECUTOR", "processes")
    run_step(made, machine("first"))
    assert s3.bucket().sizes("build/") == {}


def test_an_outage_of_the_storage_leaves_local_files(s3, machine):
    run_step(made, machine("first"))
    before = s3.bucket().sizes("build/")
    good = SharedFiles(s3.bucket(), machine("first").root)
    workspace = machine("second", seed=5)

    def write_while_it_goes_away():
        with exchanging(workspace.root, "made", [MADE.name]):
            workspace.write(MADE.name, COUNTS.assign(resource_count=5), MADE)
            s3.stop()

    with pytest.raises(StorageError) as raised:
        write_while_it_goes_away()
    s3.start()
    assert f"step made: {s3.url}/build/" in str(raised.value)
    assert SECRET not in str(raised.value)
    assert s3.bucket().sizes("build/") == before
    good.fetch(UNIT)
    assert set(machine("first").read(MADE.name)["resource_count"]) == {1}


@cases(
    "harm, message",
    {
        "gone": (lambda bucket, path: bucket.delete([path]), "is not there"),
        "damaged": (lambda bucket, path: bucket.write(path, b"other"), "is damaged"),
    },
)
def test_a_harmed_object_is_named_with_the_step_and_the_file(s3, machine, harm, message):
    run_step(made, machine("first"))
    bucket = s3.bucket()
    digest = SharedFiles(bucket, machine("first").root)._list(UNIT)[f"{UNIT}.parquet"]
    harm(bucket, f"build/files/{digest}")
    second = machine("second")
    with (
        pytest.raises(StorageError, match=message) as raised,
        exchanging(second.root, "read", [READ.name]),
    ):
        second.read(MADE.name)
    for part in ("step read: ", f"{s3.url}/build/files/{digest}", f"{UNIT}.parquet"):
        assert part in str(raised.value)
    assert not (second.root / f"{UNIT}.parquet").exists()


def test_unlisted_bytes_are_deleted_after_a_day(s3, machine, monkeypatch):
    files = SharedFiles(s3.bucket(), machine("first").root)
    run_step(made, machine("first"))
    run_step(made, machine("first", seed=5))
    file_count = len(s3.bucket().sizes("build/files/"))
    assert files.prune() == 0
    monkeypatch.setattr("warehouse.storage.shared_files._UNLISTED_FOR", pd.Timedelta(0))
    assert files.prune() > 0
    assert len(s3.bucket().sizes("build/files/")) < file_count
    files.fetch(UNIT)
    run_step(read, machine("second"))
