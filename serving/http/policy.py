"""The outermost layer, shared by all answers.

HEAD for every GET, CORS, security headers, `X-Release`, `X-Synthetic`, a request id, ETag and 304,
compression, metrics, and early rejection. It is one ASGI callable around Litestar, because
Litestar's own middleware does not see unrouted requests and every layer costs as much as finding a
record.
"""

from __future__ import annotations

import itertools
import os
import re
import time
from typing import Any

import xxhash
from litestar.types import ASGIApp, Receive, Scope, Send

from serving.context import CONTEXT_KEY, HEAD_KEY, OPTIONS_KEY, RELEASE_KEY, REQUEST_KEY, Context
from serving.http import origins
from serving.http.admission import REFUSED, AdmissionControl
from serving.http.answers import BODY_KEY, POLICY_KEY, SAME_ORIGIN, Answer, Header, etag_matches
from serving.http.compression import choose_encoding, compress, compressor_of
from serving.http.errors import KINDS, ServiceProblem, problem_answer
from serving.http.origins import Hosts
from serving.http.request_limits import check_length, limit_receive

# A request slower than this is logged, without its query.
SLOW_SECONDS = 1.0
MIN_COMPRESSED_BYTES = 1024
# Parameters with codes of a closed vocabulary, which every endpoint takes in either case.
_CAPITALS = frozenset((b"state",))
_SMALL = frozenset(
    (b"format", b"mode", b"type", b"cadence", b"vehicle", b"theme", b"sort", b"filing", b"lang")
)
# No code is percent-encoded; a state is two letters.
_CODES = re.compile(
    rb"(?<![^&])(" + rb"|".join(sorted(_CAPITALS | _SMALL)) + rb")=([A-Za-z_,]+)(?=&|$)"
)
_SHARED: tuple[Header, ...] = (
    (b"vary", b"Accept-Encoding"),
    (b"x-content-type-options", b"nosniff"),
)
_WITH_ALLOW = frozenset({204, 405})
_METHODS = (b"GET", b"HEAD", b"POST", b"PUT", b"PATCH", b"DELETE", b"TRACE", b"OPTIONS")
_KEPT_BY_304 = {b"cache-control", b"etag", b"vary", b"content-location", b"date", b"expires"}


def in_declared_case(query: bytes) -> bytes:
    """Return a raw query with `state=ny` as `state=NY` and `format=CSV` as `format=csv`."""

    def convert(match: re.Match[bytes]) -> bytes:
        name, value = match.groups()
        if name in _CAPITALS:
            return name + b"=" + (value.upper() if len(value) == 2 else value)
        return name + b"=" + value.lower()

    return _CODES.sub(convert, query)


_SLASHES = re.compile("//+")


class HttpPolicy:
    """Wraps the application. One instance per process."""

    def __init__(self, app: ASGIApp, context: Context) -> None:
        self._app = app
        self._context = context
        self._admission = context.admission
        self._hosts = Hosts(context.settings)
        # Request ids of two processes differ.
        self._name, self._numbers = os.urandom(4).hex(), itertools.count(1)
        self._cached_headers: tuple[object, list[Header]] = (None, [])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request: Any = scope
        if request["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        release = self._context.watch.release
        request_id = f"{self._name}-{next(self._numbers):x}"
        request[CONTEXT_KEY] = self._context
        request[RELEASE_KEY] = release
        request[REQUEST_KEY] = request_id
        request[POLICY_KEY] = True
        method = request["method"]
        if "//" in request["path"]:
            # The router ignores empty parts of a path, and so must every rule about paths.
            request["path"] = _SLASHES.sub("/", request["path"])
        entry = self._admission.enter(method, request["path"], start)
        exchange = _Exchange(
            send, scope, self._headers(release), request_id, self._admission, entry
        )
        try:
            if entry == REFUSED:
                # Two to five seconds, so that clients do not all return at once.
                seconds = 2 + int(request_id[-1], 16) % 4
                busy = ServiceProblem(
                    "overloaded",
                    KINDS["overloaded"].advice,
                    headers=((b"retry-after", b"%d" % seconds),),
                )
                await problem_answer(scope, busy)(scope, receive, exchange.send)
                return
            exchange.is_head = method == "HEAD"
            refusal = self._hosts.refusal(scope, exchange.host)
            if refusal is not None:
                answer = refusal if isinstance(refusal, Answer) else problem_answer(scope, refusal)
                await answer(scope, receive, exchange.send)
                return
            if exchange.is_head:
                request["method"] = "GET"
                request[HEAD_KEY] = True
            if method == "OPTIONS" and exchange.asks_for_preflight:
                headers = origins.preflight_headers(scope)
                await Answer(b"", status=204, max_age=86_400, headers=headers)(
                    scope, receive, exchange.send
                )
            elif method == "OPTIONS":
                # Litestar's answer to OPTIONS has the methods of one handler of several; its
                # refusal of another method has all of them.
                request["method"], request[OPTIONS_KEY] = "TRACE", True
                await self._app(scope, receive, exchange.send)
            elif method in {"GET", "HEAD"}:
                request["query_string"] = in_declared_case(request["query_string"])
                await self._app(scope, receive, exchange.send)
            else:
                await self._with_body(scope, receive, exchange.send)
        finally:
            if exchange.entry != REFUSED:
                self._admission.leave(exchange.entry)
            self._finish(method, scope, exchange.status, time.perf_counter() - start, request_id)

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            origins.check_origin(scope)
            check_length(scope)
        except ServiceProblem as problem:
            await problem_answer(scope, problem)(scope, receive, send)
        else:
            await self._app(scope, limit_receive(receive, self._admission), send)

    def _headers(self, release: Any) -> list[Header]:
        cached_release, headers = self._cached_headers
        if cached_release is not release or not headers:
            headers = list(_SHARED)
            if release is not None:
                headers.append((b"x-release", release.release_id.encode()))
                if release.is_synthetic:
                    headers.append((b"x-synthetic", b"true"))
            self._cached_headers = (release, headers)
        return headers

    def _finish(
        self, method: str, scope: Scope, status: int, seconds: float, request_id: str
    ) -> None:
        route = str(scope.get("path_template") or "unmatched")
        self._context.metrics.observe(method, route, status, seconds)
        if self._context.traces.is_on:
            self._context.traces.record(
                method, route, status, time.time_ns(), seconds, request_id, scope["headers"]
            )
        if seconds > SLOW_SECONDS:
            self._context.log.warning(
                "request_slow",
                route=route,
                method=method,
                status=status,
                seconds=round(seconds, 3),
                request_id=request_id,
            )


class _Exchange:
    """One answer in progress. Once its beginning is sent, the client no longer counts as waiting,
    however slowly it reads."""

    __slots__ = (
        "_admission",
        "_encoding",
        "_is_write",
        "_match",
        "_pipe",
        "_send",
        "_start",
        "asks_for_preflight",
        "entry",
        "host",
        "is_head",
        "request_id",
        "shared",
        "status",
    )

    def __init__(
        self,
        send: Send,
        scope: Scope,
        shared: list[Header],
        request_id: str,
        admission: AdmissionControl,
        entry: int,
    ) -> None:
        self._send = send
        self.shared = shared
        self._admission = admission
        self.entry = entry
        self._start: Any = None
        self._pipe: Any = None
        self._match = self._encoding = b""
        self.host: bytes | None = None
        self._is_write = origins.is_write(scope)
        hosts = 0
        self.asks_for_preflight = self.is_head = False
        self.request_id = request_id
        self.status = 500
        for name, value in scope["headers"]:
            if name == b"if-none-match":
                self._match = value
            elif name == b"accept-encoding":
                self._encoding = value
            elif name == b"access-control-request-method":
                self.asks_for_preflight = True
            elif name == b"host":
                hosts += 1
                self.host = value if hosts == 1 else None

    async def send(self, message: Any) -> None:
        """Delay the start until the first piece of the body is known, then send both."""
        kind = message["type"]
        if kind == "http.response.start":
            self.status = message["status"]
            if self.entry != REFUSED:
                self._admission.leave(self.entry)
                self.entry = REFUSED
            # A copy: a cached answer must not include this client's additions.
            start: Any = {"type": kind, "status": self.status, "headers": message["headers"]}
            body: bytes | None = message.get(BODY_KEY)
            if body is None:
                self._start = start
                return
            body = self._complete(start, body, is_whole=True)
            await self._send(start)
            await self._send(
                {
                    "type": "http.response.body",
                    "body": b"" if self._is_bodiless() else body,
                    "more_body": False,
                }
            )
        elif kind == "http.response.body":
            await self._send_piece(message.get("body", b""), is_last=not message.get("more_body"))
        else:
            await self._pass_on(message)

    async def _send_piece(self, body: bytes, *, is_last: bool) -> None:
        start, self._start = self._start, None
        if start is not None:
            body = self._complete(start, body, is_whole=is_last)
            await self._send(start)
        elif self._pipe is not None:
            body = self._pipe.process(body)
        if self._pipe is not None and is_last:
            body += self._pipe.finish()
        if self._is_bodiless():
            body = b""
        if body or is_last:
            await self._send({"type": "http.response.body", "body": body, "more_body": not is_last})

    def _is_bodiless(self) -> bool:
        return self.is_head or self.status == 304

    async def _pass_on(self, message: Any) -> None:
        """Pass on messages other than body chunks, such as a file path for the server to send."""
        if self._start is not None:
            start, self._start = self._start, None
            self._complete(start, b"", is_whole=False)
            await self._send(start)
        await self._send(message)

    def _complete(self, start: Any, body: bytes, *, is_whole: bool) -> bytes:
        """Complete the start of an answer; return the body to send with it."""
        own: list[Header] = start["headers"]
        if self.status in _WITH_ALLOW:
            own = [(k, _with_head(v) if k == b"allow" else v) for k, v in own]
        headers = [*own, *self.shared, (b"x-request-id", self.request_id.encode())]
        # Answers to writes, and those with a token, are for our own pages.
        if not self._is_write and SAME_ORIGIN not in own:
            headers += origins.READING
        start["headers"] = headers
        if self.status != 200:
            return body
        etag = _value(own, b"etag")
        if not etag and is_whole:
            # Weak: the compressed and the plain form share it. Ten times as fast as SHA-1, and it
            # keeps the GIL: releasing it costs more than the digest.
            etag = f'W/"{xxhash.xxh3_128_hexdigest(body)}"'.encode()
            headers.append((b"etag", etag))
        if self._match and etag and etag_matches(self._match, etag):
            start["status"] = self.status = 304
            start["headers"] = [
                h
                for h in headers
                if h[0] in _KEPT_BY_304 or h[0].startswith((b"x-", b"access-control-"))
            ]
            return b""
        if self._encoding and (not is_whole or len(body) >= MIN_COMPRESSED_BYTES):
            return self._encode(start, body, is_whole=is_whole)
        return body

    def _encode(self, start: Any, body: bytes, *, is_whole: bool) -> bytes:
        headers: list[Header] = start["headers"]
        # Bodies that are already compressed, or support byte ranges, are not compressed.
        if _value(headers, b"content-encoding") or _value(headers, b"accept-ranges"):
            return body
        encoding = choose_encoding(self._encoding, _value(headers, b"content-type"))
        if not encoding:
            return body
        others = [h for h in headers if h[0] != b"content-length"]
        others.append((b"content-encoding", encoding))
        if is_whole:
            body = compress(body, encoding)
            others.append((b"content-length", b"%d" % len(body)))
        else:
            self._pipe = compressor_of(encoding)
            body = self._pipe.process(body)
        start["headers"] = others
        return body


def _with_head(methods: bytes) -> bytes:
    """Return the value of `Allow` with HEAD, which every address with a GET answers."""
    names = set(methods.replace(b",", b" ").split())
    names |= {b"HEAD"} if b"GET" in names else set()
    return b", ".join(sorted(names, key=_METHODS.index))


def _value(headers: list[Header], name: bytes) -> bytes:
    for key, value in headers:
        if key == name:
            return value
    return b""
