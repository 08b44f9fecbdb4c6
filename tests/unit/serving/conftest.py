"""The service on a small invented town."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.clients import Client, open_client
from tests.support.hsds_town import write_feed
from tests.support.invented import ROWS
from tests.support.store_fixtures import sqlite_with_tables, store
from tests.support.town import write_town
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

__all__ = ["sqlite_with_tables", "store"]
TOKEN = "town-secret"


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the town as its current release."""
    folder = tmp_path_factory.mktemp("town")
    write_town(folder)
    return folder


@pytest.fixture(scope="session")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with many places of which different things are known."""
    folder = tmp_path_factory.mktemp("crowd")
    write_town(folder, resources=ROWS)
    return folder


@pytest.fixture(scope="module")
def release(town: Path) -> OpenRelease:
    """The release of the town, opened."""
    store = ReleaseStore(town)
    return OpenRelease(store.folder(store.current() or ""))


@pytest.fixture(scope="session")
def feed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the releases of the HSDS feed."""
    folder = tmp_path_factory.mktemp("feed")
    write_feed(folder)
    return folder


@pytest.fixture(scope="session")
def client(town: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of the running service."""
    operations = tmp_path_factory.mktemp("operations") / "operations.sqlite"
    with open_client(town, admin_token=TOKEN, operations_file=str(operations)) as client:
        yield client


@pytest.fixture
def store_url(sqlite_with_tables: Path, tmp_path: Path) -> str:
    """URL of an empty store; `tests/unit/warehouse/operations` runs the stores on both databases."""
    shutil.copy(sqlite_with_tables, tmp_path / "operations.sqlite")
    return f"sqlite:///{tmp_path / 'operations.sqlite'}"
