"""A source that fails: never again the same permanent error, its last good tables, and why."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import pytest

from assets.sources import assets as defs
from assets.sources import failures as source_failures
from assets.sources.assets import UP_TO_DATE, name_located_asset, source_assets, source_checks
from assets.sources.failures import FETCHING, READING, failure_of, is_transient
from assets.steps.keys import name_of
from assets.steps.provenance import mixture_faults
from assets.steps.workspace import Workspace
from pipelines.run import failures_of
from schemas.sources.registry import sources
from tests.support.source_files import FIXTURES
from tests.support.steps import run_steps
from tests.support.workspaces import write_geography
from warehouse.fetch.errors import (
    AnswerError,
    ConnectionFailedError,
    ServerBusyError,
    UnexpectedFileError,
    WrongContentError,
)
from warehouse.files import BusyError
from warehouse.operations.engine import StoreUnavailableError
from warehouse.parquet import write_table

SOURCE = sources()["diaper_banks"]
ASSETS = source_assets(SOURCE)


def _faults(workspace: Workspace) -> list[str]:
    return mixture_faults(workspace, [name_of(k) for a in ASSETS for k in a.keys], [])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the source, with its files."""
    path = tmp_path / "sources" / SOURCE.folders[0]
    shutil.copytree(FIXTURES / SOURCE.id, path)
    return path


@pytest.fixture
def workspace(tmp_path: Path, folder: Path) -> Workspace:
    path = Workspace(data_dir=str(tmp_path / "data"), profile="folder", sources_dir=str(tmp_path))
    write_geography(path)
    return path


@pytest.fixture
def run(workspace: Workspace) -> Iterator[Callable[[], dg.ExecuteInProcessResult]]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield lambda: run_steps([*ASSETS, source_checks(SOURCE)], workspace, instance=instance)


def _is_shown_as_failed(result: dg.ExecuteInProcessResult) -> bool:
    (passed,) = [
        check.passed
        for check in result.get_asset_check_evaluations()
        if check.check_name == UP_TO_DATE
    ]
    return not passed


def _retries(result: dg.ExecuteInProcessResult) -> int:
    return sum(event.is_step_up_for_retry for event in result.all_events)


def _unknown_file(folder: Path) -> None:
    (folder / "surprise.docx").write_bytes(b"PK\x03\x04")


def _other_columns(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_text("one,two\n1,2\n", encoding="utf-8")


def _no_text(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_bytes(b"\xff\xfe\x00\xd8" * 50)


@pytest.mark.parametrize(
    ("spoil", "step", "message"),
    [
        (_unknown_file, FETCHING, "surprise.docx"),
        (_other_columns, READING, ""),
        (_no_text, READING, ""),
    ],
    ids=["no layout", "other columns", "no text"],
)
def test_the_last_good_tables_stay_in_use(run, workspace, folder, spoil, step, message):
    assert not _is_shown_as_failed(run())
    before = workspace.read(SOURCE.core_table)
    # The invented place is in no ZIP code of its state.
    located = workspace.read(f"{name_located_asset(SOURCE)}_rejects")
    assert len(before) == len(located) > 0
    before_failure = {path.name: path.read_bytes() for path in folder.iterdir()}
    spoil(folder)
    result = run()
    assert result.success
    assert failures_of(result.all_events) == []
    assert _retries(result) == 0
    assert _is_shown_as_failed(result)
    failure = failure_of(SOURCE, workspace)
    assert failure is not None
    assert failure.step == step
    assert message in failure.reason
    # The reason ends with what could be read.
    assert all(layout.pattern in failure.reason for layout in SOURCE.files)
    assert workspace.read(SOURCE.core_table).equals(before)
    assert workspace.read(f"{name_located_asset(SOURCE)}_rejects").equals(located)
    # What is used is proved to be of earlier files, and these are named as passed over.
    assert _faults(workspace) == []

    for path in folder.iterdir():
        path.unlink()
    for name, content in before_failure.items():
        (folder / name).write_bytes(content)
    assert not _is_shown_as_failed(run())
    assert failure_of(SOURCE, workspace) is None
    assert _faults(workspace) == []


def test_without_earlier_tables_the_source_is_empty(run, workspace, folder):
    _other_columns(folder)
    assert run().success
    assert len(workspace.read(SOURCE.core_table)) == 0
    assert workspace.notes(SOURCE.core_table)["rows_read"] == 0
    assert _faults(workspace) == []


def test_new_files_that_cannot_be_read_are_not_called_the_ones_that_were(run, workspace, folder):
    assert run().success
    _other_columns(folder)
    assert run().success
    # Fetched once more, with still other bytes, and not looked at: a mixture again.
    with (folder / next(folder.iterdir()).name).open("a", encoding="utf-8") as file:
        file.write("3,4\n")
    files = defs.fetch_files(SOURCE, workspace, print)
    write_table(files, defs.RAW_FILES, workspace.path(SOURCE.raw_table))
    assert any(f"was made from {SOURCE.raw_table}" in f for f in _faults(workspace))


@pytest.mark.parametrize(
    ("error", "is_worth_it"),
    [
        (ServerBusyError("https://example.org", "503"), True),
        (ConnectionFailedError("https://example.org", "reset"), True),
        (BusyError("another process"), True),
        (StoreUnavailableError("locked"), True),
        (AnswerError("https://example.org", "404"), False),
        (WrongContentError("https://example.org", "a web page"), False),
        (UnexpectedFileError("folder", "no layout names x"), False),
        (ValueError("missing column"), False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_only_transient_failures_are_retried(error, is_worth_it, run, workspace, monkeypatch):
    assert is_transient(error) == is_worth_it

    def failing(*_):
        raise error

    monkeypatch.setattr(defs, "fetch_files", failing)
    monkeypatch.setattr(source_failures, "_FIRST_WAIT_SECONDS", 0)
    result = run()
    assert result.success
    assert _retries(result) == (source_failures.MAX_RETRIES if is_worth_it else 0)
    assert _is_shown_as_failed(result)
    assert str(error) in failure_of(SOURCE, workspace).reason


@pytest.mark.parametrize(
    ("error", "ends_build"),
    [(OSError(28, "No space left on device"), True), (MemoryError(), False)],
    ids=["disk", "memory"],
)
def test_a_full_disk_ends_the_build_and_a_lack_of_memory_the_source(
    error, ends_build, run, workspace, monkeypatch
):
    def failing(*_):
        raise error

    monkeypatch.setattr(defs, "fetch_files", failing)
    assert run().success != ends_build
    assert (failure_of(SOURCE, workspace) is None) == ends_build


def test_a_damaged_file_is_named_once_with_the_remedy(run, workspace, folder):
    path = folder / "banks.csv.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00")
    assert run().success
    assert failure_of(SOURCE, workspace).reason == (
        f"{folder.name}/banks.csv.gz: broken gzip (Compressed file ended before the end-of-stream "
        "marker was reached). Replace the file by a whole copy. The last good files stay in use."
    )
