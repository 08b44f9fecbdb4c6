"""Processes of this machine, by /proc."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """Processes that a process started."""
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if int(parent) == pid:
            children.append(int(stat.parent.name))
    return children


def is_alive(pid: int) -> bool:
    """Return whether a process has a thread that has not ended.

    A killed process is a zombie as soon as its first thread has ended; the others hold its sockets
    until they get processor time to end too.
    """
    try:
        first = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return first != "Z" or len(os.listdir(f"/proc/{pid}/task")) > 1
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """Stop a process for the duration of the block, as a machine that gives it no time."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def comes_true(condition: Callable[[], bool], seconds: float = 30, *, every: float = 0.05) -> bool:
    """Whether a condition holds within some time; `every` is for one that costs something."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True
