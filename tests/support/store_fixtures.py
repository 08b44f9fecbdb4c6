"""Fixtures of operations stores: import them into a conftest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.stores import missing_postgresql, new_database, postgresql_server
from warehouse.operations.engine import Store, open_store


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """Folder of a running PostgreSQL server; skips where there is none."""
    reason = missing_postgresql()
    if reason:
        pytest.skip(reason)
    with postgresql_server() as folder:
        yield folder


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty store, once on each database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'operations.sqlite'}"
    return new_database(request.getfixturevalue("postgresql"))


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An open, empty store."""
    opened = open_store(store_url)
    yield opened
    opened.close()
