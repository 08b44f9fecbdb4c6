"""Group commit: pending writes share one transaction and one sync to disk."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")
_Outcome = tuple[Any, BaseException | None]
# A group of this size is committed: the first member must not wait for all others.
MAX_IN_GROUP = 100
# Under load a group waits this long for more members: a commit costs more than the wait.
_LINGER_SECONDS = 0.015


Together = Callable[[Connection, list[Any]], list[Any]]


class _Job(NamedTuple):
    """`work` runs alone; with `together`, all `item`s of a group run as one batch."""

    work: Callable[[Connection], Any]
    future: Future[Any]
    together: Together | None = None
    item: Any = None


class GroupWriter:
    """The writing thread. It starts with the first work and ends with `close`.

    `is_fatal` returns whether an error loses the whole transaction and not only one work.
    """

    def __init__(
        self,
        write: Callable[[], AbstractContextManager[Connection]],
        is_fatal: Callable[[BaseException], bool],
    ) -> None:
        self._write = write
        self._is_fatal = is_fatal
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def submit(self, work: Callable[[Connection], T]) -> Future[T]:
        """Return the future result of a job, set only after the commit."""
        return self._submit(_Job(work, Future()))

    def submit_together(self, together: Together, item: Any) -> Future[Any]:
        """Return the future result of one item. `together` receives the items of a group and
        returns their results in order; a result that is an exception is raised for its item alone.
        """
        return self._submit(_Job(_nothing, Future(), together, item))

    def _submit(self, job: _Job) -> Future[Any]:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="operations-write", daemon=True
                )
                self._thread.start()
            self._queue.put(job)
        return job.future

    def close(self) -> None:
        """Finish submitted jobs and end the thread."""
        with self._starting:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
                thread.join()

    def _run(self) -> None:
        is_busy = False
        while True:
            job = self._queue.get()
            if is_busy and job is not None:
                # The job is taken: if this thread ended here, its client would wait forever.
                with contextlib.suppress(OSError):
                    time.sleep(_LINGER_SECONDS)
            group: list[_Job] = []
            while job is not None:
                # Clients that disconnected before their turn are not written.
                if job.future.set_running_or_notify_cancel():
                    group.append(job)
                if len(group) >= MAX_IN_GROUP:
                    break
                try:
                    job = self._queue.get_nowait()
                except Empty:
                    break
            is_busy = len(group) > 1
            if group:
                self._commit(group)
            if job is None:
                return

    def _commit(self, group: list[_Job]) -> None:
        outcomes: list[_Outcome] = []
        try:
            with self._write() as db:
                gathered = self._gather(db, group)
                outcomes.extend(
                    self._outcome(db, job) if job.together is None else next(gathered[job.together])
                    for job in group
                )
        except BaseException as error:  # the writing thread must survive any error
            for job in group + (self._waiting() if self._is_fatal(error) else []):
                job.future.set_exception(error)
            return
        for job, (result, fault) in zip(group, outcomes, strict=True):
            if fault is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(fault)

    def _waiting(self) -> list[_Job]:
        """Return the jobs queued behind a group that failed because the store was unavailable. They
        fail with it: retrying each would make them wait for the same store twice."""
        jobs: list[_Job] = []
        while True:
            try:
                job = self._queue.get_nowait()
            except Empty:
                return jobs
            if job is None:  # `close` waits for the thread to end
                self._queue.put(None)
                return jobs
            if job.future.set_running_or_notify_cancel():
                jobs.append(job)

    def _gather(self, db: Connection, group: list[_Job]) -> dict[Together, Iterator[_Outcome]]:
        """Return outcomes of jobs that run as a batch, by function, in the order of the group."""
        items: dict[Together, list[Any]] = {}
        for job in group:
            if job.together is not None:
                items.setdefault(job.together, []).append(job.item)
        outcomes: dict[Together, Iterator[_Outcome]] = {}
        for together, theirs in items.items():
            results, fault = self._outcome(db, _Job(partial(_apply, together, theirs), Future()))
            if fault is None:
                outcomes[together] = iter(
                    [(None, r) if isinstance(r, Exception) else (r, None) for r in results]
                )
            else:
                outcomes[together] = iter([(None, fault)] * len(theirs))
        return outcomes

    def _outcome(self, db: Connection, job: _Job) -> _Outcome:
        try:
            with db.begin_nested():
                return job.work(db), None
        except Exception as error:
            if self._is_fatal(error):
                raise
            return None, error


def _nothing(_: Connection) -> None:
    """Do nothing: the job runs in a batch."""


def _apply(together: Together, items: list[Any], db: Connection) -> list[Any]:
    return together(db, items)
