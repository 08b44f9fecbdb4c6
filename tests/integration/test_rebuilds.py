"""Test that two builds of the same files publish the same bytes, also after killed builds."""

import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from socket import gethostname

import pandas as pd
import pytest

from assets.matching.matching import LOCATED_COLUMNS, cluster
from schemas.tables.core import CLUSTERS, DOUBTFUL_PAIRS, LOCATED
from tests.support.dated_builds import (
    FIRST,
    SECOND,
    build_apart,
    build_on,
    copy_data,
    digests,
    share_changed,
    share_second,
)
from tests.support.killed_builds import INSTANTS, kill_builds
from warehouse.parquet import read_frame
from warehouse.release.store import ReleaseStore

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Builds:
    """Two data directories with the release SECOND. The other build has more threads and merges
    its records in many small parts, which must not show."""

    one: Path
    other: Path


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Builds:
    root = tmp_path_factory.mktemp("rebuilds")
    one = copy_data(share_second(), root / "one")
    other = copy_data(share_changed(), root / "other")
    build_apart(other, SECOND, 2, threads=2, records_at_once=40)
    return Builds(one, other)


def test_every_published_file_has_the_same_bytes(builds: Builds) -> None:
    one, other = (digests(data, SECOND) for data in (builds.one, builds.other))
    assert one.keys() == other.keys()
    assert len(one) > 90
    assert {name for name in one if one[name] != other[name]} == set()


def test_states_by_themselves_match_as_the_country_does(builds: Builds) -> None:
    tables = builds.one / "tables"
    reference = cluster(read_frame(tables / f"{LOCATED.name}.parquet", LOCATED_COLUMNS))
    for table, frame in ((CLUSTERS, reference.clusters), (DOUBTFUL_PAIRS, reference.doubtful)):
        found = read_frame(tables / f"{table.name}.parquet")
        expected = frame.sort_values(list(table.order_by), ignore_index=True)
        pd.testing.assert_frame_equal(found, expected[found.columns], check_dtype=False)


def test_what_killed_builds_left_harms_nothing(builds: Builds, tmp_path: Path) -> None:
    data = copy_data(share_changed(), tmp_path / "data")
    # A table that no later build writes again, whose writer is dead.
    with subprocess.Popen(["true"]) as ended:
        pass
    half = data / "tables" / f".raw_other__files.parquet.{gethostname()}.{ended.pid}.tmp"
    half.write_text("half")
    assert dict(kill_builds(data)) == dict.fromkeys(INSTANTS, -signal.SIGKILL)
    # The served release is unchanged, and the next build equals a clean one.
    store = ReleaseStore(data)
    assert store.verify(FIRST).release_id == store.current() == FIRST
    build_on(data, SECOND, 2)
    assert store.verify(SECOND).release_id == store.current() == SECOND
    assert digests(data, SECOND) == digests(builds.one, SECOND)
    assert [*data.rglob(".*.tmp"), *(data / "releases").glob(".building-*")] == []
