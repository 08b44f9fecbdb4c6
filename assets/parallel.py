"""Runs independent parts of one step in several processes.

Most of matching is Python code on texts, and the GIL keeps threads from using a second core.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import current_process, get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext
from threading import Thread
from typing import Any

# More would exceed the memory of a step.
_MAX_PROCESSES = 8
# Starting processes costs seconds; matching this many rows costs three.
_LEAST_ROWS = 50_000
_PRELOADED = [
    "assets.directory.ranges",
    "assets.matching.assets",
    "assets.sources.assemble",
    "assets.sources.mapping",
    # The program that starts them.
    "pipelines.cli",
]


def for_each(
    work: Callable[..., None],
    tasks: Iterable[tuple[Any, ...]],
    rows: int,
    *,
    processes: int = 0,
    least_rows: int = _LEAST_ROWS,
) -> None:
    """Run `work(*task)` for each task, in this process if they have fewer than `least_rows` rows in
    total.

    They run in `processes` processes; by default one per core, at most 8. `work` is a module-level
    function whose results are files. The outcome is the same either way, and so is an error: the
    first one is raised, tasks that have not begun are cancelled. Raises
    concurrent.futures.process.BrokenProcessPool when a process was killed.
    """
    processes = processes or min(len(os.sched_getaffinity(0)), _MAX_PROCESSES)
    # A daemonic worker (Celery's) may have no children.
    if rows < least_rows or processes < 2 or current_process().daemon:
        for task in tasks:
            work(*task)
        return
    context = forking_context()
    with ProcessPoolExecutor(processes, context, initializer=end_with_parent) as pool:
        try:
            for job in as_completed([pool.submit(work, *task) for task in tasks]):
                job.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def forking_context() -> ForkServerContext:
    """Return the context of processes for parts of a step.

    A server without threads forks them: a fork of this process could inherit a locked lock. It has
    imported what they need, which takes two seconds.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    return context


def end_with_parent() -> None:
    """End this process when its parent is killed; otherwise it would wait for work indefinitely."""
    parent = parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()
