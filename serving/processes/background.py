"""Runs the background tasks of a process: one that ends is logged and started again."""

import asyncio
import errno
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

Work = Callable[[], Awaitable[object]]
RETRY_SECONDS = 5.0


class Failure(NamedTuple):
    """The fault of a task that waits for its next start: the type of an error, since its text may
    be confidential."""

    fault: str
    at: datetime


class BackgroundTasks:
    """The tasks of a process. `failures` counts the ends of each, `failing` has those that wait."""

    def __init__(self, log: Any) -> None:
        self.failures: dict[str, int] = {}
        self.failing: dict[str, Failure] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self._log = log

    def start(self, name: str, work: Work) -> None:
        """Run `work` again and again until `stop`, unless a task of this name runs already."""
        if name not in self.tasks:
            self.failures[name] = 0
            self.tasks[name] = asyncio.create_task(self._run(name, work), name=name)

    async def stop(self) -> None:
        """Cancel all tasks and wait for their end."""
        tasks = list(self.tasks.values())
        self.tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, name: str, work: Work) -> None:
        while True:
            error: BaseException | None = None
            try:
                await work()
            except asyncio.CancelledError as cancelled:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                error = cancelled  # what the task waited for was cancelled, not the task
            except Exception as caught:
                error = caught
            fault = "it returned" if error is None else kind_of(error)
            self.failures[name] += 1
            self.failing[name] = Failure(fault, datetime.now(UTC))
            self._log.error("background_task_failed", task=name, fault=fault, exc_info=error)
            await self.pause(name)
            del self.failing[name]

    async def pause(self, _name: str) -> None:
        """Wait before a task starts again."""
        await asyncio.sleep(RETRY_SECONDS)


def kind_of(error: BaseException) -> str:
    """Return the type of an error, with its errno name if any."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    number = errno.errorcode.get(error.errno or 0) if isinstance(error, OSError) else None
    return f"{type(error).__name__} {number}" if number else type(error).__name__
