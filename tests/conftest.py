"""For every test: generated examples are the same in every run.

A property that fails must fail for whoever changed something, not for whoever comes next. New
examples are looked for on purpose: `make fuzz`.
"""

from __future__ import annotations

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
