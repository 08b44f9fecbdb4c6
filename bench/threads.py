"""Processor time of one request by thread, under load: the part that the budget of one request
cannot show.
"""

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
# Of each kind of thread: microseconds, and how often it waited for something.
Spent = dict[str, tuple[float, float]]


# Read with perf, py-spy and by taking parts out of a copy, on 26 November 2026.
_REASONS = (
    "A handler that answers at once keeps Granian's threads awake: requests reach the loop in crowds. One that takes a fifth of a"
    " millisecond is handed requests one by one: the runtime's thread sleeps and is woken for each answer, and the thread that hands"
    " requests on waits for the interpreter lock, which the loop lets go for a microsecond at each of the ten records it reads. The"
    " difference of the columns in the last two threads, and some 20 µs of the loop, is waking and waiting.",
    "",
    "Of the stage `framework, edge, event loop` 26 µs are Litestar (10 for any request, 11 to read 28 declared parameters, 5 to"
    " hand them on as a dependency; the bare handler has the same), 4 the edge with its headers, metrics and gate, some 8 the"
    " measurement, the rest code of the search between the stages.",
    "",
    "Twice the bare handler would be some 130 µs. The search consists of some sixty calls of NumPy of a microsecond each, ten system"
    " calls of 1.5 µs and the Python between them, nothing of it common to two requests. Were place name, R-tree and distances free, as"
    " compiled code at best, a request would be 1.24 times as quick: less than the 1.5 that compiled code has to bring here. So half the"
    " rate of the bare handler, and twice that of PostGIS, which does in C what is Python here, are out of reach of one process"
    " that reads, ranks and renders for each request.",
    "",
    "The first questions about a day cost more: each timetable is evaluated once a day in each worker, some 30 µs each (13,911 of"
    " them at 330,000 rows), which the loads above include.",
)


def measure(servers: Mapping[str, Server], paths: Sequence[str], seconds: int) -> dict[str, Spent]:
    """Return, by name of a server, the cost of one of its requests in threads of each kind.

    Rounds alternate; of each figure the median counts.
    """
    rounds: dict[str, list[Spent]] = defaultdict(list)
    for server in servers.values():
        hammer(server.base, paths, seconds=2)
    for _ in range(_ROUNDS):
        for name, server in servers.items():
            before = _spent(server)
            requests = hammer(server.base, paths, seconds=seconds).requests
            rounds[name].append(
                {
                    kind: ((us - before[kind][0]) / requests, (n - before[kind][1]) / requests)
                    for kind, (us, n) in _spent(server).items()
                }
            )
    return {name: _median(each) for name, each in rounds.items()}


def _median(rounds: Sequence[Spent]) -> Spent:
    return {
        kind: (
            statistics.median(spent[kind][0] for spent in rounds),
            statistics.median(spent[kind][1] for spent in rounds),
        )
        for kind in (_LOOP, _RUNTIME, _OTHERS)
    }


def _spent(server: Server) -> Spent:
    """Sum up the threads of the workers so far: microseconds on a core (`schedstat`), waits."""
    found = dict.fromkeys((_LOOP, _RUNTIME, _OTHERS), (0.0, 0.0))
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
            us, n = found[kind]
            found[kind] = us + nanoseconds / 1000, n + int(waits[1] if waits else 0)
    return found


def thread_lines(measured: Mapping[str, Spent], in_process: float) -> Iterator[str]:
    """Return a section of the report; `in_process`: microseconds of the same request by the budget."""
    yield "## The same request under load"
    yield ""
    yield (
        f"Microseconds of processor time of a nearby search by thread, 1 worker, 32 connections, and in parentheses how often the thread waited for a lock or a socket. The budget above is {in_process:.0f} of those of the event loop."
    )
    yield ""
    yield f"| thread | {' | '.join(measured)} |"
    yield "| --- |" + " ---: |" * len(measured)
    for kind in (_LOOP, _RUNTIME, _OTHERS):
        cells = [f"{spent[kind][0]:.0f} ({spent[kind][1]:.2f})" for spent in measured.values()]
        yield f"| {kind} | {' | '.join(cells)} |"
    yield _totals(measured)
    yield ""
    yield from _REASONS


def _totals(measured: Mapping[str, Spent]) -> str:
    totals = [f"{sum(us for us, _ in spent.values()):.0f}" for spent in measured.values()]
    return f"| all | {' | '.join(totals)} |"
