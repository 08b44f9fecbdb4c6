"""Limits writes per client: identifies the client, and answers when the limit is reached."""

import ipaddress
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import lru_cache

from litestar.types import Scope

from serving.context import context_of
from serving.http.errors import ServiceProblem
from serving.settings import SettingError
from warehouse.operations.engine import StoreUnavailableError
from warehouse.operations.limits import LimitReachedError, take_turn

_STORE_RETRY_SECONDS = 10
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


async def enforce_limit(scope: Scope, name: str, count: int, seconds: int) -> None:
    """Count this request against its client: at most `count` in any `seconds` under `name`.

    Raises ServiceProblem: 429 with `Retry-After`, or 503 when the store cannot be used.
    """
    context, address, now = context_of(scope), client_address(scope), datetime.now(UTC)
    if context.settings.limits.lower() == "off":
        return
    store = context.store
    async with store_problems():
        await store.transact(lambda db: take_turn(db, name, address, count, seconds, now))


@asynccontextmanager
async def store_problems() -> AsyncIterator[None]:
    """Convert store faults and limits in the block to answers: 503 and 429, both with
    `Retry-After`."""
    try:
        yield
    except LimitReachedError as error:
        minutes = -(-error.retry_seconds // 60)
        raise ServiceProblem(
            "too-many-requests",
            f"Too many requests from your address. Try again in {minutes} "
            f"minute{'s' if minutes > 1 else ''}.",
            headers=((b"retry-after", b"%d" % error.retry_seconds),),
        ) from error
    except StoreUnavailableError as error:
        raise ServiceProblem(
            "store-unavailable",
            "We could not save this. Nothing was saved. Please send it again.",
            headers=((b"retry-after", b"%d" % _STORE_RETRY_SECONDS),),
        ) from error


def client_address(scope: Scope) -> str:
    """Return the client's network address: the peer of the connection, unless it is a trusted
    proxy.

    Behind trusted proxies it is the last address in `X-Forwarded-For` that is not a proxy: the
    client controls everything before it.
    """
    peer = scope["client"][0] if scope.get("client") else "unknown"  # type: ignore[index]
    trusted = read_trusted_networks(context_of(scope).settings.trusted_proxies)
    if not trusted or not _is_within(peer, trusted):
        return peer
    forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    hops = [hop.strip() for hop in b",".join(forwarded).decode("latin-1").split(",") if hop.strip()]
    for hop in reversed(hops):
        address = hop  # without its port, if any
        if hop.startswith("["):
            address = hop[1:].partition("]")[0]
        elif hop.count(":") == 1:
            address = hop.partition(":")[0]
        if not _is_within(address, trusted):
            return address
        peer = address
    return peer


@lru_cache(maxsize=8)
def read_trusted_networks(text: str) -> tuple[_Network, ...]:
    """Return the networks of LARDER_TRUSTED_PROXIES. Raises SettingError naming an invalid part."""
    networks: list[_Network] = []
    for part in text.replace(",", " ").split():
        try:
            networks.append(ipaddress.ip_network(part, strict=False))
        except ValueError as error:
            raise SettingError(
                f"LARDER_TRUSTED_PROXIES: {part!r} is not an address or network"
            ) from error
    return tuple(networks)


def _is_within(address: str, networks: tuple[_Network, ...]) -> bool:
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return any(ip.version == network.version and ip in network for network in networks)
