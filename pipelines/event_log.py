"""Stores the events of runs in SQLite through persistent connections.

Dagster's own log opens, syncs and closes a file for each of 3,000 writes of a build: a third of the
processor time of an unchanged build, and most of its time on a busy disk. It also looks up the
columns of a table for each asset event, in case a Dagster before 1.0 created it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from dagster._core.storage.event_log import SqliteEventLogStorage
from dagster._core.storage.event_log.sqlite.sqlite_event_log import INDEX_SHARD_NAME
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS

from warehouse.storage.sqlite import keep_open


class EventLog(SqliteEventLogStorage):
    """One file for each run and an index of all, like Dagster's, below `base_dir`/history.

    The index and the last used run stay open.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        self._open: dict[str, Any] = {}
        super().__init__(*arguments, **settings)

    @classmethod
    def from_config_value(cls, inst_data: Any, config_value: Mapping[str, Any]) -> Self:
        return cls(str(Path(config_value["base_dir"], "history", "runs")), inst_data)

    @contextmanager
    def _connect(self, shard: str) -> Iterator[Any]:
        with self._db_lock:
            if shard not in self._open:
                for other in self._open.keys() - {INDEX_SHARD_NAME}:
                    self._open.pop(other).dispose()
                address = self.conn_string_for_shard(shard)
                self._open[shard] = keep_open(address, SQLITE_BUSY_TIMEOUT_SECONDS)
            if shard not in self._initialized_dbs:
                self._initdb(self._open[shard])
                self._initialized_dbs.add(shard)
            with self._open[shard].begin() as connection:
                yield connection

    def dispose(self) -> None:
        """Close all files, so that SQLite checkpoints them and deletes its write-ahead logs."""
        super().dispose()
        with self._db_lock:
            while self._open:
                self._open.popitem()[1].dispose()

    # No Dagster before 1.0 created tables below `history`.

    def has_table(self, table_name: str) -> bool:
        return True

    def _has_asset_key_col_on_connection(self, conn: Any, column_name: str) -> bool:
        return True
