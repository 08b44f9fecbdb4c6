"""For every test: generated examples are the same in every run.

A property that fails must fail for whoever changed something, not for whoever comes next. New
examples are looked for on purpose: `make fuzz`.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("search", derandomize=False, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
