"""Measures builds, from raw files to promoted release. Every build runs every step."""

import ctypes
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# Promised figures of the pipeline on two cores, at 330,000 rows and at ten times that.
MAX_SECONDS, MAX_MB = 240, 4_096
MAX_RATIO, MAX_MB_LARGE = 11, 12_288


@dataclass(frozen=True)
class Build:
    """One finished build; `cpu_seconds` is steadier than `seconds`."""

    rows: int
    seconds: float
    cpu_seconds: float
    peak_memory_mb: float
    steps: list[dict[str, Any]] = field(repr=False)


def build(data: Path, rows: int) -> Build:
    """Run a build in its own process, from raw files to promoted release."""
    outcome = data.parent / "outcome.json"
    command = [
        sys.executable,
        "-m",
        "pipelines",
        "build",
        "--rows",
        str(rows),
        "--data",
        str(data),
        "--json",
        str(outcome),
    ]
    adopt_orphans()
    before, start = cpu_of_children(), time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    _wait_for_orphans()
    cpu = cpu_of_children() - before
    outcome_json = json.loads(outcome.read_bytes())
    steps = outcome_json["steps"]
    return Build(
        rows,
        seconds,
        cpu,
        outcome_json["peak_memory_mb"],
        steps,
    )


def adopt_orphans() -> None:
    """Become the parent of processes that outlive a build: the server that forked its processes.

    Only waited-for processes are counted (getrusage(2), prctl(2)).
    """
    set_child_subreaper = 36
    if ctypes.CDLL(None, use_errno=True).prctl(set_child_subreaper, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def _wait_for_orphans() -> None:
    with suppress(ChildProcessError):
        while True:
            os.wait()


def cpu_of_children() -> float:
    """Return CPU seconds of all child processes that have ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def pipeline_lines(full: Build, large: Build | None) -> Iterator[str]:
    """Return the section of the report about builds."""
    yield f"## Pipeline, {full.rows:,} synthetic rows, from raw files to promoted release"
    yield ""
    yield "Seconds cover the whole process."
    yield ""
    yield "| build | seconds | CPU seconds | peak MB | promised |"
    yield "| --- | ---: | ---: | ---: | --- |"
    promises = [(full, f"{MAX_SECONDS} s, {MAX_MB:,} MB")]
    if large:
        promises.append((large, f"{MAX_RATIO} times as long, {MAX_MB_LARGE:,} MB"))
    for one, limit in promises:
        yield (
            f"| {one.rows:,} rows | {one.seconds:.1f} | {one.cpu_seconds:.1f} | "
            f"{one.peak_memory_mb:,.0f} | {limit} |"
        )
    if not large:
        yield ""
        yield "`make bench LARGE=1` measures ten times the size."
    yield ""
    yield "| step (dearest first) | rows | seconds |"
    yield "| --- | ---: | ---: |"
    # A step that creates several tables reports the same time for each: show it once.
    by_step = {step["step"]: step for step in full.steps}
    for step in sorted(by_step.values(), key=lambda s: -s["seconds"])[:15]:
        yield f"| `{step['name']}` | {step['rows'] or 0:,} | {step['seconds']:.1f} |"
