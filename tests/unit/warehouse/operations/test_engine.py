"""The store's engine: transactions, groups, faults, steps of the tables; on both databases."""

import asyncio
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from warehouse.operations.engine import (
    StoreUnavailableError,
    StoreURLError,
    head,
    open_store,
    version_of,
)
from warehouse.operations.models import AUDIT, COUNTERS, METADATA

NOW = datetime(2026, 11, 22, 12, 0, 0, 250_000, tzinfo=UTC)


def audit_row(subject, at=NOW):
    return {
        "at": at,
        "actor": "service",
        "action": "test",
        "subject": subject,
        "previous_hash": "",
        "hash": "",
    }


def subjects(store):
    with store.read() as db:
        return [
            row.subject for row in db.execute(select(AUDIT.c.subject).order_by(AUDIT.c.audit_id))
        ]


def test_migrations_build_the_models(store):
    with store.read() as db:
        assert version_of(db) == head()
        context = MigrationContext.configure(db, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


def test_many_that_open_at_once_build_the_tables_once(no_store_url):
    stores = [open_store(no_store_url) for _ in range(6)]
    with ThreadPoolExecutor(len(stores)) as threads:
        list(threads.map(lambda store: store.open(), stores))
    with stores[0].read() as db:
        assert db.execute(select(func.count()).select_from(COUNTERS)).scalar() == 1
    for store in stores:
        store.close()


def test_migrations_can_be_disabled(no_store_url):
    store = open_store(no_store_url, upgrades=False)
    with store.read() as db:
        assert version_of(db) is None
    store.close()


@pytest.mark.parametrize("at", [NOW, NOW.astimezone(tz=None), NOW + timedelta(days=4000)])
def test_instants_come_back_in_utc(store, at):
    with store.write() as db:
        db.execute(AUDIT.insert(), audit_row("a", at))
    with store.read() as db:
        instant = db.execute(select(AUDIT.c.at)).scalar()
    assert instant == at
    assert instant.tzinfo is UTC


def test_an_error_undoes_the_whole_block(store):
    def failing():
        with store.write() as db:
            db.execute(AUDIT.insert(), audit_row("a"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        failing()
    assert subjects(store) == []


def test_a_failing_work_undoes_itself_alone(store):
    def good(name):
        return lambda db: db.execute(AUDIT.insert(), audit_row(name)) and 1

    def bad(db):
        db.execute(AUDIT.insert(), audit_row("bad"))
        raise KeyError("bad")

    def twice(db):
        row = {"name": "live", "value": 1}
        db.execute(COUNTERS.insert(), row)

    async def all_at_once():
        works = [good(str(n)) for n in range(30)] + [bad, twice] + [good("last")]
        return await asyncio.gather(*map(store.transact, works), return_exceptions=True)

    results = asyncio.run(all_at_once())
    assert [r for r in results if r == 1] == [1] * 31
    assert [type(r) for r in results if r != 1] == [KeyError, IntegrityError]
    assert subjects(store) == [*map(str, range(30)), "last"]


def test_written_works_are_read_by_others(store, store_url):
    other = open_store(store_url)
    asyncio.run(store.transact(lambda db: db.execute(AUDIT.insert(), audit_row("seen"))))
    subjects = asyncio.run(
        other.fetch(lambda db: db.execute(select(AUDIT.c.subject)).scalars().all())
    )
    assert subjects == ["seen"]
    other.close()


def test_a_store_works_again_after_close(store):
    for name in ("first", "second"):
        asyncio.run(store.transact(lambda db, n=name: db.execute(AUDIT.insert(), audit_row(n))))
        store.close()
    assert subjects(store) == ["first", "second"]


@pytest.mark.parametrize(
    "url", ["mysql://localhost/x", "sqlite://", "postgresql+asyncpg://h/x", "nothing"]
)
def test_other_databases_are_refused(url):
    with pytest.raises(StoreURLError):
        open_store(url)


def test_a_missing_driver_is_named_with_its_installation(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreURLError, match=r"pip install 'open-larder\[postgresql\]'"):
        open_store("postgresql://larder@/larder")
    open_store("sqlite:////tmp/larder.sqlite")


def test_a_server_that_is_down_is_unavailable(tmp_path):
    store = open_store(f"postgresql://larder@/larder?host={tmp_path}")
    with pytest.raises(StoreUnavailableError):
        store.open()
    with pytest.raises(StoreUnavailableError):
        asyncio.run(store.transact(lambda db: None))
    store.close()


def test_a_damaged_file_is_unavailable(tmp_path):
    (tmp_path / "o.sqlite").write_bytes(b"no database" * 1000)
    store = open_store(tmp_path / "o.sqlite")
    with pytest.raises(StoreUnavailableError):
        store.open()
    store.close()


def move_store(path, target):
    """Move a SQLite database with its log of writes."""
    for suffix in ("-wal", "-shm", ""):
        if (file := path.with_name(path.name + suffix)).exists():
            file.rename(target.with_name(target.name + suffix))


def add(store, name):
    asyncio.run(store.transact(lambda db: db.execute(AUDIT.insert(), audit_row(name))))


def test_a_removed_file_accepts_no_write(tmp_path):
    path, elsewhere = tmp_path / "o.sqlite", tmp_path / "elsewhere.sqlite"
    store = open_store(path)
    add(store, "before")
    move_store(path, elsewhere)
    with pytest.raises(StoreUnavailableError, match=r"o\.sqlite"):
        add(store, "unseen")
    with pytest.raises(StoreUnavailableError):
        subjects(store)
    assert not path.exists()
    move_store(elsewhere, path)
    add(store, "after")
    store.close()
    assert subjects(open_store(path)) == ["before", "after"]


def test_a_replaced_file_receives_the_writes(tmp_path):
    path, restored = tmp_path / "o.sqlite", tmp_path / "restored.sqlite"
    store, other = open_store(path), open_store(restored)
    add(store, "before")
    add(other, "restored")
    other.close()
    move_store(path, tmp_path / "elsewhere.sqlite")
    move_store(restored, path)
    add(store, "after")
    assert subjects(store) == ["restored", "after"]
    store.close()
    assert subjects(open_store(path)) == ["restored", "after"]


def test_a_connection_that_is_out_while_the_store_closes_is_closed_when_it_comes_back(store_url):
    store = open_store(store_url)
    with store.read() as db:
        db.execute(select(func.count()).select_from(AUDIT))
        connection = db.connection.driver_connection
        store.close()
    if hasattr(connection, "closed"):  # psycopg's
        assert connection.closed
    else:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
