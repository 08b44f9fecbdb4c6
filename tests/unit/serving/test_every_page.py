"""Every address of the application: security headers, and no access to files by name."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from serving.app import create_app
from serving.render.assets import STYLE_SHEETS, style_sheet
from serving.settings import Settings
from serving.sibling.app import create_sibling_app
from tests.support.pages import list_page_faults, read_page
from tests.support.town import write_town

FRAMED = re.compile(r"^(/es)?/(embed/|api/widget)")
VALUES = {
    "resource_id": "101",
    "token": "x",
    "secret": "x",
    "state": "NY",
    "code": "NY",
    "release_id": "20261101T060000Z-00000001",
    "number": "1",
}
# Names that lead out of a folder, if anybody builds a path of them. Marked files lie where they
# would lead. tests/contract/test_hostile_requests.py has numbers and code.
MARK = "the marked file"
NAMES = [
    "../marked.txt",
    "../../marked.txt",
    "..",
    ".",
    "...",
    "..%2fmarked.txt",
    "%2e%2e%2fmarked.txt",
    "%2e%2e/marked.txt",
    "%252e%252e%252fmarked.txt",
    "..%5cmarked.txt",
    "..\\marked.txt",
    "%2fetc%2fpasswd",
    "//etc/passwd",
    "/etc/passwd",
    "C:%5cwindows%5cwin.ini",
    "%00",
    "a%00.json",
    "marked.txt%00.css",
    "%c0%ae%c0%ae%c0%afmarked.txt",
    "%e2%80%ae",
    "%ef%bc%8e%ef%bc%8e%ef%bc%8fmarked.txt",
    "%ff%fe",
    "%ed%a0%80",
    "x" * 4000,
    "%0d%0aX-Evil:1",
    "file:%2f%2f%2fetc%2fpasswd",
    "current",
    ".manifest.json",
    "manifest.json",
    "directory.duckdb",
    "~root",
]
NO_CODE = re.compile(r"root:x:|\[extensions\]|SQLite format|" + MARK)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("pages") / "deeper" / "data"
    folder.mkdir(parents=True)
    write_town(folder, hsds=True, bulk=True, veterans=True)
    for place in (
        folder,
        folder.parent,
        folder / "releases",
        folder / "releases" / VALUES["release_id"],
    ):
        (place / "marked.txt").write_text(MARK)
    return folder


@pytest.fixture(scope="module", params=["food", "sibling"])
def client(request, data):
    settings = Settings(
        data_dir=data,
        operations_file=str(data.parent / f"{request.param}.sqlite"),
        limits="off",
        log_level="critical",
    )
    app = create_app(settings) if request.param == "food" else create_sibling_app(settings)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def routes(client) -> list[str]:
    return sorted(
        {
            route.path
            for route in client.app.routes
            if isinstance(route, HTTPRoute) and "GET" in route.methods
        }
    )


def filled(path: str, name: str = "") -> str:
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda m: name or VALUES.get(m[1], "x"), path)


@pytest.mark.slow
def test_every_page_has_strict_headers(client):
    policies = []
    for route in routes(client):
        answer = client.get(filled(route), headers={"accept": "text/html"})
        assert answer.headers["x-content-type-options"] == "nosniff", route
        assert "strict-transport-security" not in answer.headers, "TLS is the proxy's: it says so"
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        policies.append(route)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy, route
        assert "unsafe" not in policy, route
        assert "base-uri 'none'" in policy, route
        assert "form-action 'self'" in policy, route
        ancestors = "*" if FRAMED.match(filled(route)) and answer.status_code == 200 else "'self'"
        assert f"frame-ancestors {ancestors}" in policy, route
        assert answer.headers["referrer-policy"] in {
            "strict-origin-when-cross-origin",
            "no-referrer",
            "same-origin",
        }, route
        assert "camera=()" in answer.headers["permissions-policy"], route
        root = read_page(answer)
        assert list_page_faults(root) == [], route
        assert root.get("lang") == ("es" if filled(route).startswith("/es") else "en"), route
        body = re.sub(
            r"<script[^>]*type=\"application/ld\+json\"[^>]*>.*?</script>",
            "",
            answer.text,
            flags=re.S,
        )
        assert not re.search(r"<script(?![^>]*\ssrc=)[^>]*>", body), route
        assert not re.search(r"<[^>]+\s(?:style|on[a-z]+)\s*=", body), route
        # Of the declared ones alone; the policy has their digests.
        styles = re.findall(r"<style[^>]*>(.*?)</style>", body, flags=re.S)
        assert set(styles) <= {style_sheet(name) for name in STYLE_SHEETS}, route
        assert body.count("<style") == len(styles), route
        if route.startswith(("/admin", "/pantry/manage", "/pantry/confirm")):
            assert answer.headers["cache-control"] == "private, no-store", route
    # The sibling has no pages.
    assert len(policies) > 40 or "/admin" not in routes(client)


def test_no_name_in_an_address_reaches_another_file(client):
    # A page in Spanish is made by the function of its English twin.
    routes_with_names = [r for r in routes(client) if "{" in r and not r.startswith("/es/")]
    assert len(routes_with_names) > 3
    wrong = []
    for route in routes_with_names:
        for name in NAMES:
            answer = client.get(filled(route, name), follow_redirects=False)
            is_refused = bool(NO_CODE.search(answer.text[:20_000])) and name not in answer.text
            if answer.status_code >= 500 or is_refused or "x-evil" in answer.headers:
                wrong.append((route, name[:40], answer.status_code))
    # 503: a town without what whole releases have; it says so whatever is named.
    actual = [w for w in wrong if w[2] != 503]
    assert actual == []


def test_a_query_names_no_file(client):
    for name in ("../../marked.txt", "/etc/passwd", "file:///etc/passwd", "\x00"):
        value = quote(name, safe="")
        for path in (
            f"/oembed?url={value}",
            f"/api/releases/log?format={value}",
            f"/embed/catalog?theme={value}",
            f"/api/resources/bulk?format={value}",
            f"/api/changes?since={value}",
            f"/search?q={value}",
        ):
            answer = client.get(path)
            assert answer.status_code < 500, path
            assert MARK not in answer.text
            assert "root:x:" not in answer.text
