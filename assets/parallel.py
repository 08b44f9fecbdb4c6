"""Runs independent parts of one step in several processes.

Most of matching is Python on texts, and Python's lock keeps threads from using a second core for
it. `LARDER_PROCESSES` says how many processes a build has, and here how many a step has: with 1
nothing is forked.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import current_process, forkserver, get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any

PROCESSES = "LARDER_PROCESSES"
# More would need more memory than a step is given.
_MAX_PROCESSES = 8
# Starting processes costs a second; so many rows of matching cost three.
_LEAST_ROWS = 50_000


def for_each(
    work: Callable[..., None],
    tasks: Iterable[tuple[Any, ...]],
    rows: int,
    least_rows: int = _LEAST_ROWS,
) -> None:
    """Run `work(*task)` for each task, in this process if they have fewer than `least_rows` rows
    together.

    They run in `LARDER_PROCESSES` processes; unless that is set, in one for each core, at most 8.
    `work` is a function of a module whose results are files. The outcome is the same either way,
    and so is an error: the first one is raised, tasks that have not begun are cancelled. Raises
    concurrent.futures.process.BrokenProcessPool when a process was killed.
    """
    cores = min(len(os.sched_getaffinity(0)), _MAX_PROCESSES)
    processes = int(os.environ.get(PROCESSES) or cores)
    # A worker that is to end with its own parent (Celery's) may have no children.
    if rows < least_rows or processes < 2 or current_process().daemon:
        for task in tasks:
            work(*task)
        return
    context = get_context("forkserver")
    with ProcessPoolExecutor(processes, context, initializer=end_with_parent) as pool:
        try:
            for job in as_completed([pool.submit(work, *task) for task in tasks]):
                job.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def preload(module: str) -> None:
    """Have the process from which others are forked import a module first, if it does not run yet."""
    forkserver.set_forkserver_preload([module])


def start_fork_server(module: str) -> None:
    """Start the process from which others are forked, unless it runs."""
    preload(module)
    forkserver.ensure_running()


def end_with_parent() -> None:
    """End this process when its parent has been killed; it would wait for work indefinitely."""
    parent = parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()
