"""How many places lie near a point, counted for all who ask in the same turn of the event loop.

SciPy's tree lets other threads in for every call. A count takes some ten microseconds, and a thread of the server
that waits for its turn gets it each time: handing the interpreter to and fro costs several times as much as the
count. One call for all that is asked in a turn hands it over once.
"""

from __future__ import annotations

import asyncio

from warehouse.reader import OpenRelease
from warehouse.spatial import At, Selection, counts_within


class SharedCounting:
    """Counts over one release. To be used from one event loop."""

    def __init__(self) -> None:
        self._asked: list[tuple[Selection, At, float]] = []
        self._told: list[asyncio.Future[int]] = []

    def count_within(self, selection: Selection, at: At, chord: float) -> asyncio.Future[int]:
        """How many of a selection lie within the chord (metres), told in the next turn."""
        loop = asyncio.get_running_loop()
        if not self._asked:
            loop.call_soon(self._count)
        told = loop.create_future()
        self._asked.append((selection, at, chord))
        self._told.append(told)
        return told

    def _count(self) -> None:
        asked, self._asked = self._asked, []
        waiting, self._told = self._told, []
        try:
            counts = counts_within(asked)
        except Exception as error:
            for told in waiting:
                if not told.done():
                    told.set_exception(error)
            return
        for told, count in zip(waiting, counts, strict=True):
            if not told.done():  # whoever asked may have gone
                told.set_result(count)


def shared_counting(release: OpenRelease) -> SharedCounting:
    """The counting over a release, made once."""
    return release.kept("counting", SharedCounting)
