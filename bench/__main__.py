"""`make bench`: costs of the pipeline and rates of the service, at national size.

Every figure about the service is a ratio to a bare handler measured in the same run: the same
server, the same typed parameters, the same bytes returned, nothing computed. The ratio describes
the service; requests per second describe the machine.
"""

import argparse
import json
import os
import platform
import shutil
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench import budget, postgis
from bench.load import Load, cost_lines, cpu_seconds, hammer, milliseconds
from bench.pages import page_lines
from bench.pipeline import Build, build, pipeline_lines
from bench.questions import ENDPOINTS, questions, shares
from bench.ratios import check
from bench.servers import ROOT, Server, serving, the_service
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

REPORT = ROOT / "docs" / "performance.md"
# What was measured by hand, and what did not help: the end of the report.
NOTES = ROOT / "bench" / "notes.md"
_ROUNDS = 3


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return bytes(answer.read())


# ---------------------------------------------------------------- the service


def measure(
    data: Path, seconds: int, workers: int
) -> tuple[list[tuple[str, Load, Load]], dict[str, float]]:
    """Return (endpoint, ours, bare) of each endpoint, and figures of the process.

    Both servers run; the load goes to one at a time. Rounds alternate, so a slow moment of the
    machine affects both; the median round of each counts.
    """
    ours = {"DIRECTORY_DATA_DIR": str(data)}
    with the_service(ours, workers=workers, ready="/api/resources/types") as service:
        figures = {"first_answer_s": service.seconds_to_first_answer}
        bare = {"LARDER_BENCH_SERVICE": service.base}
        with serving(
            "bench.bare:app",
            bare,
            workers=workers,
            ready="/api/resources/counts?zip=10002",
        ) as peer:
            loads = [(name, *_rounds(service, peer, name, seconds)) for name in ENDPOINTS]
            figures["memory_mb"] = service.memory_mb()
    return loads, figures


def _paths(service: Server, endpoint: str) -> list[str]:
    """Return the questions of a load, about places of the served release."""
    answer = json.loads(_get(f"{service.base}/api/resources/bulk?limit=1000"))
    return questions(endpoint, answer["resources"])


def measure_postgis(data: Path, seconds: int, workers: int) -> tuple[Load, Load]:
    """Return (ours, PostGIS's) for the nearest ten of a mode; see `bench.postgis`."""
    store = ReleaseStore(data)
    release = OpenRelease(store.folder(str(store.current())))
    ready = "/api/resources/nearby?lat=40.7&lng=-74&mode=free"
    with postgis.server() as (dsn, database):
        postgis.load(dsn, release)
        ours = {"DIRECTORY_DATA_DIR": str(data)}
        theirs = {"LARDER_PEER_DSN": dsn}
        with (
            the_service(ours, workers=workers, ready=ready) as service,
            serving("bench.postgis:app", theirs, workers=workers, ready=ready) as peer,
        ):
            return _rounds(service, peer, "nearby", seconds, database)


def _rounds(
    service: Server, peer: Server, endpoint: str, seconds: int, beside_peer: int | None = None
) -> tuple[Load, Load]:
    """Return median rounds and processor time; `beside_peer` works for the peer."""
    first, *others = shares(endpoint, _paths(service, endpoint), 1 + _ROUNDS)
    hammer(service.base, first, seconds=2)
    loads: dict[str, list[Load]] = {service.base: [], peer.base: []}
    for paths in others:
        for server, pids in ((service, [service.pid]), (peer, [peer.pid, beside_peer])):
            before = _cpu(pids)
            load = hammer(server.base, paths, seconds=seconds)
            loads[server.base].append(replace(load, cpu_seconds=_cpu(pids) - before))
    ours, theirs = (sorted(each, key=lambda load: load.per_second) for each in loads.values())
    return ours[_ROUNDS // 2], theirs[_ROUNDS // 2]


def _cpu(pids: Sequence[int | None]) -> float:
    return sum(cpu_seconds(pid) for pid in pids if pid)


# ---------------------------------------------------------------- the report


def _service_lines(
    loads: list[tuple[str, Load, Load]], figures: dict[str, float], workers: int
) -> Iterator[str]:
    yield f"## Service, {workers} worker{'s' if workers > 1 else ''}, 32 connections"
    yield ""
    yield (
        f"Start to first answer: {figures['first_answer_s']:.2f} s. Memory of all processes: "
        f"{figures['memory_mb']:.0f} MB (PSS, after the load)."
    )
    yield ""
    yield (
        "| endpoint | requests/s | bare handler/s | ratio | CPU ratio | p50 ms | p99 ms | p99/p50 "
        "| errors |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, ours, bare in loads:
        yield (
            f"| {name} | {ours.per_second:,.0f} | {bare.per_second:,.0f} | "
            f"{ours.per_second / bare.per_second:.2f} | "
            f"{milliseconds(bare) / milliseconds(ours):.2f} | {ours.p50_ms:.2f} | "
            f"{ours.p99_ms:.2f} | {ours.p99_ms / ours.p50_ms:.1f} | {ours.errors} |"
        )
    per_second = {name: ours.per_second for name, ours, _ in loads}
    yield ""
    yield (
        "With five filters and a time window, `search_filtered` reaches "
        f"{per_second['search_filtered'] / per_second['search_new']:.2f} of the rate of an "
        "uncached search (`search_new`)."
    )


def _postgis_lines(loads: dict[int, tuple[Load, Load]]) -> Iterator[str]:
    yield "## PostGIS, 32 connections"
    yield ""
    yield (
        "The ten nearest places of a mode. Our service adds the total within the radius, opening "
        "states and the envelope; the peer (GiST in three dimensions for each mode, `<<->>`, "
        "prepared statements, asyncpg, everything in memory, no sync) returns only the same "
        "stored records."
    )
    yield ""
    yield (
        "| workers | ours/s | PostGIS/s | ratio | our p99 ms | their p99 ms | our CPU ms each | "
        "their CPU ms each | CPU ratio |"
    )
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for workers, (ours, peer) in loads.items():
        yield (
            f"| {workers} | {ours.per_second:,.0f} | {peer.per_second:,.0f} | "
            f"{ours.per_second / peer.per_second:.2f} | {ours.p99_ms:.2f} | {peer.p99_ms:.2f} | "
            f"{milliseconds(ours):.3f} | {milliseconds(peer):.3f} | "
            f"{milliseconds(ours) / milliseconds(peer):.2f} |"
        )


def _measure_pipeline(data: Path, rows: int, *, is_large: bool) -> Iterator[str]:
    full = build(data, rows)
    return pipeline_lines(full, _large(data.parent / "large", 10 * rows) if is_large else None)


def _large(data: Path, rows: int) -> Build:
    """Build from nothing and delete the data: several gigabytes."""
    data.mkdir(parents=True)
    try:
        return build(data / "data", rows)
    finally:
        shutil.rmtree(data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=330_000)
    parser.add_argument("--seconds", type=int, default=5, help="length of each load")
    parser.add_argument(
        "--large", action="store_true", help="also build ten times the rows (needs 12 GB and long)"
    )
    parser.add_argument(
        "--only-pipeline", action="store_true", help="builds alone; prints, writes no report"
    )
    parser.add_argument("--workdir", type=Path, default=ROOT / "build" / "bench")
    parser.add_argument(
        "--keep", action="store_true", help="serve the release of the last run, build none"
    )
    parser.add_argument(
        "--data", type=Path, help="measure the release of this folder, build none; prints only"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="12,000 rows, short loads, one worker, no PostGIS; prints, writes no report",
    )
    parser.add_argument(
        "--ratios",
        type=Path,
        help="compare the CPU ratios of one worker with those of this file, and write them there",
    )
    options = parser.parse_args()
    if options.quick:
        options.rows, options.seconds, options.workdir = 12_000, 1, ROOT / "build" / "bench-quick"
    data = options.data or options.workdir / "data"
    options.keep = options.keep or options.data is not None
    if not options.keep:
        shutil.rmtree(options.workdir, ignore_errors=True)
    options.workdir.mkdir(parents=True, exist_ok=True)
    report: list[str] = []
    by_workers: dict[int, list[tuple[str, Load, Load]]] = {}
    for line in _report(data, options, by_workers):
        # Printed immediately: a later failure loses no results.
        print(line, flush=True)
        report.append(line)
    if not options.only_pipeline and not options.quick and not options.data:
        REPORT.write_text("\n".join(report) + "\n", encoding="utf-8")
    if options.ratios:
        by_endpoint = {
            n: milliseconds(bare) / milliseconds(ours) for n, ours, bare in by_workers[1]
        }
        check(by_endpoint, options.ratios)


def _report(
    data: Path, options: argparse.Namespace, by_workers: dict[int, list[tuple[str, Load, Load]]]
) -> Iterator[str]:
    """Measure part by part into `by_workers`, and yield the lines of the report."""
    yield "# Performance"
    yield ""
    yield (
        f"Written by `make bench` ({platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}). The bare handler runs on the same server in the same run, "
        "takes the same typed parameters and returns the same bytes; the load generator shares "
        "the cores."
    )
    if options.quick and not options.keep:
        build(data, options.rows)
    elif not options.keep:
        yield ""
        yield from _measure_pipeline(data, options.rows, is_large=options.large)
    if options.only_pipeline:
        return
    memory = {}
    for workers in (1,) if options.quick else (1, 2):
        by_workers[workers], figures = measure(data, options.seconds, workers)
        memory[workers] = figures["memory_mb"]
        yield ""
        yield from _service_lines(by_workers[workers], figures, workers)
    yield ""
    if 2 in memory:
        yield f"The second worker adds {memory[2] - memory[1]:.0f} MB."
        yield ""
    stages, milliseconds = budget.measure(data)
    yield from page_lines(milliseconds)
    yield ""
    yield from budget.budget_lines(stages)
    yield ""
    yield from cost_lines(by_workers)
    yield ""
    lack = "not part of the quick run" if options.quick else postgis.missing()
    if lack:
        yield f"PostGIS: not measured, {lack}."
    else:
        peers = {n: measure_postgis(data, options.seconds, n) for n in (1, 2)}
        yield from _postgis_lines(peers)
    yield ""
    yield NOTES.read_text(encoding="utf-8").rstrip()


if __name__ == "__main__":
    main()
