"""The service on a small invented town."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from serving.app import create_app
from serving.settings import Settings
from tests.support.store_fixtures import (
    postgresql,
    postgresql_with_tables,
    sqlite_with_tables,
    store_url,
)
from tests.support.town import write_town

__all__ = ["postgresql", "postgresql_with_tables", "sqlite_with_tables", "store_url"]
TOKEN = "town-secret"


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the town as its current release."""
    folder = tmp_path_factory.mktemp("town")
    write_town(folder)
    return folder


@pytest.fixture(scope="session")
def client(town: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    """A client of the running service."""
    operations = tmp_path_factory.mktemp("operations") / "operations.sqlite"
    settings = Settings(
        data_dir=town, admin_token=TOKEN, operations_file=str(operations), log_level="error"
    )
    with TestClient(create_app(settings), raise_server_exceptions=False) as opened:
        yield opened


@pytest.fixture
def service() -> Callable[[Settings], TestClient[Litestar]]:
    """Opens a service of one's own: `with service(settings) as client`."""
    return lambda settings: TestClient(create_app(settings), raise_server_exceptions=False)
