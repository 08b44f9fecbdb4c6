"""Metrics summed over workers, and traces and logs without personal data."""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from serving.settings import Settings
from serving.telemetry.metrics import METRICS, Metrics
from tests.support.clients import open_client
from tests.support.metrics import list_metric_names, metrics_of
from tests.support.server import ROOT, free_port
from tests.support.town import write_town


def value(text: str, name: str) -> float:
    return float(
        next(line for line in text.splitlines() if line.startswith(name)).rpartition(" ")[2]
    )


_WORKER = """
import asyncio, sys
from serving.telemetry.metrics import Metrics
count = int(sys.argv[1])
metrics = Metrics(lambda: {"larder_resources": [((), count)], "larder_release_swaps": [((), count)]})
for _ in range(count):
    metrics.observe("GET", "/a", 200, 0.02)
metrics.update()
metrics.update()
print("ready", flush=True)
if sys.stdin.readline():
    print(asyncio.run(metrics.render()).decode(), flush=True)
    print("end", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def worker(folder, count: int) -> Iterator[subprocess.Popen[str]]:
    """Run a process that has answered some requests; a line to it asks for the metrics."""
    with subprocess.Popen(
        [sys.executable, "-c", _WORKER, str(count)],
        cwd=ROOT,
        env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "ready\n"
        yield process
        process.stdin.close()


def metrics_by(process: subprocess.Popen[str]) -> str:
    process.stdin.write("\n")
    process.stdin.flush()
    return "".join(iter(process.stdout.readline, "end\n"))


def test_each_worker_answers_for_all(tmp_path):
    with worker(tmp_path, 1) as first, worker(tmp_path, 2) as second, worker(tmp_path, 4) as third:
        for process in (first, second, third):
            text = metrics_by(process)
            assert value(text, "larder_requests_total{") == 7
            assert value(text, 'larder_request_seconds_bucket{le="0.025"') == 7
            assert value(text, "larder_release_swaps_total") == 7
            assert value(text, "larder_workers ") == 3
            assert value(text, "larder_resources ") == 1  # the fewest


def test_counts_of_an_ended_worker_remain(tmp_path):
    with worker(tmp_path, 5):
        pass
    with worker(tmp_path, 2) as living:
        text = metrics_by(living)
    assert value(text, "larder_requests_total{") == 7
    assert value(text, "larder_workers ") == 1
    assert value(text, "larder_resources ") == 2


def test_a_series_that_is_gone_has_no_number():
    numbers = {"larder_release_info": [(("first",), 1)]}
    metrics = Metrics(lambda: dict(numbers))
    metrics.update()
    numbers["larder_release_info"] = [(("second",), 1)]
    text = asyncio.run(metrics.render()).decode()
    assert 'larder_release_info{release_id="first"} NaN' in text
    assert 'larder_release_info{release_id="second"} 1.0' in text


def test_every_declared_metric_is_exposed(client):
    client.get("/api/resources/search?zip=10002")
    client.get("/api/disasters/current")
    text = metrics_of(client)
    missing = [n for n in METRICS if not any(f"\n{e}" in text for e in list_metric_names(n))]
    # The town has no disaster declarations, and names no sources.
    assert set(missing) <= {
        "larder_disasters_age_seconds",
        "larder_source_age_days",
        "larder_source_due_days",
    }


class _Collector(BaseHTTPRequestHandler):
    bodies: list[bytes] = []  # noqa: RUF012

    def do_POST(self) -> None:
        import gzip

        body = self.rfile.read(int(self.headers["content-length"]))
        self.bodies.append(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_spans_reach_a_collector_without_personal_data(tmp_path, monkeypatch):
    server = HTTPServer(("127.0.0.1", 0), _Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    write_town(tmp_path)
    with open_client(tmp_path, log_level="critical") as client:
        client.get(
            "/api/resources/101?secret=4711",
            headers={"traceparent": f"00-{'ab' * 16}-{'cd' * 8}-01"},
        )
        client.get("/api/pantry/manage/a-token-of-somebody")
    server.shutdown()
    server.server_close()
    spans = b"".join(_Collector.bodies)
    assert b"/api/resources/{resource_id" in spans
    assert bytes.fromhex("ab" * 16) in spans
    for actual in (b"4711", b"a-token-of", b"testclient"):
        assert actual not in spans


def test_it_starts_without_the_packages_of_traces(tmp_path, monkeypatch, capsys):
    import sys

    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    write_town(tmp_path)
    with open_client(tmp_path, log_level="info") as client:
        assert client.get("/api/resources/101").status_code == 200
    assert "traces_off" in capsys.readouterr().out


def test_logs_contain_no_personal_data(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("serving.http.policy.SLOW_SECONDS", 0.0)  # every request is logged
    write_town(tmp_path)
    with open_client(tmp_path, log_level="debug") as client:
        paths = json.loads(client.get("/api/openapi.json").content)["paths"]
        for path, item in paths.items():
            address = path.split("{")[0] + ("tok-5ecret-9" if "{" in path else "")
            for method in item:
                client.request(
                    method,
                    f"{address}?zip=99546&q=hungry-in-Adak&email=who@private.example",
                    json={"operator_email": "who@private.example"} if method == "post" else None,
                    headers={
                        "Authorization": "Bearer tok-5ecret-9",
                        "X-Forwarded-For": "203.0.113.99",
                    },
                )
    out = capsys.readouterr().out
    lines = [json.loads(line) for line in out.splitlines()]
    assert len([x for x in lines if x["event"] == "request_slow" and x["request_id"]]) >= len(paths)
    # Times and random ids may have the digits of a ZIP code.
    noise = {"timestamp", "seconds", "request_id"}
    out = "\n".join(str({name: x[name] for name in x.keys() - noise}) for x in lines)
    for actual in (
        "99546",
        "hungry",
        "private.example",
        "tok-5ecret",
        "203.0.113.99",
        "testclient",
    ):
        assert actual not in out


def test_the_numbers_have_a_port_of_their_own(town, tmp_path):
    port = free_port()
    with open_client(town, operations_file=str(tmp_path / "o.sqlite"), metrics_port=port) as client:
        numbers = httpx.get(f"http://127.0.0.1:{port}/metrics")
        assert numbers.status_code == 200
        assert "larder_resources " in numbers.text
        assert numbers.headers["content-type"].startswith("text/plain; version=0.0.4")
        for path in ("/", "/metricsx", "/api/health"):
            assert httpx.get(f"http://127.0.0.1:{port}{path}").status_code == 404
        assert client.get("/metrics").status_code == 404
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/metrics")


def test_silent_clients_block_nobody(town, tmp_path):
    port = free_port()
    with (
        open_client(town, operations_file=str(tmp_path / "o.sqlite"), metrics_port=port),
        socket.create_connection(("127.0.0.1", port)) as silent,
    ):
        silent.sendall(b"GET /metrics HTTP/1.1\r\n")
        assert httpx.get(f"http://127.0.0.1:{port}/metrics").status_code == 200


def test_without_a_port_nothing_listens_and_the_sibling_has_the_next_one():
    assert Settings().metrics_port == 0
    assert Settings(metrics_port=9000).sibling.metrics_port == 9001
    assert Settings().sibling.metrics_port == 0
