"""Opens SQLite files of libraries for one caller at a time, and reports a full disk below them."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, StaticPool, create_engine, event
from sqlalchemy.exc import OperationalError


def keep_open(address: str, wait_seconds: float) -> Engine:
    """Return an engine with one connection for all threads in turn, syncing only at checkpoints:
    power loss can cost the last commits, not the file. It waits for other writers."""
    engine = create_engine(
        address,
        poolclass=StaticPool,
        connect_args={"timeout": wait_seconds, "check_same_thread": False},
    )
    event.listen(engine, "connect", lambda dbapi, _: dbapi.execute("PRAGMA synchronous=NORMAL"))
    return engine


@contextmanager
def name_full_disk(folder: Path) -> Iterator[None]:
    """Raise OSError, like any other full disk, if a SQLite file in a folder runs out of space:
    SQLite's own error names neither."""
    try:
        yield
    except OperationalError as error:
        if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_FULL:
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder)) from error
