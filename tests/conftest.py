"""Configures all tests: order, garbage collection, and the same generated examples in every run.

A property must fail for the author of a change, not for the next person. `make fuzz` searches for
new examples.
"""

import atexit
import gc
import os
from collections import Counter
from functools import partialmethod
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from litestar.testing import AsyncTestClient, TestClient

from serving.http import registration
from tests.support.applications import application
from tests.support.sharing import shared_root

_TESTS = Path(__file__).parent

# Imports and collection leave no garbage: without a collector they take three seconds less.
gc.disable()
# At exit, libraries that search for leaks find none.
atexit.register(gc.unfreeze)

# The client's default host is one that no instance serves.
for client in (TestClient, AsyncTestClient):
    client.__init__ = partialmethod(client.__init__, base_url="http://127.0.0.1:8000")

# Applications of the same handlers share their registration.
registration.Application = application  # type: ignore[assignment,misc]


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


# Browsers, other servers, contract tests and whole builds. Publishers' whole files (marked
# `shared`) are slow as well.
_SLOW_FOLDERS = ("browser/", "contract/", "integration/", "unit/assets/demo/")
# A release or a build of a source for each case: five to ten seconds each.
_SLOW_FILES = (
    "unit/warehouse/test_recounts.py",
    "unit/warehouse/hsds/test_tables.py",
    "unit/assets/sources/test_failures.py",
    "unit/assets/sources/test_unseen_formats.py",
)
# Half a minute and more each, the longest first, so that none runs alone at the end.
_LONGEST = (
    "integration/test_faults.py",
    "integration/test_rebuilds.py",
    "browser/test_pages.py",
    "contract/test_openapi.py",
    "integration/test_runbook.py",
    "integration/test_separate_disks.py",
    "integration/test_dagster_services.py",
    "browser/test_tasks.py",
    "integration/test_build.py",
    "integration/test_publication.py",
    "integration/test_wordpress.py",
    "integration/test_torn_release.py",
    "integration/test_wheel.py",
    "browser/test_review.py",
    "browser/test_embeds.py",
    "contract/test_mcp_conformance.py",
    "integration/test_services.py",
    "integration/test_mirroring.py",
    "browser/test_firefox.py",
    "integration/test_replicas.py",
    "integration/test_swap.py",
    "unit/assets/sources/test_expected.py",
)
# A worker gets files until it has more than two tests.
_ENOUGH = 3


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that `make test FAST=1` omits, and run the longest files first."""
    tests = Counter(item.path for item in items)
    slow_files = {path for path in tests if _is_slow(str(path.relative_to(_TESTS)))}
    for item in items:
        is_on_server = "postgresql" in item.nodeid or "postgresql" in item.fixturenames
        if is_on_server or item.path in slow_files or "shared" in item.keywords:
            item.add_marker(pytest.mark.slow)
    turns = _turns(tests, slow_files)
    items.sort(key=lambda item: turns[item.path])


def _is_slow(name: str) -> bool:
    return name.startswith(_SLOW_FOLDERS) or name in _SLOW_FILES


def _turns(tests: Counter[Path], slow_files: set[Path]) -> dict[Path, int]:
    """Return the turn of each file.

    A quick file follows a long one of one or two tests: a worker gets both, and another long one
    would wait.
    """
    longest = [_TESTS / name for name in _LONGEST]
    long = [path for path in longest if path in tests]
    rest = sorted((p for p in tests if p not in longest), key=lambda path: path not in slow_files)
    quick = [p for p in rest if p not in slow_files and tests[p] >= _ENOUGH]
    files: list[Path] = []
    for path in long:
        files.append(path)
        if tests[path] < _ENOUGH and quick:
            files.append(quick.pop())
    files += [path for path in rest if path not in files]
    return {path: turn for turn, path in enumerate(files)}


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
