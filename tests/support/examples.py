"""How many examples a property tries that needs another number than its profile says."""

import os
from typing import Any

from hypothesis import settings


def examples(count: int, **options: Any) -> settings:
    """Return settings for so many examples: in a quick run for no more than its profile has, and
    in `make fuzz` for at least EXAMPLES.
    """
    if os.environ.get("HYPOTHESIS_PROFILE") == "quick":
        count = min(count, settings.get_profile("quick").max_examples)
    return settings(max_examples=max(count, int(os.environ.get("FUZZ_EXAMPLES", "0"))), **options)
