"""For every test: generated examples are the same in every run.

A property that fails must fail for whoever changed something, not for whoever comes next. New
examples are looked for on purpose: `make fuzz`.
"""

from __future__ import annotations

import gc
import os
from functools import partialmethod
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from litestar.testing import AsyncTestClient, TestClient

from serving.http import registration
from tests.support.applications import application

_TESTS = Path(__file__).parent

# The client's own default is a host that no instance serves.
for client in (TestClient, AsyncTestClient):
    client.__init__ = partialmethod(client.__init__, base_url="http://127.0.0.1:8000")

# Applications of the same handlers share their registration.
registration.Application = application  # type: ignore[assignment,misc]

settings.register_profile(
    "fixed",
    max_examples=50,
    derandomize=True,
    deadline=None,
    print_blob=True,
    # Says how busy the machine is.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "search", max_examples=100, derandomize=False, deadline=None, print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


# Browsers, other servers, the whole service against its descriptions, and whole builds. So are
# the publishers' whole files (marked `shared`).
_SLOW_FOLDERS = ("browser/", "contract/", "integration/", "unit/assets/demo/")
# Minutes each: begun first, so that no worker is left alone with one at the end.
_LONGEST = ("test_runbook.py", "test_rebuilds.py", "test_faults.py", "test_openapi.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test FAST=1` leaves out, and begin with the files that take longest."""
    slow_files = set()
    for item in items:
        is_on_server = "postgresql" in item.nodeid or "postgresql" in item.fixturenames
        is_slow_file = f"{item.path.parent.relative_to(_TESTS)}/".startswith(_SLOW_FOLDERS)
        if is_slow_file:
            slow_files.add(item.path)
        if is_on_server or is_slow_file or "shared" in item.keywords:
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: (item.path.name not in _LONGEST, item.path not in slow_files))


def pytest_collection_finish() -> None:
    """Collect garbage seldom: modules stay, and each application is a million small objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)


def pytest_unconfigure() -> None:
    """Let libraries that look for leaks at the end find none."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def s3_storage():
    # Imported where it is used: few tests need it.
    from tests.support.storage import s3_server

    with s3_server() as running:
        yield running


@pytest.fixture
def s3(s3_storage, monkeypatch):
    """The server with an empty bucket; this process has its credentials."""
    for name, value in s3_storage.environment.items():
        monkeypatch.setenv(name, value)
    s3_storage.new_bucket()
    return s3_storage
