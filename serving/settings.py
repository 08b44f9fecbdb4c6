"""Settings of the service: all of them, each from one environment variable, each with a default."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from schemas.languages import languages
from warehouse.storage.bucket import is_storage_url, url_fault

API_VERSION = "2.1.0"


class SettingError(ValueError):
    """A setting has a value that cannot be used; the message names the variable."""


def _setting(
    variables: str, default: object, meaning: str, pattern: str = "", rule: str = ""
) -> Any:
    """Return a field; `rule` states `pattern` (of the whole value) in words."""
    names = variables.split()
    metadata = {"variables": names, "meaning": meaning, "pattern": pattern, "rule": rule}
    return field(default=default, metadata=metadata)


# IPv6 in brackets.
_HOST = r"(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])"
# With a port, any port (`:*`) or none.
_HOST_AND_PORT = rf"{_HOST}(?::(?:[0-9]{{1,5}}|\*))?"
_ADDRESS = rf"https?://{_HOST}(?::[0-9]{{1,5}})?(?:/[^\s?#]*)?"
_ADDRESS_RULE = "an address such as https://larder.example.org"


def _list_of(entry: str) -> str:
    """Return pattern of a comma list."""
    return rf"(?:\*|{entry})(?:\s*,\s*(?:\*|{entry}))*"


def entries_of(text: str) -> set[str]:
    """Return the entries of a comma list."""
    return {entry.strip() for entry in text.split(",") if entry.strip()}


@dataclass(frozen=True)
class Settings:
    """Settings of one instance. The first variable of a setting that is set wins."""

    data_dir: Path = _setting(  # noqa: RUF009 - paths are immutable
        "LARDER_DATA DIRECTORY_DATA_DIR",
        Path("data"),
        "Folder with `releases/`, or an address of object storage as in LARDER_STORAGE_URL.",
    )
    storage_url: str = _setting(
        "LARDER_STORAGE_URL",
        "",
        "Object storage that releases are fetched from, such as `s3://bucket/prefix`; credentials come from AWS_* variables. None when empty.",
    )
    cache_dir: Path = _setting(  # noqa: RUF009 - paths are immutable
        "LARDER_CACHE_DIR",
        Path("cache"),
        "Folder of the local copy when LARDER_DATA is an address.",
    )
    storage_seconds: float = _setting(
        "LARDER_STORAGE_SECONDS", 15.0, "How often to ask the object storage."
    )
    storage_parallel: int = _setting(
        "LARDER_STORAGE_PARALLEL", 4, "Files fetched from object storage at once."
    )
    storage_keep: int = _setting(
        "LARDER_STORAGE_KEEP",
        2,
        "Releases in the local copy, two at least: the current and the previous one.",
    )
    host: str = _setting("LARDER_HOST", "127.0.0.1", "Address to listen on; 0.0.0.0 for all.")
    port: int = _setting("LARDER_PORT", 8000, "Port to listen on.")
    sibling_port: int = _setting(
        "LARDER_SIBLING_PORT",
        -1,
        "Port of the sibling service (veterans, donors); the one after LARDER_PORT when empty, 0 for none.",
    )
    sibling_base_url: str = _setting(
        "LARDER_SIBLING_BASE_URL",
        "",
        "Public address of the sibling service; made from host and port when empty.",
        pattern=_ADDRESS,
        rule=_ADDRESS_RULE,
    )
    workers: int = _setting("LARDER_WORKERS", 1, "Worker processes; each has its own index.")
    base_url: str = _setting(
        "LARDER_BASE_URL",
        "",
        "Public address; made from host and port when empty. With it, other hosts than its own, LARDER_HOSTS and this machine's loopback are refused; without it, every IP address is answered too.",
        pattern=_ADDRESS,
        rule=_ADDRESS_RULE,
    )
    alias_hosts: str = _setting(
        "LARDER_ALIAS_HOSTS",
        "",
        "Other hosts of the service, with commas: requests to them are redirected (301) to LARDER_BASE_URL.",
        pattern=_list_of(_HOST),
        rule="hosts such as larder.workers.example, without a port, with commas",
    )
    hosts: str = _setting(
        "LARDER_HOSTS",
        "",
        "Further hosts whose requests are answered, with commas; `*` for all.",
        pattern=_list_of(_HOST),
        rule="hosts such as larder.internal or 10.0.0.7, without a port, with commas",
    )
    organization_file: str = _setting(
        "LARDER_ORGANIZATION_FILE",
        "",
        "YAML file of facts about who runs this instance; the shipped example when empty.",
    )
    admin_token: str = _setting(
        "LARDER_ADMIN_TOKEN", "", "Bearer token of the analytics dashboard; closed when empty."
    )
    operations_file: str = _setting(
        "LARDER_OPERATIONS_FILE",
        "",
        "SQLite file of what people write; `operations.sqlite` in the data folder when empty.",
    )
    operations_url: str = _setting(
        "LARDER_OPERATIONS_URL",
        "",
        "Database of what people write, `postgresql://user@host/name` or `sqlite:///file`; LARDER_OPERATIONS_FILE when empty.",
    )
    operations_upgrade: str = _setting(
        "LARDER_OPERATIONS_UPGRADE",
        "on",
        "on: bring the tables of the operations store up to date at the start; off: leave that to `larder operations upgrade`.",
    )
    smtp_url: str = _setting(
        "LARDER_SMTP_URL",
        "",
        "Mail server, `smtp://user:password@host:587` (STARTTLS) or `smtps://`; no e-mail is sent when empty.",
    )
    mail_from: str = _setting("LARDER_MAIL_FROM", "", "Address that e-mails come from.")
    phone_command: str = _setting(
        "LARDER_PHONE_COMMAND",
        "",
        'Program that sends a code to a telephone: it reads {"phone", "text"} as JSON; none when empty.',
    )
    webhooks: str = _setting(
        "LARDER_WEBHOOKS",
        "on",
        "on: events are posted to addresses that people register, https and public ones only; loopback: to this machine as well, in the clear, for tests and demos; off.",
        pattern="on|loopback|off",
        rule="on, loopback or off",
    )
    webhook_ports: str = _setting(
        "LARDER_WEBHOOK_PORTS",
        "443",
        "Ports of the addresses that events are posted to, with commas.",
        pattern="[0-9]{1,5}(?:,[0-9]{1,5})*",
        rule="port numbers with commas, such as 443,8443",
    )
    email_confirms: str = _setting(
        "LARDER_EMAIL_CONFIRMS",
        "listed",
        "listed: an e-mail address confirms a claim when it is of the place's own domain (docs/operators.md); any: every address does.",
    )
    trusted_proxies: str = _setting(
        "LARDER_TRUSTED_PROXIES",
        "",
        "Addresses or networks of the proxies before the service, such as `10.0.0.0/8`; only their `X-Forwarded-For` is believed.",
    )
    sms_token: str = _setting(
        "LARDER_SMS_TOKEN",
        "",
        "Token with which the provider of text messages signs its requests; without it `/api/sms` answers 503, except in the demo on this machine.",
    )
    sms_shared_key: str = _setting(
        "LARDER_SMS_SHARED_KEY",
        "",
        "Secret of the shared key, for requests signed with HMAC-SHA256; LARDER_SMS_TOKEN when empty.",
    )
    sms_hourly: int = _setting(
        "LARDER_SMS_HOURLY", 60, "Text messages answered to one number in an hour; 0 for no limit."
    )
    connections: int = _setting(
        "LARDER_CONNECTIONS",
        16_384,
        "Open connections per worker, idle ones included; fewer if the limit of open files "
        "is lower.",
    )
    max_concurrent_requests: int = _setting(
        "LARDER_MOST_UNDER_WAY",
        256,
        "Reads, and as many writes, that a worker has under way; more are refused with 503 and Retry-After. 0 for no limit.",
    )
    max_queue_seconds: float = _setting(
        "LARDER_MOST_WAIT_SECONDS",
        0.5,
        "A request that waited longer for its turn is refused with 503 and Retry-After; 0 for no limit.",
    )
    limits: str = _setting(
        "LARDER_LIMITS", "on", "on, or off where a gateway before the service limits clients."
    )
    release_keys: str = _setting(
        "LARDER_RELEASE_KEYS",
        "",
        "Public key that verifies the release log: PEM file (several blocks after a change of key) or 32 bytes in base64.",
    )
    older_releases: str = _setting(
        "LARDER_OLDER_RELEASES",
        "on",
        "on: reads may name a stored release with `as_of`; a worker has one open beside the served one, 80 MB for 100,000 places. off: they get 503.",
    )
    poll_seconds: float = _setting(
        "LARDER_POLL_SECONDS", 1.0, "How often to look for a newly promoted release."
    )
    verify_seconds: float = _setting(
        "LARDER_VERIFY_SECONDS",
        30.0,
        "Time in which the files that answers are read from are verified once, again and again.",
    )
    flush_seconds: float = _setting(
        "LARDER_FLUSH_SECONDS", 5.0, "How often to write search counts to disk."
    )
    min_free_mb: int = _setting(
        "LARDER_MIN_FREE_MB", 200, "Free disk space below which the deep health check fails."
    )
    metrics_port: int = _setting(
        "LARDER_METRICS_PORT",
        0,
        "Port of `/metrics` for Prometheus, apart from the public one; the sibling service has the one after it. None when 0.",
    )
    metrics_host: str = _setting(
        "LARDER_METRICS_HOST",
        "127.0.0.1",
        "Address that `/metrics` listens on: this machine alone, or one that only the monitoring reaches.",
    )
    metrics_dir: str = _setting(
        "LARDER_METRICS_DIR",
        "",
        "Folder in which several workers leave their numbers for each other; larder-serve makes one when empty.",
    )
    mcp_prefix: str = _setting(
        "LARDER_MCP_PREFIX",
        "",
        "Put before the names of the MCP tools, with an underscore between.",
        pattern="[a-z][a-z0-9_]{0,23}",
        rule="a small letter, then small letters, digits and underscores, 24 at most",
    )
    mcp_origins: str = _setting(
        "LARDER_MCP_ORIGINS",
        "",
        "Origins of other pages that may call the MCP server, comma-separated; `*` for all.",
        pattern=_list_of(f"https?://{_HOST_AND_PORT}"),
        rule="origins such as https://app.example.org, without a path, with commas",
    )
    languages: str = _setting(
        "LARDER_LANGUAGES",
        "",
        "Drafts of languages that no native reader has signed yet, to be shown with a note that says so: codes with commas, such as `vi,zh-Hans`, or `*` for all.",
        pattern=_list_of(r"[A-Za-z]{2,3}(?:-[A-Za-z]{4})?"),
        rule="a comma list of language codes, or *",
    )
    log_level: str = _setting("LARDER_LOG_LEVEL", "info", "debug, info, warning or error.")

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
            metrics_dir="",
        )

    @property
    def operations_store(self) -> str | Path:
        """Return where the operations store is: a database URL or the path of an SQLite file."""
        return self.operations_url or Path(
            self.operations_file or self.data_dir / "operations.sqlite"
        )


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return settings from the environment. Raises SettingError naming the variable that is
    wrong."""
    values: dict[str, object] = {}
    for entry in fields(Settings):
        for variable in entry.metadata["variables"]:
            text = environment.get(variable, "").strip()
            if text:
                pattern = entry.metadata["pattern"]
                if pattern and not re.fullmatch(pattern, text):
                    raise SettingError(f"{variable}={text!r} is not {entry.metadata['rule']}")
                values[entry.name] = _convert(variable, text, type(entry.default))
                break
    settings = Settings(**values)  # type: ignore[arg-type]
    if unknown := entries_of(settings.languages) - {*languages(), "*"}:
        known = ", ".join(languages())
        raise SettingError(f"LARDER_LANGUAGES: {min(unknown)!r} is none of {known}")
    if settings.alias_hosts and not settings.base_url:
        raise SettingError("LARDER_ALIAS_HOSTS needs LARDER_BASE_URL, the address to redirect to")
    return _with_storage(settings, environment)


def settings_in_words() -> str:
    """Return every setting as two lines: its variables with the default, and its meaning."""
    lines = []
    for entry in fields(Settings):
        default = "" if entry.default == "" else f" [{entry.default}]"
        lines.append(f"{' or '.join(entry.metadata['variables'])}{default}")
        lines.append(f"    {entry.metadata['meaning']}")
    return "\n".join(lines)


def _with_storage(settings: Settings, environment: Mapping[str, str]) -> Settings:
    """Return an address in place of the data folder: the data folder is then the local copy.

    Raises SettingError without repeating the address, which may hold a secret that does not belong
    there.
    """
    names = ("LARDER_DATA", "DIRECTORY_DATA_DIR")
    data = next((v for name in names if (v := environment.get(name, "").strip())), "")
    if is_storage_url(data):
        settings = replace(settings, storage_url=data, data_dir=settings.cache_dir)
    if settings.storage_url and (fault := url_fault(settings.storage_url)):
        raise SettingError(f"LARDER_STORAGE_URL (or LARDER_DATA) cannot be used: {fault}")
    return settings


def _convert(variable: str, text: str, kind: type) -> object:
    try:
        return (
            kind(text) if kind in (int, float) else Path(text) if issubclass(kind, Path) else text
        )
    except ValueError as error:
        raise SettingError(f"{variable}={text!r} is not {kind.__name__}") from error
