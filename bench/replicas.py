"""Measure the gain of a second replica: `python -m bench.replicas DATA [--seconds 5] [--rounds 5]`.

Two replicas with one worker each on one release and one PostgreSQL store, replica 1 on core 0 and
replica 2 on core 1 (`taskset`). On a machine of two cores, the load generator (wrk) and other
programs share the cores. The measure is therefore **requests for each second of processor time of
the replicas**, as the kernel counts it, not requests a second. Two loads alternate; the median
round of each counts:

* one replica at saturation (once the first, once the second); requests / its processor seconds is
  its rate on an exclusive core;
* both at once, each with its own wrk; requests / processor seconds of each.

The throughput of two replicas on exclusive cores is the sum of both rates; the ratio divides this
sum by the rate of one. It includes work that the replicas cause each other: cache and memory
traffic, spinning, store queries. Processor time does not show waiting (for a lock, the store, the
disk) on an idle core, so the benchmark also measures the time in which both cores were idle under
both loads. Exits with status 1 below 1.8, on errors, and when the cores were idle for more than a
tenth of the time, which means that the replicas waited.

The table's last column has plain requests a second with wrk on the same two cores: they describe
the machine, not the gain of a replica.
"""

import argparse
import json
import os
import statistics
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.load import cpu_seconds, hammer
from bench.questions import questions
from bench.servers import Server, the_service
from tests.support.stores import missing_postgresql, new_database, postgresql_server
from warehouse.operations.engine import open_store

# New searches cost most; most pages use lookups. No request repeats soon.
_MIX = ("search_new", "nearby", "resource", "counts")
MIN_GAIN, MAX_IDLE = 1.8, 0.1


@dataclass(frozen=True)
class Turn:
    """Requests, processor seconds per replica, wall seconds, idle share of two cores."""

    requests: list[int]
    cpu: list[float]
    seconds: float
    idle: float
    errors: int

    @property
    def rate(self) -> float:
        """Requests a second when every replica has an exclusive core."""
        return sum(n / cpu for n, cpu in zip(self.requests, self.cpu, strict=True))


def idle_seconds(cores: Sequence[int]) -> float:
    """Return the idle time of the cores so far, including waits for the disk."""
    names = {f"cpu{core}" for core in cores}
    lines = (line.split() for line in Path("/proc/stat").read_text().splitlines())
    return sum(int(line[4]) + int(line[5]) for line in lines if line[0] in names) / os.sysconf(
        "SC_CLK_TCK"
    )


def turn(
    servers: Sequence[Server], paths: Sequence[str], seconds: int, cores: Sequence[int]
) -> Turn:
    """Load some of the replicas in parallel, each with a separate load generator."""
    before, idle, began = (
        [cpu_seconds(s.pid) for s in servers],
        idle_seconds(cores),
        time.monotonic(),
    )
    with ThreadPoolExecutor(len(servers)) as pool:
        loads = list(pool.map(lambda s: hammer(s.base, paths, seconds=seconds), servers))
    wall = time.monotonic() - began
    cpu = [cpu_seconds(s.pid) - b for s, b in zip(servers, before, strict=True)]
    share = (idle_seconds(cores) - idle) / wall / len(cores)
    return Turn(
        [load.requests for load in loads], cpu, wall, share, sum(load.errors for load in loads)
    )


@contextmanager
def start_pinned(core: int, data: Path, store: str) -> Iterator[Server]:
    """Yield a replica whose processes and threads all run on one core."""
    settings = {
        "DIRECTORY_DATA_DIR": str(data),
        "LARDER_OPERATIONS_URL": store,
        "LARDER_OPERATIONS_UPGRADE": "off",
    }
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})  # new processes inherit it, as from `taskset`
    try:
        service = the_service(settings, workers=1, ready="/api/resources/types")
        server = service.__enter__()
    finally:
        os.sched_setaffinity(0, everywhere)
    try:
        yield server
    finally:
        service.__exit__(None, None, None)


def _warm(replica: Server, paths: Sequence[str]) -> None:
    """Load the replica for three processor seconds: the first answers page the release in."""
    end = cpu_seconds(replica.pid) + 3
    for _ in range(10):
        hammer(replica.base, paths, seconds=2)
        if cpu_seconds(replica.pid) >= end:
            return


def measure(
    replicas: Sequence[Server], seconds: int, rounds: int, cores: Sequence[int]
) -> tuple[list[Turn], list[Turn]]:
    """Return (turns of one, turns of both), alternating."""
    with urllib.request.urlopen(
        f"{replicas[0].base}/api/resources/bulk?limit=1000", timeout=30
    ) as answer:
        places = json.load(answer)["resources"]
    several = [questions(name, places) for name in _MIX]
    paths = [path for group in zip(*several, strict=False) for path in group]
    for replica in replicas:
        _warm(replica, paths)
    alone, both = [], []
    for number in range(rounds):
        alone.append(turn([replicas[number % 2]], paths, seconds, cores))
        both.append(turn(replicas, paths, seconds, cores))
    return alone, both


def report(alone: Sequence[Turn], both: Sequence[Turn]) -> tuple[str, bool]:
    """Return a Markdown table with a verdict, and whether the replicas meet the promise."""
    one, two = (statistics.median(t.rate for t in turns) for turns in (alone, both))
    idle, errors = statistics.median(t.idle for t in both), sum(t.errors for t in (*alone, *both))
    lines = [
        (
            "| asked | requests | CPU s of replicas | ms each | requests for each CPU second, "
            "summed | idle cores | seen/s |"
        ),
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, turns in (("one", alone), ("both", both)):
        for t in turns:
            n, cpu = sum(t.requests), sum(t.cpu)
            lines.append(
                f"| {name} | {n:,} | {cpu:.2f} | {1000 * cpu / n:.3f} | {t.rate:,.0f} | "
                f"{t.idle:.1%} | {n / t.seconds:,.0f} |"
            )
    is_met = two / one >= MIN_GAIN and errors == 0 and idle <= MAX_IDLE
    lines += [
        "",
        (
            f"One replica on a core of its own: {one:,.0f} requests/s; two: {two:,.0f}/s; ratio "
            f"{two / one:.2f} (promised {MIN_GAIN}); both idle {idle:.1%}; errors {errors}."
        ),
    ]
    return "\n".join(lines), is_met


def _make_tables(store: str) -> None:
    operations = open_store(store)
    with operations.read():  # the first use of a store upgrades its tables
        pass
    operations.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[:2]
    lack = missing_postgresql() or (None if len(cores) == 2 else "two cores are needed")
    if lack:
        sys.exit(lack)
    with postgresql_server() as server, ExitStack() as stack:
        store = new_database(server)
        _make_tables(store)
        replicas = [stack.enter_context(start_pinned(core, options.data, store)) for core in cores]
        text, is_met = report(*measure(replicas, options.seconds, options.rounds, cores))
    print(text)
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
