"""Kills builds (SIGKILL) at chosen points.

`python -m tests.support.killed_builds DATA` builds `SECOND` once for each of `INSTANTS`, each in a
child process that is killed before it writes or renames a file with a matching path. Prints the
exit status of each child on a line.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import dagster as dg

from assets.steps.keys import keys_of
from pipelines.build import build
from pipelines.jobs import BUILD_RELEASE
from tests.support.dated_builds import SECOND, dated
from tests.support.server import ROOT


class Instant(NamedTuple):
    """A regular expression for the path at which a build is killed, and its first steps."""

    path: str
    steps: tuple[str, ...]


_CHANGED = "core_diaper_banks__places"
# In the order of a build: each is killed later than the last, on the same directory.
INSTANTS = {
    "between two of the directory's tables": Instant(
        r"/tables/\.core_directory__rule_observations\.", (_CHANGED,)
    ),
    "when the old bulk files are gone and the new ones have no name": Instant(
        r"/products/bulk$", ("out_directory__bulk",)
    ),
    "before the release has its name": Instant(rf"/releases/{SECOND}$", (_CHANGED,)),
}


def kill_builds(data: Path) -> Iterator[tuple[str, int]]:
    """Yield each of `INSTANTS` with the exit status of the build of `SECOND` that it kills.

    All start from one process that has imported the pipeline: a third of the time of a short build.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.killed_builds", str(data)],
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
    """Kill this process at a point that does not depend on the machine's speed."""
    line = re.compile(pattern)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        is_write = event == "open" and isinstance(args[1], str) and not args[1].startswith("r")
        paths = args[:1] if is_write else args[:2] if event == "os.rename" else ()
        if any(line.search(str(path)) for path in paths):
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def _main(data: Path) -> None:
    with dated(data, SECOND, 2) as workspace:
        # Defined once: otherwise each child would do it.
        job = build({"workspace": workspace}).resolve_job_def(BUILD_RELEASE)
        for instant in INSTANTS.values():
            child = os.fork()
            if child == 0:
                sys.stdout = sys.stderr
                _die_at(instant.path)
                job.execute_in_process(
                    # Only our logger: Dagster's writes ten lines about every step.
                    run_config={"loggers": {"progress": {}}},
                    asset_selection=_steps_of(job, instant),
                    raise_on_error=False,
                )
                os._exit(0)
            _, status = os.waitpid(child, 0)
            print(os.waitstatus_to_exitcode(status), flush=True)


def _steps_of(job: dg.JobDefinition, instant: Instant) -> list[dg.AssetKey]:
    """Return the assets to build."""
    selection = dg.AssetSelection.assets(*keys_of(instant.steps)).required_multi_asset_neighbors()
    return list(selection.downstream().resolve(job.asset_layer.asset_graph))


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
