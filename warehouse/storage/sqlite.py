"""SQLite files of others: opened for callers that use one at a time, and a full disk under them."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, StaticPool, create_engine, event
from sqlalchemy.exc import OperationalError


def keep_open(address: str, wait_seconds: float) -> Engine:
    """Return an engine of one connection for all threads, one after another, and no syncs but at
    checkpoints: power loss can cost the last commits, not the file. It waits for other writers.
    """
    engine = create_engine(
        address,
        poolclass=StaticPool,
        connect_args={"timeout": wait_seconds, "check_same_thread": False},
    )
    event.listen(engine, "connect", lambda dbapi, _: dbapi.execute("PRAGMA synchronous=NORMAL"))
    return engine


@contextmanager
def name_full_disk(folder: Path) -> Iterator[None]:
    """Raise OSError, as any other full disk does, when a SQLite file in a folder finds no space:
    SQLite's own error names neither.
    """
    try:
        yield
    except OperationalError as error:
        if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_FULL:
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder)) from error
