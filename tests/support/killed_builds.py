"""Builds that are killed (SIGKILL) at chosen points.

python -m tests.support.killed_builds DATA PATH...

builds `SECOND` once for each regular expression PATH, one after the other, each in a child process
that is killed when it is about to write, or to rename, a file whose path matches; prints the exit
status of each child on a line.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assets.steps.code_version import code_digest
from tests.support.dated_builds import SECOND, build_on
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


def kill_builds(data: Path) -> Iterator[tuple[str, int]]:
    """Yield each of `INSTANTS` with the exit status of the build of `SECOND` that it kills.

    All start from one process that has imported the pipeline: a third of the time of a short build.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.killed_builds", str(data), *INSTANTS.values()],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "DAGSTER_DISABLE_TELEMETRY": "1"},
    ) as driver:
        assert driver.stdout is not None
        for name, line in zip(INSTANTS, driver.stdout, strict=True):
            yield name, int(line)


def _die_at(pattern: str) -> None:
    """End this process as `kill -9` does, at a point that does not depend on the machine's speed."""
    wanted = re.compile(pattern)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        is_write = event == "open" and isinstance(args[1], str) and not args[1].startswith("r")
        paths = args[:1] if is_write else args[:2] if event == "os.rename" else ()
        if any(wanted.search(str(path)) for path in paths):
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def _main(data: Path, patterns: list[str]) -> None:
    # Else each child would parse the code of all steps for itself: a quarter of its time.
    code_digest("assets")
    for pattern in patterns:
        child = os.fork()
        if child == 0:
            sys.stdout = sys.stderr
            _die_at(pattern)
            build_on(data, SECOND, 2)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2:])
