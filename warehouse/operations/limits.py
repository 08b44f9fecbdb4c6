"""Rate limits per client, counted in the store across workers and restarts.

A client is identified by a hash of its network address with a daily key. The address itself is not
stored, and once the day's key is deleted the hash identifies nobody.
"""

import hashlib
import hmac
import ipaddress
import math
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from warehouse.operations.models import DAILY_KEYS, LIMIT_HITS
from warehouse.operations.rows import ensure_key

# Turns further in the future were counted before the clock was set back: they would lock clients
# out until that time returns. Replicas' clocks may differ by less.
CLOCKS_DIFFER = timedelta(minutes=5)
# Addresses of one site share these first bits (RFC 6177); a site could use a new address for every
# request.
_IPV6_BITS = 48
_LONGEST_WINDOW = timedelta(days=1)


class LimitReachedError(Exception):
    """The client has to wait; `retry_seconds` says how long."""

    def __init__(self, retry_seconds: int) -> None:
        super().__init__(f"try again in {retry_seconds} seconds")
        self.retry_seconds = retry_seconds


def client_hash(db: Connection, address: str, at: datetime) -> str:
    """Return a client's digest of one day (UTC). Writes a missing key."""
    key = daily_key(db, at.astimezone(UTC).date().isoformat())
    return hmac.new(key, network_of(address).encode(), hashlib.sha256).hexdigest()


def take_turn(
    db: Connection, scope: str, address: str, count: int, seconds: int, now: datetime
) -> None:
    """Count a client's request in the transaction. Raises LimitReachedError beyond `count`."""
    begin = now - timedelta(seconds=seconds)
    # A window that spans midnight has two.
    names = {client_hash(db, address, day) for day in (begin, now)}
    hits = LIMIT_HITS.c
    of_client = (
        (hits.scope == scope)
        & hits.client.in_(names)
        & (hits.at > begin)
        & (hits.at <= now + CLOCKS_DIFFER)
    )
    newest = select(hits.at).where(of_client).order_by(hits.at.desc()).limit(count)
    times = db.scalars(newest).all()
    if len(times) >= count:
        free_at = min(times[-1], now) + timedelta(seconds=seconds)
        raise LimitReachedError(max(1, math.ceil((free_at - now).total_seconds())))
    client = client_hash(db, address, now)
    db.execute(insert(LIMIT_HITS), {"scope": scope, "client": client, "at": now})


def forget_old_hits(db: Connection, now: datetime) -> int:
    """Delete expired windows and old days' keys; return their number."""
    day = (now - timedelta(days=2)).date().isoformat()
    db.execute(delete(DAILY_KEYS).where(DAILY_KEYS.c.day <= day))
    oldest = now - _LONGEST_WINDOW
    return db.execute(delete(LIMIT_HITS).where(LIMIT_HITS.c.at < oldest)).rowcount


def daily_key(db: Connection, day: str) -> bytes:
    """Return the key of a day (ISO, UTC), deleted two days later. Writes a missing one."""
    return ensure_key(db, DAILY_KEYS, day)


def network_of(address: str) -> str:
    """Return a client's network: IPv4 address, IPv6 /48, or the text as it is."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, _IPV6_BITS), strict=False))
    return str(ip)


def ip_version_of(address: str) -> int:
    """Return 6 for an address of IPv6, else 4.

    A household may use both at once: its votes count once if visitors are counted by version and
    the larger count is taken.
    """
    return 6 if ":" in network_of(address) else 4
