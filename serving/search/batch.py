"""Batches the queries by point of one turn of the event loop.

A call of the R-tree costs as much as several queries of it, and lets other threads in: a thread of
the server that waits for its turn gets it each time. One call for all queries of a turn hands the
interpreter over once.
"""

from __future__ import annotations

import asyncio

from serving.http.per_release import per_release
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Near, Sought, near_together


class QueryBatch:
    """Queries by point over one release. To be used from one event loop."""

    def __init__(self) -> None:
        self._queries: list[Sought] = []
        self._results: list[asyncio.Future[Near]] = []

    def near(self, query: Sought) -> asyncio.Future[Near]:
        """Add a query, to be answered in the next turn."""
        loop = asyncio.get_running_loop()
        if not self._queries:
            loop.call_soon(self._answer)
        result = loop.create_future()
        self._queries.append(query)
        self._results.append(result)
        return result

    def _answer(self) -> None:
        queries, self._queries = self._queries, []
        results, self._results = self._results, []
        try:
            answers = near_together(queries)
        except Exception as error:
            for result in results:
                if not result.done():
                    result.set_exception(error)
            return
        for result, near in zip(results, answers, strict=True):
            if not result.done():  # its client may have hung up
                result.set_result(near)


@per_release
def batch_of(_: OpenRelease) -> QueryBatch:
    """Make the batch of the queries over a release."""
    return QueryBatch()
