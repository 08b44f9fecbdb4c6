"""Which pages of other websites may call the service from a visitor's browser: CORS is for reading.

A page of another website may read every public answer. It cannot write in its visitors' names: a
write has a body of a type that no page sends without a preflight (Fetch standard, 3.2.2), no
preflight allows it, and a foreign `Origin` is refused in any case.
"""

from typing import Any, Final

from litestar.types import Scope

from serving.context import context_of
from serving.http.answers import Header
from serving.http.errors import ServiceProblem
from serving.http.hosts import is_own_origin

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
