"""Notices that the wall clock was set: by hand, by a machine that woke up, by a time server that
was far off.
"""

import time


class ClockWatch:
    """Compares the wall clock with the monotonic clock."""

    def __init__(self) -> None:
        self._ahead = _ahead()

    def measure_clock_shift(self) -> float:
        """Return how far the wall clock was set since the last look; forwards is positive. Small
        corrections are near 0."""
        before, self._ahead = self._ahead, _ahead()
        return self._ahead - before


def _ahead() -> float:
    return time.time() - time.monotonic()
