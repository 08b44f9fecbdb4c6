"""Test hostile servers: rebinding names, disguised addresses, decompression bombs."""

import gzip
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import brotli
import httpx
import pytest

from schemas.sources.registry import LiveFeed
from tests.integration.fetch.publisher_server import Publisher, Reply, publisher_server
from tests.integration.fetch.support import CSV, NEW, SETTINGS, fetch, source_of
from tests.support.cases import cases
from warehouse.fetch.addresses import HostGuard
from warehouse.fetch.errors import FetchError, RefusedAddressError, WrongContentError
from warehouse.fetch.probing import ProbeSettings, probe_websites
from warehouse.raw_store import RawStore

# Ways to write an address of this machine or its network in a publisher's list.
PRIVATE_ADDRESSES = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://localhost/",
    "http://[::]/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.100.100.200/",
    "http://192.168.0.1/",
    "http://10.0.0.1/",
    "http://172.31.0.1/",
    "http://0.0.0.0/",
    "http://255.255.255.255/",
    "http://224.0.0.1/",
]


@pytest.mark.parametrize("url", PRIVATE_ADDRESSES)
def test_a_disguised_private_address_is_refused(url: str) -> None:
    with pytest.raises((FetchError, httpx.InvalidURL)) as error:
        HostGuard(None).resolve(httpx.URL(url))
    assert (
        not isinstance(error.value, FetchError)
        or "not a public" in str(error.value)
        or "cannot resolve" in str(error.value)
    )
    [probe] = probe_websites([url], ProbeSettings(timeout_seconds=2))
    assert (probe.result, probe.http_status) == ("error", None)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
        "http://user@example.org/",
        "http://example.org:22/",
        "http:///x",
        "//example.org/",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://exa\nmple.org/",
        "http://\x00/",
    ],
)
def test_only_plain_web_addresses_are_requested(url: str) -> None:
    [probe] = probe_websites([url], ProbeSettings(timeout_seconds=2))
    assert (probe.result, probe.http_status) == ("error", None)


@pytest.fixture
def changing_name(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Resolver of a name with another address at each look-up (DNS rebinding)."""
    real = socket.getaddrinfo

    def begin(name: str, *addresses: str) -> list[str]:
        addresses_used: list[str] = []

        def answer(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
            host_name = host.decode() if isinstance(host, bytes) else host
            if host_name != name:
                return real(host, port, *rest, **more)
            addresses_used.append(addresses[min(len(addresses_used), len(addresses) - 1)])
            return real(addresses_used[-1], port, *rest, **more)

        monkeypatch.setattr(socket, "getaddrinfo", answer)
        return addresses_used

    return begin


def test_a_rebound_name_is_connected_at_its_checked_address(
    publisher: Publisher, store: RawStore, changing_name: Callable[..., list[str]]
) -> None:
    publisher.answers = {"/list.csv": [Reply(NEW, headers=CSV)]}
    # robots.txt and the file are requested; nothing listens at the third address.
    addresses = changing_name("list.example", "127.0.0.1", "127.0.0.1", "127.0.0.2")
    source = source_of(
        LiveFeed("table", publisher.url("/list.csv", host="list.example"), "list.csv")
    )
    assert fetch(source, store)[0][0].path.read_bytes() == NEW
    assert addresses == ["127.0.0.1", "127.0.0.1"]


def test_a_redirect_cannot_send_the_probe_into_our_network(
    changing_name: Callable[..., list[str]],
) -> None:
    with publisher_server() as outside, publisher_server() as inside:
        inside.answers = {"/admin": [Reply(b"secret")]}
        outside.answers = {
            "/": [
                Reply(status=302, headers={"Location": inside.url("/admin", host="inside.example")})
            ]
        }
        changing_name("inside.example", "127.0.0.1")
        guard = HostGuard(None)
        with pytest.raises(RefusedAddressError):
            guard.resolve(httpx.URL(inside.url("/admin", host="inside.example")))
        # The first step is allowed in this test only; the step to another port is checked again.
        [probe] = probe_websites([outside.url("/")], ProbeSettings(timeout_seconds=2))
        assert probe.result == "error"
        assert inside.requests == []


def bomb(*packers: Callable[[bytes], bytes]) -> bytes:
    body = b'{"count": 1' + b" " * 2**22 + b"}"
    for pack in packers:
        body = pack(body)
    return body


@cases(
    "encoding, body",
    {
        "gzip in gzip": ("gzip, gzip", bomb(gzip.compress, gzip.compress)),
        "brotli": ("br", bomb(lambda b: brotli.compress(b, quality=5))),
        "deflate": ("deflate", b"x\x9c" + b"0" * 40),
        "two at once": ("gzip, br", b"0" * 40),
    },
)
def test_an_encoding_not_requested_is_not_decoded(
    publisher: Publisher, store: RawStore, encoding: str, body: bytes
) -> None:
    publisher.answers = {
        "/layer/0": [
            Reply(body, headers={"Content-Encoding": encoding, "Content-Type": "application/json"})
        ]
    }
    feed = LiveFeed("arcgis", publisher.url("/layer/0/query"), "stores.json", page_size=10)
    with pytest.raises(WrongContentError, match="though not requested"):
        fetch(source_of(feed), store, replace(SETTINGS, attempts=1))
    assert store.files("agency_list") == []
