"""An open load: a fixed request rate, independent of answers, sent by a separate process.

`python -m bench.paced` reads a plan as JSON from its standard input (base, per_second, seconds,
connections and requests, each [method, path, body or null]) and prints the outcome as JSON. The
time of a request sent late counts from its due time.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

# Close a silent connection before the server does (after 30 s, `serving.run`), as nginx does
# (deploy/nginx): a request sent while the server closes gets no answer, by the client's fault.
_MAX_SILENCE_SECONDS = 20.0
_MAX_CLOSED_AT_ONCE = 2
_LAST_CHUNK = b"\r\n0\r\n\r\n"
_ROOT = Path(__file__).resolve().parents[1]

Request = tuple[str, str, str | None]


class Sender:
    """A load from a separate process, from the creation of this object on."""

    def __init__(
        self,
        base: str,
        requests: Sequence[Request],
        per_second: float,
        seconds: float,
        connections: int = 128,
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.paced"],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        plan = {
            "base": base,
            "per_second": per_second,
            "seconds": seconds,
            "connections": connections,
            "requests": requests,
        }
        assert self._process.stdin
        json.dump(plan, self._process.stdin)
        self._process.stdin.close()

    def results(self) -> dict[str, Any]:
        """Wait for the load and return its figures. Raises RuntimeError if it failed."""
        assert self._process.stdout
        out = self._process.stdout.read()
        if self._process.wait():
            raise RuntimeError("the load failed")
        figures: dict[str, Any] = json.loads(out)
        return figures


class _Client(asyncio.Protocol):
    """One connection with one request under way. Only the status line and the end are read."""

    def __init__(self, load: _Load) -> None:
        self._load = load
        self._buffer = self._tail = b""
        self._missing = -1
        self._is_chunked = False
        self._is_good = self._is_refusal = False
        self.due = self.free_since = 0.0
        self.is_busy = False
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def ask(self, request: bytes, due: float) -> None:
        self.due, self.is_busy = due, True
        self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        if self._missing < 0:
            self._buffer += data
            head, blank, data = self._buffer.partition(b"\r\n\r\n")
            if not blank:
                return
            self._buffer = self._tail = b""
            self._is_good = head[9:10] in b"23"
            self._is_refusal = (
                head[9:12] in {b"503", b"429"} and b"\r\nretry-after:" in head.lower()
            )
            length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
            self._is_chunked = not length
            self._missing = int(length or 1)
        if self._is_chunked:
            # No text ends as the last chunk does.
            self._tail = (self._tail + data)[-len(_LAST_CHUNK) :]
            self._missing = 0 if self._tail == _LAST_CHUNK else 1
        else:
            self._missing -= len(data)
        if self._missing <= 0:
            self._missing = -1
            self._load.finish(self, is_good=self._is_good, is_refusal=self._is_refusal)

    def connection_lost(self, error: Exception | None) -> None:
        self._load.lose(self)


class _Load:
    def __init__(self, plan: dict[str, Any]) -> None:
        self._plan = plan
        self._requests = [_encode(*request) for request in plan["requests"]]
        self._where = urlsplit(plan["base"])
        self._free: list[_Client] = []
        self._opening: set[asyncio.Future[None]] = set()
        self._due: deque[float] = deque()
        self._next_request = 0
        self.times: list[float] = []
        self.refusal_times: list[float] = []
        self.errors = 0
        self._is_over = False

    async def run(self) -> dict[str, float]:
        for _ in range(self._plan["connections"]):
            await self._open()
        per_second, seconds = self._plan["per_second"], self._plan["seconds"]
        began, request_count = time.perf_counter(), 0
        while (seconds_so_far := time.perf_counter() - began) < seconds:
            while request_count < seconds_so_far * per_second:
                self._due.append(began + request_count / per_second)
                request_count += 1
            self._give_up_silent()
            self._send()
            await asyncio.sleep(0.001)
        in_time = len(self.times)
        for _ in range(1000):
            if not self._due and len(self._free) == self._plan["connections"]:
                break
            await asyncio.sleep(0.01)
        self._is_over = True
        return self._report(request_count, in_time / seconds)

    def _give_up_silent(self) -> None:
        """Close a few at a time: thousands of new connections would be an additional load."""
        oldest = time.perf_counter() - _MAX_SILENCE_SECONDS
        for _ in range(_MAX_CLOSED_AT_ONCE):
            # The most recently used connections are last.
            if not self._free or self._free[0].free_since > oldest:
                return
            self._free.pop(0).transport.close()
            self._reopen()

    def _send(self) -> None:
        while self._free and self._due:
            request = self._requests[self._next_request % len(self._requests)]
            self._free.pop().ask(request, self._due.popleft())
            self._next_request += 1

    def finish(self, client: _Client, *, is_good: bool, is_refusal: bool) -> None:
        self.times.append((time.perf_counter() - client.due) * 1000)
        self.errors += not is_good
        if is_refusal:
            self.refusal_times.append(self.times[-1])
        client.is_busy = False
        self._release(client)
        if self._due:
            self._send()

    def lose(self, client: _Client) -> None:
        """Record the end of a connection: closed here, silent for too long, or with a request
        under way.
        """
        if self._is_over:
            return
        if client.is_busy:
            self.errors += 1
            self._reopen()
        elif client in self._free:
            self._free.remove(client)
            self._reopen()

    def _reopen(self) -> None:
        self._opening.add(opening := asyncio.ensure_future(self._open()))
        opening.add_done_callback(self._opening.discard)

    async def _open(self) -> None:
        _, client = await asyncio.get_running_loop().create_connection(
            lambda: _Client(self), self._where.hostname, self._where.port
        )
        self._release(client)

    def _release(self, client: _Client) -> None:
        client.free_since = time.perf_counter()
        self._free.append(client)

    def _report(self, request_count: int, per_second: float) -> dict[str, float]:
        times, refused = sorted(self.times) or [0.0], sorted(self.refusal_times) or [0.0]
        return {
            "offered": request_count,
            "answered": len(self.times),
            "per_second": round(per_second),
            "errors": self.errors,
            # Errors that name a retry time: 503 and 429.
            "refused": len(self.refusal_times),
            "lost": request_count - len(self.times),
            "p50_ms": round(times[len(times) // 2], 2),
            "p99_ms": round(times[len(times) * 99 // 100], 2),
            "refused_p50_ms": round(refused[len(refused) // 2], 2),
            "refused_p99_ms": round(refused[len(refused) * 99 // 100], 2),
        }


def _encode(method: str, path: str, body: str | None) -> bytes:
    payload = (body or "").encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n"
    return head.encode() + b"\r\n" + payload


def main() -> None:
    plan = json.load(sys.stdin)
    try:
        import uvloop

        figures = uvloop.run(_Load(plan).run())
    except ImportError:
        figures = asyncio.run(_Load(plan).run())
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
