"""Backup and restore of the whole store, and the way from SQLite to PostgreSQL and back.

A backup is a SQLite file, whatever the store runs on: any tool reads it, and one function copies
its rows into either kind of store. SQLite makes it by its own online backup. It contains e-mail
addresses: protect it like the store itself.

Sessions and the keys of rate limits are left out; they are useless a day later. So is the outbox: a
restored one would send its links and codes again.
"""

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Connection,
    Table,
    create_engine,
    delete,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)

from warehouse.files import replacing
from warehouse.operations.engine import (
    Store,
    head,
    lock_tables,
    make_private_file,
    open_store,
    version_of,
)
from warehouse.operations.models import (
    COUNTERS,
    DAILY_KEYS,
    LIMIT_HITS,
    LIVE_CHANGES,
    METADATA,
    OUTBOX,
    SESSIONS,
    SMS_REPLIES,
)
from warehouse.operations.reports import mark_changed

_LEFT_OUT = (DAILY_KEYS, LIMIT_HITS, OUTBOX, SMS_REPLIES, SESSIONS)
_AT_ONCE = 500


class BackupError(RuntimeError):
    """The file or the store prevents it; the message gives the reason."""


def _tables() -> list[Table]:
    """Return the tables to back up, referenced tables first."""
    return [table for table in METADATA.sorted_tables if table not in _LEFT_OUT]


def backup(store: Store, path: Path) -> dict[str, int]:
    """Write the store to a SQLite file, whole or not at all; return rows by table. The store may
    be in use.

    Raises StoreUnavailableError, BackupError when the store is behind this version of the tables.
    """
    with store.read_snapshot() as db:
        version = version_of(db)
        if version != head():
            raise BackupError(f"the store is at version {version}: upgrade it first")
        with replacing(path) as temporary:
            make_private_file(temporary)
            with contextlib.closing(open_store(temporary)) as copy:
                if store.is_sqlite:
                    source: Any = db.connection.driver_connection
                    with contextlib.closing(sqlite3.connect(temporary)) as target:
                        source.backup(target)
                with copy.write() as out:
                    for table in _LEFT_OUT:
                        out.execute(delete(table))
                    if not store.is_sqlite:
                        _copy_rows(db, out)
                    counts = {str(t.name): _count(out, t) for t in _tables()}
            _close_log(temporary)
            return counts


def _close_log(path: Path) -> None:
    """Make one file of a database and its log; remove what was deleted from it."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA temp_store=MEMORY")  # the root of a container is read-only
        db.execute("VACUUM")
        db.execute("PRAGMA journal_mode=DELETE")
    with path.open("rb") as file:
        os.fsync(file.fileno())


def restore(store: Store, path: Path, *, replace: bool) -> dict[str, int]:
    """Restore a backup in one transaction; return rows by table. Running services detect it.

    Raises BackupError if the file is damaged or of another version, or if the store is not empty
    and `replace` is not set.
    """
    _check(path)
    # Nothing is written beside the backup: it may be on a read-only disk.
    file = create_engine(f"sqlite:///file:{path}?immutable=1&uri=true", hide_parameters=True)
    with store.write() as db:
        lock_tables(db)
        full_tables = [t.name for t in _tables() if t is not COUNTERS and _count(db, t)]
        if full_tables and not replace:
            raise BackupError(
                f"the store is not empty ({', '.join(full_tables)}): say that it is to be replaced"
            )
        version = db.execute(select(func.max(COUNTERS.c.value))).scalar() or 0
        resource_ids = set(db.execute(select(LIVE_CHANGES.c.resource_id)).scalars())
        # No row of the audit log can be deleted: the tables are made anew.
        METADATA.drop_all(db)
        METADATA.create_all(db)
        with file.connect() as source:
            _copy_rows(source, db)
        file.dispose()
        _after(db, version, resource_ids)
        return {str(t.name): _count(db, t) for t in _tables()}


def _copy_rows(source: Connection, target: Connection) -> None:
    """Copy all rows, as the columns' types read and write them on each kind of store."""
    for table in _tables():
        target.execute(delete(table))
        query = select(table).order_by(*table.primary_key).execution_options(yield_per=_AT_ONCE)
        for rows in source.execute(query).mappings().partitions():
            target.execute(insert(table), [dict(row) for row in rows])
    if target.dialect.name == "sqlite":
        return
    for table in _tables():
        key = table.autoincrement_column
        if key is not None:
            target.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', '{key.name}'), (SELECT "
                    f"coalesce(max({key.name}), 0) + 1 FROM {table.name}), false)"
                )
            )


def _after(db: Connection, version: int, resource_ids: set[int]) -> None:
    """Make every worker reload the live reports."""
    resource_ids |= set(db.execute(select(LIVE_CHANGES.c.resource_id)).scalars())
    newest = max(version, db.execute(select(func.max(COUNTERS.c.value))).scalar() or 0)
    db.execute(update(COUNTERS).values(value=newest))
    if resource_ids:
        mark_changed(db, sorted(resource_ids))


def _check(path: Path) -> None:
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
            (version,) = db.execute("SELECT version_num FROM alembic_version").fetchone()
    except (sqlite3.Error, TypeError) as error:
        raise BackupError(f"{path} is no backup of an operations store: {error}") from None
    if verdict != "ok":
        raise BackupError(f"{path} is damaged: {verdict}")
    if version != head():
        raise BackupError(f"{path} is of version {version}; this program has {head()}")


def _count(db: Connection, table: Table) -> int:
    if not inspect(db).has_table(table.name):
        raise BackupError("the store's tables are not up to date: upgrade it first")
    return db.execute(select(func.count()).select_from(table)).scalar_one()
