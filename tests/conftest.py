"""For every test: generated examples are the same in every run.

A property that fails must fail for whoever changed something, not for whoever comes next. New
examples are looked for on purpose: `make fuzz`.
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

# While modules are imported and tests collected there is nothing to collect: three seconds less.
gc.disable()
# Libraries that look for leaks at the end find none.
atexit.register(gc.unfreeze)

# The client's own default is a host that no instance serves.
for client in (TestClient, AsyncTestClient):
    client.__init__ = partialmethod(client.__init__, base_url="http://127.0.0.1:8000")

# Applications of the same handlers share their registration.
registration.Application = application  # type: ignore[assignment,misc]

# Before workers start, so that they find it.
shared_root()

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
settings.register_profile("quick", settings.get_profile("fixed"), max_examples=15)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


# Browsers, other servers, the whole service against its descriptions, and whole builds. So are
# the publishers' whole files (marked `shared`).
_SLOW_FOLDERS = ("browser/", "contract/", "integration/", "unit/assets/demo/")
# A release, or a build of a source, for each case: five to ten seconds each.
_SLOW_FILES = (
    "unit/warehouse/test_recounts.py",
    "unit/warehouse/hsds/test_tables.py",
    "unit/assets/sources/test_failures.py",
    "unit/assets/sources/test_unseen_formats.py",
)
# Half a minute and more each, the longest first, so that no worker is left alone with one at the
# end.
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
# A worker is given files until it has more than two tests to run.
_ENOUGH = 3


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test FAST=1` leaves out, and begin with the files that take longest."""
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
    """Return the place of each file. A long file of one or two tests is followed by a quick one, which
    a worker is given with it: another long one would wait behind it.
    """
    named = [_TESTS / name for name in _LONGEST]
    long = [path for path in named if path in tests]
    rest = sorted((p for p in tests if p not in named), key=lambda path: path not in slow_files)
    quick = [p for p in rest if p not in slow_files and tests[p] >= _ENOUGH]
    files: list[Path] = []
    for path in long:
        files.append(path)
        if tests[path] < _ENOUGH and quick:
            files.append(quick.pop())
    files += [path for path in rest if path not in files]
    return {path: turn for turn, path in enumerate(files)}


def pytest_collection_finish() -> None:
    """Collect garbage seldom: modules stay, and each application is a million small objects."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)
    gc.enable()


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
