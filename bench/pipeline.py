"""Measure builds: from nothing, one small source changed, nothing changed, ten times."""

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
SMALL_SOURCE = "diaper_banks"
# Promised figures of the pipeline on two cores, at 330,000 rows and at ten times that.
MAX_SECONDS, MAX_MB = 130, 3_072
MAX_RATIO, MAX_MB_LARGE = 11, 12_288
MAX_ONE_CHANGE_RATIO, MAX_NO_CHANGE_RATIO = 0.65, 0.12


@dataclass(frozen=True)
class Build:
    """One finished build; `cpu_seconds` is steadier than `seconds`."""

    rows: int
    seconds: float
    cpu_seconds: float
    peak_memory_mb: float
    reused: int
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
        sum(s["is_reused"] for s in steps),
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


def change_small_source(data: Path) -> None:
    """Rename one diaper bank in the publisher's file."""
    (path,) = (p for p in (data / "demo").rglob("*.csv") if SMALL_SOURCE in p.parts)
    head, first, rest = path.read_text(encoding="utf-8").split("\n", 2)
    number, _, others = first.split(",", 2)
    path.write_text(f'{head}\n{number},"Renamed Diaper Bank",{others}\n{rest}', encoding="utf-8")


def pipeline_lines(
    full: Build, one_change: Build, no_change: Build, large: Build | None
) -> Iterator[str]:
    """Return the section of the report about builds."""
    yield f"## Pipeline, {full.rows:,} synthetic rows, from raw files to promoted release"
    yield ""
    yield (
        "Ratios compare with the build from nothing in the same run. Seconds cover the whole "
        "process."
    )
    yield ""
    yield "| build | seconds | CPU seconds | ratio | CPU ratio | peak MB | promised |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    promises = [
        ("everything, from nothing", full, f"{MAX_SECONDS} s, {MAX_MB:,} MB"),
        ("one small source changed", one_change, f"ratio {MAX_ONE_CHANGE_RATIO:.2f}"),
        ("nothing changed", no_change, f"ratio {MAX_NO_CHANGE_RATIO:.2f}"),
    ]
    if large:
        promise = f"ratio {MAX_RATIO}, {MAX_MB_LARGE:,} MB"
        promises.append((f"from nothing, {large.rows:,} rows", large, promise))
    for name, one, limit in promises:
        yield (
            f"| {name} | {one.seconds:.1f} | {one.cpu_seconds:.1f} | "
            f"{one.seconds / full.seconds:.2f} | {one.cpu_seconds / full.cpu_seconds:.2f} | "
            f"{one.peak_memory_mb:,.0f} | {limit} |"
        )
    if not large:
        yield ""
        yield "`make bench LARGE=1` measures ten times the size."
    for title, one in (("From nothing", full), ("One small source changed", one_change)):
        yield ""
        yield from _step_lines(title, one)


def _step_lines(title: str, one: Build) -> Iterator[str]:
    yield f"| {title}: step (dearest first) | rows | seconds | peak so far MB |"
    yield "| --- | ---: | ---: | ---: |"
    # Steps that create several tables report the same time for each: show it once.
    by_cost: dict[tuple[float, float], dict[str, Any]] = {}
    for step in one.steps:
        by_cost.setdefault((step["seconds"], step["peak_memory_mb"]), step)
    for step in sorted(by_cost.values(), key=lambda s: -s["seconds"])[:15]:
        yield (
            f"| `{step['name']}` | {step['rows'] or 0:,} | {step['seconds']:.1f} | "
            f"{step['peak_memory_mb']:.0f} |"
        )
