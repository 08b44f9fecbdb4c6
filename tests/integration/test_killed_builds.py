"""A build that is killed while it writes leaves nothing behind that a later build takes for whole."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path
from socket import gethostname

from tests.integration.test_reuse import before, builds
from tests.support.dated_builds import FIRST, SECOND, build_on, digests
from tests.support.killed_builds import INSTANTS, kill_build
from warehouse.release.store import ReleaseStore

__all__ = ["before", "builds"]  # fixtures


def test_what_killed_builds_left_harms_nothing(
    before: Path, builds: tuple[Path, Path], tmp_path: Path
) -> None:
    data = tmp_path / "killed"
    shutil.copytree(before, data)
    # A table that no later build writes again, whose writer is dead.
    with subprocess.Popen(["true"]) as ended:
        pass
    half = data / "tables" / f".raw_other__files.parquet.{gethostname()}.{ended.pid}.tmp"
    half.write_text("half")
    statuses = {name: kill_build(data, path) for name, path in INSTANTS.items()}
    assert statuses == dict.fromkeys(INSTANTS, -signal.SIGKILL)
    # What was served all the while has not been touched, and the next build comes to what a clean
    # one does.
    store = ReleaseStore(data)
    assert store.verify(FIRST).release_id == store.current() == FIRST
    build_on(data, SECOND, 2)
    assert store.verify(SECOND).release_id == store.current() == SECOND
    for clean in builds:
        assert digests(data, SECOND) == digests(clean, SECOND)
    assert [*data.rglob(".*.tmp"), *(data / "releases").glob(".building-*")] == []
