"""A build that skips steps publishes the very bytes that a build that runs every step publishes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assets.defs import directory_assets
from tests.support.dated_builds import (
    SECOND,
    build_on,
    changed_since_release,
    digests,
)
from warehouse.duckdb import connection
from warehouse.release.builder import DATABASE_NAME
from warehouse.release.store import ReleaseStore


def _forget(data: Path) -> None:
    """Delete every note of what was made from what: then every step runs."""
    shutil.rmtree(data / "tables" / ".notes")
    for note in (data / "products").glob(".*.json"):
        note.unlink()


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("before")
    yield changed_since_release(root / "data")
    shutil.rmtree(root)


@pytest.fixture(scope="module")
def builds(before: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Two directories that were built again from there; the second runs every step.

    It also merges its records in many small parts, which must not show either.
    """
    root = tmp_path_factory.mktemp("reuse")
    reusing, forgetful = root / "reusing", root / "forgetful"
    for data in (reusing, forgetful):
        shutil.copytree(before, data)
    _forget(forgetful)
    build_on(reusing, SECOND, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(directory_assets, "_RECORDS_AT_ONCE", 40)
        build_on(forgetful, SECOND, 2)
    yield reusing, forgetful
    shutil.rmtree(root)


def test_every_published_file_has_the_same_bytes(builds: tuple[Path, Path]) -> None:
    one, other = (digests(data, SECOND) for data in builds)
    assert one.keys() == other.keys()
    assert len(one) > 100
    assert {name for name in one if one[name] != other[name]} == set()


def test_the_databases_hold_the_same_rows(builds: tuple[Path, Path]) -> None:
    one, other = (
        {t.name: (t.rows, t.digest) for t in ReleaseStore(data).manifest(SECOND).tables}
        for data in builds
    )
    assert one == other
    databases = [ReleaseStore(data).folder(SECOND) / DATABASE_NAME for data in builds]
    assert _rows(databases[0]) == _rows(databases[1])


def _rows(path: Path) -> dict[str, list[Any]]:
    """The rows of each table, in their order."""
    with connection(path, read_only=True) as db:
        names = [row[0] for row in db.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {name: db.execute(f'FROM "{name}"').fetchall() for name in names}


def test_the_release_is_whole(builds: tuple[Path, Path]) -> None:
    for data in builds:
        store = ReleaseStore(data)
        assert store.verify(SECOND).release_id == store.current() == SECOND


def test_nothing_is_done_when_nothing_has_changed(builds: tuple[Path, Path]) -> None:
    outcome = build_on(builds[0], "20261103T060000Z-00000003", 3)
    assert outcome.release_id == SECOND
    done = {step.name for step in outcome.steps if not step.is_reused}
    # What is large; of the core tables only those that look at files, or ask, in every build.
    quick = {"core_directory__website_probes"}
    large = {
        "out_directory__bulk",
        "out_hsds__package",
        "out_hsds__services",
        "out_directory__release",
    }
    assert {n for n in done if n.startswith(("core_", "_core_"))} <= quick
    assert not done & large
