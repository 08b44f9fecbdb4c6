"""Clients that are slow, silent, endless or broken, alongside readers and operators."""

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from faults.ground import Ground, Outcome
from faults.hostile import (
    Counts,
    ask,
    ask_together,
    crowd,
    drip,
    resident_bytes,
    status_of,
    summary,
)
from faults.load import Load
from faults.malformed import CASES, HIDDEN_ANSWER, SMUGGLING
from faults.table import fault
from tests.support.processes import children_of
from tests.support.replicas import missing_nginx, running_nginx

# Header and body limits of the service (serving/run.py, serving/http/request_limits.py), and time
# to notice.
_HEAD_SECONDS, _BODY_SECONDS, _SLACK_SECONDS = 30.0, 10.0, 15.0
_FAULT_WORDS = (
    "Traceback",
    "request_failed",
    "panicked",
    "exited unexpectedly",
    "Unexpected exit",
)


def _head(path: str, *lines: str) -> bytes:
    kind = "json" if path.startswith(("/api/", "/mcp")) else "x-www-form-urlencoded"
    return "\r\n".join(
        [
            f"POST {path} HTTP/1.1",
            "Host: 127.0.0.1",
            f"Content-Type: application/{kind}",
            *lines,
            "",
            "",
        ]
    ).encode()


def _list_log_faults(ground: Ground) -> str:
    """Return unexpected lines of the service's log."""
    text = (ground.data / "service.log").read_text(errors="replace")
    words = [w for w in _FAULT_WORDS if w in text]
    return f"; the log has {words}" if words else ""


def _judge(ground: Ground, load: Load, text: str, wrong: list[str]) -> Outcome:
    """Return the outcome; every wrong answer counts as lost."""
    log_faults = _list_log_faults(ground)
    slowest = (
        f"; meanwhile {len(load.exchanges):,} ordinary requests, the slowest read "
        f"{load.slowest('GET'):.2f} s"
    )
    outcome = ground.outcome(load, text + slowest + log_faults)
    if wrong or log_faults:
        print("wrong:", *wrong, sep="\n  ", flush=True)
        return Outcome(
            outcome.text + f"; wrong: {'; '.join(wrong)[:400]}",
            outcome.requests,
            outcome.requests_lost + len(wrong) + bool(log_faults),
            outcome.data_lost,
        )
    return outcome


@contextmanager
def _watch(ground: Ground, **load: Any) -> Iterator[tuple[str, Load, Callable[[], float]]]:
    """Yield a service under a load: address, load, and a function for its growth in MB."""
    with ground.service() as services, ground.load(services.food, **load) as running:
        running.wait_for("GET", 200, 50)
        worker = children_of(services.process.pid)[0]
        before = resident_bytes(worker)
        yield services.food, running, lambda: (resident_bytes(worker) - before) / 1e6


def _list_growth(growth: float) -> list[str]:
    return [f"memory grew by {growth:.0f} MB"] if growth > 100 else []


def _list_unexpected(counts: Counts, *normal: str) -> list[str]:
    return [f"{name}: {count}" for name, count in counts.items() if name not in normal]


@contextmanager
def _through_nginx(address: str, ground: Ground) -> Iterator[str]:
    """Run deploy/nginx/compose.conf before a service; yield its address."""
    port = SimpleNamespace(port=int(address.rsplit(":", 1)[1]))
    folder = ground.folder / "nginx"
    folder.mkdir()
    pair: Any = [port, port]
    with running_nginx(pair, folder) as proxy:
        yield proxy


# ---------------------------------------------------------------- slow


@fault("500 clients send the head of a request a byte a second", group="clients")
def send_slow_heads(ground: Ground) -> Outcome:
    """Slow loris."""
    with ground.service() as services, ground.load(services.food) as load:
        talk = drip(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nX-",
            b"a",
            every=1.0,
            max_seconds=_HEAD_SECONDS + _SLACK_SECONDS,
        )
        counts, seconds = crowd(services.food, 500, talk)
    text = f"turned away within {seconds:.0f} s ({summary(counts)})"
    return _judge(ground, load, text, _list_unexpected(counts, "408", "closed"))


@fault("500 clients send the body of a report a byte a second", group="clients")
def send_slow_bodies(ground: Ground) -> Outcome:
    """They must not exhaust a worker's concurrent writes."""
    with ground.service() as services, ground.load(services.food) as load:
        head = _head("/api/pantry/status", "Content-Length: 500")
        talk = drip(head, b" ", every=1.0, max_seconds=_BODY_SECONDS + _SLACK_SECONDS)
        counts, seconds = crowd(services.food, 500, talk)
    refusals = load.statuses("POST")[503]
    text = (
        f"answered within {seconds:.0f} s ({summary(counts)}); {refusals} ordinary writes refused "
        "meanwhile"
    )
    return _judge(
        ground,
        load,
        text,
        _list_unexpected(counts, "408") + [f"{refusals} refused"] * bool(refusals),
    )


def _wide_town(ground: Ground) -> None:
    """Write a release whose pages do not fit into a connection's buffers."""
    # A late import: it takes two seconds, and only this fault needs it.
    from tests.support import releases, town

    wide = {"lng": -73.9, "notes": "x" * 900, "schedules_json": town.ALWAYS}
    rows = [
        releases.resource(1000 + n, name=f"Pantry {n}", lat=40.7 + n / 1e5, **wide)
        for n in range(1200)
    ]
    newer = "20261115T060000Z-00000002"
    releases.write_release(ground.data, rows, zips=town.zips(), bulk=True, release_id=newer)


@fault("100 clients read a bulk answer a few bytes a second", group="clients")
def read_slowly(ground: Ground) -> Outcome:
    """They must not exhaust memory or other clients' turns."""
    _wide_town(ground)
    reads = ("/api/resources/1000", "/api/resources/search?zip=10002", "/api/stats", "/")

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        writer.write(b"GET /api/resources/bulk?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(16):
            await reader.read(64)
            await asyncio.sleep(0.5)
        return "read on"

    with _watch(ground, writes=False, reads=reads) as (address, load, measure_growth):
        counts, _ = crowd(address, 100, talk, receive_bytes=4096)
        growth = measure_growth()
    text = f"{summary(counts)}; memory of the worker {growth:+.0f} MB"
    return _judge(ground, load, text, _list_growth(growth) + _list_unexpected(counts, "read on"))


# ---------------------------------------------------------------- broken


def _send_malformed(address: str, *, is_behind: bool) -> tuple[str, list[str]]:
    """Send each case and return the answers and the unexpected ones.

    Without a proxy, the service may read a hidden request as the next on its connection (RFC
    9112, 6.3): it affects only its own client. Behind a proxy it must not.
    """
    counts, wrong, hidden_answer_count = Counter[str](), [], 0
    answers = ask_together(address, (request for request, _ in CASES.values()))
    for (name, (_, statuses)), answer in zip(CASES.items(), answers, strict=True):
        status = "timeout" if answer == b"timeout" else status_of(answer)
        counts[status] += 1
        if status not in statuses:
            wrong.append(f"{name}: {status}")
    for name, answer in zip(SMUGGLING, ask_together(address, SMUGGLING.values()), strict=True):
        counts[status_of(answer)] += 1
        hidden_answer_count += HIDDEN_ANSWER in answer
        if is_behind and HIDDEN_ANSWER in answer:
            wrong.append(f"{name}: the hidden request was answered")
    return (
        (
            f"{len(CASES) + len(SMUGGLING)} kinds: {summary(counts)}; hidden requests answered: "
            f"{hidden_answer_count} of {len(SMUGGLING)}"
        ),
        wrong,
    )


@fault("malformed HTTP", group="clients", quick=True)
def send_malformed(ground: Ground) -> Outcome:
    """First lines, addresses, header fields, ranges, lengths, chunks, and requests hidden in
    bodies.
    """
    # Most of the time is the service's wait for endless requests: two ordinary clients test it as
    # well as six.
    with ground.service() as services, ground.load(services.food, readers=1, writers=1) as load:
        load.wait_for("GET", 200, 20)
        text, wrong = _send_malformed(services.food, is_behind=False)
    return _judge(ground, load, text, wrong)


@fault("malformed HTTP, through nginx", group="clients", missing=missing_nginx)
def send_malformed_through_nginx(ground: Ground) -> Outcome:
    """The same, with deploy/nginx before the service."""
    with (
        ground.service() as services,
        _through_nginx(services.food, ground) as proxy,
        ground.load(proxy) as load,
    ):
        load.wait_for("GET", 200, 20)
        text, wrong = _send_malformed(proxy, is_behind=True)
    return _judge(ground, load, text, wrong)


@fault("1,000 clients close half of the connection, or reset it, in the middle", group="clients")
def half_close(ground: Ground) -> Outcome:
    """A client that half-closes after sending still gets its answer."""
    whole = b"GET /api/resources/101 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    half_body = _head("/api/pantry/status", "Content-Length: 500") + b'{"claim'
    wrong, counts = [], Counter[str]()

    async def reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        writer.write(next(pieces))
        await writer.drain()
        writer.transport.abort()
        return "reset"

    # Overload is tested elsewhere (bench/saturation.py).
    with (
        ground.service(LARDER_MOST_WAIT_SECONDS="0") as services,
        ground.load(services.food) as load,
    ):
        load.wait_for("GET", 200, 20)
        for request, statuses in (
            (whole, {"200", "closed"}),
            (whole[:20], {"400", "408", "closed"}),
            (half_body, {"400", "408", "closed"}),
        ):
            for _ in range(20):
                status = status_of(ask(services.food, request, shut=True))
                counts[status] += 1
                if status not in statuses:
                    wrong.append(f"{request[:30]!r}: {status}")
        pieces = itertools.cycle(
            (
                whole,
                whole[:20],
                half_body,
                whole * 20,
                b"GET /api/resources/bulk?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            )
        )
        resets, _ = crowd(services.food, 1000, reset)
    return _judge(ground, load, f"{summary(counts)}; {summary(resets)}", wrong)
