"""Things that take too long for the event loop and are made once for a release."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from warehouse.reader import OpenRelease

T = TypeVar("T")


def prepare(release: OpenRelease, key: str, make: Callable[[], T]) -> None:
    """Make it in this thread, before the release is served."""
    release.kept(f"made/{key}", make)


async def prepared(release: OpenRelease, key: str, make: Callable[[], T]) -> T:
    """Return `release.kept`, computed in another thread; concurrent callers share one computation.

    A failed computation is retried by the next caller.
    """
    made: T | None = release.known(f"made/{key}")
    if made is not None:
        return made
    task: asyncio.Task[T] = release.kept(
        f"prepared/{key}", lambda: asyncio.ensure_future(asyncio.to_thread(make))
    )
    if not task.done():
        # Anyone who asked first may hang up; the others still want it.
        await asyncio.wait([task])
    if task.cancelled() or task.exception() is not None:
        release.forget(f"prepared/{key}", task)
    return task.result()
