"""Receive webhooks of a food directory: answer challenges, verify signatures, print events.

    WEBHOOK_SECRET=whsec_... python webhook_receiver.py 9099

Needs Python alone. Without a secret nothing is verified: enough to answer the first challenge.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MAX_BYTES, MAX_AGE_SECONDS = 1_000_000, 300


def is_genuine(secret: str, headers: Any, body: bytes) -> bool:
    """Return whether the signature is right and the delivery new (Standard Webhooks 1.0)."""
    name, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not stamp.isdigit() or abs(time.time() - int(stamp)) > MAX_AGE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{name}.{stamp}.".encode() + body
    wanted = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    found = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(wanted, one) for one in found)


class Receiver(BaseHTTPRequestHandler):
    """Answers 200 to what is genuine and 401 to the rest. Events that come twice are printed once."""

    seen: set[str] = set()  # noqa: RUF012 - shared by all requests; a database in earnest
    secret = os.environ.get("WEBHOOK_SECRET", "")

    def do_POST(self) -> None:
        """Take one delivery."""
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), MAX_BYTES))
        if self.secret and not is_genuine(self.secret, self.headers, body):
            self._answer(401, {})
            return
        event, name = json.loads(body), self.headers["webhook-id"]
        is_challenge = event["type"] == "webhook.verify"
        if name not in self.seen and not is_challenge:
            self.seen.add(name)
            print(json.dumps(event), flush=True)
        self._answer(200, event["data"] if is_challenge else {})

    def _answer(self, status: int, value: dict[str, Any]) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing but events."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
