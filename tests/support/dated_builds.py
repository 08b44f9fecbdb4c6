"""Builds of a small demo at an instant that does not pass, so that two of them can be compared byte
by byte.

python -m tests.support.dated_builds DATA RELEASE_ID DAY PATH

is such a build in a process of its own that is killed (SIGKILL) when it is about to write, or to
rename, a file whose path matches the regular expression PATH.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import assets.defs.workspace as workspaces
from assets.defs import directory_assets
from pipelines.profiles.profile import workspace_for
from pipelines.run import Outcome, run_build
from warehouse.files import sha256_of
from warehouse.raw_store import RawStore
from warehouse.release.store import ReleaseStore

FIRST, SECOND = "20261101T060000Z-00000001", "20261102T060000Z-00000002"
CHANGED = "diaper_banks"
# DuckDB does not promise equal bytes for its own files; the index lists the digest of one.
NOT_BYTE_EQUAL = {"directory.duckdb", "bulk/directory.duckdb", "bulk/index.json", "manifest.json"}


def build_on(data: Path, release_id: str, day: int) -> Outcome:
    """A build on a day of November 2026, judged as of the first. It has to succeed."""
    outcome = tried_on(data, release_id, day)
    assert outcome.is_success, outcome.failures
    return outcome


def tried_on(data: Path, release_id: str, day: int, **profile: Any) -> Outcome:
    """The same, whatever comes of it; `profile` are settings of another profile than the demo."""
    settings = profile or {"profile": "demo", "demo_rows": 600}
    now = datetime(2026, 11, day, 6, tzinfo=UTC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(directory_assets, "new_release_id", lambda workspace: release_id)
        patch.setattr(workspaces, "RawStore", partial(RawStore, clock=lambda: now))
        return run_build(workspace_for(data_dir=data, as_of="2026-11-01", **settings))


def rename_a_bank(data: Path) -> None:
    """Change one source of the demo."""
    (path,) = (p for p in (data / "demo").rglob("*") if CHANGED in p.parts and p.is_file())
    head, first, rest = path.read_text(encoding="utf-8").split("\n", 2)
    number, _, others = first.split(",", 2)
    path.write_text(f'{head}\n{number},"Renamed Bank",{others}\n{rest}', encoding="utf-8")


def changed_since_release(data: Path) -> Path:
    """A data directory with one source changed since its release, FIRST."""
    build_on(data, FIRST, 1)
    rename_a_bank(data)
    return data


def digests(data: Path, release_id: str) -> dict[str, str]:
    """SHA-256 of the files of a release that are the same bytes in every build of the same inputs."""
    folder = ReleaseStore(data).folder(release_id)
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    found = {str(path.relative_to(folder)): sha256_of(path) for path in paths}
    return {name: digest for name, digest in found.items() if name not in NOT_BYTE_EQUAL}


def die_at(pattern: str) -> None:
    """End this process as `kill -9` does, at a point that does not depend on how fast the machine
    is.
    """
    wanted = re.compile(pattern)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        is_write = event == "open" and isinstance(args[1], str) and not args[1].startswith("r")
        paths = args[:1] if is_write else args[:2] if event == "os.rename" else ()
        if any(wanted.search(str(path)) for path in paths):
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


if __name__ == "__main__":
    die_at(sys.argv[4])
    build_on(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
