"""Values computed once per release, identified by the functions that compute them."""

import asyncio
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from warehouse.index.reader import OpenRelease

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
