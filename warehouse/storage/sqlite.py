"""Reports a full disk below the SQLite files of libraries."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import OperationalError


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
