"""Test which servers are requested: declared names, public addresses, valid certificates."""

import ssl
from dataclasses import replace
from pathlib import Path

import pytest

from schemas.sources.registry import LiveFeed
from tests.integration.fetch.publisher_server import Publisher, Reply, publisher_server
from tests.integration.fetch.support import (
    NEW,
    SETTINGS,
    csv_source,
    fetch,
    list_headers,
    source_of,
)
from tests.support.certificates import make_certificate
from warehouse.fetch.errors import ConnectionFailedError, RefusedAddressError
from warehouse.raw_store import RawStore


def test_a_redirect_to_an_undeclared_host_is_refused(publisher: Publisher, store: RawStore) -> None:
    elsewhere = publisher.url("/list.csv", host="localhost")
    publisher.answers = {
        "/moving.csv": [Reply(status=302, headers={"Location": elsewhere})],
        "/list.csv": [Reply(NEW)],
    }
    source = source_of(LiveFeed("table", publisher.url("/moving.csv"), "list.csv"))
    with pytest.raises(
        RefusedAddressError, match=r"host localhost:\d+ is not declared .*declare its host"
    ):
        fetch(source, store)
    assert store.files("agency_list") == []
    settings = replace(SETTINGS, extra_hosts=frozenset({f"localhost:{publisher.port}"}))
    files, _ = fetch(source, store, settings)
    assert files[0].path.read_bytes() == NEW
    # The connection went to the checked address, under the requested name.
    assert list_headers(publisher, "host")[-1] == (f"localhost:{publisher.port}",)


def test_private_addresses_are_refused_by_default(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = {"/list.csv": [Reply(NEW)]}
    with pytest.raises(RefusedAddressError, match=r"127\.0\.0\.1, not a public address"):
        fetch(csv_source(publisher), store, replace(SETTINGS, allow_private=False))
    assert publisher.requests == []


@pytest.fixture
def certificate(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> ssl.SSLContext:
    """A certificate for a name, by default localhost, that this process trusts."""
    cert = tmp_path / "cert.pem"
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    name = getattr(request, "param", "localhost")
    return make_certificate(cert, tmp_path / "key.pem", name)


FOR_NAMES = pytest.mark.parametrize(
    ("certificate", "is_trusted"),
    [("localhost", True), ("other.example", False)],
    indirect=["certificate"],
)


@FOR_NAMES
def test_tls_verifies_the_name_at_a_pinned_address(
    store: RawStore, certificate: ssl.SSLContext, is_trusted: bool
) -> None:
    with publisher_server(certificate) as publisher:
        publisher.answers = {"/list.csv": [Reply(NEW)]}
        url = publisher.url("/list.csv", host="localhost")
        source = source_of(LiveFeed("table", url, "list.csv"))
        if is_trusted:
            assert fetch(source, store)[0][0].path.read_bytes() == NEW
            return
        with pytest.raises(ConnectionFailedError, match="certificate is not valid for 'localhost'"):
            fetch(source, store)
        assert publisher.requests == []


def test_a_redirect_from_https_to_http_is_refused(
    store: RawStore, certificate: ssl.SSLContext, publisher: Publisher
) -> None:
    publisher.answers = {"/list.csv": [Reply(NEW)]}
    plain = publisher.url("/list.csv")
    with publisher_server(certificate) as secure:
        secure.answers = {"/list.csv": [Reply(status=301, headers={"Location": plain})]}
        url = secure.url("/list.csv", host="localhost")
        source = source_of(LiveFeed("table", url, "list.csv"))
        settings = replace(SETTINGS, extra_hosts=frozenset({f"127.0.0.1:{publisher.port}"}))
        with pytest.raises(RefusedAddressError, match="redirects from https to http:"):
            fetch(source, store, settings)
    assert publisher.requests == []
