"""A build of another process, as far as others see it: the lock of runs."""

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
    """Begin a build that ends half a second later; yield whether it has ended."""
    begun, ended = threading.Event(), threading.Event()

    def hold() -> None:
        with exclude_other_runs(home):
            begun.set()
            sleep(_SECONDS)
            ended.set()

    with ThreadPoolExecutor(1) as other:
        build = other.submit(hold)
        assert begun.wait(10)
        yield ended.is_set
        build.result()
