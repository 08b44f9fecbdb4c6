"""Requests that violate HTTP (RFC 9110, 9112) or the limits of this service, with their answers.

`closed` is a connection that ends without an answer. No case may end in 5xx or in silence.
"""


def _get(path: str | bytes = "/api/health", *lines: bytes) -> bytes:
    target = path if isinstance(path, bytes) else path.encode()
    return b"\r\n".join(
        [
            b"GET " + target + b" HTTP/1.1",
            b"Host: localhost",
            b"Connection: close",
            *lines,
            b"",
            b"",
        ]
    )


def _post(path: str, body: bytes, *lines: bytes) -> bytes:
    head = [
        b"POST " + path.encode() + b" HTTP/1.1",
        b"Host: localhost",
        b"Connection: close",
        b"Content-Type: application/json",
        *lines,
    ]
    return b"\r\n".join([*head, b"", body])


def _chunk(body: bytes, path: str = "/api/feedback") -> bytes:
    return _post(path, body, b"Transfer-Encoding: chunked")


BAD = frozenset({"400", "closed"})
FINE = frozenset({"200"})
REFUSALS = frozenset(
    {"400", "404", "405", "411", "413", "414", "416", "417", "421", "431", "501", "505", "closed"}
)
ANSWERS = REFUSALS | FINE
# 501 and 505 are nginx's, which is correct: they are not 5xx of the service.

CASES: dict[str, tuple[bytes, frozenset[str]]] = {
    # ------------------------------------------------ the first line
    "no first line": (b"\r\n\r\n\r\n\r\nGET", ANSWERS | {"timeout", "408"}),
    "noise": (bytes(range(128, 256)) * 4 + b"\r\n\r\n", BAD),
    "a TLS greeting": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), BAD),
    "an HTTP/2 preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9), REFUSALS),
    "an SSH greeting": (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", BAD),
    "HTTP/0.9": (b"GET /\r\n\r\n", ANSWERS | {"other"}),
    "HTTP/1.0 without a host": (b"GET /api/health HTTP/1.0\r\n\r\n", ANSWERS),
    "HTTP/3.7": (b"GET / HTTP/3.7\r\nHost: localhost\r\n\r\n", REFUSALS),
    "no version": (b"GET / HTTP/\r\nHost: localhost\r\n\r\n", REFUSALS),
    "no method": (b" / HTTP/1.1\r\nHost: localhost\r\n\r\n", BAD),
    "a method in small letters": (_get().replace(b"GET", b"get", 1), REFUSALS),
    "an unknown method": (_get().replace(b"GET", b"BREW", 1), REFUSALS),
    "a method of 10,000 letters": (_get().replace(b"GET", b"G" * 10_000, 1), REFUSALS),
    "a method with a nul": (_get().replace(b"GET", b"G\0T", 1), BAD),
    "CONNECT": (
        b"CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\nConnection: close\r\n\r\n",
        REFUSALS,
    ),
    "TRACE": (_get().replace(b"GET", b"TRACE", 1), REFUSALS),
    "OPTIONS *": (
        b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        ANSWERS | {"204"},
    ),
    "two spaces": (_get().replace(b"GET ", b"GET  ", 1), ANSWERS),
    "line feeds alone": (
        b"GET /api/health HTTP/1.1\nHost: localhost\nConnection: close\n\n",
        ANSWERS,
    ),
    # ------------------------------------------------ the address
    "an address of 100,000 letters": (_get("/" + "a" * 100_000), REFUSALS),
    "a query of 60,000 letters": (_get("/api/resources/search?zip=" + "1" * 60_000), REFUSALS),
    "5,000 parameters": (_get("/api/resources/search?zip=10002" + "&a=1" * 5_000), ANSWERS),
    "a nul in the address": (_get(b"/api/res\0urces"), BAD),
    "a nul, encoded": (_get("/api/resources/%00"), REFUSALS),
    "a line break, encoded": (_get("/api/%0d%0aX-Evil:%20yes"), REFUSALS),
    "half an encoding": (_get("/api/resources/%"), REFUSALS),
    "no hexadecimal": (_get("/api/resources/%zz"), REFUSALS),
    "half a letter of UTF-8": (_get("/api/resources/%c3"), REFUSALS),
    "a letter that is too long": (_get("/api/resources/%c0%af"), REFUSALS),
    "half a letter in the query": (_get("/api/resources/search?zip=%ff%fe"), REFUSALS),
    "a surrogate in the query": (_get("/llm?q=%ed%a0%80"), ANSWERS),
    "letters that are not encoded": (_get("/api/resources/señor".encode()), REFUSALS),
    "up and away": (_get("/static/../../../../etc/passwd"), REFUSALS),
    "up and away, encoded": (_get("/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd"), REFUSALS),
    "up and away, encoded twice": (_get("/static/%252e%252e%252fetc%252fpasswd"), REFUSALS),
    "backslashes": (_get("/static/..\\..\\etc\\passwd"), REFUSALS),
    "another site's address": (_get("http://example.org/api/health"), ANSWERS),
    "an address without a slash": (_get("api/health"), REFUSALS),
    # ------------------------------------------------ header fields
    "no host": (b"GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n", BAD),
    "two hosts": (_get("/api/health", b"Host: y"), BAD),
    "a host with a space": (
        b"GET /api/health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
        BAD,
    ),
    "a field of 500,000 letters": (_get("/", b"X-A: " + b"a" * 500_000), REFUSALS),
    "2,000 fields": (_get("/", *[b"X-%d: 1" % n for n in range(2_000)]), REFUSALS),
    "a field without a colon": (_get("/", b"Nothing"), ANSWERS),
    "a space before the colon": (_get("/", b"X-A : 1"), ANSWERS),
    "a field without a name": (_get("/", b": 1"), ANSWERS),
    "a nul in a field": (_get("/", b"X-A: a\0b"), BAD),
    "a folded field": (_get("/api/health", b"X-A: a", b" b"), ANSWERS),
    "a carriage return alone": (_get("/", b"X-A: a\rX-B: b"), ANSWERS),
    "tags that are none": (_get("/api/health", b'If-None-Match: """,,W/,"'), ANSWERS),
    "languages that are none": (_get("/", b"Accept-Language: \xff\xfe;q=abc,,;;"), ANSWERS),
    "encodings that are none": (
        _get("/api/stats", b"Accept-Encoding: gzip;q=abc, \xff;;;,br;q=-1"),
        ANSWERS,
    ),
    "an expectation that nobody meets": (_get("/api/health", b"Expect: 200-maybe"), ANSWERS),
    "an upgrade to nothing": (_get("/api/health", b"Upgrade: nothing/1"), ANSWERS),
    "a web socket": (
        (
            b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: "
            b"Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
            b"dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ),
        ANSWERS | {"403", "426"},
    ),
    # ------------------------------------------------ ranges
    **{
        f"range {text.decode()}": (_get("/static/style.css", b"Range: " + text), ANSWERS | {"206"})
        for text in (
            b"bytes=",
            b"bytes=-",
            b"bytes=5-2",
            b"bytes=999999999999999999999-",
            b"bytes=-99999999999999999999",
            b"bytes=0-0,0-0,0-0",
            b"lines=1-2",
            b"bytes=a-b",
            b"bytes=0-" + b"1" * 300,
            b"bytes=" + b"0-1," * 500,
        )
    },
    # ------------------------------------------------ bodies
    "a length below nothing": (_post("/api/feedback", b"{}", b"Content-Length: -2"), BAD),
    "a length that is no number": (_post("/api/feedback", b"{}", b"Content-Length: two"), BAD),
    "a length of thirty digits": (
        _post("/api/feedback", b"{}", b"Content-Length: " + b"9" * 30),
        REFUSALS,
    ),
    "two lengths": (
        _post("/api/feedback", b"{}", b"Content-Length: 2", b"Content-Length: 20"),
        BAD,
    ),
    "a length with a plus": (_post("/api/feedback", b"{}", b"Content-Length: +2"), BAD),
    "no length": (_post("/api/feedback", b""), REFUSALS),
    "a chunk of no size": (_chunk(b"\r\n{}\r\n0\r\n\r\n"), REFUSALS),
    "a chunk whose size is no number": (_chunk(b"zz\r\n{}\r\n0\r\n\r\n"), REFUSALS),
    "a chunk below nothing": (_chunk(b"-1\r\n{}\r\n0\r\n\r\n"), REFUSALS),
    "a chunk of all bytes there are": (_chunk(b"ffffffffffffffff\r\n{}"), REFUSALS | {"408"}),
    "a chunk larger than numbers": (_chunk(b"f" * 40 + b"\r\n{}"), REFUSALS),
    "a chunk with an endless extension": (
        _chunk(b"2;" + b"a" * 300_000 + b"\r\n{}\r\n0\r\n\r\n"),
        REFUSALS,
    ),
    "chunks without an end of line": (_chunk(b"2\r\n{}XX0\r\n\r\n"), REFUSALS),
    "endless trailers": (_chunk(b"2\r\n{}\r\n0\r\n" + b"X-A: b\r\n" * 20_000 + b"\r\n"), REFUSALS),
    "a coding that nobody knows": (
        _post("/api/feedback", b"{}", b"Transfer-Encoding: cow"),
        REFUSALS,
    ),
    "invalid JSON": (_post("/api/feedback", b"{" * 1000, b"Content-Length: 1000"), REFUSALS),
    "half a letter in JSON": (
        _post("/api/feedback", b'{"type":"\xff"}', b"Content-Length: 12"),
        REFUSALS,
    ),
}

# A second request inside the first body, for a proxy that reads lengths differently from the
# service.
HIDDEN_ANSWER = b"Example WIC"  # the name of the place, requested only by the hidden request
_INSIDE = b"GET /api/resources/104 HTTP/1.1\r\nHost: localhost\r\n\r\n"


def _hiding(*lines: bytes) -> bytes:
    return b"\r\n".join(
        [
            b"POST /api/feedback HTTP/1.1",
            b"Host: localhost",
            b"Content-Type: application/json",
            *lines,
            b"",
            b"0\r\n\r\n" + _INSIDE,
        ]
    )


_LENGTH = b"Content-Length: %d" % (len(_INSIDE) + 5)
SMUGGLING: dict[str, bytes] = {
    "length and chunks": _hiding(_LENGTH, b"Transfer-Encoding: chunked"),
    "chunks and length": _hiding(b"Transfer-Encoding: chunked", _LENGTH),
    "chunks, in capitals": _hiding(_LENGTH, b"Transfer-Encoding: CHUNKED"),
    "chunks after a tab": _hiding(_LENGTH, b"Transfer-Encoding:\tchunked"),
    "chunks after a space": _hiding(_LENGTH, b"Transfer-Encoding : chunked"),
    "chunks twice": _hiding(_LENGTH, b"Transfer-Encoding: chunked", b"Transfer-Encoding: cow"),
    "chunks with a mark": _hiding(_LENGTH, b"Transfer-Encoding: \x0bchunked"),
    "nearly chunks": _hiding(_LENGTH, b"Transfer-Encoding: xchunked"),
    "chunks, folded": _hiding(_LENGTH, b"Transfer-Encoding:", b" chunked"),
}
