"""Test that a second build runs only steps with changed inputs and publishes the bytes of a build
of every step, also after killed builds and damage.
"""

import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from socket import gethostname
from typing import Any

import dagster as dg
import msgspec
import pandas as pd
import pytest

from assets.matching.matching import LOCATED_COLUMNS, cluster
from assets.release.publication import RELEASE
from pipelines.build import build
from pipelines.jobs import BUILD_RELEASE
from pipelines.run import failures_of
from schemas.tables.core import CLUSTERS, DOUBTFUL_PAIRS, LOCATED
from tests.support.dated_builds import (
    CHANGED,
    FIRST,
    OUTCOME,
    SECOND,
    build_apart,
    build_on,
    copy_data,
    dated,
    digests,
    share_changed,
    share_second,
)
from tests.support.killed_builds import INSTANTS, kill_builds
from warehouse.parquet import read_frame
from warehouse.release.store import ReleaseStore

# Quick steps that run in every build: what they write is the same where nothing has changed.
_ALWAYS = {
    "core_directory__website_probes",
    "core_directory__last_changes",
    "core_directory__organizations",
    "core_veterans__identities",
    "core_veterans__rejects",
}
# Tables on disk are also these very files.
_LINKED = ("exports/core_fema_declarations__areas.parquet", "exports/core_geography__zips.parquet")


@dataclass(frozen=True)
class Builds:
    """Data directories with the release SECOND: by the necessary steps, and by every step
    after a disk lost a byte of each of two files of the served release.
    """

    before: Path
    reusing: Path
    forgetful: Path
    outcome: dict[str, Any]


@dataclass(frozen=True)
class Killed:
    """The data directory of builds that were killed, and the exit status of each."""

    data: Path
    statuses: dict[str, int]


@pytest.fixture(scope="module")
def before() -> Path:
    return share_changed()


@pytest.fixture(scope="module")
def builds(before: Path, tmp_path_factory: pytest.TempPathFactory) -> Builds:
    """The build of every step has more threads and merges its records in many small parts, which
    must not show either.
    """
    root = tmp_path_factory.mktemp("rebuilds")
    reusing = copy_data(share_second(), root / "reusing")
    forgetful = copy_data(before, root / "forgetful")
    outcome = msgspec.json.decode((reusing / OUTCOME).read_bytes())
    _damage_what_is_linked(forgetful)
    # As the documents advise.
    _forget(forgetful)
    build_apart(forgetful, SECOND, 2, threads=2, records_at_once=40)
    return Builds(before, reusing, forgetful, outcome)


@pytest.fixture(scope="module")
def killed(before: Path, tmp_path_factory: pytest.TempPathFactory) -> Killed:
    data = copy_data(before, tmp_path_factory.mktemp("killed") / "data")
    # A table that no later build writes again, whose writer is dead.
    with subprocess.Popen(["true"]) as ended:
        pass
    half = data / "tables" / f".raw_other__files.parquet.{gethostname()}.{ended.pid}.tmp"
    half.write_text("half")
    return Killed(data, dict(kill_builds(data)))


def _forget(data: Path) -> None:
    """Delete every note on inputs: then every step runs."""
    shutil.rmtree(data / "tables" / ".notes")
    for note in (data / "products").glob(".*.json"):
        note.unlink()


def test_every_published_file_has_the_same_bytes(builds: Builds) -> None:
    one, other = (digests(data, SECOND) for data in (builds.reusing, builds.forgetful))
    assert one.keys() == other.keys()
    assert len(one) > 100
    assert {name for name in one if one[name] != other[name]} == set()


def test_the_manifests_list_the_same_rows(builds: Builds) -> None:
    stores = [ReleaseStore(data) for data in (builds.reusing, builds.forgetful)]
    one, other = (
        {t.name: (t.rows, t.digest) for t in store.manifest(SECOND).tables} for store in stores
    )
    assert one == other


def test_the_release_is_whole(builds: Builds) -> None:
    for data in (builds.reusing, builds.forgetful):
        store = ReleaseStore(data)
        assert store.verify(SECOND).release_id == store.current() == SECOND


def test_one_changed_source_is_read_alone(builds: Builds) -> None:
    done = {step["name"] for step in builds.outcome["steps"] if not step["is_reused"]}
    steps = {n for n in done if n.startswith(("core_", "_core_"))} - _ALWAYS
    of_sources = {name for name in steps if "directory" not in name}
    assert of_sources == {
        f"core_{CHANGED}__places",
        f"core_{CHANGED}__rejects",
        f"_core_{CHANGED}__located",
    }
    assert {
        "_core_directory__located",
        "core_directory__resources",
        "out_directory__release",
    } <= done


def test_changed_names_are_matched_in_their_states_alone(builds: Builds) -> None:
    """Tables of other states stay the same files."""
    located = read_frame(builds.reusing / "tables" / f"_core_{CHANGED}__located.parquet")
    changed = located.loc[located["name"].isin(["Renamed Bank", "New Bank"]), "state"]
    earlier, now = (_times_of_states(data) for data in (builds.before, builds.reusing))
    assert now.keys() == earlier.keys()
    assert {s for s in now if now[s] != earlier[s]} == set(changed)


def _times_of_states(data: Path) -> dict[str, int]:
    folder = data / "tables" / CLUSTERS.name
    return {path.stem: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}


def test_states_by_themselves_match_as_the_country_does(builds: Builds) -> None:
    tables = builds.reusing / "tables"
    reference = cluster(read_frame(tables / f"{LOCATED.name}.parquet", LOCATED_COLUMNS))
    for table, frame in ((CLUSTERS, reference.clusters), (DOUBTFUL_PAIRS, reference.doubtful)):
        found = read_frame(tables / f"{table.name}.parquet")
        expected = frame.sort_values(list(table.order_by), ignore_index=True)
        pd.testing.assert_frame_equal(found, expected[found.columns], check_dtype=False)


def test_nothing_is_done_when_nothing_has_changed(builds: Builds) -> None:
    outcome = build_on(builds.reusing, "20261103T060000Z-00000003", 3)
    assert outcome.release_id == SECOND
    done = {step.name for step in outcome.steps if not step.is_reused}
    # No large step; of the core tables only those that check files or websites in every build.
    quick = {"core_directory__website_probes"}
    large = {
        "out_directory__bulk",
        "out_hsds__package",
        "out_hsds__services",
        "out_directory__release",
    }
    assert {n for n in done if n.startswith(("core_", "_core_"))} <= quick
    assert not done & large


def test_what_killed_builds_left_harms_nothing(
    builds: Builds, killed: Killed, tmp_path: Path
) -> None:
    assert killed.statuses == dict.fromkeys(INSTANTS, -signal.SIGKILL)
    # The served release is unchanged, and the next build equals a clean one.
    data = copy_data(killed.data, tmp_path / "data")
    store = ReleaseStore(data)
    assert store.verify(FIRST).release_id == store.current() == FIRST
    build_on(data, SECOND, 2)
    assert store.verify(SECOND).release_id == store.current() == SECOND
    assert digests(data, SECOND) == digests(builds.reusing, SECOND)
    assert [*data.rglob(".*.tmp"), *(data / "releases").glob(".building-*")] == []


def test_what_is_linked_and_damaged_is_not_sealed(killed: Killed, tmp_path: Path) -> None:
    """Run the last step of a build, after all others."""
    data = copy_data(killed.data, tmp_path / "data")
    _damage_what_is_linked(data)
    with dated(data, SECOND, 2) as workspace:
        job = build({"workspace": workspace}).resolve_job_def(BUILD_RELEASE)
        result = job.execute_in_process(
            asset_selection=[dg.AssetKey(RELEASE)], raise_on_error=False
        )
    failures = " ".join(failures_of(result.all_events))
    assert [name for name in _LINKED if Path(name).name not in failures] == []
    assert ReleaseStore(data).current() == FIRST


def _damage_what_is_linked(data: Path) -> None:
    for name in _LINKED:
        path = ReleaseStore(data).folder(FIRST) / name
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
