"""Processor time of a service and its price, independent of other load on the machine."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.load import Load

# Dollars for an hour of one virtual core: a round figure near on-demand cloud prices.
PRICE_OF_CORE_HOUR = 0.05
_TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """Return the user and system time of a process and its descendants so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / _TICK
    return own + sum(cpu_seconds(child) for child in children(pid))


def children(pid: int) -> list[int]:
    """Return the running processes that any thread of a process has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def milliseconds(load: Load) -> float:
    """Return the processor time of one request."""
    return 1000 * load.cpu_seconds / load.requests


def dollars_per_million(milliseconds_each: float) -> float:
    """Return the price of a million requests: milliseconds · 10⁶ / 3.6·10⁶ are core hours."""
    return milliseconds_each / 3.6 * PRICE_OF_CORE_HOUR


def cost_lines(loads: Mapping[int, Sequence[tuple[str, Load, Load]]]) -> Iterator[str]:
    """Return a section of the report; `loads` has (endpoint, ours, bare) by number of workers."""
    yield "## What a million requests cost"
    yield ""
    yield (
        "Processor time of the service (all processes, without the load generator) per request, "
        "under the loads above. Core hours for a million requests = milliseconds / 3.6; dollars "
        f"= hours · {PRICE_OF_CORE_HOUR:.2f}, an assumed price per core hour, not an offer. "
        "Memory and traffic are excluded."
    )
    yield ""
    counts = sorted(loads)
    heads = [f"ms each, {n} worker{'s' if n > 1 else ''} | core hours | dollars" for n in counts]
    yield f"| endpoint | {' | '.join(heads)} |"
    yield "| --- |" + " ---: |" * (3 * len(counts))
    for row in zip(*(loads[n] for n in counts), strict=True):
        cells = [_cells(milliseconds(ours)) for _, ours, _ in row]
        yield f"| {row[0][0]} | {' | '.join(cells)} |"


def _cells(each: float) -> str:
    return f"{each:.3f} | {each / 3.6:.4f} | {dollars_per_million(each):.4f}"
