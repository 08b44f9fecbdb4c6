"""Runs the background tasks of a process: one that fails is logged, counted, reported and started
again.
"""

import asyncio
import errno
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

Work = Callable[[], Awaitable[object]]
FIRST_DELAY_SECONDS = 1.0
MAX_DELAY_SECONDS = 30.0
# A task that has run this long since its last failure has recovered.
STEADY_SECONDS = 60.0


class TaskEndedError(RuntimeError):
    """A task returned that was to run as long as the process."""


@dataclass
class TaskState:
    """State of a task. `failing_since`: first failure since it last ran steadily."""

    failures: int = 0
    fault: str = ""
    failing_since: datetime | None = None
    next_try_at: datetime | None = None
    failed_at: float = 0.0

    @property
    def is_failing(self) -> bool:
        """Return whether it waits for its next try, or has not run for long since the last one."""
        return self.failing_since is not None and (
            self.next_try_at is not None or time.monotonic() - self.failed_at < STEADY_SECONDS
        )


class Supervisor:
    """Starts tasks on the running event loop, and starts them again until `stop`."""

    def __init__(self, log: Any) -> None:
        self.states: dict[str, TaskState] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self._log = log

    def start(self, name: str, work: Work) -> None:
        """Run `work` until `stop`, unless a task of this name runs already.

        It is called again after every failure. To return is one as well.
        """
        if name not in self.tasks:
            self.states[name] = TaskState()
            self.tasks[name] = asyncio.create_task(self._supervise(name, work), name=name)

    async def stop(self) -> None:
        """Cancel all tasks and wait for their end."""
        tasks = list(self.tasks.values())
        self.tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def failing(self) -> dict[str, TaskState]:
        """Return tasks that fail now, by name."""
        return {name: state for name, state in self.states.items() if state.is_failing}

    async def _supervise(self, name: str, work: Work) -> None:
        state, delay = self.states[name], FIRST_DELAY_SECONDS
        while True:
            began = time.monotonic()
            try:
                await work()
                failure: BaseException = TaskEndedError("the task returned")
            except asyncio.CancelledError as error:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                failure = error  # something that the task waited for was cancelled, not the task
            except Exception as error:
                failure = error
            if time.monotonic() - began >= STEADY_SECONDS:
                state.failing_since, delay = None, FIRST_DELAY_SECONDS
            self._note(name, state, failure, delay)
            await asyncio.sleep(delay)
            state.next_try_at = None
            delay = min(2 * delay, MAX_DELAY_SECONDS)

    def _note(self, name: str, state: TaskState, failure: BaseException, delay: float) -> None:
        now = datetime.now(UTC)
        state.failures += 1
        state.fault = _kind(failure)
        state.failing_since = state.failing_since or now
        state.next_try_at = now + timedelta(seconds=delay)
        state.failed_at = time.monotonic()
        self._log.error(
            "background_task_failed",
            task=name,
            fault=state.fault,
            failures=state.failures,
            retry_seconds=delay,
            exc_info=failure,
        )


def _kind(failure: BaseException) -> str:
    """Return the type of an error, with its errno name if any; its text may be confidential."""
    while isinstance(failure, BaseExceptionGroup) and len(failure.exceptions) == 1:
        failure = failure.exceptions[0]
    name = type(failure).__name__
    number = errno.errorcode.get(failure.errno or 0) if isinstance(failure, OSError) else None
    return f"{name} {number}" if number else name
