"""Two caches: values that are computed once per release, and the most expensive answers (single
records, pictures, documents)."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sized
from datetime import datetime
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from warehouse.index.reader import OpenRelease

S = TypeVar("S", bound=Sized)
# For all workers of a machine together.
MAX_CACHE_BYTES = 32_000_000
_ENTRY_BYTES = 300


def of_release(release: OpenRelease | None, *request: Hashable) -> Hashable:
    """Build the key of an answer that depends only on the release."""
    return (release.release_id if release else None, request)


def of_minute(release: OpenRelease, now: datetime, *request: Hashable) -> Hashable:
    """Build the key of an answer with opening states or reports of any places.

    Places open and close at whole minutes; a report changes the version of the live table.
    """
    return (release.live.version, _minute(release, now, request))


def of_place(release: OpenRelease, now: datetime, row: int, *request: Hashable) -> Hashable:
    """Build the key of an answer about one place, unaffected by reports about others."""
    report = release.live.entries.get(release.id_of(row))
    return (report, _minute(release, now, (row, *request)))


def _minute(release: OpenRelease, now: datetime, request: Hashable) -> Hashable:
    return (release.release_id, int(now.timestamp() // 60), request)


class ResponseCache:
    """Caches answers by key, `max_bytes` in total; drops the least recently used first.

    Use it from the event loop only. Keys come from `of_release`, `of_minute` and `of_place`: an
    answer of an earlier release, report or minute is never found.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._answers: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.size_bytes = 0

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, key: Hashable) -> Any | None:
        """Return the cached answer; None without one."""
        entry = self._answers.get(key)
        if entry is None:
            return None
        self._answers.move_to_end(key)
        return entry[0]

    def put(self, key: Hashable, answer: Any, size: int) -> None:
        """Store an answer with its size in bytes."""
        if key in self._answers:
            self.size_bytes -= self._answers.pop(key)[1]
        self._answers[key] = (answer, size + _ENTRY_BYTES)
        self.size_bytes += size + _ENTRY_BYTES
        while self.size_bytes > self._max_bytes:
            self.size_bytes -= self._answers.popitem(last=False)[1][1]

    async def find_or_compute(self, key: Hashable, compute: Callable[[], S]) -> S:
        """Return the answer; compute it in another thread if it is not cached."""
        answer: S | None = self.get(key)
        if answer is None:
            answer = await asyncio.to_thread(compute)
            self.put(key, answer, len(answer))
        return answer


# ---------------------------------------------------------------- values of a release

P = ParamSpec("P")
T = TypeVar("T")


class per_release(Generic[P, T]):
    """Cache a function of a release: it runs once per release and further arguments.

    The values are dropped together with the release. Arguments must be hashable and few.
    """

    def __init__(self, compute: Callable[Concatenate[OpenRelease, P], T]) -> None:
        self._compute: Callable[..., T] = compute
        update_wrapper(self, compute)

    def __call__(self, release: OpenRelease, *args: P.args, **kwargs: P.kwargs) -> T:
        key = self._key(*args, **kwargs)
        if key not in release.derived:
            release.derived[key] = self._compute(release, *args, **kwargs)
        value: T = release.derived[key]
        return value

    def _key(self, *args: Any, **kwargs: Any) -> Any:
        return self, args, tuple(sorted(kwargs.items()))

    def find_known(self, release: OpenRelease) -> T | None:
        """Return the value if it is cached."""
        return release.derived.get(self._key())

    async def in_thread(self, release: OpenRelease, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the value, computed in another thread once for all waiting callers.

        The next caller repeats a failed computation.
        """
        derived, key = release.derived, self._key(*args, **kwargs)
        if key in derived:
            return self(release, *args, **kwargs)
        running: Any = (key, "running")
        if running not in derived:
            compute = asyncio.to_thread(self, release, *args, **kwargs)
            derived[running] = asyncio.ensure_future(compute)
        task: asyncio.Task[T] = derived[running]
        # A cancelled caller does not cancel the task: others wait for it.
        await asyncio.wait([task])
        if derived.get(running) is task:
            del derived[running]
        return task.result()
