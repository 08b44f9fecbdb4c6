"""Guards outgoing requests: resolves a name once, checks the address, and connects to that address.

Checking a name and then letting the client resolve it again would leave a gap in which the answer
can change (DNS rebinding); so the transport connects to the address that was checked.
"""

import ipaddress
import socket
import ssl
from dataclasses import dataclass

import httpx

from schemas.sources.platforms import platforms
from schemas.sources.registry import Source
from warehouse.fetch.errors import RefusedAddressError, UnresolvedHostError
from warehouse.fetch.settings import FetchSettings

_IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Global according to some versions of Python: protocol assignments (metadata of Oracle's cloud),
# the host of every Azure machine, local NAT64 (RFC 8215), site-local (RFC 3879).
_NOT_PUBLIC = tuple(
    ipaddress.ip_network(network)
    for network in ("192.0.0.0/24", "168.63.129.16", "64:ff9b:1::/48", "fec0::/10")
)
_USUAL_PORTS = (None, 80, 443)


@dataclass(frozen=True)
class HostGuard:
    """The hosts of one source: "host", "host:port", or "*.host" for its subdomains. None allows any
    host on the usual ports."""

    hosts: frozenset[str] | None
    allow_private: bool = False

    def check(self, url: httpx.URL) -> None:
        """Raise RefusedAddressError for an undeclared host, port or scheme."""
        if url.scheme not in ("http", "https") or url.userinfo or not url.host:
            raise RefusedAddressError(str(url), "is not a plain http(s) address")
        if self.hosts is None:
            if url.port not in _USUAL_PORTS and not self.allow_private:
                raise RefusedAddressError(str(url), f"port {url.port} is not probed")
            return
        is_known = url.port in _USUAL_PORTS and (
            url.host in self.hosts
            or any(each.startswith("*.") and url.host.endswith(each[1:]) for each in self.hosts)
        )
        if not is_known and f"{url.host}:{url.port}" not in self.hosts:
            raise RefusedAddressError(
                str(url),
                f"host {url.netloc.decode()} is not declared ({', '.join(sorted(self.hosts))})",
            )

    def resolve(self, url: httpx.URL) -> list[str]:
        """Return the host's addresses, all public unless private ones are allowed."""
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            answers = socket.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise UnresolvedHostError(str(url), f"cannot resolve {url.host}: {error}") from error
        addresses = list(dict.fromkeys(str(answer[4][0]) for answer in answers))
        for address in addresses:
            if not self.allow_private and not is_public(address):
                raise RefusedAddressError(
                    str(url), f"{url.host} is {address}, not a public address"
                )
        return addresses


def guard_of(source: Source, settings: FetchSettings) -> HostGuard:
    """Return the hosts declared by a source (live feeds, homepage), the redirect hosts of its
    platforms, and those added in the settings."""
    urls = [httpx.URL(url) for url in (*(feed.url for feed in source.live), source.homepage)]
    hosts = {u.host if u.port in _USUAL_PORTS else f"{u.host}:{u.port}" for u in urls}
    hosts |= {host for feed in source.live for host in feed.hosts}
    hosts |= {host for feed in source.live for host in platforms()[feed.platform].hosts}
    return HostGuard(frozenset(hosts | settings.extra_hosts), settings.allow_private)


def is_public(address: str) -> bool:
    """Return whether an address is on the public internet, including IPv4 wrapped in IPv6."""
    ip: _IPAddress = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.sixtofour or ip.teredo:
            return False
        if ip.ipv4_mapped:
            ip = ip.ipv4_mapped
        elif ip in _NAT64:
            ip = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if any(ip.version == network.version and ip in network for network in _NOT_PUBLIC):
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def pin(request: httpx.Request, address: str) -> httpx.Request:
    """Return the request with a checked address, and with its name in `Host` and in TLS."""
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )


async def ask_first(
    transport: httpx.AsyncBaseTransport, request: httpx.Request, addresses: list[str]
) -> httpx.Response:
    """Return the response, its body unread, from the first checked address that accepts a
    connection."""
    *others, last = addresses
    for address in others:
        try:
            return await transport.handle_async_request(pin(request, address))
        except (httpx.ConnectError, httpx.ConnectTimeout):
            continue
    return await transport.handle_async_request(pin(request, last))


class PinnedTransport(httpx.BaseTransport):
    """Connects to the checked address and keeps the name in `Host` and in the TLS handshake."""

    def __init__(self, guard: HostGuard) -> None:
        self._guard = guard
        self._tls: ssl.SSLContext = httpx.create_ssl_context()
        # One pool for each name: two names on one address must not share a verified connection.
        self._pools: dict[str, httpx.HTTPTransport] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._guard.check(request.url)
        *others, last = self._guard.resolve(request.url)
        for address in others:
            try:
                return self._ask(request, address)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return self._ask(request, last)

    def _ask(self, request: httpx.Request, address: str) -> httpx.Response:
        host = request.url.host
        if host not in self._pools:
            self._pools[host] = httpx.HTTPTransport(verify=self._tls)
        return self._pools[host].handle_request(pin(request, address))

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()
