"""Holds the lock of runs like a build of another process."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import sleep

from pipelines.dagster_home import exclude_other_runs

_SECONDS = 0.5


@contextmanager
def running_build(home: Path) -> Iterator[Callable[[], bool]]:
    """Hold the lock for half a second; yield a function that returns whether it has ended."""
    has_begun, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        with exclude_other_runs(home):
            has_begun.set()
            sleep(_SECONDS)
            may_end.set()

    with ThreadPoolExecutor(1) as other:
        build = other.submit(hold)
        assert has_begun.wait(10)
        yield may_end.is_set
        build.result()
