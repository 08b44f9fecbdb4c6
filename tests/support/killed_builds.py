"""Builds in a process of their own that are killed (SIGKILL) at chosen points."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.dated_builds import SECOND
from tests.support.server import ROOT

# In the order of a build: each is killed later than the one before, on the same directory.
INSTANTS = {
    "before a source's table has its name": r"/tables/core_diaper_banks__places\.parquet$",
    "before the second of the directory's tables": r"/tables/\.core_directory__rule_observations\.",
    "when the last of them is there, but not its note": r"/\.notes/\.core_directory__resources\.",
    "while texts are being packed": r"/products/\.bulk\.[^/]+\.tmp/resources\.ndjson\.gz$",
    "when the old bulk files are gone and the new ones have no name": r"/products/bulk$",
    "when the bulk files are there, but not their note": r"/products/\.\.bulk\.json\.",
    "between two HSDS tables": r"/tables/out_hsds__services\.parquet$",
    "while the package is being written": r"/products/\.hsds\.[^/]+\.tmp/services\.csv\.gz$",
    "when the release's tables are there, but not all its pages": r"/\.building-\d+/quality\.html$",
    "before the release is sealed": r"/\.building-\d+/manifest\.json$",
    "before the release has its name": rf"/releases/{SECOND}$",
}


def kill_build(data: Path, path: str) -> int:
    """The status with which a build of `SECOND` ends that is to be killed at a path."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.dated_builds", str(data), SECOND, "2", path],
        cwd=ROOT,
        capture_output=True,
        check=False,
        env={**os.environ, "DAGSTER_DISABLE_TELEMETRY": "1"},
    )
    return done.returncode
