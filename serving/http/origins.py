"""Hosts and origins: which requests this instance answers, and which come from our own pages.

The `Host` header decides (RFC 9112, 3.2; RFC 9110, 7.2) on every address, against pages of foreign
sites whose name resolves to this machine (DNS rebinding).

A page of another website may read every public answer: CORS is for reading. It cannot write in its
visitors' names: a write has a body of a type that no page sends without a preflight (Fetch
standard, 3.2.2), no preflight allows it, and a foreign `Origin` is refused in any case.
"""

import ipaddress
import re
from functools import lru_cache
from typing import Any, Final, Literal
from urllib.parse import quote, urlsplit

from litestar.types import Scope

from serving.context import context_of
from serving.http.answers import Answer, Header
from serving.http.errors import ServiceProblem
from serving.settings import Settings, entries_of

Ruling = Literal["served", "alias", "unknown", "malformed"]
_ANY: Final = "*"
_HOST = re.compile(rb"([A-Za-z0-9_-][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{0,5})?")
# Probes of containers and load balancers use the address of the machine.
_HEALTH: Final = frozenset({"/api/health", "/api/health/ready", "/api/health/deep"})
# Unescaped characters of an address; all others are percent-encoded.
_URL_CHARACTERS: Final = "/?%:@!$&'()*+,;=~-._"
_KEEPS_METHOD, _MOVED = 308, 301
_NOT_ONE = "A request names its host once, in the header Host."
_MALFORMED = "The header Host is not a host with an optional port."
_UNKNOWN = "This host is not served here. Operators: name it in LARDER_BASE_URL or LARDER_HOSTS."


class Hosts:
    """The hosts of one instance. Ports are not compared: proxies and containers change them.

    Served are the host of LARDER_BASE_URL, those of LARDER_HOSTS and this machine's loopback.
    Without LARDER_BASE_URL the name of the instance is unknown: then the listening address and
    every IP address are served too. No foreign page can claim an IP address.
    """

    def __init__(self, settings: Settings) -> None:
        self._url = settings.url
        names = entries_of(settings.hosts)
        canonical = urlsplit(settings.url).hostname or ""
        self._takes_all = _ANY in names
        self._takes_addresses = not settings.base_url
        self._own_names = {_fold(name) for name in (*names, canonical, "localhost")}
        self._aliases = {_fold(name) for name in entries_of(settings.alias_hosts)} - {canonical}
        self.ruling = lru_cache(maxsize=1024)(self._ruling)

    def refusal(self, scope: Scope, host: bytes | None) -> ServiceProblem | Answer | None:
        """Return a problem, a redirect to the public address, or None for a valid request.

        `host`: the value of the only Host header; None without one, or with several.
        """
        if host is None:
            return ServiceProblem("bad-request", _NOT_ONE)
        ruling = self.ruling(host)
        if ruling == "malformed":
            return ServiceProblem("bad-request", _MALFORMED)
        if ruling == "served" or scope["path"] in _HEALTH:
            return None
        return (
            self._redirect(scope) if ruling == "alias" else ServiceProblem("unknown-host", _UNKNOWN)
        )

    def _redirect(self, scope: Scope) -> Answer:
        """Return the same path at the public address. A POST stays one, with its body (308)."""
        request: Any = scope
        path = quote(request.get("raw_path") or scope["path"].encode(), safe=_URL_CHARACTERS)
        query = quote(scope["query_string"], safe=_URL_CHARACTERS)
        location = f"{self._url}{path.partition('?')[0]}{'?' if query else ''}{query}"
        status = _MOVED if request["method"] in {"GET", "HEAD"} else _KEEPS_METHOD
        return Answer(b"", status=status, max_age=3600, headers=((b"location", location.encode()),))

    def _ruling(self, value: bytes) -> Ruling:
        match = _HOST.fullmatch(value)
        if match is None:
            return "malformed"
        name = _fold(match[1].decode())
        if name in self._aliases:
            return "alias"
        if self._takes_all or name in self._own_names:
            return "served"
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return "malformed" if match[1].startswith(b"[") else "unknown"
        return "served" if self._takes_addresses or address.is_loopback else "unknown"


def is_own_origin(scope: Scope, public_url: str = "") -> bool:
    """Return whether the sending page is of this host, or of the public address of the service.

    Browsers send the origin with every POST (Fetch standard, 3.1); a request without one comes from
    no page. A page that sends no referrer hides its origin as "null"; then only `Sec-Fetch-Site`
    counts.
    """
    headers = dict(scope["headers"])
    origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site", b"same-origin")
    if site not in {b"same-origin", b"none"}:
        return False
    if origin is None:
        return True
    if origin == b"null":
        return b"sec-fetch-site" in headers
    try:
        page = urlsplit(origin.decode("latin-1"))
    except ValueError:
        return False
    # A proxy may forward the host without its port.
    public = urlsplit(public_url)
    is_public = bool(public.netloc) and page[:2] == public[:2]
    return is_public or page.netloc == headers.get(b"host", b"").decode("latin-1")


def _fold(name: str) -> str:
    return name.lower().rstrip(".").strip("[]")


# ---------------------------------------------------------------- pages of other websites

# POST requests that store nothing: they compute an answer from their body. MCP decides on origins
# itself (`LARDER_MCP_ORIGINS`).
_READS_BY_POST: Final = frozenset(
    {"/api/snap/calculate", "/api/benefits/screen", "/api/donor/intent", "/mcp/v1"}
)
# A server sends it, with a signature.
_SIGNED: Final = frozenset({"/api/sms"})
_JSON: Final = b"application/json"

READING: tuple[Header, ...] = (
    (b"access-control-allow-origin", b"*"),
    (
        b"access-control-expose-headers",
        b"Accept-Ranges, Content-Range, ETag, Link, Retry-After, X-Release, "
        b"X-Request-Id, X-Synthetic",
    ),
)
_ALLOWED_HEADERS: Final = (
    b"Authorization, Content-Type, If-None-Match, If-Range, Range, "
    b"MCP-Protocol-Version, Mcp-Method, Mcp-Name"
)


def preflight_headers(scope: Scope) -> tuple[Header, ...]:
    """Return the answer to a preflight: what pages of other websites may send to a path."""
    methods = b"GET, HEAD, POST, OPTIONS" if _is_read(scope) else b"GET, HEAD, OPTIONS"
    return (
        (b"access-control-allow-methods", methods),
        (b"access-control-allow-headers", _ALLOWED_HEADERS),
        (b"access-control-max-age", b"86400"),
    )


def is_write(scope: Scope) -> bool:
    """Return whether a request may store something."""
    request: Any = scope
    return request["method"] not in {"GET", "HEAD", "OPTIONS"} and not _is_read(scope)


def check_origin(scope: Scope) -> None:
    """Raise ServiceProblem (403) for a write to the API or the console from another website's page.

    The forms of our own pages check their origin themselves, and answer with what was written.
    """
    path = scope["path"]
    if not path.startswith(("/api/", "/admin/")) or path in _SIGNED or not is_write(scope):
        return
    if not is_own_origin(scope, context_of(scope).settings.url):
        raise ServiceProblem("forbidden", "Pages of other websites may read, but not write.")


def check_media_type(scope: Scope) -> None:
    """Raise ServiceProblem (415) for a write whose body is not declared as JSON: a page of another
    website sends other types without asking."""
    media_type = dict(scope["headers"]).get(b"content-type", b"").partition(b";")[0]
    if is_write(scope) and media_type.strip().lower() != _JSON:
        raise ServiceProblem("unsupported-media-type", "Send the body as application/json.")


def _is_read(scope: Scope) -> bool:
    return scope["path"].rstrip("/") in _READS_BY_POST
