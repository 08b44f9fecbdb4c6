"""Writing arenas: a range of ids at a time, in bounded memory, and rows that are as they were from
the served release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.tables.core import RECORD_SOURCES, RESOURCES
from warehouse.arena import BATCH_ROWS, ArenaWriter
from warehouse.differing import differing
from warehouse.reuse import EarlierRelease

Ids = NDArray[np.int64]
# With more changed rows than this share, everything is written anew: picking rows costs as well.
_MOST_CHANGED = 0.2
SERVING_FOLDER = "serving"
POINTS_NAME = "points.arrow"


@dataclass(frozen=True)
class ArenaPlan:
    """The active resources by id, and for each its row in the earlier arenas, or -1 to write it."""

    ids: Ids
    earlier_rows: Ids
    earlier: EarlierRelease | None = None

    @property
    def fresh(self) -> Ids:
        return self.ids[self.earlier_rows < 0]

    @classmethod
    def anew(cls, ids: Ids) -> ArenaPlan:
        """To write every row."""
        return cls(ids, np.full(len(ids), -1))


def arena_plan(
    db: duckdb.DuckDBPyConnection, tables: Mapping[str, Path], earlier: EarlierRelease | None
) -> ArenaPlan:
    """Compare the resources of a release, and what stands behind them, with an earlier release.

    `db` holds the release's tables, `tables` maps their names to their files.
    """
    ids = _ids(db, f"SELECT resource_id FROM {RESOURCES.name} WHERE is_active")
    if earlier is None or not all(
        earlier.table(t.name).is_file() for t in (RESOURCES, RECORD_SOURCES)
    ):
        return ArenaPlan.anew(ids)
    if not earlier.is_whole(f"{SERVING_FOLDER}/{POINTS_NAME}"):
        return ArenaPlan.anew(ids)
    points = _read(earlier.folder / SERVING_FOLDER / POINTS_NAME)
    known = points["resource_id"].to_numpy().astype(np.int64)
    changed = np.concatenate(
        [
            differing(table, tables[table.name], earlier.table(table.name)).to_numpy()
            for table in (RESOURCES, RECORD_SOURCES)
        ]
    )
    place = np.searchsorted(known, ids)
    is_kept = (np.append(known, -1)[place] == ids) & ~np.isin(ids, changed)
    if (~is_kept).sum() > _MOST_CHANGED * len(ids):
        return ArenaPlan.anew(ids)
    return ArenaPlan(ids, np.where(is_kept, place, -1), earlier)


def _ids(db: duckdb.DuckDBPyConnection, query: str) -> Ids:
    found = db.sql(f"SELECT resource_id::BIGINT AS id FROM ({query}) ORDER BY 1").fetchnumpy()["id"]
    return np.ascontiguousarray(found, dtype=np.int64)


def _read(path: Path) -> pa.Table:
    with pa.memory_map(str(path)) as source:
        return pa.ipc.open_file(source).read_all()


def write_arena(
    db: duckdb.DuckDBPyConnection, query: Callable[[str], str], path: Path, plan: ArenaPlan
) -> None:
    """Write one arena.

    `query` makes SQL of a condition on an id ("{0}" stands for its column); it yields the texts of
    the active
    resources that fulfil it, in order of id. An earlier arena that is not what was sealed is left
    alone: a lost
    byte would be passed on for ever.
    """
    earlier = None
    if plan.earlier and plan.earlier.is_whole(f"{SERVING_FOLDER}/{path.name}"):
        earlier = _read(plan.earlier.folder / SERVING_FOLDER / path.name)["record"]
    elif plan.earlier:
        plan = ArenaPlan.anew(plan.ids)
    fresh = _Texts(_fresh_texts(db, query, plan.fresh))
    with ArenaWriter(path) as arena:
        for first, end, row in _runs(plan.earlier_rows):
            parts = fresh.take(end - first) if row < 0 else _slice(earlier, row, end - first)
            for part in parts:
                arena.append(part)


def _fresh_texts(
    db: duckdb.DuckDBPyConnection, query: Callable[[str], str], fresh: Ids
) -> Iterator[pa.Array]:
    db.register("fresh_ids", pa.table({"resource_id": fresh}))
    for first in range(0, len(fresh), BATCH_ROWS):
        last = min(first + BATCH_ROWS, len(fresh)) - 1
        # The range as well: tables are in order of id, so that whole stretches are skipped.
        chosen = f"{{0}} BETWEEN {fresh[first]} AND {fresh[last]} AND {{0}} IN (SELECT resource_id FROM fresh_ids)"
        for batch in db.sql(query(chosen)).to_arrow_reader(BATCH_ROWS):
            yield batch.column(0)
    db.unregister("fresh_ids")


class _Texts:
    """Arrays of texts, of which so many rows at a time are taken."""

    def __init__(self, arrays: Iterator[pa.Array]) -> None:
        self._arrays = arrays
        self._rest: pa.Array = pa.array([], pa.string())

    def take(self, count: int) -> Iterator[pa.Array]:
        """Raises StopIteration, as RuntimeError, when a query has yielded too few rows."""
        while count:
            if not len(self._rest):
                self._rest = next(self._arrays)
            part = self._rest.slice(0, count)
            self._rest = self._rest.slice(len(part))
            count -= len(part)
            yield part


def _slice(texts: pa.ChunkedArray, row: int, count: int) -> list[pa.Array]:
    chunks: list[pa.Array] = texts.slice(row, count).chunks
    return chunks


def _runs(rows: Ids) -> Iterator[tuple[int, int, int]]:
    """(first, end, earlier row or -1) of each run of rows that are all to be written, or lie side
    by side.
    """
    if not len(rows):
        return
    step = np.diff(rows)
    is_together = np.where(rows[1:] < 0, rows[:-1] < 0, (step == 1) & (rows[:-1] >= 0))
    bounds = [0, *(np.flatnonzero(~is_together) + 1).tolist(), len(rows)]
    for first, end in pairwise(bounds):
        yield first, end, int(rows[first])
