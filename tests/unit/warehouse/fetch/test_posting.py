"""Posting to addresses of strangers: no private one is reached, however it is named."""

import asyncio
import contextlib
import socket
import threading
import time
from email.utils import formatdate

import httpx
import pytest

from tests.support.cases import cases
from tests.support.webhook_receiver import receiver
from warehouse.fetch import posting
from warehouse.fetch.addresses import ReceiverGuard, is_public
from warehouse.fetch.errors import RefusedAddressError
from warehouse.fetch.posting import MAX_ANSWER_BYTES, PostFailedError, post, receiver_url

PUBLIC, LOOPBACK = ReceiverGuard(), ReceiverGuard(allow_loopback=True)


def posted(url, guard=PUBLIC):
    return asyncio.run(post(url, {"Content-Type": "application/json"}, b'{"type":"x"}', guard))


@cases(
    "address",
    {
        "this network": "0.0.0.0",
        "private 10": "10.0.0.1",
        "shared, Alibaba's metadata": "100.100.100.200",
        "loopback": "127.8.8.8",
        "link-local, metadata": "169.254.169.254",
        "private 172": "172.31.255.255",
        "protocols, Oracle's metadata": "192.0.0.192",
        "documentation": "192.0.2.1",
        "private 192": "192.168.0.1",
        "benchmarks": "198.18.0.1",
        "multicast": "224.0.0.251",
        "reserved": "240.0.0.1",
        "broadcast": "255.255.255.255",
        "Azure's host": "168.63.129.16",
        "unspecified": "::",
        "loopback, IPv6": "::1",
        "compatible": "::127.0.0.1",
        "mapped": "::ffff:10.0.0.1",
        "NAT64": "64:ff9b::a9fe:a9fe",
        "NAT64, local": "64:ff9b:1::a9fe:a9fe",
        "Teredo": "2001:0:7f00:1::",
        "documentation, IPv6": "2001:db8::1",
        "6to4": "2002:a9fe:a9fe::",
        "unique local, AWS's metadata": "fd00:ec2::254",
        "link-local, IPv6": "fe80::1",
        "site-local": "fec0::1",
        "multicast, IPv6": "ff02::1",
    },
)
def test_no_address_but_a_public_one_is_reached(monkeypatch, address):
    assert not is_public(address)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    answer = [(family, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer)
    with pytest.raises(PostFailedError, match="no public address"):
        posted("https://hooks.example.org/")
    literal = f"[{address}]" if ":" in address else address
    with pytest.raises(RefusedAddressError, match="not a public"):
        receiver_url(f"https://{literal}/", PUBLIC)


@pytest.mark.parametrize("name", ["2130706433", "0x7f000001", "127.1", "localhost", "0"])
def test_other_spellings_of_this_machine_are_refused(name):
    with pytest.raises(PostFailedError):
        posted(f"https://{name}/")


def test_one_private_address_among_public_ones_refuses_all(monkeypatch):
    answer = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))
        for address in ("93.184.216.34", "10.0.0.1")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer)
    with pytest.raises(PostFailedError, match="no public address"):
        posted("https://hooks.example.org/")


def test_a_name_that_changes_after_the_check_is_not_resolved_again(monkeypatch):
    """A resolver that answers a public address first and loopback from then on (DNS rebinding)."""
    reached, lookups = [], []
    with socket.create_server(("127.0.0.1", 0)) as inside:
        port = inside.getsockname()[1]

        def listen():
            with contextlib.suppress(OSError):
                while True:
                    reached.append(inside.accept())

        def resolve(host, *_, **__):
            lookups.append(host)
            address = "93.184.216.34" if len(lookups) == 1 else "127.0.0.1"
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

        thread = threading.Thread(target=listen)
        thread.start()
        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        monkeypatch.setattr(posting, "ATTEMPT_SECONDS", 2.0)
        guard = ReceiverGuard(ports=frozenset({port}))
        with pytest.raises(PostFailedError, match=r"no connection|no answer in time"):
            posted(f"https://hooks.example.org:{port}/", guard)
        assert lookups == ["hooks.example.org"], (
            "resolved once: the checked address is the one used"
        )
        with pytest.raises(PostFailedError, match="no public address"):
            posted(f"https://hooks.example.org:{port}/", guard)
        inside.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert reached == []


def test_loopback_needs_permission():
    with receiver() as hook:
        assert posted(hook.url, LOOPBACK).status == 200
        with pytest.raises(PostFailedError, match="is not https"):
            posted(hook.url, PUBLIC)
        port = httpx.URL(hook.url).port
        for url in (f"http://example.org:{port}/", f"http://a@127.0.0.1:{port}/"):
            with pytest.raises(PostFailedError, match="is not https"):
                posted(url, LOOPBACK)
        assert len(hook.deliveries) == 1


def test_a_redirect_is_an_answer():
    with receiver() as hook:
        hook.statuses["x"] = [307]
        assert posted(hook.url, LOOPBACK).status == 307
        assert [one.path for one in hook.deliveries] == ["/"]


@cases(
    "status, header, least, most",
    {
        "seconds of 429": (429, "120", 120, 120),
        "a date of 503": (503, "+90", 80, 90),
        "a date that is over": (503, "-90", 0, 0),
        "not to be read": (429, "soon", 0, 0),
        "no header": (429, None, 0, 0),
        "of another status": (500, "120", 0, 0),
    },
)
def test_retry_after_of_an_answer(status, header, least, most):
    if header and header[0] in "+-":
        header = formatdate(time.time() + int(header), usegmt=True)
    with receiver() as hook:
        hook.statuses["x"], hook.retry_after = [status], header
        outcome = posted(hook.url, LOOPBACK)
    assert outcome.status == status
    assert least <= outcome.retry_after <= most


def _server(talk):
    """Return the port of a server that answers one connection with `talk`."""
    listening = socket.create_server(("127.0.0.1", 0))

    def run():
        with listening, listening.accept()[0] as connection:
            connection.recv(65_536)
            try:
                talk(connection)
            except OSError:
                return

    threading.Thread(target=run, daemon=True).start()
    return listening.getsockname()[1]


def test_an_endless_answer_is_read_to_its_bound():
    def talk(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n")
        while True:
            connection.sendall(b"x" * 4096)

    outcome = posted(f"http://127.0.0.1:{_server(talk)}/", LOOPBACK)
    assert (outcome.status, len(outcome.body)) == (200, MAX_ANSWER_BYTES)


def test_a_packed_answer_is_not_unpacked():
    body = b"\x1f\x8b" + b"x" * 100

    def talk(connection):
        head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n"
        connection.sendall(head % len(body) + body)

    assert posted(f"http://127.0.0.1:{_server(talk)}/", LOOPBACK).body == body


def test_an_answer_in_drops_is_cut_off(monkeypatch):
    monkeypatch.setattr(posting, "ATTEMPT_SECONDS", 0.5)
    may_end = threading.Event()

    def talk(connection):
        try:
            while True:
                connection.sendall(b"H")
                time.sleep(0.05)
        finally:
            may_end.set()

    with pytest.raises(PostFailedError, match=r"no answer in time|no connection"):
        posted(f"http://127.0.0.1:{_server(talk)}/", LOOPBACK)
    assert may_end.wait(10)


def test_a_closed_port_is_reported():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(PostFailedError, match="no connection"):
        posted(f"http://127.0.0.1:{port}/", LOOPBACK)
