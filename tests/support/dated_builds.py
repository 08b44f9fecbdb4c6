"""Builds a small demo at a fixed time, for comparison byte by byte.

`python -m tests.support.dated_builds DATA RELEASE_ID DAY RECORDS_AT_ONCE` runs such a build and
prints its outcome as JSON.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest

import assets.steps.workspace as workspaces
from assets.directory import assets as directory_assets
from assets.directory import ranges
from assets.steps.workspace import Workspace
from pipelines.build import workspace_for
from pipelines.run import Outcome, run_build
from tests.support.server import ROOT
from tests.support.sharing import share
from tests.support.wheels import install_wheel, run_apart
from warehouse.files import sha256_of
from warehouse.raw_store import RawStore
from warehouse.release.store import ReleaseStore

AS_OF = "2026-11-01"
FIRST, SECOND = "20261101T060000Z-00000001", "20261102T060000Z-00000002"
CHANGED = "diaper_banks"
REPORT, OUTCOME = "report.txt", "outcome.json"
# DuckDB does not promise equal bytes for its own files; the index lists the digest of one.
NOT_BYTE_EQUAL = {
    "bulk/directory.duckdb",
    "bulk/index.json",
    "manifest.json",
    "serving/directory.duckdb",
}


def build_on(data: Path, release_id: str, day: int) -> Outcome:
    """Build without failures on a day of November 2026, as of the first."""
    outcome = tried_on(data, release_id, day)
    assert outcome.is_success, outcome.failures
    return outcome


def tried_on(data: Path, release_id: str, day: int, **profile: Any) -> Outcome:
    """Build likewise, with any outcome; `profile` are settings of another profile."""
    with dated(data, release_id, day, **profile) as workspace:
        return run_build(workspace)


@contextmanager
def dated(data: Path, release_id: str, day: int, **profile: Any) -> Iterator[Workspace]:
    """Yield the workspace of such a build; in the block it is that day."""
    settings = profile or {"profile": "demo", "demo_rows": 600}
    now = datetime(2026, 11, day, 6, tzinfo=UTC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(directory_assets, "new_release_id", lambda workspace: release_id)
        patch.setattr(workspaces, "RawStore", partial(RawStore, clock=lambda: now))
        yield workspace_for(data_dir=data, as_of=AS_OF, **settings)


def demo_files(data: Path) -> Path:
    """Return the folder of the publishers' files of a demo."""
    (edition,) = (path for path in (data / "demo").iterdir() if path.is_dir())
    return edition


def rename_a_bank(data: Path, name: str = "Renamed Bank") -> None:
    """Change the name of a place of the demo."""
    _edit_banks(data, r'^1,"[^"]*"', f'1,"{name}"')


def replace_a_bank(data: Path) -> None:
    """Replace a place of the demo by a new one."""
    _edit_banks(data, r'^3,"[^"]*"', '900,"New Bank"')


def _edit_banks(data: Path, pattern: str, text: str) -> None:
    (path,) = (p for p in (data / "demo").rglob("*") if CHANGED in p.parts and p.is_file())
    edited, count = re.subn(pattern, text, path.read_text(encoding="utf-8"), flags=re.M)
    assert count == 1
    path.write_text(edited, encoding="utf-8")


def digests(data: Path, release_id: str) -> dict[str, str]:
    """Return SHA-256 by name of the files of a release that do not differ between equal builds."""
    folder = ReleaseStore(data).folder(release_id)
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    sums = {str(path.relative_to(folder)): sha256_of(path) for path in paths}
    return {name: digest for name, digest in sums.items() if name not in NOT_BYTE_EQUAL}


def build_apart(
    data: Path, release_id: str, day: int, threads: int, records_at_once: int = 0
) -> dict[str, Any]:
    """Return the outcome of `build_on` in a process with a limited number of threads.

    With `records_at_once`, records are merged in parts of that size.
    """
    names = (
        "LARDER_DUCKDB_THREADS",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "ARROW_NUM_THREADS",
    )
    words = [str(data), release_id, str(day), str(records_at_once)]
    process = subprocess.run(
        [sys.executable, "-m", "tests.support.dated_builds", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **dict.fromkeys(names, str(threads)), "DAGSTER_DISABLE_TELEMETRY": "1"},
    )
    assert process.returncode == 0, process.stdout + process.stderr
    report: dict[str, Any] = msgspec.json.decode(process.stdout.splitlines()[-1])
    return report


def copy_data(data: Path, target: Path) -> Path:
    """Copy a data directory with its hard links."""
    subprocess.run(["cp", "-a", str(data), str(target)], check=True)
    return target


def share_first() -> Path:
    """Return a data directory with the release FIRST of the demo, built by one thread."""
    return share("demo-first", lambda data: build_apart(data, FIRST, 1, threads=1))


def share_by_command() -> Path:
    """Return a data directory like `share_first`, built by the builder's wheel outside the checkout.

    The build has two processes and another day, and leaves its REPORT. The wheel also reads one
    publisher's list from a folder.
    """

    def make(data: Path) -> None:
        with TemporaryDirectory() as name:
            folder = Path(name)
            programs = install_wheel("builder-packages", folder)
            python = str(programs / "python")
            where = run_apart([python, "-c", "import pipelines as p; print(p.__file__)"], folder)
            assert name in where
            words = ["-m", "pipelines", *build_command(data), "--processes", "2"]
            report = run_apart([python, *words], folder)
            (data / REPORT).write_text(report, encoding="utf-8")
            files = ["--sources", str(demo_files(data)), "--only", CHANGED]
            alone = ["build", "--profile", "folder", *files, "--data", str(folder / "alone")]
            run_apart([str(programs / "larder"), *alone], folder)

    return share("demo-by-command", make)


def build_command(data: Path) -> list[str]:
    """Return the arguments of the command that builds as `share_first` does."""
    return ["build", "--rows", "600", "--as-of", AS_OF, "--data", str(data)]


def share_changed() -> Path:
    """Return the same with a changed source: a place has another name, and one is replaced."""
    first = share_first()

    def make(data: Path) -> None:
        rename_a_bank(copy_data(first, data))
        replace_a_bank(data)

    return share("demo-changed", make)


def share_second() -> Path:
    """Return the same with the release SECOND, built by one thread, and its OUTCOME."""
    second = share_changed()

    def make(data: Path) -> None:
        outcome = build_apart(copy_data(second, data), SECOND, 2, threads=1)
        (data / OUTCOME).write_bytes(msgspec.json.encode(outcome))

    return share("demo-second", make)


def share_unreleased() -> Path:
    """Return the same before the last step: the inputs of SECOND exist, and FIRST is served."""
    unreleased_second, second = share_changed(), share_second()

    def make(data: Path) -> None:
        releases = copy_data(second, data) / "releases"
        # Its tables are hard links to files of FIRST, and remain so.
        first = (releases / FIRST).rename(data / FIRST)
        shutil.rmtree(releases)
        shutil.copytree(
            unreleased_second / "releases", releases, ignore=shutil.ignore_patterns(FIRST)
        )
        first.rename(releases / FIRST)

    return share("demo-unreleased", make)


if __name__ == "__main__":
    ranges._RECORDS_AT_ONCE = int(sys.argv[4]) or ranges._RECORDS_AT_ONCE
    outcome = build_on(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
    print(msgspec.json.encode(outcome).decode(), flush=True)
