"""Probes whether websites respond: a HEAD, a GET if HEAD is not supported, never a body.

Unlike sources, whose hosts are declared, listings name any host; so the address is resolved once,
must be public, and is the one connected to. Each host gets one request at a time.
"""

import asyncio
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

import httpx

from warehouse.fetch.addresses import HostGuard, ask_first
from warehouse.fetch.errors import FetchError

# Servers with these statuses exist; they reject programs.
_REFUSALS = frozenset({401, 402, 403, 405, 406, 407, 418, 423, 425, 429, 451, 999})
_GONE = frozenset({404, 410})
_NO_HEAD = frozenset({400, 403, 404, 405, 406, 410, 429, 500, 501, 502, 503})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True)
class ProbeSettings:
    """Limits of probing. `max_urls`, `max_per_host` and `max_seconds` bound one run.

    `allow_private` permits loopback and private addresses and unusual ports: for tests only.
    """

    user_agent: str = "open-larder/0.1 (link check; reads no pages)"
    max_urls: int = 5_000
    max_per_host: int = 20
    max_seconds: float = 1_800.0
    concurrency: int = 16
    timeout_seconds: float = 20.0
    pause_seconds: float = 0.5
    max_redirects: int = 5
    allow_private: bool = False


@dataclass(frozen=True)
class Probe:
    """Result of one probe; `result` is one of `schemas.vocab.statuses.PROBE_RESULTS`."""

    website: str
    result: str
    http_status: int | None
    final_url: str | None
    detail: str | None
    probed_at: datetime


def probe_websites(websites: Iterable[str], settings: ProbeSettings) -> list[Probe]:
    """Probe addresses in order within the limits; the rest is skipped."""
    return asyncio.run(_probe_all(_within_limits(websites, settings), settings))


def _within_limits(websites: Iterable[str], settings: ProbeSettings) -> list[list[str]]:
    """Return the addresses of this run, one list for each host."""
    by_host: dict[str, list[str]] = {}
    remaining = settings.max_urls
    for website in dict.fromkeys(websites):
        try:
            host = (urlsplit(website).hostname or "").removeprefix("www.")
        except ValueError:
            host = ""
        urls = by_host.setdefault(host, [])
        if remaining and len(urls) < settings.max_per_host:
            urls.append(website)
            remaining -= 1
    return [urls for urls in by_host.values() if urls]


async def _probe_all(hosts: list[list[str]], settings: ProbeSettings) -> list[Probe]:
    probes: list[Probe] = []
    slots, tls = asyncio.Semaphore(settings.concurrency), httpx.create_ssl_context()

    async def one_host(urls: list[str]) -> None:
        async with slots:
            for number, url in enumerate(urls):
                if number:
                    await asyncio.sleep(settings.pause_seconds)
                probes.append(await probe_website(url, settings, tls))

    tasks = [asyncio.create_task(one_host(urls)) for urls in hosts]
    if tasks:
        _, late = await asyncio.wait(tasks, timeout=settings.max_seconds)
        for task in late:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
    return probes


async def probe_website(website: str, settings: ProbeSettings, tls: ssl.SSLContext) -> Probe:
    """Return one probe, which ends after `timeout_seconds` however slowly the server responds."""
    try:
        async with asyncio.timeout(settings.timeout_seconds):
            status, final = await _follow("HEAD", httpx.URL(website), settings, tls)
            if status in _NO_HEAD:
                status, final = await _follow("GET", httpx.URL(website), settings, tls)
    except (TimeoutError, httpx.TimeoutException):
        return _fail(website, "timeout", f"no answer within {settings.timeout_seconds:g} seconds")
    except FetchError as error:
        return _fail(website, "error", error.cause)
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        return _fail(website, "error", f"{type(error).__name__}: {error}"[:200])
    # Only https, www or a trailing slash may have been added.
    asked, reached = (
        (url.host.removeprefix("www."), url.path.rstrip("/"), url.query)
        for url in (httpx.URL(website), final)
    )
    is_moved = asked != reached
    result = result_of_status(status, is_moved)
    detail = None if result in ("ok", "moved") else f"status {status}"
    return Probe(
        website, result, status, str(final) if is_moved else None, detail, datetime.now(UTC)
    )


def _fail(website: str, result: str, detail: str) -> Probe:
    return Probe(website, result, None, None, detail, datetime.now(UTC))


def result_of_status(status: int, is_moved: bool) -> str:
    """Classify the last status of a chain of redirects."""
    if 200 <= status < 300:
        return "moved" if is_moved else "ok"
    if status in _GONE:
        return "gone"
    return "refused" if status in _REFUSALS else "error"


async def _follow(
    method: str, url: httpx.URL, settings: ProbeSettings, tls: ssl.SSLContext
) -> tuple[int, httpx.URL]:
    """Return last status and address after redirects. Every address on the way is checked again."""
    guard = HostGuard(None, settings.allow_private)
    for _ in range(settings.max_redirects + 1):
        guard.check(url)
        addresses = await asyncio.to_thread(guard.resolve, url)
        status, location = await _request(method, url, addresses, settings, tls)
        if status not in _REDIRECTS or not location:
            return status, url
        url = url.join(location)
    raise FetchError(str(url), f"more than {settings.max_redirects} redirects")


async def _request(
    method: str, url: httpx.URL, addresses: list[str], settings: ProbeSettings, tls: ssl.SSLContext
) -> tuple[int, str | None]:
    """Return status and Location; tries the next address if one cannot be connected to."""
    headers = {"Host": url.netloc.decode(), "User-Agent": settings.user_agent, "Accept": "*/*"}
    wait = httpx.Timeout(settings.timeout_seconds, connect=settings.timeout_seconds / 2).as_dict()
    request = httpx.Request(method, url, headers=headers, extensions={"timeout": wait})
    async with httpx.AsyncHTTPTransport(verify=tls) as transport:
        response = await ask_first(transport, request, addresses)
        await response.aclose()
        return response.status_code, response.headers.get("Location")
