"""Limits the size, duration and nesting of request bodies."""

import asyncio
import re
from itertools import accumulate
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.types import Receive, Scope

from serving.http.admission import WRITE, AdmissionControl
from serving.http.errors import ServiceProblem, invalid
from serving.http.origins import check_media_type

# More than any address accepts; several accept less. deploy/nginx has the same limit.
MAX_BYTES = 262_144
# For a whole body. deploy/nginx waits as long for each piece.
MAX_SECONDS = 10.0
# Nesting of lists and objects. No accepted body nests deeper than a dozen; JSON readers and writers
# recurse, and fail at some 1,000.
MAX_NESTING = 32
_JSON_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_CLOSE = ((b"connection", b"close"),)
_FORM_TYPES = frozenset({"", "application/x-www-form-urlencoded", "multipart/form-data"})


def check_length(scope: Scope) -> None:
    """Raise ServiceProblem (413) for a body with a too large declared length, without reading
    it."""
    for name, value in scope["headers"]:
        if name == b"content-length" and (not value.isdigit() or int(value) > MAX_BYTES):
            raise _too_large()


def limit_receive(receive: Receive, admission: AdmissionControl) -> Receive:
    """Return `receive` that raises ServiceProblem: 413 after too many bytes, 408 after too long a
    time, 400 when the body is cut off.

    While a client keeps us waiting, its write does not count as concurrent: deliberately slow
    clients lock nobody out.
    """
    remaining = MAX_BYTES
    end: float | None = None
    is_whole = False

    async def bound_receive() -> Any:
        nonlocal remaining, end, is_whole
        if is_whole:  # only the disconnect may follow, at any time
            return await receive()
        if end is None:
            end = asyncio.get_running_loop().time() + MAX_SECONDS
        try:
            with admission.aside(WRITE):
                async with asyncio.timeout_at(end):
                    message: Any = await receive()
        except TimeoutError as error:
            raise ServiceProblem(
                "too-slow",
                f"The body did not arrive within {MAX_SECONDS:.0f} seconds.",
                headers=_CLOSE,
            ) from error
        if message["type"] == "http.disconnect":
            raise ServiceProblem(
                "bad-request",
                "The body is incomplete, or its chunks cannot be read.",
                headers=_CLOSE,
            )
        remaining -= len(message.get("body", b""))
        if remaining < 0:
            raise _too_large()
        is_whole = not message.get("more_body", False)
        return message

    return bound_receive


class BodyRequest(Request[Any, Any, Any]):
    """A request whose JSON body is parsed by `read_json` wherever a handler takes one."""

    async def json(self) -> Any:
        """Return the body as Python objects. Raises ServiceProblem (400, 415)."""
        body = await self.body()
        check_media_type(self.scope)
        return read_json(body)


def read_json(body: bytes) -> Any:
    """Parse a JSON text as Python objects. Raises ServiceProblem (400) naming the broken rule."""
    if is_nested_too_deep(body):
        raise invalid("body", f"lists and objects at most {MAX_NESTING} deep in each other")
    try:
        return msgspec.json.decode(body)
    except UnicodeDecodeError as error:
        raise ServiceProblem(
            "bad-request", "The body is not UTF-8.", {"body": "JSON in UTF-8"}
        ) from error
    except msgspec.DecodeError as error:
        raise ServiceProblem(
            "bad-request", f"The body is not JSON: {error}", {"body": "JSON in UTF-8"}
        ) from error


def is_nested_too_deep(body: bytes) -> bool:
    """Return whether a JSON text nests deeper than MAX_NESTING. Linear time, and close to none for
    most."""
    if body.count(b"[") + body.count(b"{") <= MAX_NESTING:
        return False
    brackets = _JSON_TEXT.sub(b"", body).translate(None, _NO_BRACKET)
    return max(accumulate(_STEPS[sign] for sign in brackets), default=0) > MAX_NESTING


async def form_of(request: Request[Any, Any, Any]) -> FormMultiDict:
    """Return the fields of a form.

    Raises ServiceProblem (415) for a body that is not a form, without reading it: it would look
    like an empty form.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in _FORM_TYPES:
        raise ServiceProblem(
            "unsupported-media-type", f"{media_type[:80]} is not a form.", headers=_CLOSE
        )
    return await request.form()


def _too_large() -> ServiceProblem:
    return ServiceProblem(
        "too-large", f"The body is larger than {MAX_BYTES:,} bytes.", headers=_CLOSE
    )
