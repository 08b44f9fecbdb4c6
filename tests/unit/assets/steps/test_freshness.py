"""A step runs again if, and only if, one of its inputs changed."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.directory.places import merge_records
from assets.statistics.quality import quality_checks
from assets.steps.freshness import fingerprint_of, is_up_to_date, product_digest, writing_product
from assets.steps.workspace import FINGERPRINT, Workspace
from schemas.tables.out import TYPE_COUNTS
from tests.support.workspaces import COUNTS, workspace_with
from warehouse.files import replacing_folder
from warehouse.parquet import content_digest


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return workspace_with(tmp_path, "input")


def _fingerprint(workspace: Workspace, **changes: object) -> str:
    parts = {"reads": {"input": None}, "code": [quality_checks], "settings": ["a"]}
    return fingerprint_of(workspace, **{**parts, **changes})  # type: ignore[arg-type]


def test_of_some_tables_only_the_columns_that_are_read_count(workspace: Workspace) -> None:
    def fingerprint() -> str:
        return fingerprint_of(workspace, {"input": ["state", "resource_type"]})

    first = fingerprint()
    _other_rows(workspace)
    assert fingerprint() == first
    workspace.write("input", COUNTS.assign(state=["AK", "AZ"]), TYPE_COUNTS)
    assert fingerprint() != first


def _other_rows(workspace: Workspace) -> None:
    workspace.write("input", COUNTS.assign(resource_count=[1, 3]), TYPE_COUNTS)


def _other_notes(workspace: Workspace) -> None:
    workspace.write("input", COUNTS, TYPE_COUNTS, {"said": "second"})


def _same_rows_in_another_order(workspace: Workspace) -> None:
    workspace.write("input", COUNTS.iloc[::-1], TYPE_COUNTS)


def _later(workspace: Workspace) -> None:
    os.utime(workspace.path("input"), (1, 1))


@pytest.mark.parametrize(
    ("change", "is_kept"),
    [
        (_other_rows, False),
        (_other_notes, True),
        (_same_rows_in_another_order, True),
        (_later, True),
    ],
)
def test_only_contents_count(
    workspace: Workspace, change: Callable[[Workspace], None], is_kept: bool
) -> None:
    workspace.write("output", COUNTS, TYPE_COUNTS, {FINGERPRINT: _fingerprint(workspace)})
    with writing_product(workspace, "out", _fingerprint(workspace)) as (folder, _):
        (folder / "a.txt").write_text("a")
    change(workspace)
    assert is_up_to_date(workspace, _fingerprint(workspace), "output") is is_kept
    assert is_up_to_date(workspace, _fingerprint(workspace), "output", "out") is is_kept


@pytest.mark.parametrize("change", [{"reads": {}}, {"code": [merge_records]}, {"settings": ["b"]}])
def test_settings_and_code_count(workspace: Workspace, change: dict[str, list[object]]) -> None:
    assert _fingerprint(workspace, **change) != _fingerprint(workspace)


def test_a_missing_table_is_not_current(workspace: Workspace) -> None:
    assert not is_up_to_date(workspace, _fingerprint(workspace), "output")
    assert not is_up_to_date(workspace, _fingerprint(workspace), "out")
    assert product_digest(workspace, "out") is None
    assert content_digest(workspace.path("output")) is None


def test_an_unfinished_product_is_rebuilt(workspace: Workspace) -> None:
    fingerprint = _fingerprint(workspace)
    with writing_product(workspace, "out", fingerprint) as (folder, _):
        (folder / "a.txt").write_text("a")
    with pytest.raises(OSError, match="disk full"), writing_product(workspace, "out", fingerprint):
        raise OSError("disk full")
    assert (workspace.product("out") / "a.txt").read_text() == "a"
    assert not is_up_to_date(workspace, fingerprint, "out")


def test_an_overwritten_product_is_rebuilt(workspace: Workspace) -> None:
    fingerprint = _fingerprint(workspace)
    with writing_product(workspace, "out", fingerprint) as (folder, _):
        (folder / "a.txt").write_text("a")
    with replacing_folder(workspace.product("out")) as folder:
        (folder / "a.txt").write_text("longer")
    assert not is_up_to_date(workspace, fingerprint, "out")


def test_the_digest_of_a_product_is_that_of_its_files(workspace: Workspace) -> None:
    for name in ("one", "other"):
        with writing_product(workspace, name, _fingerprint(workspace, settings=[name])) as (
            folder,
            _,
        ):
            (folder / "a.txt").write_text("a")
    with replacing_folder(workspace.product("third")) as folder:
        (folder / "a.txt").write_text("a")
    digests = {product_digest(workspace, name) for name in ("one", "other", "third")}
    assert len(digests) == 1
