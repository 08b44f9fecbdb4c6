"""Probes against a server that misbehaves."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.support.cases import labelled
from warehouse.fetch.probing import Probe, ProbeSettings, probe_websites

SETTINGS = ProbeSettings(allow_private=True, timeout_seconds=2.0, pause_seconds=0.0)


class Misbehaving(BaseHTTPRequestHandler):
    """A server whose path selects the fault: /status/404, /head/405, /silent, /drip, /loop,
    /to?url, /garbage.
    """

    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer(is_head=True)

    def do_GET(self) -> None:
        self._answer(is_head=False)

    def _answer(self, *, is_head: bool) -> None:
        self.server.seen.append(f"{self.command} {self.path}")  # type: ignore[attr-defined]
        path, _, target = self.path.partition("?")
        kind, _, number = path.strip("/").partition("/")
        with suppress(OSError):
            if kind == "silent":
                time.sleep(4)
            elif kind == "drip":
                self._drip()
            elif kind == "garbage":
                self.wfile.write(b"what?\r\n\r\n")
            elif kind == "loop":
                self._send(302, path)
            elif kind == "to":
                self._send(int(number or 301), target)
            elif kind == "head":
                self._send(int(number) if is_head else 200)
            else:
                self._send(int(number or 200))
        self.close_connection = True

    def _drip(self) -> None:
        for letter in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 40:
            self.wfile.write(bytes([letter]))
            time.sleep(0.1)

    def _send(self, status: int, location: str | None = None) -> None:
        self.send_response(status)
        if location is not None:
            self.send_header("Location", location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Misbehaving) as running:
        running.seen = []  # type: ignore[attr-defined]
        running.daemon_threads = True
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def ask(server: ThreadingHTTPServer, path: str, settings: ProbeSettings = SETTINGS) -> Probe:
    [probe] = probe_websites([f"http://127.0.0.1:{server.server_port}{path}"], settings)
    return probe


@labelled("path, result, status")
def test_results(server: ThreadingHTTPServer, path: str, result: str, status: int | None) -> None:
    probe = ask(server, path)
    assert (probe.result, probe.http_status) == (result, status), probe
    assert (probe.detail is None) == (result in {"ok", "moved"})


def test_a_closed_port_and_an_unknown_host_are_errors(server: ThreadingHTTPServer) -> None:
    probes = probe_websites(
        ["http://127.0.0.1:9/", "http://host.invalid/", "http://[broken/"], SETTINGS
    )
    assert [p.result for p in probes] == ["error"] * 3


def test_one_run_is_bounded(server: ThreadingHTTPServer) -> None:
    base = f"http://127.0.0.1:{server.server_port}"
    urls = [f"{base}/{n}" for n in range(5)]
    few = ProbeSettings(allow_private=True, max_urls=2, pause_seconds=0)
    assert len(probe_websites(urls, few)) == 2
    per_host = ProbeSettings(allow_private=True, max_per_host=3, pause_seconds=0)
    assert [p.website for p in probe_websites([*urls, urls[0]], per_host)] == urls[:3]
    slow = ProbeSettings(allow_private=True, max_seconds=0.3, pause_seconds=0)
    assert [p.website for p in probe_websites([f"{base}/", f"{base}/silent"], slow)] == [f"{base}/"]
    assert probe_websites([], SETTINGS) == []
