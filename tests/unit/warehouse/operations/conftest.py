"""Every test of a store runs on SQLite and on a real PostgreSQL."""

import asyncio

import pytest

from tests.support.store_fixtures import (
    no_store_url,
    postgresql,
    postgresql_with_tables,
    sqlite_with_tables,
    store,
    store_url,
)
from warehouse.operations.engine import open_store

__all__ = [
    "no_store_url",
    "postgresql",
    "postgresql_with_tables",
    "sqlite_with_tables",
    "store",
    "store_url",
]


@pytest.fixture
def at_once(store_url):
    """Does a work thirty times at once, on three stores; returns the results and exceptions."""
    stores = [open_store(store_url) for _ in range(3)]

    async def crowd(work):
        works = [each.transact(work) for each in stores * 10]
        return await asyncio.gather(*works, return_exceptions=True)

    yield lambda work: asyncio.run(crowd(work))
    for each in stores:
        each.close()
