"""Configures all tests: order, garbage collection, and the same generated examples in every run.

A property must fail for the author of a change, not for the next person. `make fuzz` searches for
new examples.
"""

import atexit
import gc
import os
from functools import partialmethod
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from litestar.testing import AsyncTestClient, TestClient

from tests.support.sharing import shared_root

_TESTS = Path(__file__).parent

# Imports and collection leave no garbage: without a collector they take three seconds less.
gc.disable()
# At exit, libraries that search for leaks find none.
atexit.register(gc.unfreeze)

# The client's default host is one that no instance serves.
for client in (TestClient, AsyncTestClient):
    client.__init__ = partialmethod(client.__init__, base_url="http://127.0.0.1:8000")


# Created before workers start, so that they share it.
shared_root()

settings.register_profile(
    "fixed",
    max_examples=50,
    derandomize=True,
    deadline=None,
    print_blob=True,
    # It depends on other load of the machine.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "search", max_examples=100, derandomize=False, deadline=None, print_blob=True
)
settings.register_profile("quick", settings.get_profile("fixed"), max_examples=15)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


# Half a minute and more each, the longest first, so that none runs alone at the end.
_LONGEST = (
    "integration/test_faults.py",
    "integration/test_rebuilds.py",
    "integration/test_build.py",
    "browser/test_street_map.py",
    "browser/test_pages.py",
    "contract/test_openapi.py",
    "integration/test_runbook.py",
    "integration/test_dagster_services.py",
    "integration/test_rights.py",
    "browser/test_tasks.py",
    "browser/test_embeds.py",
    "integration/test_publication.py",
    "integration/test_wordpress.py",
    "integration/test_torn_release.py",
    "integration/test_wheel.py",
    "browser/test_review.py",
    "browser/test_pocket.py",
    "contract/test_mcp_conformance.py",
    "integration/test_services.py",
    "integration/test_mirroring.py",
    "browser/test_firefox.py",
    "integration/test_replicas.py",
    "integration/test_swap.py",
    "unit/assets/sources/test_expected.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests on PostgreSQL and on publishers' whole files as slow; run the longest files first."""
    for item in items:
        is_on_server = "postgresql" in item.nodeid or "postgresql" in item.fixturenames
        if is_on_server or "shared" in item.keywords:
            item.add_marker(pytest.mark.slow)
    turns = {_TESTS / name: turn for turn, name in enumerate(_LONGEST)}
    items.sort(key=lambda item: turns.get(item.path, len(turns)))


def pytest_collection_finish() -> None:
    """Collect garbage rarely: modules stay, and each application is a million small objects."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)
    gc.enable()


@pytest.fixture(scope="session")
def s3_storage():
    # A late import: few tests need it.
    from tests.support.storage import s3_server

    with s3_server() as server:
        yield server


@pytest.fixture
def s3(s3_storage, monkeypatch):
    """The server with an empty bucket; sets its credentials for this process."""
    for name, value in s3_storage.environment.items():
        monkeypatch.setenv(name, value)
    s3_storage.new_bucket()
    return s3_storage
