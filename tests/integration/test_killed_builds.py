"""A build that is killed while it writes leaves nothing behind that a later build takes for whole."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from tests.integration.test_reuse import FIRST, SECOND, before, builds, digests
from tests.support.dated_builds import build_on
from warehouse.release import ReleaseStore

__all__ = ["before", "builds"]  # fixtures
ROOT = Path(__file__).resolve().parents[2]

# In the order of a build: each is killed later than the one before, on the same directory.
INSTANTS = {
    "before a source's table has its name": r"/tables/core_diaper_banks__places\.parquet$",
    "before the second of the directory's tables": r"/tables/\.core_directory__rule_observations\.",
    "when the last of them is there, but not its note": r"/\.notes/core_directory__resources\.",
    "while texts are being packed": r"/products/\.bulk\.\d+\.tmp/resources\.ndjson\.gz$",
    "when the old bulk files are gone and the new ones have no name": r"/products/bulk$",
    "when the bulk files are there, but not their note": r"/products/\.\.bulk\.json\.",
    "between two HSDS tables": r"/tables/out_hsds__services\.parquet$",
    "while the package is being written": r"/products/\.hsds\.\d+\.tmp/services\.csv$",
    "when the release's tables are there, but not all its pages": r"/\.building-\d+/quality\.html$",
    "before the release is sealed": r"/\.building-\d+/manifest\.json$",
    "before the release has its name": rf"/releases/{SECOND}$",
}


def _kill(data: Path, path: str) -> int:
    """The status with which a build ends that is to be killed at a path."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.dated_builds", str(data), SECOND, "2", path],
        cwd=ROOT, capture_output=True, check=False, env={**os.environ, "DAGSTER_DISABLE_TELEMETRY": "1"},
    )  # fmt: skip
    return done.returncode


def test_what_killed_builds_left_harms_nothing(
    before: Path, builds: tuple[Path, Path], tmp_path: Path
) -> None:
    data = tmp_path / "killed"
    shutil.copytree(before, data)
    statuses = {name: _kill(data, path) for name, path in INSTANTS.items()}
    assert statuses == dict.fromkeys(INSTANTS, -signal.SIGKILL)
    # What was served all the while has not been touched, and the next build comes to what a clean one does.
    store = ReleaseStore(data)
    assert store.verify(FIRST).release_id == store.current() == FIRST
    build_on(data, SECOND, 2)
    assert store.verify(SECOND).release_id == store.current() == SECOND
    for clean in builds:
        assert digests(data, SECOND) == digests(clean, SECOND)
    assert [*(data / "products").glob(".*.tmp"), *(data / "releases").glob(".building-*")] == []
