"""The operations store on SQLite or PostgreSQL: opening, transactions and availability.

SQLite (the default) uses one file in the data folder: write-ahead log, every commit synced to disk.
PostgreSQL is chosen by a URL, for more than one replica. On both, write transactions run one after
another, so that counting and deciding cannot interleave with another request. User submissions are
acknowledged only once they are on disk.

Transactions take locks in one order, so that no two wait for each other:

1. A writer takes the store's one write lock at the start and keeps it until it ends: SQLite's own,
   on PostgreSQL an advisory lock. Row locks, counters and the hash chain of the audit log follow in
   any order, since there is no second writer.
2. A reader never takes the write lock. On PostgreSQL it shares an advisory lock on the tables, then
   reads them in any order: it conflicts with no writer, only with a change of the tables.
3. A transaction that changes tables (restoring, migrating) is a writer that then takes the lock on
   the tables alone (`lock_tables`), so it waits for readers before it locks the first table.

`Store.write` and `Store.read` block: call them in a thread. On an event loop use `transact` and
`fetch`.
"""

import asyncio
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, func, insert, inspect, select, text
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

from warehouse.operations.models import COUNTERS, METADATA

Kind = Literal["read", "write"]


# How long a write waits for another before the store counts as unavailable.
WAIT_SECONDS = 5
# Arbitrary numbers, unlikely to be used by other programs on the same PostgreSQL server.
_WRITE_LOCK, _TABLES_LOCK = 0x1A2DE3, 0x1A2DE4
_WRITES = "larder_writes"


class StoreTimes:
    """Counters used by any thread. `is_up`: the last transaction did not fail because of the
    store. `observe` gets the kind and the seconds of each transaction."""

    def __init__(self) -> None:
        self.is_up = True
        self.observe: Callable[[Kind, float], object] = lambda _kind, _seconds: None
        self._counting = threading.Lock()
        self._failures: dict[Kind, int] = {"read": 0, "write": 0}

    @contextmanager
    def time(self, kind: Kind, failure: type[BaseException]) -> Iterator[None]:
        """Count the block; errors of type `failure` are the store's."""
        started = time.perf_counter()
        has_failed = False
        try:
            yield
        except failure:
            has_failed = True
            raise
        finally:
            self.observe(kind, time.perf_counter() - started)
            with self._counting:
                self._failures[kind] += has_failed
                self.is_up = not has_failed

    def failures(self) -> dict[Kind, int]:
        with self._counting:
            return dict(self._failures)


T = TypeVar("T")
Work = Callable[[Connection], T]
# How long a request waits for a store that hangs without an error.
ANSWER_SECONDS = 15
_LATELY_SECONDS = 60.0
_READERS = 4


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
        self._writer = _new_writer()
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="operations-read")

    # ------------------------------------------------------------ in a thread

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a write transaction; it is committed, and on disk, when the block ends without
        error.

        Raises StoreUnavailableError. Other errors of the block roll back and propagate.
        """
        with (
            self.times.time("write", StoreUnavailableError),
            _faults_as_unavailable(),
            begin_write(self._open()) as db,
        ):
            yield db

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that only reads. Raises StoreUnavailableError."""
        with (
            self.times.time("read", StoreUnavailableError),
            _faults_as_unavailable(),
            begin_read(self._open()) as db,
        ):
            yield db

    @contextmanager
    def read_snapshot(self) -> Iterator[Connection]:
        """Open a transaction that reads all tables as of one moment, without a time limit. Raises
        StoreUnavailableError."""
        with self.read() as db:
            if self.is_sqlite:
                yield db
                return
            # The snapshot must not be older than the lock on the tables, which `db` holds.
            engine = self._open().execution_options(isolation_level="REPEATABLE READ")
            with engine.connect() as snapshot:
                snapshot.execute(text("SET LOCAL statement_timeout = 0"))
                yield snapshot

    def open(self) -> None:
        """Connect, and migrate the tables. Raises StoreUnavailableError."""
        with _faults_as_unavailable():
            self._open()

    # ------------------------------------------------------------ on an event loop

    async def transact(self, work: Work[T]) -> T:
        """Return the result of `work` once its transaction is on disk.

        An error of `work` rolls back and propagates. Raises StoreUnavailableError.
        """
        submitted_at = time.monotonic()

        def run() -> T:
            # Requests queued behind one that found the store unavailable fail with it: each would
            # wait for the same store.
            if self._write_fault is not None and self._write_fault[0] > submitted_at:
                raise StoreUnavailableError(self._write_fault[1])
            with self.write() as db:
                return work(db)

        try:
            result = await _within(ANSWER_SECONDS, self._writer, run)
        except StoreUnavailableError as error:
            self._write_fault = (time.monotonic(), str(error))
            raise
        except Exception:
            self._write_fault = None
            raise
        self._write_fault = None
        return result

    @property
    def write_fault(self) -> str | None:
        """Return the reason for a recent write failure (a full disk)."""
        if self._write_fault is None or time.monotonic() > self._write_fault[0] + _LATELY_SECONDS:
            return None
        return self._write_fault[1]

    async def fetch(self, work: Work[T]) -> T:
        """Return the result of a reading `work` in a thread. Raises StoreUnavailableError."""

        def run() -> T:
            with self.read() as db:
                return work(db)

        return await _within(ANSWER_SECONDS, self._readers, run)

    # ------------------------------------------------------------ beginning and end

    def close(self) -> None:
        """Finish pending writes and release connections; the next use opens it again."""
        writer, self._writer = self._writer, _new_writer()
        writer.shutdown()
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


def _new_writer() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="operations-write")


async def _within(seconds: float, threads: ThreadPoolExecutor, run: Callable[[], T]) -> T:
    """Return the result of `run` in a thread. Raises StoreUnavailableError after `seconds`; work
    that has not begun by then never begins."""
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.get_running_loop().run_in_executor(threads, run)
    except TimeoutError:
        raise StoreUnavailableError(f"the store gave no answer in {seconds:g} seconds") from None


def _sqlite(url: URL) -> Engine:
    assert url.database is not None
    make_private_file(Path(url.database))
    # Statements in errors and logs never show their values: they may concern a person.
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS}, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", begin_sqlite)
    return engine


def make_private_file(path: Path) -> None:
    """Create a file that only its owner can read (mode 0600), in a folder with mode 0700; an
    existing file loses the access of others. SQLite gives its log the same mode.

    A folder that exists keeps its mode: it may be the data folder, which others read.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    for file in (path, *(path.with_name(f"{path.name}-{log}") for log in ("wal", "shm"))):
        if file.exists() and file.stat().st_mode & 0o077 and file.stat().st_uid == os.geteuid():
            file.chmod(0o600)


def _prepare_sqlite(connection: Any, _: object) -> None:
    # The driver must not begin transactions: it would begin them without the write lock.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={WAIT_SECONDS * 1000}")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _postgresql(url: URL) -> Engine:
    limits = (
        f"-c lock_timeout={WAIT_SECONDS}s -c statement_timeout={2 * WAIT_SECONDS}s "
        # A client that hangs must not keep the lock of all writers.
        f"-c idle_in_transaction_session_timeout={2 * WAIT_SECONDS}s"
    )
    return create_engine(
        url,
        hide_parameters=True,
        pool_size=_READERS + 1,
        pool_timeout=WAIT_SECONDS,
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": WAIT_SECONDS,
            "options": limits,
            "application_name": "open-larder",
        },
    )


@contextmanager
def _faults_as_unavailable() -> Iterator[None]:
    try:
        yield
    except (DBAPIError, PoolTimeoutError, OSError) as error:
        # Only the first line: PostgreSQL's details repeat a row, which may concern a person.
        for fault in (error, getattr(error, "orig", None)):
            if fault is not None and fault.args:
                fault.args = (str(fault.args[0]).strip().partition("\n")[0],)
        if not _is_unavailable(error):
            raise
        raise StoreUnavailableError(str(getattr(error, "orig", None) or error)) from None


def _is_unavailable(error: BaseException) -> bool:
    """Return whether the error is the store's and not the statement's."""
    if isinstance(error, IntegrityError):
        return False
    if isinstance(error, OperationalError | InterfaceError | InternalError | PoolTimeoutError):
        return True
    if isinstance(error, OSError) or type(error) is DatabaseError:  # SQLite: the file is damaged
        return True
    return isinstance(error, DBAPIError) and error.connection_invalidated


# ---------------------------------------------------------------- transactions and locks


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


# ---------------------------------------------------------------- versions of the tables

_SCRIPTS = Path(__file__).parent / "migrations"
# For another process to create the tables.
_UPGRADE_SECONDS = 60


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
    with _only_one(engine), begin_write(engine, _UPGRADE_SECONDS) as db:
        version = version_of(db)
        if not _is_older(version):
            return
        # Only a store that is behind needs the library.
        from alembic import command  # noqa: PLC0415
        from alembic.config import Config  # noqa: PLC0415

        config = Config()
        config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
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
