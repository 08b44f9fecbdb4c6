"""Who may call: the checks of `Host` and `Origin` that keep a foreign page from using a server on one's own machine."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from litestar.types import Scope

from serving.settings import Settings

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
ANY = "*"


class Access(NamedTuple):
    """Hosts and origins that are let in; `*` among them lets in all."""

    hosts: frozenset[str]
    origins: frozenset[str]

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and reason when a request is not let in; None when it is."""
        host, origin = _header(scope, b"host"), _header(scope, b"origin")
        if not _is_among(host, self.hosts):
            return (
                421,
                f"The host {host[:100]!r} is not served here. Operators: add it to LARDER_MCP_HOSTS.",
            )
        if origin and not _is_among(origin, self.origins):
            return (
                403,
                f"The origin {origin[:100]!r} may not call this server. Operators: add it to LARDER_MCP_ORIGINS.",
            )
        return None  # fmt: skip


def access_of(settings: Settings) -> Access:
    """What the settings say, and always the public address and this machine itself."""
    address = urlsplit(settings.url)
    hosts = {address.netloc, *_LOOPBACK, *(f"{name}:*" for name in _LOOPBACK)}
    origins = {f"{address.scheme}://{address.netloc}"}
    for scheme in ("http", "https"):
        for name in _LOOPBACK:
            origins |= {f"{scheme}://{name}", f"{scheme}://{name}:*"}
    return Access(frozenset(hosts | listed(settings.mcp_hosts)), frozenset(origins | listed(settings.mcp_origins)))  # fmt: skip


def listed(text: str) -> set[str]:
    """The entries of a comma list."""
    return {entry.strip() for entry in text.split(",") if entry.strip()}


def _is_among(given: str, allowed: frozenset[str]) -> bool:
    if ANY in allowed or given in allowed:
        return True
    name, colon, port = given.rpartition(":")
    return bool(colon) and port.isdigit() and f"{name}:*" in allowed


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")
