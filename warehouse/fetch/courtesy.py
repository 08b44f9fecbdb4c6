"""Politeness towards publishers: robots.txt, and a pause between requests to one host."""

import fcntl
import time
from collections.abc import Callable
from pathlib import Path

import httpx
from protego import Protego

from warehouse.fetch.errors import RobotsError
from warehouse.fetch.settings import PRODUCT, FetchSettings

ReadRobots = Callable[[httpx.URL], str]


class Courtesy:
    """Waits until a host may be requested again, and obeys robots.txt (RFC 9309).

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
            now, due = self._clock(), _number(turn.read())
            # After the clock was set back, a host must not wait for hours.
            wait = due - now if due - now <= self._settings.max_retry_after_seconds else 0.0
            if wait > 0:
                self._sleep(wait)
            turn.truncate(0)
            turn.write(f"{max(now, now + wait) + pause:.3f}")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
