"""The operations store on SQLite or PostgreSQL: opening, transactions and availability.

SQLite (the default) uses one file in the data folder: write-ahead log, every commit synced to disk,
one writer at a time. PostgreSQL is chosen by a URL, for more than one replica. User submissions are
acknowledged only once they are on disk.

`Store.write` and `Store.read` block: call them in a thread. On an event loop use `transact` and
`fetch`.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from warehouse.operations.group_writer import GroupWriter
from warehouse.operations.times import StoreTimes
from warehouse.operations.upgrade import upgrade

T = TypeVar("T")
Work = Callable[[Connection], T]
# How long a write waits for another before the store counts as unavailable.
WAIT_SECONDS = 5
_LATELY_SECONDS = 60.0
_READERS = 4
_WRITES = "larder_writes"


class StoreUnavailableError(Exception):
    """The store is unavailable: disk full, locked for too long, unreachable, damaged."""


class StoreURLError(ValueError):
    """The URL names no supported database; the message lists them."""


class Store:
    """The operations store. First use opens it and migrates its tables.

    Use one per process: connections must not be carried over a fork.
    """

    def __init__(self, url: URL, *, upgrades: bool = True) -> None:
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self.times = StoreTimes()
        self._write_fault: tuple[float, str] | None = None
        self._upgrades = upgrades
        self._engine: Engine | None = None
        self._file: tuple[int, int] | None = None
        self._opening = threading.Lock()
        self._writer = GroupWriter(
            self.write,
            lambda error: isinstance(error, StoreUnavailableError) or _is_unavailable(error),
        )
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="operations-read")

    # ------------------------------------------------------------ in a thread

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a write transaction; it is committed, and on disk, when the block ends without
        error.

        Raises StoreUnavailableError. Other errors of the block roll back and propagate.
        """
        with self.times.time("write", StoreUnavailableError), _faults_as_unavailable():
            engine = self._open().execution_options(**{_WRITES: True})
            with engine.begin() as db:
                yield db

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a read-only transaction on one snapshot. Raises StoreUnavailableError."""
        with (
            self.times.time("read", StoreUnavailableError),
            _faults_as_unavailable(),
            self._open().connect() as db,
        ):
            yield db

    def open(self) -> None:
        """Connect, and migrate the tables. Raises StoreUnavailableError."""
        with _faults_as_unavailable():
            self._open()

    # ------------------------------------------------------------ on an event loop

    async def transact(self, work: Work[T]) -> T:
        """Return the result of `work` once it is on disk. It runs in the writing thread, in a
        savepoint.

        Concurrent works share one transaction, so one sync to disk. An error of `work` rolls back
        that work alone. Raises StoreUnavailableError; then nothing was stored.
        """
        return await self._note(self._writer.submit(work))

    async def transact_together(
        self, together: Callable[[Connection, list[Any]], list[Any]], item: Any
    ) -> Any:
        """Batch many small writes of one kind: `together` receives all pending items and returns
        their results in order (or the exception of one). It must be the same function every time.
        """
        return await self._note(self._writer.submit_together(together, item))

    async def _note(self, result: Future[T]) -> T:
        """Return the result and record whether the store accepted it, for `write_fault`."""
        try:
            value = await asyncio.wrap_future(result)
        except StoreUnavailableError as error:
            self._write_fault = (time.monotonic(), str(error))
            raise
        except Exception:
            self._write_fault = None
            raise
        self._write_fault = None
        return value

    @property
    def write_fault(self) -> str | None:
        """Return the reason for a recent write failure (a full disk)."""
        if self._write_fault is None or time.monotonic() > self._write_fault[0] + _LATELY_SECONDS:
            return None
        return self._write_fault[1]

    async def fetch(self, work: Work[T]) -> T:
        """Return the result of a reading `work` in a thread. Raises StoreUnavailableError."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._fetch, work)

    def _fetch(self, work: Work[T]) -> T:
        with self.read() as db:
            return work(db)

    # ------------------------------------------------------------ beginning and end

    def close(self) -> None:
        """Finish pending writes and release connections; the next use opens it again."""
        self._writer.close()
        with self._opening:
            engine, self._engine = self._engine, None
            if engine is not None:
                engine.dispose()

    def _let_go(self, engine: Engine, connection: DBAPIConnection | None, _record: object) -> None:
        """Dispose of a connection that is returned after the store was closed."""
        if connection is not None and self._engine is not engine:
            connection.close()

    def _open(self) -> Engine:
        engine = self._engine
        if engine is not None and self._is_in_place():
            return engine
        with self._opening:
            if self._engine is not None and not self._is_in_place():
                self._engine.dispose()
                self._engine = None
            if self._engine is None:
                engine = _sqlite(self.url) if self.is_sqlite else _postgresql(self.url)
                try:
                    if self._upgrades:
                        upgrade(engine)
                    else:
                        engine.connect().close()  # makes the file of SQLite
                except BaseException:
                    engine.dispose()
                    raise
                event.listen(engine, "checkin", partial(self._let_go, engine))
                self._file = self._identify()
                self._engine = engine
            return self._engine

    def _is_in_place(self) -> bool:
        """Return whether the open file is the one at its path. Writes to a removed or replaced file
        would never be read again.

        Raises FileNotFoundError without a file: an empty store must not silently replace it.
        """
        return self._file == self._identify()

    def _identify(self) -> tuple[int, int] | None:
        """Return device and number of the SQLite file; None for PostgreSQL. Raises OSError."""
        if not self.is_sqlite:
            return None
        stat = Path(str(self.url.database)).stat()
        return stat.st_dev, stat.st_ino


def open_store(url: str | Path, *, upgrades: bool = True) -> Store:
    """Return the store at a URL (`sqlite:///file`, `postgresql://...`), or the SQLite file at a
    path.

    Nothing is opened yet. `upgrades=False` does not migrate the tables. Raises StoreURLError.
    """
    try:
        parts = URL.create("sqlite", database=str(url)) if isinstance(url, Path) else make_url(url)
    except ArgumentError as error:
        raise StoreURLError("not a database URL") from error
    if parts.drivername in {"postgresql", "postgres"}:
        parts = parts.set(drivername="postgresql+psycopg")
    is_known = parts.drivername == "postgresql+psycopg" or (
        parts.get_backend_name() == "sqlite" and parts.database not in {None, "", ":memory:"}
    )
    if not is_known:
        raise StoreURLError(
            "the operations store is sqlite:///<file> or postgresql://<user>@<host>/<database>"
        )
    if parts.get_backend_name() == "postgresql" and find_spec("psycopg") is None:
        raise StoreURLError("PostgreSQL needs psycopg: pip install 'open-larder[postgresql]'")
    return Store(parts, upgrades=upgrades)


def _sqlite(url: URL) -> Engine:
    assert url.database is not None
    Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:
    # The driver must not begin transactions: it would begin them without the write lock.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={WAIT_SECONDS * 1000}")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(db: Connection) -> None:
    """Take SQLite's write lock at the start: after a read it could no longer wait."""
    is_writing = db.get_execution_options().get(_WRITES, False)
    db.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def _postgresql(url: URL) -> Engine:
    limits = f"-c lock_timeout={WAIT_SECONDS}s -c statement_timeout={2 * WAIT_SECONDS}s"
    engine = create_engine(
        url,
        pool_size=_READERS + 1,
        pool_timeout=WAIT_SECONDS,
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": WAIT_SECONDS,
            "options": limits,
            "application_name": "open-larder",
        },
    )
    # SQLite does not need PostgreSQL's driver.
    from warehouse.operations.bounded import bound_connections  # noqa: PLC0415

    # A little longer than the server's own limit, whose error is more specific.
    event.listen(engine, "do_connect", bound_connections(2 * WAIT_SECONDS + 1))
    return engine


@contextmanager
def _faults_as_unavailable() -> Iterator[None]:
    try:
        yield
    except (DBAPIError, PoolTimeoutError, OSError) as error:
        if not _is_unavailable(error):
            raise
        # Only the driver's message: the statement's values may concern a person.
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        raise StoreUnavailableError(reason) from None


def _is_unavailable(error: BaseException) -> bool:
    """Return whether the error is the store's and not the statement's."""
    if isinstance(error, IntegrityError):
        return False
    if isinstance(error, OperationalError | InterfaceError | InternalError | PoolTimeoutError):
        return True
    if isinstance(error, OSError) or type(error) is DatabaseError:  # SQLite: the file is damaged
        return True
    return isinstance(error, DBAPIError) and error.connection_invalidated
