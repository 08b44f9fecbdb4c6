"""Search counts: collected in memory, written in the background, read by the dashboard."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import func, select

from warehouse.operations.engine import Store
from warehouse.operations.models import SEARCH_COUNTS
from warehouse.operations.rows import insert_into

Key = tuple[str, str, str]
# Limit per flush, so that many different ZIP codes cannot fill the memory; further ones are not
# counted.
MAX_PENDING = 50_000


class SearchCounts:
    """Counts of searches by day, ZIP code and mode.

    `add` and `take` run on the event loop; `write` and the reading methods may run in any thread.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pending: dict[Key, list[int]] = {}

    def add(self, day: date, zip_code: str, mode: str, *, is_empty: bool) -> None:
        """Count one search. Costs a dictionary look-up."""
        key = (day.isoformat(), zip_code, mode)
        entry = self._pending.get(key)
        if entry is None:
            if len(self._pending) >= MAX_PENDING:
                return
            entry = self._pending[key] = [0, 0]
        entry[0] += 1
        entry[1] += is_empty

    @property
    def pending(self) -> int:
        """Counts that are not yet written."""
        return len(self._pending)

    def take(self) -> dict[Key, list[int]]:
        """Return the pending counts, which the caller must `write`. Call it on the event loop."""
        counts, self._pending = self._pending, {}
        return counts

    def put_back(self, counts: dict[Key, list[int]]) -> None:
        """Restore counts that could not be written. Call it on the event loop."""
        for key, (searches, zero) in counts.items():
            entry = self._pending.setdefault(key, [0, 0])
            entry[0] += searches
            entry[1] += zero

    def write(self, counts: dict[Key, list[int]]) -> None:
        """Add counts to the store; may wait for another process. Raises StoreUnavailableError."""
        if not counts:
            return
        rows = [
            {"day": day, "zip": zip_code, "mode": mode, "searches": searches, "zero_results": zero}
            for (day, zip_code, mode), (searches, zero) in counts.items()
        ]
        with self._store.write() as db:
            statement = insert_into(db, SEARCH_COUNTS)
            sums = {
                name: SEARCH_COUNTS.c[name] + statement.excluded[name]
                for name in ("searches", "zero_results")
            }
            keys = ["day", "zip", "mode"]
            db.execute(statement.on_conflict_do_update(index_elements=keys, set_=sums), rows)

    def daily(self, days: int) -> list[tuple[str, int, int]]:
        """Return day, searches and searches without a result, the newest day first."""
        counts = SEARCH_COUNTS.c
        query = (
            select(counts.day, func.sum(counts.searches), func.sum(counts.zero_results))
            .where(counts.day >= _since(days))
            .group_by(counts.day)
            .order_by(counts.day.desc())
        )
        return self._rows(query)

    def top_zips(self, days: int, count: int = 20) -> list[tuple[str, int]]:
        """Return the ZIP codes with the most searches; city searches without a ZIP are left out."""
        counts = SEARCH_COUNTS.c
        return self._most([counts.zip], counts.searches, counts.zip != "", days, count)

    def zero_results(self, days: int, count: int = 20) -> list[tuple[str, str, int]]:
        """Return ZIP code, mode and the number of searches without a result."""
        counts = SEARCH_COUNTS.c
        where = counts.zero_results > 0
        return self._most([counts.zip, counts.mode], counts.zero_results, where, days, count)

    def _most(self, by: list[Any], column: Any, where: Any, days: int, count: int) -> list[Any]:
        """Return the groups with the largest sums, each with its sum."""
        total = func.sum(column)
        query = select(*by, total).where(SEARCH_COUNTS.c.day >= _since(days), where)
        return self._rows(query.group_by(*by).order_by(total.desc(), *by).limit(count))

    def close(self) -> None:
        """Write pending counts. The store stays open: others use it too."""
        self.write(self.take())

    def _rows(self, query: Any) -> list[Any]:
        with self._store.read() as db:
            return [tuple(row) for row in db.execute(query)]


def _since(days: int) -> str:
    return (datetime.now(UTC).date() - timedelta(days=days - 1)).isoformat()
