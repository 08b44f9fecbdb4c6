"""Runs independent parts of one step in several processes.

Most of matching is Python code on texts, and the GIL keeps threads from using a second core.
`LARDER_PROCESSES` is the number of processes of a build, and here of a step: with 1 nothing is
forked.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import current_process, forkserver, get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any

PROCESSES = "LARDER_PROCESSES"
# More would exceed the memory of a step.
_MAX_PROCESSES = 8
# Starting processes costs a second; matching this many rows costs three.
_LEAST_ROWS = 50_000


def for_each(
    work: Callable[..., None],
    tasks: Iterable[tuple[Any, ...]],
    rows: int,
    least_rows: int = _LEAST_ROWS,
) -> None:
    """Run `work(*task)` for each task, in this process if they have fewer than `least_rows` rows in
    total.

    They run in `LARDER_PROCESSES` processes; by default one per core, at most 8. `work` is a
    module-level function whose results are files. The outcome is the same either way, and so is an
    error: the first one is raised, tasks that have not begun are cancelled. Raises
    concurrent.futures.process.BrokenProcessPool when a process was killed.
    """
    cores = min(len(os.sched_getaffinity(0)), _MAX_PROCESSES)
    processes = int(os.environ.get(PROCESSES) or cores)
    # A daemonic worker (Celery's) may have no children.
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
    """Have the fork server import a module first, if it is not running yet."""
    forkserver.set_forkserver_preload([module])


def start_fork_server(module: str) -> None:
    """Start the fork server, unless it runs."""
    preload(module)
    forkserver.ensure_running()


def end_with_parent() -> None:
    """End this process when its parent is killed; otherwise it would wait for work indefinitely."""
    parent = parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()
