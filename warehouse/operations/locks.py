"""Transactions that write, and the order in which they take locks: no two can wait for each other.

1. Every writer takes the store's one write lock at the start and keeps it until it ends: SQLite's
   own, on PostgreSQL an advisory lock. Row locks, counters and the hash chain of the audit log
   follow in any order, since there is no second writer.
2. A reader never takes the write lock. It shares a lock on each table that it reads, in any order,
   and conflicts only with a transaction that changes the tables themselves.
3. A transaction that changes tables (restoring, migrating) is a writer that first locks all of them
   (`lock_tables`), and while it waits for a reader it gives back what it holds.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, func, inspect, select, text
from sqlalchemy.exc import OperationalError

# How long a write waits for another before the store counts as unavailable.
WAIT_SECONDS = 5
# PostgreSQL looks for deadlocks a second after a lock was requested: a reader waits for less.
_LOCK_MILLISECONDS = 500
_RETRY_SECONDS = 0.1
# An arbitrary number, unlikely to be used by other programs on the same PostgreSQL server.
_WRITE_LOCK = 0x1A2DE3
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


def begin_sqlite(db: Connection) -> None:
    """Begin a transaction of SQLite: a writer takes the write lock now, since after a read it could
    no longer wait for it."""
    is_writing = db.get_execution_options().get(_WRITES, False)
    db.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def lock_tables(db: Connection) -> None:
    """Exclude readers from all tables of a PostgreSQL store until the transaction ends; the time
    limit of statements ends. Call it in a write transaction, before it uses a table.

    Raises OperationalError if readers use the tables for WAIT_SECONDS.
    """
    if db.dialect.name != "postgresql":
        return  # SQLite's readers see the tables of before until the transaction ends
    tables = ", ".join(sorted(inspect(db).get_table_names()))
    end = time.monotonic() + WAIT_SECONDS
    while tables:
        attempt = db.begin_nested()
        try:
            db.execute(text(f"SET LOCAL statement_timeout = {_LOCK_MILLISECONDS}"))
            db.execute(text(f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE"))
            break
        except OperationalError:
            attempt.rollback()
            if time.monotonic() > end:
                raise
        time.sleep(_RETRY_SECONDS)
    db.execute(text("SET LOCAL statement_timeout = 0"))
