"""Password hashes, in a thread of their own: a crowd that signs in keeps no reader waiting."""

from __future__ import annotations

import asyncio
import contextlib
import os
from concurrent.futures import ThreadPoolExecutor

from warehouse.operations.administrators import password_matches

# A hash takes some 50 ms: who waits longest waits about a second.
MAX_WAITING = 8
# Of this thread alone (Linux): readers come first.
_NICENESS = 10


class TooManyPasswordsError(Exception):
    """The queue of password checks is full."""


class PasswordChecks:
    """Checks passwords one after the other. Used from one event loop."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="passwords", initializer=_step_back)
        self._waiting = 0

    async def matches(self, password_hash: str | None, password: str, *, is_device: bool) -> bool:
        """Check a password. Raises TooManyPasswordsError; known devices get as much room as all
        others together."""
        if self._waiting >= MAX_WAITING * (1 + is_device):
            raise TooManyPasswordsError
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(
                self._thread, password_matches, password_hash, password
            )
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the thread after the current hash."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _step_back() -> None:
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
