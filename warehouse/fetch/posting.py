"""Posts to addresses supplied by strangers.

The name is resolved for each attempt and the connection goes to the checked address. Redirects and
the environment's proxies are not used; time and response size are bounded.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from functools import cache
from typing import NamedTuple, cast

import httpx

from warehouse.fetch.addresses import ReceiverGuard, ask_first
from warehouse.fetch.errors import ConnectionFailedError, RefusedAddressError
from warehouse.fetch.web import retry_after_seconds

# Limits of a whole attempt, and of each step.
ATTEMPT_SECONDS, STEP_SECONDS = 20.0, 10.0
MAX_ANSWER_BYTES = 4096
_BUSY = (429, 503)


class PostFailedError(Exception):
    """No response; the message may be shown to the owner of the address."""


class PostAnswer(NamedTuple):
    """The response: its status, the beginning of its raw body, and the seconds of its Retry-After
    when overloaded."""

    status: int
    body: bytes
    retry_after: float = 0.0


def receiver_url(text: str, guard: ReceiverGuard) -> httpx.URL:
    """Return an address supplied by a stranger. Raises RefusedAddressError."""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise RefusedAddressError(text, "is not an address") from error
    guard.check(url)
    return url


async def post(
    text: str, headers: Mapping[str, str], body: bytes, guard: ReceiverGuard
) -> PostAnswer:
    """Post a body and return the answer with any status. Raises PostFailedError."""
    try:
        url = receiver_url(text, guard)
    except RefusedAddressError as error:
        raise PostFailedError(f"the address {error.cause}") from error
    try:
        async with asyncio.timeout(ATTEMPT_SECONDS):
            # The resolver's answers about private names stay private: one message for all.
            addresses = await asyncio.to_thread(guard.resolve, url)
            return await _ask(url, headers, body, addresses)
    except (RefusedAddressError, ConnectionFailedError):
        raise PostFailedError("the host has no public address") from None
    except (TimeoutError, httpx.TimeoutException):
        raise PostFailedError("no answer in time") from None
    except (httpx.HTTPError, OSError) as error:
        is_untrusted = isinstance(error.__cause__ or error, ssl.SSLError) or "CERT" in str(error)
        raise PostFailedError(
            "the certificate or TLS is not accepted" if is_untrusted else "no connection"
        ) from None


async def _ask(
    url: httpx.URL, headers: Mapping[str, str], body: bytes, addresses: list[str]
) -> PostAnswer:
    request = httpx.Request(
        "POST",
        url,
        headers=dict(headers),
        content=body,
        extensions={"timeout": httpx.Timeout(STEP_SECONDS).as_dict()},
    )
    # A separate transport: two names on one address share no connection.
    async with httpx.AsyncHTTPTransport(verify=_tls()) as transport:
        return await _answer(await ask_first(transport, request, addresses))


async def _answer(response: httpx.Response) -> PostAnswer:
    body = b""
    try:
        # Raw bytes: nothing is decompressed.
        async for piece in cast("AsyncIterator[bytes]", response.stream):
            body += piece
            if len(body) >= MAX_ANSWER_BYTES:
                break
    finally:
        await response.aclose()
    header = response.headers.get("Retry-After") if response.status_code in _BUSY else None
    wait = retry_after_seconds(header) or 0.0
    return PostAnswer(response.status_code, body[:MAX_ANSWER_BYTES], wait)


@cache
def _tls() -> ssl.SSLContext:
    return httpx.create_ssl_context()
