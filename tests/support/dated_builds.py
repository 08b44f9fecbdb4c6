"""Builds of a small demo at an instant that does not pass, so that two of them can be compared byte by byte.

python -m tests.support.dated_builds DATA RELEASE_ID DAY PATH

is such a build in a process of its own that is killed (SIGKILL) when it is about to write, or to rename, a file
whose path matches the regular expression PATH.
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
from warehouse.raw_store import RawStore


def build_on(data: Path, release_id: str, day: int) -> Outcome:
    """A build on a day of November 2026, judged as of the first."""
    now = datetime(2026, 11, day, 6, tzinfo=UTC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(directory_assets, "new_release_id", lambda workspace: release_id)
        patch.setattr(workspaces, "RawStore", partial(RawStore, clock=lambda: now))
        outcome = run_build(workspace_for("demo", data, demo_rows=600, as_of="2026-11-01"))
    assert outcome.is_success, outcome.failures
    return outcome


def die_at(pattern: str) -> None:
    """End this process as `kill -9` does, at a point that does not depend on how fast the machine is."""
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
