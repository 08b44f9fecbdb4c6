"""Processes of this machine, as the kernel tells them."""

from __future__ import annotations

from pathlib import Path


def children_of(pid: int) -> list[int]:
    """Processes that a process started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if int(parent) == pid:
            found.append(int(stat.parent.name))
    return found
