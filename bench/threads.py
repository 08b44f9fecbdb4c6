"""Processor time of one request by thread under load, which the budget does not show."""

import re
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.load import hammer
from bench.servers import Server

_LOOP = "event loop"
_RUNTIME = "Granian's runtime: sockets, HTTP"
_OTHERS = "other threads: Granian's, which hands requests to the loop; verification, reports"
_SWITCHES = re.compile(r"^voluntary_ctxt_switches:\s+(\d+)", re.MULTILINE)
_ROUNDS = 5
# For each kind of thread: microseconds, and number of waits.
ThreadCosts = dict[str, tuple[float, float]]


# Measured with perf, py-spy and by removing parts of a copy, on 26 November 2026.
_REASONS = (
    (
        "A handler that answers at once keeps Granian's threads awake: requests reach the loop in "
        "batches. A handler that takes a fifth of a millisecond receives them one by one: the "
        "runtime's thread sleeps and wakes for each answer, and the thread that hands on requests "
        "waits for the interpreter lock, which the loop releases for a microsecond at each of the "
        "ten records it reads. The difference between the columns in the last two threads, and "
        "some 20 µs of the loop, are waking and waiting."
    ),
    "",
    (
        "In the stage `framework, edge, event loop`, Litestar takes 26 µs (10 for any request, 11 "
        "to read 28 declared parameters, 5 to pass them on as a dependency; the same in the bare "
        "handler), the edge with its headers, metrics and gate 4, the measurement some 8, and "
        "search code between the stages the rest."
    ),
    "",
    (
        "Twice the bare handler would be some 130 µs. The search makes some sixty NumPy calls of "
        "a microsecond each and ten system calls of 1.5 µs, with Python between them; no two "
        "requests share this work. If place name, R-tree and distances took no time, the best "
        "case for compiled code, a request would be 1.24 times as fast: below the 1.5 required of "
        "compiled code here. One process that reads, ranks and renders for each request therefore "
        "cannot reach half the rate of the bare handler, or twice that of PostGIS, which does "
        "this work in C."
    ),
    "",
    (
        "The first requests for a day cost more: each worker evaluates each timetable once a day, "
        "some 30 µs each (13,911 of them at 330,000 rows). The loads above include this."
    ),
)


def measure(
    servers: Mapping[str, Server], paths: Sequence[str], seconds: int
) -> dict[str, ThreadCosts]:
    """Return, by server name, the cost of one request in threads of each kind.

    Rounds alternate; the median of each figure counts.
    """
    rounds: dict[str, list[ThreadCosts]] = defaultdict(list)
    for server in servers.values():
        hammer(server.base, paths, seconds=2)
    for _ in range(_ROUNDS):
        for name, server in servers.items():
            before = _sum_costs(server)
            requests = hammer(server.base, paths, seconds=seconds).requests
            rounds[name].append(
                {
                    kind: ((us - before[kind][0]) / requests, (n - before[kind][1]) / requests)
                    for kind, (us, n) in _sum_costs(server).items()
                }
            )
    return {name: _median(each) for name, each in rounds.items()}


def _median(rounds: Sequence[ThreadCosts]) -> ThreadCosts:
    return {
        kind: (
            statistics.median(costs[kind][0] for costs in rounds),
            statistics.median(costs[kind][1] for costs in rounds),
        )
        for kind in (_LOOP, _RUNTIME, _OTHERS)
    }


def _sum_costs(server: Server) -> ThreadCosts:
    """Sum up the threads of the workers so far: microseconds on a core (`schedstat`), waits."""
    costs = dict.fromkeys((_LOOP, _RUNTIME, _OTHERS), (0.0, 0.0))
    for worker in server.processes()[1:]:
        for thread in Path(f"/proc/{worker}/task").iterdir():
            try:
                nanoseconds = int((thread / "schedstat").read_text().split()[0])
                name, status = (thread / "comm").read_text(), (thread / "status").read_text()
            except OSError:  # it ended
                continue
            others = _RUNTIME if name.startswith("tokio") else _OTHERS
            kind = _LOOP if thread.name == str(worker) else others
            waits = _SWITCHES.search(status)
            us, n = costs[kind]
            costs[kind] = us + nanoseconds / 1000, n + int(waits[1] if waits else 0)
    return costs


def thread_lines(by_server: Mapping[str, ThreadCosts], in_process: float) -> Iterator[str]:
    """Return a section of the report; `in_process`: microseconds of the same request by the
    budget."""
    yield "## The same request under load"
    yield ""
    yield (
        "Processor time of a nearby search by thread in microseconds, 1 worker, 32 connections; "
        "in parentheses, the thread's waits for a lock or a socket. The budget above covers "
        f"{in_process:.0f} µs of the event loop."
    )
    yield ""
    yield f"| thread | {' | '.join(by_server)} |"
    yield "| --- |" + " ---: |" * len(by_server)
    for kind in (_LOOP, _RUNTIME, _OTHERS):
        cells = [f"{costs[kind][0]:.0f} ({costs[kind][1]:.2f})" for costs in by_server.values()]
        yield f"| {kind} | {' | '.join(cells)} |"
    yield _totals(by_server)
    yield ""
    yield from _REASONS


def _totals(by_server: Mapping[str, ThreadCosts]) -> str:
    totals = [f"{sum(us for us, _ in costs.values()):.0f}" for costs in by_server.values()]
    return f"| all | {' | '.join(totals)} |"
