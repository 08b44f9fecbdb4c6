"""Fixtures of operations stores: import them into a conftest."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.stores import missing_postgresql, new_database, postgresql_server
from warehouse.operations.engine import Store, open_store


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """Folder of the socket of a running PostgreSQL server; skips without one."""
    reason = missing_postgresql()
    if reason:
        pytest.skip(reason)
    with postgresql_server() as folder:
        yield folder


@pytest.fixture(params=["sqlite", "postgresql"])
def no_store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a database without tables, once on each."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'operations.sqlite'}"
    return new_database(request.getfixturevalue("postgresql"))


@pytest.fixture(scope="session")
def sqlite_with_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """File of an empty store; copy it."""
    path = tmp_path_factory.mktemp("store") / "operations.sqlite"
    _make_tables(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgresql_with_tables(postgresql: str) -> str:
    """Name of a database with an empty store; copy it."""
    url = new_database(postgresql)
    _make_tables(url)
    return url.partition("?")[0].rpartition("/")[2]


def _make_tables(url: str) -> None:
    database = open_store(url)
    with database.write():
        pass
    database.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty store, once on each database."""
    if request.param == "sqlite":
        path = tmp_path / "operations.sqlite"
        shutil.copy(request.getfixturevalue("sqlite_with_tables"), path)
        return f"sqlite:///{path}"
    template = request.getfixturevalue("postgresql_with_tables")
    return new_database(request.getfixturevalue("postgresql"), template)


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An open, empty store."""
    database = open_store(store_url)
    yield database
    database.close()
