"""Settings of the service: all of them, each from one environment variable, each with a default."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

import msgspec

from schemas.languages import languages
from warehouse.operations.location import default_file
from warehouse.storage.bucket import is_storage_url, url_fault

API_VERSION = "2.1.0"


class SettingError(ValueError):
    """A setting has a value that cannot be used; the message names the variable."""


_MEANINGS = Path(__file__).with_name("settings.yaml")
_DATA = ("LARDER_DATA", "DIRECTORY_DATA_DIR")
# Settings whose variable is not LARDER_ and their name.
_VARIABLES = {
    "data_dir": _DATA,
    "max_concurrent_requests": ("LARDER_MOST_UNDER_WAY",),
    "max_queue_seconds": ("LARDER_MOST_WAIT_SECONDS",),
}
# IPv6 in brackets.
_HOST = r"(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])"
# With a port, any port (`:*`) or none.
_HOST_AND_PORT = rf"{_HOST}(?::(?:[0-9]{{1,5}}|\*))?"
_ADDRESS = rf"https?://{_HOST}(?::[0-9]{{1,5}})?(?:/[^\s?#]*)?"
# The value of `basemap` that turns the street map off.
NO_BASEMAP = "none"
_ADDRESS_RULE = "an address such as https://larder.example.org"


def _list_of(entry: str) -> str:
    """Return the pattern of a comma list."""
    return rf"(?:\*|{entry})(?:\s*,\s*(?:\*|{entry}))*"


def entries_of(text: str) -> set[str]:
    """Return the entries of a comma list."""
    return {entry.strip() for entry in text.split(",") if entry.strip()}


# What the whole value of a setting must match, and the rule in words.
_RULES = {
    "sibling_base_url": (_ADDRESS, _ADDRESS_RULE),
    "base_url": (_ADDRESS, _ADDRESS_RULE),
    "alias_hosts": (
        _list_of(_HOST),
        "hosts such as larder.workers.example, without a port, with commas",
    ),
    "hosts": (
        _list_of(_HOST),
        "hosts such as larder.internal or 10.0.0.7, without a port, with commas",
    ),
    "mcp_prefix": (
        "[a-z][a-z0-9_]{0,23}",
        "a small letter, then small letters, digits and underscores, 24 at most",
    ),
    "mcp_origins": (
        _list_of(f"https?://{_HOST_AND_PORT}"),
        "origins such as https://app.example.org, without a path, with commas",
    ),
    "basemap": (
        rf"{NO_BASEMAP}|/\S*\.pmtiles|https?://{_HOST}(?::[0-9]{{1,5}})?/[^\s#;,]*",
        f"{NO_BASEMAP}, the address of a style or of a .pmtiles file, or the path of such a file",
    ),
    "languages": (
        _list_of(r"[A-Za-z]{2,3}(?:-[A-Za-z]{4})?"),
        "a comma list of language codes, or *",
    ),
}


@dataclass(frozen=True)
class Settings:
    """Settings of one instance. The first variable of a setting that is set wins."""

    data_dir: Path = Path("data")
    storage_url: str = ""
    cache_dir: Path = Path("cache")
    storage_seconds: float = 15.0
    storage_keep: int = 2
    host: str = "127.0.0.1"
    port: int = 8000
    sibling_port: int = -1
    sibling_base_url: str = ""
    workers: int = 1
    base_url: str = ""
    alias_hosts: str = ""
    hosts: str = ""
    organization_file: str = ""
    admin_token: str = ""
    operations_file: str = ""
    operations_url: str = ""
    operations_upgrade: str = "on"
    smtp_url: str = ""
    mail_from: str = ""
    phone_command: str = ""
    trusted_proxies: str = ""
    sms_token: str = ""
    sms_shared_key: str = ""
    sms_hourly: int = 60
    connections: int = 16_384
    max_concurrent_requests: int = 256
    max_queue_seconds: float = 0.5
    limits: str = "on"
    release_keys: str = ""
    drain_seconds: float = 1.0
    poll_seconds: float = 1.0
    flush_seconds: float = 5.0
    min_free_mb: int = 200
    metrics_port: int = 0
    metrics_host: str = "127.0.0.1"
    mcp_prefix: str = ""
    mcp_origins: str = ""
    basemap: str = "https://tiles.openfreemap.org/styles/liberty"
    languages: str = ""
    log_level: str = "info"

    @property
    def url(self) -> str:
        """Public address of this instance, without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.base_url.rstrip("/") or f"http://{host}:{self.port}"

    @property
    def sibling(self) -> Settings | None:
        """Settings of the sibling service, which differs in its port and address; None for no
        sibling.
        """
        port = self.port + 1 if self.sibling_port < 0 else self.sibling_port
        if port == 0:
            return None
        return replace(
            self,
            port=port,
            base_url=self.sibling_base_url,
            alias_hosts="",
            metrics_port=self.metrics_port + 1 if self.metrics_port else 0,
        )

    @property
    def operations_store(self) -> str | Path:
        """Return the operations store: a database URL or the path of an SQLite file."""
        return self.operations_url or Path(self.operations_file or default_file(self.data_dir))


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return settings from the environment. Raises SettingError naming the variable that is
    wrong."""
    values: dict[str, object] = {}
    for entry in fields(Settings):
        for variable in variables_of(entry.name):
            text = environment.get(variable, "").strip()
            if text:
                pattern, rule = _RULES.get(entry.name, (None, None))
                if pattern and not re.fullmatch(pattern, text):
                    raise SettingError(f"{variable}={text!r} is not {rule}")
                values[entry.name] = _convert(variable, text, type(entry.default))
                break
    settings = Settings(**values)  # type: ignore[arg-type]
    if unknown := entries_of(settings.languages) - {*languages(), "*"}:
        codes = ", ".join(languages())
        raise SettingError(f"LARDER_LANGUAGES: {min(unknown)!r} is not one of {codes}")
    if settings.basemap.startswith("/") and not Path(settings.basemap).is_file():
        raise SettingError(f"LARDER_BASEMAP: there is no file {settings.basemap}")
    if settings.alias_hosts and not settings.base_url:
        raise SettingError("LARDER_ALIAS_HOSTS needs LARDER_BASE_URL, the address to redirect to")
    # A storage address in place of the data folder: its local copy is the folder.
    data = next((v for name in _DATA if (v := environment.get(name, "").strip())), "")
    if is_storage_url(data):
        settings = replace(settings, storage_url=data, data_dir=settings.cache_dir)
    if settings.storage_url and (fault := url_fault(settings.storage_url)):
        # The address may contain a secret.
        raise SettingError(f"LARDER_STORAGE_URL (or LARDER_DATA) cannot be used: {fault}")
    return settings


def variables_of(name: str) -> tuple[str, ...]:
    """Return the environment variables of a setting; the first one that is set wins."""
    return _VARIABLES.get(name, (f"LARDER_{name.upper()}",))


def settings_in_words() -> str:
    """Return every setting as two lines: its variables with the default, and its meaning."""
    meanings = msgspec.yaml.decode(_MEANINGS.read_bytes(), type=dict[str, str])
    lines = []
    for entry in fields(Settings):
        default = "" if entry.default == "" else f" [{entry.default}]"
        lines.append(f"{' or '.join(variables_of(entry.name))}{default}")
        lines.append(f"    {meanings[entry.name]}")
    return "\n".join(lines)


def _convert(variable: str, text: str, kind: type) -> object:
    try:
        return (
            kind(text) if kind in (int, float) else Path(text) if issubclass(kind, Path) else text
        )
    except ValueError as error:
        raise SettingError(f"{variable}={text!r} is not {kind.__name__}") from error
