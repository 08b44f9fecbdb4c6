"""Makes the requests of the live profile: to declared hosts only, politely, again after failures
that may pass, and every failure is a FetchError."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar

import httpx
import stamina
from protego import Protego

from warehouse.fetch.addresses import HostGuard, PinnedTransport
from warehouse.fetch.errors import (
    AnswerError,
    ConnectionFailedError,
    FetchError,
    RefusedAddressError,
    RobotsError,
    ServerBusyError,
    TooLargeError,
    TooSlowError,
    TruncatedError,
    UnresolvedHostError,
    WrongContentError,
)
from warehouse.fetch.settings import PRODUCT, FetchSettings, read_fetch_settings

T = TypeVar("T")
Report = Callable[[str], None]
ReadRobots = Callable[[httpx.URL], str]

OK_ONLY = frozenset({HTTPStatus.OK})
# 202: Socrata's response while it still computes (dev.socrata.com, response codes).
_BUSY_STATUSES = (202, 408, 425, 429)
_UNPACKED_ENCODINGS = frozenset({"", "identity", "gzip"})


@dataclass(frozen=True)
class Form:
    """Fields of a POST; with a file as multipart/form-data."""

    fields: Mapping[str, str]
    file_field: str | None = None
    file_name: str = ""
    content: bytes = b""
    media_type: str = ""


class Web:
    """An HTTP client for one source. Close it, or use it in a `with` block.

    With `turns_folder` it obeys robots.txt and pauses between requests to one host (`Courtesy`).
    `secrets` are headers by host: no other host receives them,
    requested or redirected to.
    """

    def __init__(
        self, settings: FetchSettings, guard: HostGuard, turns_folder: Path | None = None
    ) -> None:
        self.settings = settings
        self._guard = guard
        self.courtesy = (
            Courtesy(turns_folder, settings, self._read_robots) if turns_folder else None
        )
        self.secrets: Mapping[str, Mapping[str, str]] = {}
        timeout = httpx.Timeout(
            settings.read_timeout_seconds, connect=settings.connect_timeout_seconds
        )
        self._client = httpx.Client(
            transport=PinnedTransport(guard),
            headers={"User-Agent": settings.user_agent},
            timeout=timeout,
            trust_env=False,
        )

    def __enter__(self) -> Web:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @contextmanager
    def open(
        self,
        url: httpx.URL,
        headers: Mapping[str, str],
        expected: frozenset[HTTPStatus] = OK_ONLY,
        form: Form | None = None,
    ) -> Iterator[httpx.Response]:
        """Open the response, its body unread, after allowed redirects.

        A GET, or with `form` a POST, which no redirect forwards. Raises FetchError for any status
        outside `expected` and for any failure, in the block too.
        """
        try:
            if form:
                response = self._post(url, headers, form)
            else:
                response = self._follow(url, headers, self.courtesy)
            try:
                if response.status_code not in expected:
                    raise error_of_status(response, url, self.settings)
                yield response
            finally:
                response.close()
        except httpx.HTTPError as error:
            raise _as_fetch_error(error, str(url), self.settings) from error

    def _read_robots(self, url: httpx.URL) -> str:
        """Return a host's robots.txt; empty without one (RFC 9309, 2.3.1: 4xx).

        Raises FetchError if the host does not respond: then no more requests are allowed.
        """
        try:
            response = self._follow(url, {"Accept": "text/plain", "Accept-Encoding": "gzip"}, None)
        except RefusedAddressError:
            return ""
        try:
            if response.status_code == HTTPStatus.TOO_MANY_REQUESTS or response.status_code >= 500:
                raise error_of_status(response, url, self.settings)
            if response.status_code != HTTPStatus.OK:
                return ""
            return whole_body(response, str(url), self.settings).decode("utf-8", "replace")
        finally:
            response.close()

    def _follow(
        self, url: httpx.URL, headers: Mapping[str, str], courtesy: Courtesy | None
    ) -> httpx.Response:
        target = url
        for _ in range(self.settings.max_redirects + 1):
            self._guard.check(target)
            if courtesy is not None:
                courtesy.before(target)
            own = self.secrets.get(target.netloc.decode(), {})
            request = self._client.build_request("GET", target, headers={**headers, **own})
            response = self._client.send(request, stream=True)
            if not response.has_redirect_location:
                return response
            response.close()
            target = self._next(target, response)
        raise AnswerError(str(url), f"more than {self.settings.max_redirects} redirects")

    def _post(self, url: httpx.URL, headers: Mapping[str, str], form: Form) -> httpx.Response:
        self._guard.check(url)
        if self.courtesy is not None:
            self.courtesy.before(url)
        file = (form.file_name, form.content, form.media_type)
        request = self._client.build_request(
            "POST",
            url,
            headers=dict(headers),
            data=dict(form.fields),
            files={form.file_field: file} if form.file_field else None,
        )
        return self._client.send(request, stream=True)

    def _next(self, url: httpx.URL, response: httpx.Response) -> httpx.URL:
        location = response.headers["Location"]
        try:
            target = url.join(location)
            self._guard.check(target)
        except httpx.InvalidURL as error:
            raise AnswerError(str(url), f"redirects to {location!r}, no address") from error
        except RefusedAddressError as error:
            raise RefusedAddressError(str(url), f"redirects to {target}: {error.cause}") from error
        if url.scheme == "https" and target.scheme == "http":
            raise RefusedAddressError(str(url), f"redirects from https to {target}")
        return target


def error_of_status(
    response: httpx.Response, url: httpx.URL, settings: FetchSettings
) -> FetchError:
    """Return the error of a status; transient: 408, 425, 429, 5xx within the wait."""
    status = response.status_code
    cause = f"status {status} {response.reason_phrase}".strip()
    if status < 500 and status not in _BUSY_STATUSES:
        return AnswerError(str(url), cause)
    error = ServerBusyError(str(url), cause)
    error.wait_seconds = retry_after_seconds(response.headers.get("Retry-After"))
    if error.wait_seconds is not None and error.wait_seconds > settings.max_retry_after_seconds:
        error = ServerBusyError(
            str(url),
            f"{cause}, and the server asks to wait {error.wait_seconds:.0f} seconds "
            f"(allowed are {settings.max_retry_after_seconds:.0f})",
        )
        error.is_transient = False
    return error


def retry_after_seconds(value: str | None, now: datetime | None = None) -> float | None:
    """Return seconds of a Retry-After header (RFC 9110 10.2.3), None if unreadable."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value.strip())
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())


def _as_fetch_error(error: httpx.HTTPError, address: str, settings: FetchSettings) -> FetchError:
    if isinstance(error, httpx.ConnectTimeout):
        return ConnectionFailedError(
            address, f"no connection within {settings.connect_timeout_seconds:g} seconds"
        )
    if isinstance(error, httpx.TimeoutException):
        return ConnectionFailedError(
            address, f"the server was silent for {settings.read_timeout_seconds:g} seconds"
        )
    if isinstance(error, httpx.RemoteProtocolError):
        return TruncatedError(address, f"the answer breaks off ({error})")
    if isinstance(error, httpx.NetworkError):
        return ConnectionFailedError(address, f"the connection failed ({error})")
    return AnswerError(address, f"{type(error).__name__}: {error}")


def whole_body(response: httpx.Response, address: str, settings: FetchSettings) -> bytes:
    """Return the decompressed body of a response, at most `max_page_bytes`. Raises FetchError.

    Only plain gzip is decoded: a chunk compressed several times, or with Brotli, could exceed
    memory before it can be counted.
    """
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in _UNPACKED_ENCODINGS:
        raise WrongContentError(address, f"sent as {encoding!r}, though not requested")
    watch, body = BodyWatch(address, settings, settings.max_page_bytes), bytearray()
    for chunk in response.iter_bytes():
        watch.saw(len(chunk))
        body += chunk
    return bytes(body)


class BodyWatch:
    """Counts the bytes of one body and enforces its size and speed limits."""

    def __init__(
        self,
        address: str,
        settings: FetchSettings,
        max_bytes: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address, self._settings, self._max_bytes = address, settings, max_bytes
        self._clock = clock
        self._began = self._window_began = clock()
        self._window_bytes = 0
        self.total = 0

    def saw(self, count: int) -> None:
        """Count `count` more bytes. Raises TooLargeError or TooSlowError."""
        self.total += count
        self._window_bytes += count
        if self.total > self._max_bytes:
            raise TooLargeError(self._address, f"more than {self._max_bytes} bytes")
        now = self._clock()
        if now - self._began > self._settings.max_seconds_per_file:
            limit = self._settings.max_seconds_per_file
            raise TooSlowError(self._address, f"not finished after {limit:g} seconds")
        elapsed = now - self._window_began
        if elapsed >= self._settings.progress_window_seconds:
            rate = self._window_bytes / elapsed
            if rate < self._settings.min_bytes_per_second:
                raise TooSlowError(
                    self._address,
                    f"{rate:.0f} bytes per second, fewer than "
                    f"{self._settings.min_bytes_per_second:g}",
                )
            self._window_began, self._window_bytes = now, 0


def fetch_file(address: str, folder: Path) -> Path:
    """Store the file at an address in a folder and return its path. Raises FetchError.

    Requests only the address's own host, politely (robots.txt, pauses) and up to the size of one
    page.
    """
    url = httpx.URL(address)
    host = f"{url.host}:{url.port}" if url.port else url.host
    settings = read_fetch_settings()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (Path(url.path).name or "list")
    guard = HostGuard(frozenset({host}), settings.allow_private)
    with (
        Web(settings, guard, folder / ".turns") as web,
        web.open(url, {"Accept-Encoding": "gzip"}) as response,
    ):
        path.write_bytes(whole_body(response, address, settings))
    return path


class Courtesy:
    """Obeys robots.txt (RFC 9309), and waits until a host may be requested again.

    `folder` holds one file per host with the time of its next request, so that concurrent processes
    share the pause. `read_robots` returns the text of a robots.txt, empty if it has none.
    `ignore_robots` is the reason to ignore the rules, if any.
    """

    def __init__(
        self,
        folder: Path,
        settings: FetchSettings,
        read_robots: ReadRobots,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder, self._settings, self._read_robots = folder, settings, read_robots
        self._sleep, self._clock = sleep, clock
        self._rules: dict[str, Protego] = {}
        self.ignore_robots: str | None = None

    def before(self, url: httpx.URL) -> None:
        """Wait before a request. Raises RobotsError if robots.txt forbids it."""
        pause = self._settings.pause_seconds
        if self.ignore_robots is None:
            rules = self._rules_of(url)
            if not rules.can_fetch(str(url), PRODUCT):
                raise RobotsError(str(url), f"{url.host}/robots.txt forbids it for {PRODUCT}")
            pause = max(pause, self._delay(url, rules))
        self._wait(url.netloc.decode(), pause)

    def _rules_of(self, url: httpx.URL) -> Protego:
        origin = f"{url.scheme}://{url.netloc.decode()}"
        if origin not in self._rules:
            robots = httpx.URL(f"{origin}/robots.txt")
            self._wait(url.netloc.decode(), self._settings.pause_seconds)
            self._rules[origin] = Protego.parse(self._read_robots(robots))
        return self._rules[origin]

    def _delay(self, url: httpx.URL, rules: Protego) -> float:
        delay = rules.crawl_delay(PRODUCT) or 0.0
        if delay > self._settings.max_retry_after_seconds:
            raise RobotsError(
                str(url),
                f"{url.host}/robots.txt asks for {delay:g} seconds between requests (allowed are "
                f"{self._settings.max_retry_after_seconds:g})",
            )
        return float(delay)

    def _wait(self, host: str, pause: float) -> None:
        """Sleep until the host's next slot and record the following one."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / host.replace(":", "_")).open("a+") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            turn.seek(0)
            try:
                due = float(turn.read())
            except ValueError:
                due = 0.0
            now = self._clock()
            # After the clock was set back, a host must not wait for hours.
            wait = due - now if due - now <= self._settings.max_retry_after_seconds else 0.0
            if wait > 0:
                self._sleep(wait)
            turn.truncate(0)
            turn.write(f"{max(now, now + wait) + pause:.3f}")


class RetryRule:
    """Decides for stamina whether to retry, and after how many seconds if the server said so.

    Wrong content gets one retry: a gateway's page may pass, a moved file will not return. An
    unknown host gets none: without a network, a hundred lists would each wait for nothing.
    """

    def __init__(self) -> None:
        self._wrong_contents = 0

    def __call__(self, error: Exception) -> bool | float:
        if isinstance(error, WrongContentError):
            self._wrong_contents += 1
            return self._wrong_contents == 1
        if isinstance(error, UnresolvedHostError):
            return False
        if not isinstance(error, FetchError) or not error.is_transient:
            return False
        return True if error.wait_seconds is None else error.wait_seconds


def with_retries(action: Callable[[], T], settings: FetchSettings, what: str, report: Report) -> T:
    """Return the action's result within `settings.attempts`; raises the last failure."""
    attempts = stamina.retry_context(
        on=RetryRule(),
        attempts=settings.attempts,
        timeout=None,
        wait_initial=settings.wait_initial_seconds,
        wait_max=settings.wait_max_seconds,
        wait_jitter=settings.wait_jitter_seconds,
    )
    for attempt in attempts:
        with attempt:
            if attempt.num > 1:
                report(f"{what}: attempt {attempt.num} of {settings.attempts}")
            return action()
    raise AssertionError("stamina raises the last failure")
