"""Processes of this machine, by /proc."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """Return the child processes of a process."""
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
    """Return whether a process has a running thread.

    A killed process is a zombie once its first thread has ended; other threads hold its sockets
    until they end.
    """
    try:
        first = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return first != "Z" or len(os.listdir(f"/proc/{pid}/task")) > 1
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextmanager
def pause_process(pid: int) -> Iterator[None]:
    """Pause a process until the block ends (SIGSTOP, SIGCONT)."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def comes_true(condition: Callable[[], bool], seconds: float = 60, *, every: float = 0.05) -> bool:
    """Return whether a condition becomes true in time; `every` is the pause between polls."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True
