"""Test that hostile requests, over a real socket, never cause a server error.

Requests that violate HTTP itself are in faults/malformed.py (tests/integration/test_faults.py).
"""

import json
import re
import socket
import time
from typing import NamedTuple

import pytest

from tests.support.server import running_service
from tests.support.town import write_town

# The longest wait for an answer; the service waits ten seconds for a body.
SECONDS = 60.0
PUBLIC, ALIAS = "https://larder.example.org", "larder.workers.example"
HOST = b"Host: larder.example.org\r\n"
JSON_POSTS = [
    "/api/submissions",
    "/api/feedback",
    "/api/partner/edit",
    "/api/pantry/claim",
    "/api/pantry/status",
    "/api/pantry/withdraw",
    "/api/pantry/rotate",
    "/api/pantry/revoke",
    "/api/pantry/confirm",
    "/api/pantry/phone/send",
    "/api/pantry/phone/confirm",
    "/api/snap/calculate",
]
DEEP = b'{"changes":' + b'{"a":' * 1100 + b"[]" + b"}" * 1100 + b"}"
LISTS = b"[" * 1100 + b"]" * 1100
HUGE = "9" * 5000
PAST_64_BITS = str(2**64 + 1)


class Reply(NamedTuple):
    """`status` 0: the connection was closed without an answer."""

    status: int
    headers: dict[str, str]
    body: bytes


class Case(NamedTuple):
    """`status`: correct answers. `faults`: fields that the problem must name."""

    name: str
    raw: bytes
    status: frozenset[int]
    faults: frozenset[str] = frozenset()


def get(
    target: str,
    *headers: str,
    status: int | tuple[int, ...] = 400,
    host: bytes = HOST,
    method: str = "GET",
    version: str = "HTTP/1.1",
) -> Case:
    """Return a request without a body; the target is sent as latin-1."""
    lines = "".join(f"{header}\r\n" for header in headers)
    raw = f"{method} {target} {version}\r\n".encode("latin-1") + host + lines.encode("latin-1")
    short = target if len(target) < 70 else f"{target[:60]}...{len(target)}"
    name = " ".join([method, short, *(h[:40] for h in headers)])
    return Case(name, raw + b"\r\n", _statuses(status))


def post(
    target: str,
    body: bytes,
    *headers: str,
    status: int | tuple[int, ...] = 400,
    faults: str = "",
    media: str = "application/json",
    host: bytes = HOST,
) -> Case:
    """Return a request with a body and its length."""
    lines = "".join(f"{header}\r\n" for header in headers)
    head = (
        f"POST {target} HTTP/1.1\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\n{lines}"
    )
    name = f"POST {target} {' '.join(headers)} {body[:24]!r}...{len(body)}"
    return Case(
        name,
        head.encode("latin-1") + host + b"\r\n" + body,
        _statuses(status),
        frozenset(faults.split()),
    )


def _statuses(status: int | tuple[int, ...]) -> frozenset[int]:
    return frozenset({status} if isinstance(status, int) else status)


# unit/serving/test_hosts.py tests the kinds of hosts.
HOSTS = [
    get("/api/health", host=b""),
    get("/", host=HOST + HOST),
    get("/api/health", host=HOST + b"Host: evil.example\r\n"),
    get("/", host=b"Host: evil.example\r\n"),
    get("/", host=b"Host: http://[\r\n"),
    get("/", host="Host: l\u00e4rder.example\r\n".encode()),
    get("/api/health/ready", host=b"Host: 10.1.2.3:8000\r\n", status=200),
    get("/", host=b"Host: LARDER.example.ORG.:443\r\n", status=200),
    get("/", "X-Forwarded-Host: evil.example", status=200),
    post("/api/feedback", b"{", host=b"Host: [\r\n"),
    get("/search?q=10002&x=%0d%0aSet-Cookie:a=b", host=f"Host: {ALIAS}\r\n".encode(), status=301),
    get("//evil.example/%2e%2e", host=f"Host: {ALIAS}:443\r\n".encode(), status=301),
    post("/api/feedback", b"{}", host=f"Host: {ALIAS}\r\n".encode(), status=308),
]
BODIES = [
    *(post(path, DEEP, faults="body") for path in JSON_POSTS),
    post("/api/feedback", LISTS, faults="body"),
    post("/mcp/v1", LISTS, "Accept: application/json, text/event-stream"),
    post("/mcp/v1", DEEP, "Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-06-18"),
    post("/api/feedback", b'{"type":"closed","resource_id":' + b"9" * 400 + b"}", faults="resource_id"),
    post("/api/feedback", b'{"type":"closed","resource_id":18446744073709551617}', faults="resource_id"),
    post("/api/feedback", b'{"type":"closed","resource_id":1e400}'),
    post("/api/feedback", b'{"type":"closed","resource_id":NaN}', faults="body"),
    post("/api/feedback", b'{"type":"other","comment":"\\ud800"}', faults="body"),
    post("/api/feedback", b'{"type":"other","comment":"\xff\xfe"}', faults="body"),
    post("/api/feedback", b"\xef\xbb\xbf{}", faults="body"),
    post("/api/feedback", b"", faults="body type"),
    post("/api/feedback", b"null", faults="body"),
    post("/api/feedback", b'"text"', faults="body"),
    post("/api/feedback", b'{"type":"nonsense"}', faults="type"),
    post("/api/feedback", b"<x/>", media="text/xml", status=415),
    post("/api/feedback", b"a=b", media="application/x-www-form-urlencoded", status=415),
    post("/api/feedback", b"{}" + b" " * 300_000, status=413),
    post("/api/snap/calculate", b'{"state":"NY","household_size":1e308}', faults="household_size"),
    post("/mcp/v1", b"[" + b"{}," * 10_000 + b"{}]", "Accept: application/json, text/event-stream"),
    post("/mcp/v1", b"\xff\xff", "Accept: application/json, text/event-stream"),
    post("/mcp/v1", b"{}", "Origin: http://[", status=403),
    post("/feedback", b"type=other&comment=x", "Origin: http://[", media="application/x-www-form-urlencoded", status=403),
    post("/feedback", b"type=other", "Origin: null", media="application/x-www-form-urlencoded", status=403),
    post("/es/claim", b"id=101", "Origin: https://evil.example", media="application/x-www-form-urlencoded", status=403),
    post("/add", b"name=%00%ff%d8&zip=%", "Origin: //[[", media="application/x-www-form-urlencoded", status=403),
    post("/add", b"--x\r\n" * 2000, media="multipart/form-data; boundary=x", status=400),
    post("/add", b"{}", media="application/json", status=415),
    post("/feedback", b"&".join(b"a%d=1" % n for n in range(30_000)), media="application/x-www-form-urlencoded"),
    post("/admin/sign-in", b"credential=a&challenge=b&csrf=c", "Origin: https://evil.example", media="application/x-www-form-urlencoded", status=(303, 400, 403)),
    post("/api/sms", b"&".join(b"a%d=1" % n for n in range(2000)), media="application/x-www-form-urlencoded", status=(400, 503)),
    post("/api/feedback", b"{}", "Transfer-Encoding: chunked", status=(0, 400)),
    post("/api/feedback", b'{"type":"other"}', "X-HTTP-Method-Override: DELETE", "Content-Encoding: gzip", status=(202, 400)),
    Case("slow body", b"POST /api/feedback HTTP/1.1\r\nContent-Length: 20\r\n" + HOST + b"\r\n{", _statuses(408)),
]  # fmt: skip
NUMBERS = [
    *(
        get(path.format(number), status=(400, 404))
        for number in (PAST_64_BITS, "-1", "0", HUGE, "1e3", "%00", "%ff", "\u00b2")
        for path in (
            "/api/resources/{}",
            "/api/resources/{}/status",
            "/place/{}",
            "/es/place/{}",
            "/embed/pantry/{}",
            "/api/embed/pantry/{}.json",
            "/badge/{}.svg",
            "/badge/{}",
            "/og/resource/{}",
            "/calendar/{}.ics",
            "/api/pantry/{}/status",
            "/pantry/{}/poster",
            "/sitemaps/places-{}.xml",
            "/hsds/v3/services/{}",
        )
    ),
    *(
        get(f"/api/resources/nearby?lat={value}&lng=-73")
        for value in ("nan", "inf", "-inf", "1e400", HUGE, "", "%00")
    ),
    *(
        get(f"/api/resources/search?zip=10002&{name}={value}")
        for name in ("limit", "radius", "page")
        for value in ("nan", "-1", PAST_64_BITS, HUGE, "1e309")
    ),
    *(get(f"/api/resources/bulk?page={value}") for value in (PAST_64_BITS, "0", "inf")),
    *(
        get(f"/hsds/v3/services?{name}={value}")
        for name in ("page", "per_page")
        for value in (PAST_64_BITS, HUGE, "nan")
    ),
    get(f"/search?q=10002&page={PAST_64_BITS}", status=(200, 400)),
    get("/search?q=10002&page=%C2%B2", status=(200, 400)),
    get(f"/embed/widget?limit={HUGE}", status=200),
    get(f"/claim?id={PAST_64_BITS}", status=404),
    get(f"/feedback?id={HUGE}", status=404),
    get(f"/api/v1/verify/{HUGE}.json", status=(400, 404)),
    get(f"/admin/submissions/{PAST_64_BITS}", status=(303, 400)),
]
TEXTS = [
    get("/api/llm-search?q=" + "%00" * 500, status=(200, 400)),
    get("/api/llm-search?q=%ED%A0%80%ED%B0%80", status=(200, 400)),
    get("/api/llm-search?q=" + "(" * 5000, status=(200, 400)),
    get("/api/autocomplete?q=%ff%fe%zz", status=(200, 400)),
    get("/search?q=" + "a" * 20_000, status=(200, 400, 414)),
    get("/search?q=%0d%0aSet-Cookie:%20a=b", status=(200, 404)),
    get(
        "/api/resources/search?" + "&".join(f"zip=1000{n % 10}" for n in range(3000)),
        status=(200, 400, 404),
    ),
    get("/api/resources/search?zip=10002&zip=evil&zip=10003", status=(200, 400, 404)),
    get(
        "/api/resources/search?zip=10002&" + "&".join(f"x{n}=1" for n in range(5000)),
        status=(200, 400, 414, 431),
    ),
    get("/api/resources/search?zip[]=10002&zip[$ne]=1"),
    get("/api/resources/search?zip=1' OR '1'='1".replace(" ", "%20"), status=(400, 404)),
    get("/oembed?url=http://[", status=404),
    get("/oembed?url=https://larder.example.org/place/" + HUGE),
    get("/" + "a/" * 20_000, status=(400, 404, 414, 431)),
    get("/%zz%u1234", status=(400, 404)),
    get("/%00", status=404),
    get("/exports/latest/..%2f..%2fmanifest.json", status=404),
    get("/releases/%2e%2e", status=404),
    get("/atlas/%2e%2e%2f.json", status=404),
    get("/api/v1/state/{{7*7}}.json", status=(400, 404)),
    *(
        get(target, status=404)
        for target in (
            "/metrics",
            "/metrics/",
            "//metrics",
            "/metrics%2f",
            "/%6detrics",
            "/metrics;x",
            "/api/../metrics",
        )
    ),
]
HEADS = [
    get(
        "/exports/latest/resources.csv",
        "Range: bytes=" + ",".join(f"{n}-{n}" for n in range(2000)),
        status=(200, 206, 302, 307, 404, 416),
    ),
    get(
        "/",
        "Accept-Encoding: " + ",".join(["gzip;q=nan", "br;q=1e999", "zstd;q=", "*;q=-1"] * 300),
        status=(200, 400, 431),
    ),
    get("/", "Accept: " + "text/html;q=" * 2000, status=(200, 406, 431)),
    get("/", "Accept-Language: " + "xx-" * 5000, status=(200, 431)),
    get("/", "If-None-Match: " + '"' * 8000, status=(200, 431)),
    get("/", "If-None-Match: *", status=304),
    get("/", "Cookie: " + "a=" * 8000, status=(200, 431)),
    get("/admin", "Cookie: larder_session=%00\xff", status=(302, 303)),
    get("/", "X-Forwarded-For: " + "1," * 4000, status=(200, 431)),
    get("/api/analytics/dashboard", "Authorization: Bearer \xff\xfe", status=401),
    get("/api/types", method="DELETE", status=(404, 405)),
    get("/mcp/v1", "Accept: text/event-stream", status=405),
]
CASES = [*HOSTS, *BODIES, *NUMBERS, *TEXTS, *HEADS]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile_requests")
    write_town(folder, bulk=True, hsds=True)
    options = {
        "LARDER_BASE_URL": PUBLIC,
        "LARDER_ALIAS_HOSTS": ALIAS,
        "LARDER_LIMITS": "off",
        "LARDER_LOG_LEVEL": "error",
    }
    with running_service(folder, **options) as running:
        yield "127.0.0.1", int(running.rpartition(":")[2])


def exchange(address, raw: bytes) -> Reply:
    """Send raw bytes; return one answer, read to its length."""
    data, end = b"", time.monotonic() + SECONDS
    with socket.create_connection(address, timeout=SECONDS) as link:
        try:
            link.sendall(raw)
            while not _is_whole(data) and time.monotonic() < end:
                piece = link.recv(65_536)
                if not piece:
                    break
                data += piece
        except OSError:  # refused before the service read all of it
            pass
    head, _, body = data.partition(b"\r\n\r\n")
    status = re.match(rb"HTTP/1\.[01] (\d{3})", head)
    lines = (line.partition(":") for line in head.decode("latin-1").split("\r\n")[1:])
    return Reply(int(status[1]) if status else 0, {k.lower(): v.strip() for k, _, v in lines}, body)


def _is_whole(data: bytes) -> bool:
    head, blank, body = data.partition(b"\r\n\r\n")
    if not blank:
        return False
    if head.startswith((b"HTTP/1.1 304", b"HTTP/1.1 204")):
        return True
    length = re.search(rb"\r\ncontent-length: (\d+)", head.lower())
    return body.endswith(b"0\r\n\r\n") if length is None else len(body) >= int(length[1])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_hostile_request_causes_no_server_error(address, case):
    reply = exchange(address, case.raw)
    assert reply.status in case.status, reply
    assert not re.search(rb"Traceback|File \"|line \d+, in |Error:|/serving/|litestar", reply.body)
    assert "set-cookie" not in reply.headers
    if reply.headers.get("content-type", "").startswith("application/problem+json"):
        problem = json.loads(reply.body)
        assert problem["status"] == reply.status
        fields = {fault["field"] for fault in problem.get("errors") or []}
        assert not case.faults or fields & case.faults, problem
    else:
        assert not case.faults


def test_redirects_lead_to_the_public_address_only(address):
    for case in HOSTS:
        if case.status & {301, 308}:
            place = exchange(address, case.raw).headers["location"]
            assert place.startswith(f"{PUBLIC}/")
            assert not re.search(r"[\r\n\s]", place)
    redirect = exchange(
        address, get("/search?q=10002&lang=es", host=f"Host: {ALIAS}\r\n".encode()).raw
    )
    assert redirect.headers["location"] == f"{PUBLIC}/search?q=10002&lang=es"


def test_the_service_still_answers_afterwards(address):
    for _ in range(3):
        reply = exchange(address, get("/api/resources/search?zip=10002", status=200).raw)
        assert reply.status == 200
        assert json.loads(reply.body)["total_available"] > 0
