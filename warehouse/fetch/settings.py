"""Settings of the live profile: timeouts, sizes, trust. No constants elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class FetchSettings:
    """Limits of fetching over the network; the defaults suit publishers' servers.

    `extra_hosts` ("host" or "host:port") may be redirected to besides the hosts that the source's
    own facts name. `allow_private` permits loopback and private addresses: for tests and mirrors
    only. A server may ask (Retry-After) for a wait of up to `max_retry_after_seconds`; when it asks
    for more the fetch ends. A body has to bring `min_bytes_per_second` on average over each
    `progress_window_seconds`.
    """

    user_agent: str = "open-larder/0.1"
    connect_timeout_seconds: float = 15.0
    read_timeout_seconds: float = 60.0
    progress_window_seconds: float = 60.0
    min_bytes_per_second: float = 256.0
    max_seconds_per_file: float = 3 * 3600.0
    attempts: int = 5
    wait_initial_seconds: float = 1.0
    wait_max_seconds: float = 60.0
    wait_jitter_seconds: float = 1.0
    max_retry_after_seconds: float = 300.0
    paging_attempts: int = 2
    max_redirects: int = 5
    max_file_bytes: int = 4 * 2**30
    max_page_bytes: int = 64 * 2**20
    max_unpacked_bytes: int = 8 * 2**30
    checkpoint_bytes: int = 32 * 2**20
    extra_hosts: frozenset[str] = field(default_factory=frozenset)
    allow_private: bool = False
