"""Transactions, and the order in which they take locks: no two can wait for each other.

1. A writer takes the store's one write lock at the start and keeps it until it ends: SQLite's own,
   on PostgreSQL an advisory lock. Row locks, counters and the hash chain of the audit log follow in
   any order, since there is no second writer.
2. A reader never takes the write lock. On PostgreSQL it shares an advisory lock on the tables, then
   reads them in any order: it conflicts with no writer, only with a change of the tables.
3. A transaction that changes tables (restoring, migrating) is a writer that then takes the lock on
   the tables alone (`lock_tables`), so it waits for readers before it locks the first table.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, func, select, text

# How long a write waits for another before the store counts as unavailable.
WAIT_SECONDS = 5
# Arbitrary numbers, unlikely to be used by other programs on the same PostgreSQL server.
_WRITE_LOCK, _TABLES_LOCK = 0x1A2DE3, 0x1A2DE4
_WRITES = "larder_writes"


@contextmanager
def begin_write(engine: Engine, wait_seconds: int = WAIT_SECONDS) -> Iterator[Connection]:
    """Open a transaction with the write lock. Raises the database's own errors."""
    with engine.execution_options(**{_WRITES: True}).begin() as db:
        if db.dialect.name == "postgresql":
            if wait_seconds != WAIT_SECONDS:
                db.execute(text(f"SET LOCAL lock_timeout = '{wait_seconds}s'"))
                db.execute(text(f"SET LOCAL statement_timeout = '{wait_seconds}s'"))
            db.execute(select(func.pg_advisory_xact_lock(_WRITE_LOCK)))
        yield db


@contextmanager
def begin_read(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that only reads. Raises the database's own errors."""
    with engine.connect() as db:
        if db.dialect.name == "postgresql":
            db.execute(select(func.pg_advisory_xact_lock_shared(_TABLES_LOCK)))
        yield db


def begin_sqlite(db: Connection) -> None:
    """Begin a transaction of SQLite: a writer takes the write lock now, since after a read it could
    no longer wait for it."""
    is_writing = db.get_execution_options().get(_WRITES, False)
    db.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def lock_tables(db: Connection) -> None:
    """Exclude readers until a write transaction ends, and lift the time limit of its statements.
    Call it before the transaction uses a table."""
    if db.dialect.name == "postgresql":  # SQLite's readers see the tables as they were before
        db.execute(select(func.pg_advisory_xact_lock(_TABLES_LOCK)))
        db.execute(text("SET LOCAL statement_timeout = 0"))
