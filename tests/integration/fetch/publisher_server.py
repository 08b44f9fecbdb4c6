"""A publisher's server on loopback with faults on request."""

import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from tests.support.http_servers import QuietHandler, serving


@dataclass(frozen=True)
class Request:
    """A request of the client."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]


@dataclass(frozen=True)
class Reply:
    """An answer. `cut_at` closes the connection after that many bytes, `resets` with a reset.

    `length` overrides Content-Length; -1 omits it and ends the body by closing. `drip_seconds` is
    the pause after every byte.
    """

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut_at: int | None = None
    resets: bool = False
    length: int | None = None
    drip_seconds: float = 0.0


Answer = Reply | Callable[[Request], Reply]


class Publisher:
    """A running server. It gives `answers[path]` in order and repeats the last.

    Without an answer for it, robots.txt is 404 and not in `requests`.
    """

    def __init__(self, scheme: str = "http") -> None:
        self._scheme = scheme
        self.answers: dict[str, list[Answer]] = {}
        self.requests: list[Request] = []
        self.port = 0
        self._lock = threading.Lock()

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"{self._scheme}://{host}:{self.port}{path}"

    def reply_to(self, request: Request) -> Reply:
        if request.path == "/robots.txt" and request.path not in self.answers:
            return Reply(status=404)
        with self._lock:
            self.requests.append(request)
            replies = self.answers.get(request.path, [Reply(status=404)])
            answer = replies.pop(0) if len(replies) > 1 else replies[0]
        return answer if isinstance(answer, Reply) else answer(request)


def unless_unchanged(body: bytes, etag: str) -> Callable[[Request], Reply]:
    """Return an answer that follows If-None-Match."""

    def answer(request: Request) -> Reply:
        headers = {"ETag": etag, "Content-Type": "text/csv"}
        if request.headers.get("if-none-match") == etag:
            return Reply(status=304, headers=headers)
        return Reply(body, headers=headers)

    return answer


@contextmanager
def publisher_server(tls: ssl.SSLContext | None = None) -> Iterator[Publisher]:
    publisher = Publisher("https" if tls else "http")

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(parts.path, dict(parse_qsl(parts.query)), headers)
            try:
                self._send(publisher.reply_to(request))
            except OSError:
                self.close_connection = True

        def do_POST(self) -> None:
            """Answer a form: its fields are the query."""
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._send(publisher.reply_to(Request(parts.path, dict(parse_qsl(body)), headers)))

        def _send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.length != -1 and reply.status != 304:
                self.send_header("Content-Length", str(reply.length or len(reply.body)))
            self.close_connection = reply.length is not None or reply.cut_at is not None
            self.end_headers()
            self._send_body(reply)

        def _send_body(self, reply: Reply) -> None:
            body = reply.body if reply.cut_at is None else reply.body[: reply.cut_at]
            if reply.drip_seconds:
                for position in range(len(body)):
                    self.wfile.write(body[position : position + 1])
                    time.sleep(reply.drip_seconds)
            else:
                self.wfile.write(body)
            if reply.resets:
                time.sleep(0.1)  # a reset overtakes bytes that the client has not read
                self.reset()

    with serving(Handler, tls) as publisher.port:
        yield publisher
