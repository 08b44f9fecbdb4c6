from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.fetch.publisher_server import Publisher, publisher_server
from warehouse.raw_store import RawStore


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with publisher_server() as publisher:
        yield publisher


@pytest.fixture
def store(tmp_path: Path) -> RawStore:
    return RawStore(tmp_path / "data")
