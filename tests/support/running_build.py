"""A build of another process, as far as others see it: the lock of runs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipelines.dagster_home import exclude_other_runs

_SECONDS = 0.5


class Running:
    """A build that ends by itself."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._has_begun, self._has_ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold)

    def _hold(self) -> None:
        with exclude_other_runs(self._home):
            self._has_begun.set()
            threading.Event().wait(_SECONDS)
            self._has_ended.set()

    def start(self) -> None:
        """Return when it has begun."""
        self._thread.start()
        assert self._has_begun.wait(10)

    def join(self) -> None:
        self._thread.join()

    def has_ended(self) -> bool:
        return self._has_ended.is_set()


@contextmanager
def running_build(home: Path) -> Iterator[Running]:
    """Yield a build that begins before the block and ends half a second later."""
    running = Running(home)
    running.start()
    try:
        yield running
    finally:
        running.join()
