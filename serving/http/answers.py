"""Responses as bytes: the one response type of the service."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping
from typing import Any, TypeVar

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from serving.context import is_head_request

Header = tuple[bytes, bytes]
# In the scope behind `serving.http.policy`; in the start of an answer: all of its body, which the
# policy then sends as well.
POLICY_KEY, BODY_KEY = "larder.policy", "larder.body"
JSON_TYPE = b"application/json"
CSV_TYPE = b"text/csv; charset=utf-8; header=present"
NDJSON_TYPE = b"application/x-ndjson"
NO_STORAGE = b"private, no-store"
# No page of another website reads the answer; see `serving.http.origins`.
SAME_ORIGIN: Header = (b"cross-origin-resource-policy", b"same-origin")
_PRIVATE: tuple[Header, ...] = (
    SAME_ORIGIN,
    (b"referrer-policy", b"no-referrer"),
    (b"x-robots-tag", b"noindex, nofollow"),
)
VARY_ACCEPT: Header = (b"vary", b"Accept")
MINUTE, FIVE_MINUTES, TEN_MINUTES, HOUR, DAY = 60, 300, 600, 3600, 86_400


def cache_control(seconds: int) -> bytes:
    """Return `Cache-Control` of a public answer; 0 means: revalidate every time."""
    return b"public, max-age=%d" % seconds if seconds else b"no-cache"


class Answer(ASGIResponse):
    """A ready-to-send body. `serving.http.policy` adds the headers shared by all
    answers.

    Skips Litestar's own response work: at 30,000 answers a second it is most of the cost.
    """

    __slots__ = ("payload", "start")
    payload: bytes

    def __init__(
        self,
        payload: bytes,
        *,
        media_type: bytes = JSON_TYPE,
        max_age: int = MINUTE,
        status: int = 200,
        headers: tuple[Header, ...] = (),
    ) -> None:
        self.payload = payload
        self.start: Any = {
            "type": "http.response.start",
            "status": status,
            "headers": [
                (b"content-type", media_type),
                (b"content-length", b"%d" % len(payload)),
                (b"cache-control", cache_control(max_age)),
                *headers,
            ],
        }
        if status == 204:
            # RFC 9110, 8.6: an answer without content has no length.
            del self.start["headers"][:2]

    def to_asgi_response(self, *_: Any, **__: Any) -> Answer:
        """Return the response that Litestar expects from an exception handler."""
        return self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if POLICY_KEY in scope:
            # One message instead of two through every layer.
            whole: Any = {**self.start, BODY_KEY: self.payload}
            await send(whole)
            return
        await send(self.start)
        await send({"type": "http.response.body", "body": self.payload, "more_body": False})


def weak_tag(*parts: object) -> bytes:
    """Return a weak ETag derived from the parts of an answer."""
    text = "|".join(map(str, parts))
    return b'W/"%s"' % hashlib.blake2b(text.encode(), digest_size=12).hexdigest().encode()


def link_header(links: Mapping[str, str], license_id: str) -> str:
    """Return the `Link` header (RFC 8288) of addresses by relation, and of the licence."""
    parts = [f'<{url}>; rel="{rel}"' for rel, url in links.items()]
    return ", ".join([*parts, f'<https://spdx.org/licenses/{license_id}.html>; rel="license"'])


def redirect(location: str, *, status: int = 301, max_age: int = DAY) -> Answer:
    """Return a redirect to another address."""
    return Answer(b"", status=status, max_age=max_age, headers=((b"location", location.encode()),))


def weights_of(scope: Scope, header: bytes) -> dict[str, float]:
    """Return the values of a header such as `Accept`, in small letters, with their weights (RFC
    9110, 12.4.2); the first of equal weight wins."""
    header_value = b",".join(value for name, value in scope["headers"] if name == header)
    weights: dict[str, float] = {}
    for offer in header_value.decode("latin-1").lower().split(","):
        media_type, *parameters = (part.strip() for part in offer.split(";"))
        weight = next((p[2:] for p in parameters if p.startswith("q=")), "1")
        try:
            weights.setdefault(media_type, float(weight))
        except ValueError:
            weights.setdefault(media_type, 0.0)
    return weights


def prefers_html(scope: Scope) -> bool:
    """Return whether `Accept` names HTML before JSON: browsers do, programs do not."""
    weights = weights_of(scope, b"accept")
    kinds = [kind for kind in weights if kind in {"text/html", "application/json"}]
    best = max(kinds, key=weights.__getitem__, default="")
    return best == "text/html" and weights[best] > 0


S = TypeVar("S", bound=Any)


def with_cache_control(answer: S, control: bytes) -> S:
    """Return an answer with a `Cache-Control` that is not a duration."""
    answer.start["headers"] = [
        (name, control if name == b"cache-control" else value)
        for name, value in answer.start["headers"]
    ]
    return answer


def private(answer: Answer) -> Answer:
    """Return an answer that contains a token: not cached, not sent as referrer, not indexed."""
    headers = answer.start["headers"]
    answer.start["headers"] = [h for h in headers if h[0] != b"referrer-policy"] + list(_PRIVATE)
    return with_cache_control(answer, NO_STORAGE)


class StreamedAnswer(ASGIResponse):
    """A body generated while it is sent; not generated for HEAD or a matching ETag."""

    __slots__ = ("chunks", "start")

    def __init__(
        self,
        chunks: AsyncIterator[bytes],
        media_type: bytes,
        max_age: int,
        headers: tuple[Header, ...],
    ) -> None:
        self.chunks = chunks
        self.start: Any = {
            "type": "http.response.start",
            "status": 200,
            "headers": [
                (b"content-type", media_type),
                (b"cache-control", cache_control(max_age)),
                *headers,
            ],
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(self.start)
        etag: bytes | None = dict(self.start["headers"]).get(b"etag")
        condition = dict(scope["headers"]).get(b"if-none-match")
        is_known = etag is not None and condition is not None and etag_matches(condition, etag)
        if is_head_request(scope) or is_known:
            # An empty first piece: the headers are those of a stream.
            await send({"type": "http.response.body", "body": b"", "more_body": True})
        else:
            async for chunk in self.chunks:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
                # A fast client must not keep others waiting until its export is done.
                await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def json_answer(value: Any, max_age: int = MINUTE, **options: Any) -> Answer:
    """Return a value as JSON; `options` are those of `Answer`."""
    return Answer(msgspec.json.encode(value), max_age=max_age, **options)


def private_json(value: msgspec.Struct) -> Answer:
    """Return a struct that contains a token as JSON."""
    return private(json_answer(value, 0))


def etag_matches(condition: bytes, etag: bytes) -> bool:
    """Compare `If-None-Match` weakly (RFC 9110, 13.1.2)."""
    own_tag = etag.removeprefix(b"W/")
    tags = (tag.strip().removeprefix(b"W/") for tag in condition.split(b","))
    return condition.strip() == b"*" or own_tag in tags
