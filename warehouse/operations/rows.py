"""Queries that all stores share: row counts, pages of rows, keys by name."""

import hashlib
import secrets
from importlib import import_module
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, func, select

from warehouse.operations.models import SECRET_KEYS


def count_rows(db: Connection, table: Table, *conditions: ColumnElement[bool]) -> int:
    """Return the number of rows that meet all conditions."""
    query = select(func.count()).select_from(table).where(*conditions)
    return int(db.execute(query).scalar_one())


def insert_into(db: Connection, table: Table) -> Any:
    """Return an `INSERT` that supports `on_conflict_do_update` and `on_conflict_do_nothing`."""
    # Imports only the used database's: PostgreSQL's takes 40 ms.
    return import_module(f"sqlalchemy.dialects.{db.dialect.name}").insert(table)


def page_of(db: Connection, query: Select[Any], number: int, per_page: int = 25) -> list[Row[Any]]:
    """Return a page of an ordered query; `number` counts from 1."""
    return list(db.execute(query.limit(per_page).offset((number - 1) * per_page)))


def ensure_key(db: Connection, table: Table, name: object) -> bytes:
    """Return 32 random bytes by the primary key of a key table. Creates missing ones."""
    (column,) = table.primary_key
    query = select(table.c.key).where(column == name)
    key: bytes | None = db.execute(query).scalar()
    if key is None:
        fresh = {column.name: name, "key": secrets.token_bytes(32)}
        db.execute(insert_into(db, table).on_conflict_do_nothing(), fresh)
        key = db.execute(query).scalar_one()
    return key


def lasting_key(db: Connection, purpose: str) -> bytes:
    """Return the permanent key of a purpose. Creates a missing one."""
    return ensure_key(db, SECRET_KEYS, purpose)


def hash_of(secret: str) -> str:
    """Return the stored form of a token. Its 256 random bits make a plain hash safe from
    guessing."""
    return hashlib.sha256(secret.encode()).hexdigest()
