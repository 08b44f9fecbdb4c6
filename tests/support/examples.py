"""The number of examples of a property that differs from its profile."""

import os
from typing import Any

from hypothesis import settings


def examples(count: int, **options: Any) -> settings:
    """Return settings with a number of examples: at most that of the profile in a quick run, at
    least EXAMPLES in `make fuzz`.
    """
    if os.environ.get("HYPOTHESIS_PROFILE") == "quick":
        count = min(count, settings.get_profile("quick").max_examples)
    return settings(max_examples=max(count, int(os.environ.get("FUZZ_EXAMPLES", "0"))), **options)
