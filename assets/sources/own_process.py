"""Reads a source in its own process, within declared limits.

A hostile or damaged file can hang a reader or take all memory: an HTML cell of a thousand columns
and rows, a PDF of ten thousand lines, a CSV cell of 300 MB. The kernel then ends this process, the
source fails by name, and the build continues with the others.
"""

import pickle
import resource
import signal
import traceback
from collections.abc import Callable
from multiprocessing import current_process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from assets.parallel import end_with_parent, forking_context
from schemas.sources.registry import ReadingLimits

T = TypeVar("T")
# Seconds of waiting for each second of processor time: a busy machine gives a process a share of
# one, and a process that hangs without computing uses none.
_WAIT_FACTOR = 10


class ReadingLimitError(Exception):
    """A source needs more time or memory than it may use; its last good tables stay in use."""


def read_within(limits: ReadingLimits, read: Callable[..., T], *arguments: object) -> T:
    """Return `read(*arguments)`, computed in another process; `read` is a function of a module.

    Raises ReadingLimitError if the process exceeds its limits or is killed, else what `read`
    raises.
    """
    if current_process().daemon:
        # A daemonic process, such as a Celery worker, may have no children.
        return read(*arguments)
    context = forking_context()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(sender, limits, read, arguments), daemon=True)
    process.start()
    sender.close()
    value, error = None, None
    try:
        if receiver.poll(limits.seconds * _WAIT_FACTOR):
            value, error = receiver.recv()
        else:
            error = ReadingLimitError(_too_slow(limits))
    except (EOFError, ConnectionError):
        process.join()
        error = ReadingLimitError(
            _too_slow(limits)
            if process.exitcode == -signal.SIGXCPU
            else f"the process that read its files ended with code {process.exitcode}"
        )
    finally:
        receiver.close()
        process.kill()
        process.join()
    if isinstance(error, MemoryError):
        raise ReadingLimitError(f"its files need more than {limits.memory_mb:,} MB of memory")
    if error is not None:
        raise error
    return value  # type: ignore[return-value]


def _too_slow(limits: ReadingLimits) -> str:
    return f"its files need more than {limits.seconds} seconds to read"


def _run(
    sender: Connection, limits: ReadingLimits, read: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Send (result, None) or (None, error) of `read` within the limits."""
    end_with_parent()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 1))
    # Linux counts writable private memory, of which libraries have reserved much without using it.
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    most = pages * resource.getpagesize() + limits.memory_mb * 2**20
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        sender.send((read(*arguments), None))
    except Exception as error:
        # Saying that memory is short takes some.
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
        error.add_note(traceback.format_exc())
        sender.send((None, _portable(error)))


def _portable(error: Exception) -> Exception:
    """Return the error, or its text if it cannot be sent to another process."""
    if isinstance(error, MemoryError):
        return MemoryError()
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
