"""A receiver of webhooks on loopback: answers the challenge, stores deliveries, fails on demand."""

import json
import ssl
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from standardwebhooks import Webhook

from tests.support.http_servers import QuietHandler, serving


@dataclass
class Delivery:
    """A request: headers with names in small letters, and the raw body."""

    path: str
    headers: dict[str, str]
    body: bytes
    is_accepted: bool = True

    @property
    def event(self) -> dict[str, Any]:
        """Return the body without verification."""
        payload: dict[str, Any] = json.loads(self.body)
        return payload

    def verify(self, secret: str) -> dict[str, Any]:
        """Verify and return the body with the library of Standard Webhooks; raise its error."""
        payload: dict[str, Any] = Webhook(secret).verify(self.body, self.headers)
        return payload


@dataclass
class Receiver:
    """A running receiver. `statuses` are the next answers by type of event, then 200; others than
    2xx have the header `retry_after`.
    """

    url: str
    deliveries: list[Delivery] = field(default_factory=list)
    statuses: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    challenge_answer: bytes | None = None
    retry_after: str | None = None

    def of(self, kind: str) -> list[Delivery]:
        """Return the deliveries of one type, in order."""
        return [one for one in list(self.deliveries) if one.event["type"] == kind]


@contextmanager
def receiver(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Run a receiver until the block ends."""
    hook = Receiver("")

    class Handler(QuietHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            event = json.loads(body)
            statuses = hook.statuses[event["type"]]
            status = statuses.pop(0) if statuses else 200
            is_accepted = 200 <= status < 300
            hook.deliveries.append(Delivery(self.path, headers, body, is_accepted))
            answer = b"ok"
            if event["type"] == "webhook.verify":
                answer = hook.challenge_answer or json.dumps(event["data"]).encode()
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", f"{hook.url}/elsewhere")
            if hook.retry_after and not is_accepted:
                self.send_header("Retry-After", hook.retry_after)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    with serving(Handler, tls) as port:
        hook.url = f"https://localhost:{port}" if tls else f"http://127.0.0.1:{port}"
        yield hook
