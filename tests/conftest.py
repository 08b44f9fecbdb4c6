"""For every test: generated examples are the same in every run.

A property that fails must fail for whoever changed something, not for whoever comes next. New
examples are looked for on purpose: `make fuzz`.
"""

from __future__ import annotations

import gc
import os
from functools import partialmethod

from hypothesis import HealthCheck, settings
from litestar.testing import AsyncTestClient, TestClient

# The client's own default is a host that no instance serves.
for client in (TestClient, AsyncTestClient):
    client.__init__ = partialmethod(client.__init__, base_url="http://127.0.0.1:8000")

settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    print_blob=True,
    # Says how busy the machine is.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", derandomize=False, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


def pytest_collection_finish() -> None:
    """Collect garbage seldom: modules stay, and each application is a million small objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)


def pytest_unconfigure() -> None:
    """Let libraries that look for leaks at the end find none."""
    gc.unfreeze()
