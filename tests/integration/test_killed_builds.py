"""A build that is killed while it writes leaves nothing behind that a later build takes for whole."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.integration.test_reuse import FIRST, SECOND, before, builds, digests
from tests.support.dated_builds import build_on
from warehouse.release import ReleaseStore

__all__ = ["before", "builds"]  # fixtures
ROOT = Path(__file__).resolve().parents[2]
_SECONDS = 180

Instant = Callable[[Path], bool]


def _rewritten(data: Path, name: str) -> Instant:
    """Once a table has been written again."""
    path = data / "tables" / f"{name}.parquet"
    inode = path.stat().st_ino
    return lambda data: path.stat().st_ino != inode


def _within(pattern: str) -> Instant:
    """Once there is a file that only a build at work has."""
    return lambda data: next(data.glob(pattern), None) is not None


# In the order of a build: each is killed later than the one before, on the same directory.
INSTANTS: dict[str, Callable[[Path], Instant]] = {
    "a source is read": lambda data: _rewritten(data, "core_diaper_banks__places"),
    "the first of the directory's tables is there": lambda data: _rewritten(
        data, "core_directory__automatic_changes"
    ),
    "the first HSDS table is there": lambda data: _rewritten(data, "out_hsds__services"),
    "texts are being packed": lambda data: _within("products/.bulk.*.tmp/resources.ndjson.gz"),
    "the package is being written": lambda data: _within("products/.hsds.*.tmp/services.ndjson"),
    "the release is being loaded": lambda data: _within("releases/.building-*/directory.duckdb"),
    "records are being written": lambda data: _within("releases/.building-*/serving/lines.arrow"),
}


def _killed_at(data: Path, instant: Instant) -> bool:
    """Kill a build at an instant; True when it was at work still."""
    command = [sys.executable, "-m", "tests.support.dated_builds", str(data), SECOND, "2"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "DAGSTER_DISABLE_TELEMETRY": "1"},
    )  # fmt: skip
    try:
        end = time.monotonic() + _SECONDS
        while process.poll() is None and time.monotonic() < end:
            if instant(data):
                break
            time.sleep(0.0005)
    finally:
        process.kill()
        status = process.wait()
    return status == -signal.SIGKILL and instant(data)


def test_what_killed_builds_left_harms_nothing(
    before: Path, builds: tuple[Path, Path], tmp_path: Path
) -> None:
    data = tmp_path / "killed"
    shutil.copytree(before, data)
    missed = [name for name, instant in INSTANTS.items() if not _killed_at(data, instant(data))]
    assert missed == []
    # What was served all the while has not been touched, and the next build comes to what a clean one does.
    store = ReleaseStore(data)
    assert store.verify(FIRST).release_id == store.current() == FIRST
    build_on(data, SECOND, 2)
    assert store.verify(SECOND).release_id == store.current() == SECOND
    for clean in builds:
        assert digests(data, SECOND) == digests(clean, SECOND)
    assert [*(data / "products").glob(".*.tmp"), *(data / "releases").glob(".building-*")] == []
