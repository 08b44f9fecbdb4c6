"""A build that takes over what the served release holds publishes the very bytes that a build
without it publishes.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest

from assets.defs import directory_assets
from tests.support.dated_builds import (
    FIRST,
    SECOND,
    build_on,
    changed_since_release,
    digests,
)
from warehouse import database
from warehouse.build import DATABASE_NAME
from warehouse.duck import connection
from warehouse.hsds import tables
from warehouse.hsds.difference import find_difference
from warehouse.hsds.inputs import Tables
from warehouse.manifest import read_manifest, write_manifest
from warehouse.pieces import pieces_of
from warehouse.release import ReleaseStore


def _forget(data: Path) -> None:
    """Take every note of what was made from what away: then nothing can be taken over."""
    folder = ReleaseStore(data).folder(FIRST)
    write_manifest(folder, msgspec.structs.replace(read_manifest(folder), writer_digest=""))
    shutil.rmtree(data / "tables" / ".notes")
    for note in (data / "products").glob(".*.json"):
        note.unlink()


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("before")
    yield changed_since_release(root / "data")
    shutil.rmtree(root)


def _noted(patch: pytest.MonkeyPatch) -> list[bool]:
    """Whether HSDS rows were taken over, each time that a build tries."""
    found: list[bool] = []

    def noting(db: duckdb.DuckDBPyConnection, inputs: Tables, previous: Path) -> bool:
        found.append(find_difference(db, inputs, previous))
        return found[-1]

    patch.setattr(tables, "find_difference", noting)
    return found


@pytest.fixture(scope="module")
def builds(before: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Two directories that were built again from there; the second has forgotten the first release.

    It also merges its records in many small parts, which must not show either.
    """
    root = tmp_path_factory.mktemp("reuse")
    reusing, forgetful = root / "reusing", root / "forgetful"
    for data in (reusing, forgetful):
        shutil.copytree(before, data)
    _forget(forgetful)
    with pytest.MonkeyPatch.context() as patch:
        found = _noted(patch)
        # Tables of its database are brought up to date, however small.
        patch.setattr(database, "_LEAST_ROWS", 20)
        build_on(reusing, SECOND, 2)
        assert found == [True]
        patch.setattr(directory_assets, "_RECORDS_AT_ONCE", 40)
        build_on(forgetful, SECOND, 2)
        assert found == [True]
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
    """The rows of each table, whose order is that of the declaration only until rows are replaced."""
    with connection(path, read_only=True) as db:
        names = [row[0] for row in db.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {name: sorted(db.execute(f'FROM "{name}"').fetchall(), key=repr) for name in names}


def test_something_was_taken_over(builds: tuple[Path, Path]) -> None:
    """Files that are the same altogether are links; those with a change differ from the first
    release's.
    """
    folders = [ReleaseStore(builds[0]).folder(release_id) for release_id in (FIRST, SECOND)]
    inodes = [(folder / "hsds" / "addresses.ndjson").stat().st_ino for folder in folders]
    assert inodes[0] == inodes[1]
    services = [(folder / "hsds" / "services.ndjson").read_bytes() for folder in folders]
    assert services[0] != services[1]
    assert b"Renamed Bank" in services[1]


@pytest.mark.parametrize(
    "name", ["bulk/resources.ndjson.gz", "bulk/resources.csv.gz", "hsds/services.csv.gz"]
)
def test_only_pieces_with_a_change_are_packed_again(builds: tuple[Path, Path], name: str) -> None:
    before, after = (
        {p.digest for p in pieces_of(ReleaseStore(builds[0]).folder(release_id) / name)}
        for release_id in (FIRST, SECOND)
    )
    assert len(after) > 50
    assert 1 <= len(after - before) <= 10  # every row of the source was fetched anew


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
