"""Measures transactions of the operations store: durations and failures."""

import threading
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

# Upper bounds in seconds; a transaction waits for another up to five seconds.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
Kind = Literal["read", "write"]


class StoreTimes:
    """Counters used by any thread. `is_up`: the last transaction did not fail because of the
    store."""

    def __init__(self) -> None:
        self.is_up = True
        self._counting = threading.Lock()
        self._buckets: dict[Kind, list[int]] = {
            k: [0] * (len(BUCKETS) + 1) for k in ("read", "write")
        }
        self._seconds: dict[Kind, float] = {"read": 0.0, "write": 0.0}
        self._failures: dict[Kind, int] = {"read": 0, "write": 0}

    @contextmanager
    def time(self, kind: Kind, failure: type[BaseException]) -> Iterator[None]:
        """Count the block; errors of type `failure` are the store's."""
        started = time.perf_counter()
        has_failed = False
        try:
            yield
        except failure:
            has_failed = True
            raise
        finally:
            seconds = time.perf_counter() - started
            with self._counting:
                self._buckets[kind][bisect_left(BUCKETS, seconds)] += 1
                self._seconds[kind] += seconds
                self._failures[kind] += has_failed
                self.is_up = not has_failed

    def histograms(self) -> dict[Kind, tuple[list[int], float]]:
        """Return bucket counts (the last is open-ended) and total seconds, by kind."""
        with self._counting:
            return {
                kind: (list(counts), self._seconds[kind]) for kind, counts in self._buckets.items()
            }

    def failures(self) -> dict[Kind, int]:
        with self._counting:
            return dict(self._failures)
