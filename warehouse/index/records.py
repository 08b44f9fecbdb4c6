"""Stores the records of a release as JSON by row in `records.arrow`, the one file beside DuckDB.

Ten records by row take 10 µs from the mapped file, 1.4 ms from DuckDB with an ART index and 128 ms
without (323,280 records). Workers share the mapped pages. The file has batches of BATCH_ROWS rows,
so that it is written and streamed in constant memory.

`record` is the stored part of a record without its last brace, `detail` the further members of a
single record, starting with a comma.
"""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa

from schemas.sources.registry import sources
from schemas.tables.core import RESOURCES
from warehouse.duckdb import Connection
from warehouse.index.record_sql import records_sql, register_facts

RECORDS_NAME = "records.arrow"
BATCH_ROWS = 65_536
_SCHEMA = pa.schema(
    [pa.field(name, pa.large_binary(), nullable=False) for name in ("record", "detail")]
)


class RecordFile:
    """Reads records by row. Safe for threads."""

    def __init__(self, path: Path) -> None:
        """Map a file. Raises OSError, or pyarrow.ArrowInvalid when damaged."""
        reader = pa.ipc.open_file(pa.memory_map(str(path)))
        self._batches = [reader.get_batch(n) for n in range(reader.num_record_batches)]
        self._records = [_texts(batch["record"]) for batch in self._batches]
        self._details = [_texts(batch["detail"]) for batch in self._batches]

    def __len__(self) -> int:
        return sum(len(batch) for batch in self._batches)

    def record(self, row: int) -> bytes:
        """Return the stored part of a record. Raises IndexError."""
        offsets, texts = self._records[row // BATCH_ROWS]
        at = row % BATCH_ROWS
        return bytes(texts[offsets[at] : offsets[at + 1]])

    def detail(self, row: int) -> bytes:
        """Return the further members of a single record. Raises IndexError."""
        offsets, texts = self._details[row // BATCH_ROWS]
        at = row % BATCH_ROWS
        return bytes(texts[offsets[at] : offsets[at + 1]])


def _texts(column: pa.Array) -> tuple[memoryview, memoryview]:
    """Return offsets and bytes of a column of large binaries."""
    _, offsets, data = column.buffers()
    return memoryview(offsets).cast("q"), memoryview(data) if data else memoryview(b"")


def write_records(db: Connection, path: Path) -> None:
    """Write the records of the active resources in order of their ids. Raises OSError."""
    query = f"SELECT resource_id FROM {RESOURCES.name} WHERE is_active ORDER BY 1"
    ids = [resource_id for (resource_id,) in db.execute(query).fetchall()]
    # Parsed before threads start: msgspec prepares a class in one thread only.
    sources()

    def read(first: int) -> pa.Table:
        last = min(first + BATCH_ROWS, len(ids)) - 1
        with db.cursor() as cursor:
            register_facts(cursor)
            # Tables are ordered by id, so DuckDB skips rows outside the range.
            condition = f"{{0}} BETWEEN {ids[first]} AND {ids[last]}"
            return cursor.sql(records_sql(condition)).to_arrow_table().cast(_SCHEMA)

    with (
        pa.OSFile(str(path), "wb") as sink,
        pa.ipc.new_file(sink, _SCHEMA) as writer,
        # A range of ids occupies one core.
        ThreadPoolExecutor(2) as pool,
    ):
        reading: deque[Future[pa.Table]] = deque()
        for first in [*range(0, len(ids), BATCH_ROWS), None, None]:
            if first is not None:
                reading.append(pool.submit(read, first))
            if reading and (first is None or len(reading) > 2):
                writer.write_table(reading.popleft().result().combine_chunks(), BATCH_ROWS)
