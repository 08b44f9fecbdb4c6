"""Migrates the tables of the operations store.

An empty store gets the tables as declared by the models; an existing one runs the steps of
`migrations/versions` in order.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, insert, inspect, text

from warehouse.operations.locks import begin_write, lock_tables
from warehouse.operations.models import COUNTERS, METADATA

if TYPE_CHECKING:
    from alembic.config import Config

_SCRIPTS = Path(__file__).parent / "migrations"
# For another process to create the tables.
_WAIT_SECONDS = 60


def head() -> str:
    """Return the newest table version that this code knows."""
    # File names sort in step order, so startup does not need the migration library.
    newest = max(path.stem for path in (_SCRIPTS / "versions").glob("[0-9]*.py"))
    return newest.partition("_")[0]


def version_of(db: Connection) -> str | None:
    """Return the table version of a store; None before the first step."""
    if not inspect(db).has_table("alembic_version"):
        return None
    version: str | None = db.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return version


def upgrade(engine: Engine) -> None:
    """Migrate the tables to the newest version. Processes that start together wait for the first.

    A store newer than this code is not changed. Raises the database's own errors.
    """
    with engine.connect() as db:
        if not _is_older(version_of(db)):
            return
    with _only_one(engine), begin_write(engine, _WAIT_SECONDS) as db:
        version = version_of(db)
        if not _is_older(version):
            return
        from alembic import command  # noqa: PLC0415 - only a store that is behind needs it

        config = _config()
        config.attributes["connection"] = db
        if version is None:
            METADATA.create_all(db)
            db.execute(insert(COUNTERS), {"name": "live", "value": 0})
            command.stamp(config, "head")
        else:
            lock_tables(db)
            command.upgrade(config, "head")


def _is_older(version: str | None) -> bool:
    return version is None or version < head()


def _config() -> Config:
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    return config


@contextmanager
def _only_one(engine: Engine) -> Iterator[None]:
    """Wait for other processes that create a SQLite store: its write lock is waited for only a few
    seconds."""
    if engine.dialect.name != "sqlite":
        yield
        return
    lock = os.open(f"{engine.url.database}.upgrade", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
