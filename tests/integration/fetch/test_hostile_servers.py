"""Servers that mean harm: names that lead elsewhere, addresses in disguise, bodies that unpack
without end.
"""

import gzip
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import brotli
import httpx
import pytest

from schemas.sources.platforms import Platform
from schemas.sources.registry import LiveFeed
from tests.integration.fetch.publisher_server import Publisher, Reply, publisher_server
from tests.integration.fetch.support import CSV, NEW, SETTINGS, fetch, source_of
from tests.support.cases import cases
from warehouse.fetch.errors import FetchError, RefusedAddressError, WrongContentError
from warehouse.fetch.probing import ProbeSettings, PublicGuard, probe_websites
from warehouse.raw_store import RawStore

# What leads to this machine or its network, as a publisher's list could write it.
DISGUISED = [
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


@pytest.mark.parametrize("url", DISGUISED)
def test_an_address_in_disguise_is_refused(url: str) -> None:
    with pytest.raises((FetchError, httpx.InvalidURL)) as caught:
        PublicGuard().resolve(httpx.URL(url))
    assert (
        not isinstance(caught.value, FetchError)
        or "not a public" in str(caught.value)
        or "cannot resolve" in str(caught.value)
    )
    [found] = probe_websites([url], ProbeSettings(timeout_seconds=2))
    assert (found.result, found.http_status) == ("error", None)


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
def test_what_is_no_plain_web_address_is_never_asked(url: str) -> None:
    [found] = probe_websites([url], ProbeSettings(timeout_seconds=2))
    assert (found.result, found.http_status) == ("error", None)


@pytest.fixture
def changing_name(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """A name whose server gives another address each time it is asked (DNS rebinding)."""
    real = socket.getaddrinfo

    def begin(name: str, *addresses: str) -> list[str]:
        given: list[str] = []

        def answer(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
            wanted = host.decode() if isinstance(host, bytes) else host
            if wanted != name:
                return real(host, port, *rest, **more)
            given.append(addresses[min(len(given), len(addresses) - 1)])
            return real(given[-1], port, *rest, **more)

        monkeypatch.setattr(socket, "getaddrinfo", answer)
        return given

    return begin


def test_a_name_that_changes_its_address_is_connected_to_where_it_was_checked(
    publisher: Publisher, store: RawStore, changing_name: Callable[..., list[str]]
) -> None:
    publisher.answers = {"/list.csv": [Reply(NEW, headers=CSV)]}
    # robots.txt and the file are asked for; at the third address nobody listens.
    given = changing_name("list.example", "127.0.0.1", "127.0.0.1", "127.0.0.2")
    source = source_of(
        LiveFeed(Platform.TABLE, publisher.url("/list.csv", host="list.example"), "list.csv")
    )
    assert fetch(source, store)[0][0].path.read_bytes() == NEW
    assert given == ["127.0.0.1", "127.0.0.1"]


def test_a_public_page_cannot_send_the_probe_into_our_network(
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
        guard = PublicGuard()
        with pytest.raises(RefusedAddressError):
            guard.resolve(httpx.URL(inside.url("/admin", host="inside.example")))
        # The first step is allowed for the test alone; the step to another port is a new check.
        [found] = probe_websites([outside.url("/")], ProbeSettings(timeout_seconds=2))
        assert found.result == "error"
        assert inside.asked == []


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
def test_a_page_packed_otherwise_than_asked_for_is_not_unpacked(
    publisher: Publisher, store: RawStore, encoding: str, body: bytes
) -> None:
    publisher.answers = {
        "/layer/0": [
            Reply(body, headers={"Content-Encoding": encoding, "Content-Type": "application/json"})
        ]
    }
    feed = LiveFeed(Platform.ARCGIS, publisher.url("/layer/0/query"), "stores.json", page_size=10)
    with pytest.raises(WrongContentError, match="though not requested"):
        fetch(source_of(feed), store, replace(SETTINGS, attempts=1))
    assert store.files("agency_list") == []
