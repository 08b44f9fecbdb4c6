"""Which hosts an instance answers for."""

import pytest

from serving.http.answers import Answer
from serving.http.origins import Hosts, is_own_origin
from serving.settings import Settings

URL = "https://larder.example.org"
CONFIGURED = Settings(
    base_url=URL, hosts="larder.internal, 10.0.0.7", alias_hosts="old.example.org"
)
BARE = Settings()
ON_ALL = Settings(host="0.0.0.0")
BY_NAME = Settings(host="larder.lan")


@pytest.mark.parametrize(
    ("settings", "host", "ruling"),
    [
        (CONFIGURED, b"larder.example.org", "served"),
        (CONFIGURED, b"LARDER.example.org.:8443", "served"),
        (CONFIGURED, b"larder.internal:8000", "served"),
        (CONFIGURED, b"10.0.0.7", "served"),
        (CONFIGURED, b"10.0.0.8", "unknown"),
        (CONFIGURED, b"localhost:8000", "served"),
        (CONFIGURED, b"127.0.0.1", "served"),
        (CONFIGURED, b"[::1]:8000", "served"),
        (CONFIGURED, b"old.example.org", "alias"),
        (CONFIGURED, b"OLD.example.org:80", "alias"),
        (CONFIGURED, b"very.old.example.org", "unknown"),
        (CONFIGURED, b"localhost.evil.example", "unknown"),
        (BARE, b"127.0.0.1:8000", "served"),
        (BARE, b"localhost", "served"),
        (BARE, b"192.168.1.9:8000", "served"),
        (BARE, b"[2001:db8::7]", "served"),
        (BARE, b"evil.example", "unknown"),
        (BARE, b"2130706433", "unknown"),
        (BARE, b"0x7f000001", "unknown"),
        (ON_ALL, b"10.1.2.3:8000", "served"),
        (ON_ALL, b"0.0.0.0:8000", "served"),
        (ON_ALL, b"evil.example", "unknown"),
        (BY_NAME, b"larder.lan:8000", "served"),
        (Settings(hosts="*", base_url=URL), b"any.example", "served"),
        (Settings(hosts="*", base_url=URL, alias_hosts="a.example"), b"a.example", "alias"),
        (Settings(base_url=URL, alias_hosts="larder.example.org"), b"larder.example.org", "served"),
        (BARE, b"", "malformed"),
        (BARE, b"[", "malformed"),
        (BARE, b"[::1", "malformed"),
        (BARE, b"[:::::]", "malformed"),
        (BARE, b"a b", "malformed"),
        (BARE, b"a@b", "malformed"),
        (BARE, b"a/b", "malformed"),
        (BARE, b"a,b", "malformed"),
        (BARE, b"a:80a", "malformed"),
        (BARE, b"l\xe4rder.example", "malformed"),
        (BARE, b"a" * 300, "malformed"),
    ],
)
def test_a_host_is_served_or_not(settings, host, ruling):
    assert Hosts(settings).ruling(host) == ruling


def scope(path=b"/", query=b"", method="GET"):
    return {"path": path.decode(), "raw_path": path, "query_string": query, "method": method}


@pytest.mark.parametrize(
    ("path", "query", "location"),
    [
        (b"/", b"", "/"),
        (b"/place/101", b"lang=es&x=%0d%0aY", "/place/101?lang=es&x=%0d%0aY"),
        (b"//evil.example/..", b"", "//evil.example/.."),
        (b"/a%2fb%0d%0aX:1", b"", "/a%2fb%0d%0aX:1"),
        (b"/a\r\nX: 1", b"b\r\nc", "/a%0D%0AX:%201?b%0D%0Ac"),
    ],
)
def test_an_alias_is_moved_with_path_and_query(path, query, location):
    answer = Hosts(CONFIGURED).refusal(scope(path, query), b"old.example.org")
    assert isinstance(answer, Answer)
    assert answer.start["status"] == 301
    assert dict(answer.start["headers"])[b"location"] == f"{URL}{location}".encode()


def test_a_redirect_of_an_alias_preserves_the_method():
    answer = Hosts(CONFIGURED).refusal(scope(method="POST"), b"old.example.org")
    assert isinstance(answer, Answer)
    assert answer.start["status"] == 308


@pytest.mark.parametrize("path", [b"/api/health", b"/api/health/ready", b"/api/health/deep"])
def test_probes_may_name_any_host_but_only_one(path):
    hosts = Hosts(CONFIGURED)
    assert hosts.refusal(scope(path), b"10.9.8.7:8000") is None
    assert hosts.refusal(scope(path), None) is not None
    assert hosts.refusal(scope(path), b"[") is not None


@pytest.mark.parametrize(
    ("origin", "is_own"),
    [
        (None, True),
        (b"https://larder.example.org", True),
        (b"https://evil.example", False),
        (b"null", False),
        (b"http://[", False),
        (b"http://\xff", False),
    ],
)
def test_a_form_is_of_this_host_or_not(origin, is_own):
    headers = [(b"host", b"larder.example.org")] + ([(b"origin", origin)] if origin else [])
    assert is_own_origin({"headers": headers}) is is_own
