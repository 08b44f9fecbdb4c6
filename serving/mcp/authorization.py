"""The check of `Origin` that keeps a foreign page from using the MCP server on one's own machine.

`serving.http.hosts` checks `Host`, for every address.
"""

from urllib.parse import urlsplit

from litestar.types import Scope

from serving.settings import Settings, entries_of

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
ANY = "*"


class Origins:
    """Origins of pages that may call: the public address, this machine itself, and what the
    settings say.
    """

    def __init__(self, settings: Settings) -> None:
        address = urlsplit(settings.url)
        self._allowed = {f"{address.scheme}://{address.netloc}"} | entries_of(settings.mcp_origins)
        for scheme in ("http", "https"):
            for name in _LOOPBACK:
                self._allowed |= {f"{scheme}://{name}", f"{scheme}://{name}:*"}

    def refusal(self, scope: Scope) -> str | None:
        """Return the reason when a request is not let in; None when it is."""
        origin = _header(scope, b"origin")
        if not origin or _is_among(origin, self._allowed):
            return None
        return f"The origin {origin[:100]!r} may not call this server. Operators: add it to LARDER_MCP_ORIGINS."


def _is_among(given: str, allowed: set[str]) -> bool:
    if ANY in allowed or given in allowed:
        return True
    name, colon, port = given.rpartition(":")
    return bool(colon) and port.isdigit() and f"{name}:*" in allowed


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")
