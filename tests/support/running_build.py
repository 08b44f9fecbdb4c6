"""Holds the lock of runs like a build of another process."""

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from pipelines.dagster_home import exclude_other_runs


class _Waiting(logging.Handler):
    """Notices that a build says it is waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if "Another run is at work" in record.getMessage():
            self.seen.set()


@contextmanager
def running_build(home: Path) -> Iterator[Callable[[], bool]]:
    """Hold the lock until a build waits for it; yield a function that returns whether it has
    ended."""
    has_begun, has_ended, waiting = threading.Event(), threading.Event(), _Waiting()
    logger = logging.getLogger("larder.build")

    def hold() -> None:
        with exclude_other_runs(home):
            has_begun.set()
            waiting.seen.wait(120)
            has_ended.set()

    logger.addHandler(waiting)
    try:
        with ThreadPoolExecutor(1) as other:
            build = other.submit(hold)
            assert has_begun.wait(10)
            yield has_ended.is_set
            waiting.seen.set()
            build.result()
    finally:
        logger.removeHandler(waiting)
