"""Measures transactions of the operations store: durations and failures."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

Kind = Literal["read", "write"]


class StoreTimes:
    """Counters used by any thread. `is_up`: the last transaction did not fail because of the
    store. `observe` gets the kind and the seconds of each transaction."""

    def __init__(self) -> None:
        self.is_up = True
        self.observe: Callable[[Kind, float], object] = lambda _kind, _seconds: None
        self._counting = threading.Lock()
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
            self.observe(kind, time.perf_counter() - started)
            with self._counting:
                self._failures[kind] += has_failed
                self.is_up = not has_failed

    def failures(self) -> dict[Kind, int]:
        with self._counting:
            return dict(self._failures)
