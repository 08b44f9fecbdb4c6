"""Writes arenas a range of ids at a time, in bounded memory."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from schemas.tables.core import RESOURCES
from warehouse.duckdb import Connection
from warehouse.index.arena import BATCH_ROWS, ArenaWriter, TailsWriter

Ids = NDArray[np.int64]
SERVING_FOLDER = "serving"


def active_ids(db: Connection) -> Ids:
    """Return the ids of the active resources, ascending."""
    query = f"SELECT resource_id::BIGINT AS id FROM {RESOURCES.name} WHERE is_active ORDER BY 1"
    return np.ascontiguousarray(db.sql(query).fetchnumpy()["id"], dtype=np.int64)


def write_arena(db: Connection, query: Callable[[str], str], path: Path, ids: Ids) -> TailsWriter:
    """Write one arena of the resources with these ids, ascending; return the ends of its records.

    `query` makes SQL of a condition on an id ("{0}" stands for its column); it yields the texts of
    the matching active resources, ordered by id, and in a second column their ends, if any.
    """
    tails = TailsWriter()
    with ArenaWriter(path) as arena:
        for first in range(0, len(ids), BATCH_ROWS):
            last = min(first + BATCH_ROWS, len(ids)) - 1
            # Tables are ordered by id, so DuckDB skips rows outside the range.
            condition = f"{{0}} BETWEEN {ids[first]} AND {ids[last]}"
            for batch in db.sql(query(condition)).to_arrow_reader(BATCH_ROWS):
                arena.append(batch.column(0))
                if batch.num_columns > 1:
                    tails.append(batch.column(1))
    return tails
