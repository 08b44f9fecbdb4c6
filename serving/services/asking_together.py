"""Batches nearest-neighbour queries per event-loop turn.

SciPy's tree releases the interpreter lock on every call. A search takes some ten microseconds, and
a waiting thread of the server takes the lock each time: handing the interpreter to and fro costs
several times as much as the search. Two calls for all queries of a turn hand it over twice.
"""

from __future__ import annotations

import asyncio

from serving.per_release import per_release
from warehouse.reader import OpenRelease
from warehouse.spatial_together import Near, Sought, near_together


class AskingTogether:
    """Searches by point over one release. To be used from one event loop."""

    def __init__(self) -> None:
        self._asked: list[Sought] = []
        self._told: list[asyncio.Future[Near]] = []

    def near(self, sought: Sought) -> asyncio.Future[Near]:
        """Return the result of a query, computed in the next turn."""
        loop = asyncio.get_running_loop()
        if not self._asked:
            loop.call_soon(self._answer)
        told = loop.create_future()
        self._asked.append(sought)
        self._told.append(told)
        return told

    def _answer(self) -> None:
        asked, self._asked = self._asked, []
        waiting, self._told = self._told, []
        try:
            found = near_together(asked)
        except Exception as error:
            for told in waiting:
                if not told.done():
                    told.set_exception(error)
            return
        for told, near in zip(waiting, found, strict=True):
            if not told.done():  # anyone who asked may have gone
                told.set_result(near)


@per_release
def asking_together(_: OpenRelease) -> AskingTogether:
    """Make the batch in which searches over a release meet."""
    return AskingTogether()
