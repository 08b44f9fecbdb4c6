"""Questions that all stores ask alike: numbers of rows, pages of rows, keys by name."""

import hashlib
import secrets
from importlib import import_module
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, func, select

from warehouse.operations.models import SECRET_KEYS


def count_rows(db: Connection, table: Table, *conditions: ColumnElement[bool]) -> int:
    """Return how many rows of a table meet all conditions."""
    query = select(func.count()).select_from(table).where(*conditions)
    return int(db.execute(query).scalar_one())


def insert_into(db: Connection, table: Table) -> Any:
    """Return an `INSERT` that has `on_conflict_do_update` and `on_conflict_do_nothing`."""
    # Only the database's own: that of PostgreSQL takes 40 ms to import.
    return import_module(f"sqlalchemy.dialects.{db.dialect.name}").insert(table)


def page_of(db: Connection, query: Select[Any], number: int, per_page: int = 25) -> list[Row[Any]]:
    """Return a page of the rows of an ordered query; `number` counts from 1."""
    return list(db.execute(query.limit(per_page).offset((number - 1) * per_page)))


def ensure_key(db: Connection, table: Table, name: object) -> bytes:
    """Return 32 random bytes by the primary key of a table of keys. Writes missing ones."""
    (column,) = table.primary_key
    query = select(table.c.key).where(column == name)
    key: bytes | None = db.execute(query).scalar()
    if key is None:
        fresh = {column.name: name, "key": secrets.token_bytes(32)}
        db.execute(insert_into(db, table).on_conflict_do_nothing(), fresh)
        key = db.execute(query).scalar_one()
    return key


def lasting_key(db: Connection, purpose: str) -> bytes:
    """Return a purpose's key, which lasts. Writes a missing one."""
    return ensure_key(db, SECRET_KEYS, purpose)


def hash_of(secret: str) -> str:
    """Return the stored form of a token. Its 256 random bits make a plain hash unsearchable."""
    return hashlib.sha256(secret.encode()).hexdigest()
