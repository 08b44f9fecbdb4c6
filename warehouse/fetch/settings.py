"""Settings of the live profile: timeouts, sizes, trust. No such constants elsewhere."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

import msgspec

from schemas.api.organization import Organization

PRODUCT = "open-larder"
_VERSION = "0.1"


@dataclass(frozen=True)
class FetchSettings:
    """Limits of fetching over the network; the defaults suit publishers' servers.

    `extra_hosts` ("host" or "host:port") are redirect targets in addition to the source's declared
    hosts. `allow_private` permits loopback and private addresses: for tests and mirrors only. A
    server may request (Retry-After) a wait of up to `max_retry_after_seconds`; a longer one ends
    the fetch. A body must bring `min_bytes_per_second` on average over each
    `progress_window_seconds`. Two requests to one host are `pause_seconds` apart. A file with less
    than `min_share` of the previous records or column names is refused.
    """

    user_agent: str = f"{PRODUCT}/{_VERSION}"
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
    pause_seconds: float = 1.0
    min_share: float = 0.5
    extra_hosts: frozenset[str] = field(default_factory=frozenset)
    allow_private: bool = False


def read_fetch_settings(environ: Mapping[str, str] = os.environ) -> FetchSettings:
    """Return the settings, with overrides from the environment.

    LARDER_FETCH_CONTACT, else the e-mail address of the operating organization unless that is still
    the example, goes into the User-Agent; LARDER_FETCH_PAUSE_SECONDS. Raises ValueError.
    """
    contact = environ.get("LARDER_FETCH_CONTACT") or _organization_email(environ)
    agent = f"{PRODUCT}/{_VERSION} ({contact})" if contact else f"{PRODUCT}/{_VERSION}"
    if not (agent.isascii() and agent.isprintable()):
        raise ValueError(f"LARDER_FETCH_CONTACT={contact!r} is not plain ASCII text")
    text = environ.get("LARDER_FETCH_PAUSE_SECONDS") or "1"
    try:
        pause = float(text)
    except ValueError:
        pause = -1.0
    if not 0 <= pause <= 300:
        raise ValueError(f"LARDER_FETCH_PAUSE_SECONDS={text!r} is not a number from 0 to 300")
    return FetchSettings(user_agent=agent, pause_seconds=pause)


def _organization_email(environ: Mapping[str, str]) -> str | None:
    own = environ.get("LARDER_ORGANIZATION_FILE")
    file = Path(own) if own else resources.files("content") / "organization.yaml"
    try:
        organization = msgspec.yaml.decode(file.read_bytes(), type=Organization)
    except (OSError, msgspec.DecodeError) as error:
        raise ValueError(f"LARDER_ORGANIZATION_FILE={own!r}: {error}") from error
    return None if organization.is_fictional else organization.email
