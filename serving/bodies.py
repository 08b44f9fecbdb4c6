"""What clients send, within bounds: so many bytes, in so many seconds, refused before more is read."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar.types import Receive, Scope

from serving.errors import ServiceProblem

# More than any address takes; several take less. deploy/nginx has the same bound.
MOST_BYTES = 262_144
# For all of a body. deploy/nginx waits as long for each piece.
MOST_SECONDS = 10.0
_CLOSE = ((b"connection", b"close"),)


def check_length(scope: Scope) -> None:
    """Raises ServiceProblem (413) for a body that says it is too long. Nothing of it is read."""
    for name, value in scope["headers"]:
        if name == b"content-length" and (not value.isdigit() or int(value) > MOST_BYTES):
            raise _too_large()


def bounded(receive: Receive) -> Receive:
    """`receive` that raises ServiceProblem: 413 after too many bytes, 408 after too long a time."""
    left = MOST_BYTES
    end: float | None = None
    is_whole = False

    async def bounded_receive() -> Any:
        nonlocal left, end, is_whole
        if is_whole:  # what may come now is the end of the connection, whenever that is
            return await receive()
        if end is None:
            end = asyncio.get_running_loop().time() + MOST_SECONDS
        try:
            async with asyncio.timeout_at(end):
                message: Any = await receive()
        except TimeoutError as error:
            raise ServiceProblem("too-slow", f"The body did not arrive within {MOST_SECONDS:.0f} seconds.", headers=_CLOSE) from error  # fmt: skip
        left -= len(message.get("body", b""))
        if left < 0:
            raise _too_large()
        is_whole = not message.get("more_body", False)
        return message

    return bounded_receive


def _too_large() -> ServiceProblem:
    return ServiceProblem("too-large", f"The body is larger than {MOST_BYTES:,} bytes.", headers=_CLOSE)  # fmt: skip
