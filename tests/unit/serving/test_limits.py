"""Who the client is, behind proxies and without."""

from types import SimpleNamespace

import pytest

from serving.context import CONTEXT_KEY
from serving.http.rate_limits import client_address, read_trusted_networks
from serving.settings import SettingError, Settings

PROXIES = "10.0.0.0/8, 2001:db8::/32"


def asked_by(peer, trusted="", *forwarded):
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    settings = Settings(trusted_proxies=trusted)
    client = (peer, 1234) if peer else None
    return client_address(
        {"client": client, "headers": headers, CONTEXT_KEY: SimpleNamespace(settings=settings)}
    )


@pytest.mark.parametrize(
    ("peer", "trusted", "forwarded", "expected"),
    [
        ("192.0.2.1", "", ["198.51.100.7"], "192.0.2.1"),  # anyone may write that header
        ("192.0.2.1", PROXIES, ["198.51.100.7"], "192.0.2.1"),
        ("10.1.1.1", PROXIES, ["198.51.100.7"], "198.51.100.7"),
        ("10.1.1.1", PROXIES, ["1.2.3.4, 198.51.100.7, 10.9.9.9"], "198.51.100.7"),
        ("10.1.1.1", PROXIES, ["1.2.3.4", "198.51.100.7"], "198.51.100.7"),
        ("10.1.1.1", PROXIES, ["198.51.100.7:4711"], "198.51.100.7"),
        ("2001:db8::5", PROXIES, ["[2a00::9]:443"], "2a00::9"),
        ("::ffff:10.1.1.1", PROXIES, ["198.51.100.7"], "198.51.100.7"),
        ("10.1.1.1", PROXIES, [], "10.1.1.1"),
        ("10.1.1.1", PROXIES, ["10.2.2.2"], "10.2.2.2"),
        (None, PROXIES, ["198.51.100.7"], "unknown"),
    ],
)
def test_the_client(peer, trusted, forwarded, expected):
    assert asked_by(peer, trusted, *forwarded) == expected


def test_a_wrong_proxy_is_named():
    with pytest.raises(SettingError, match=r"10\.0\.0\.0/99"):
        read_trusted_networks("192.0.2.1 10.0.0.0/99")
