"""robots.txt and the pause between requests, without a network."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.support.cases import cases
from warehouse.fetch.errors import RobotsError
from warehouse.fetch.settings import FetchSettings
from warehouse.fetch.web import Courtesy

SETTINGS = FetchSettings(pause_seconds=2.0, max_retry_after_seconds=300)
ALL_FORBIDDEN = "User-agent: *\nDisallow: /\n"
US_ALLOWED = ALL_FORBIDDEN + "\nUser-agent: open-larder\nAllow: /api/\nDisallow: /\n"


class Clock:
    """A time that only sleeping moves."""

    def __init__(self) -> None:
        self.now, self.slept = 1000.0, list[float]()

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 2))
        self.now += seconds


def courtesy_of(
    folder: Path, clock: Clock, robots: str | Callable[[httpx.URL], str] = ""
) -> Courtesy:
    read_robots = robots if callable(robots) else lambda _: robots
    return Courtesy(folder, SETTINGS, read_robots, sleep=clock.sleep, clock=lambda: clock.now)


@cases(
    "robots, url, is_allowed",
    {
        "none": ("", "/list", True),
        "a web page": ("<!doctype html><p>not found", "/list", True),
        "nobody": (ALL_FORBIDDEN, "/list", False),
        "us below /api": (US_ALLOWED, "/api/x", True),
        "us elsewhere": (US_ALLOWED, "/list", False),
        "pattern": ("User-agent: *\nDisallow: /*.csv$\n", "/a/list.csv", False),
        "its end": ("User-agent: *\nDisallow: /*.csv$\n", "/a/list.csv?x=1", True),
        "longest rule": ("User-agent: *\nDisallow: /a/\nAllow: /a/b\n", "/a/b/c", True),
        "somebody else": ("User-agent: other\nDisallow: /\n", "/list", True),
    },
)
def test_robots_rules(tmp_path: Path, robots: str, url: str, is_allowed: bool) -> None:
    courtesy = courtesy_of(tmp_path, Clock(), robots)
    target = httpx.URL(f"https://bank.example{url}")
    if is_allowed:
        courtesy.before(target)
        return
    with pytest.raises(RobotsError, match=r"bank.example/robots.txt forbids it for open-larder"):
        courtesy.before(target)
    courtesy.ignore_robots = "a documented API"
    courtesy.before(target)


def test_requests_to_one_host_are_spaced_and_robots_read_once(tmp_path: Path) -> None:
    requests: list[str] = []

    def read(url: httpx.URL) -> str:
        requests.append(str(url))
        return ""

    clock = Clock()
    courtesy = courtesy_of(tmp_path, clock, read)
    for url in ("https://a.example/1", "https://a.example/2", "https://b.example:8443/1"):
        courtesy.before(httpx.URL(url))
    assert requests == ["https://a.example/robots.txt", "https://b.example:8443/robots.txt"]
    assert clock.slept == [2.0, 2.0, 2.0]


def test_two_processes_share_the_pause(tmp_path: Path) -> None:
    clock = Clock()
    url = httpx.URL("https://a.example/1")
    for _ in range(2):
        each = courtesy_of(tmp_path, clock)
        each.ignore_robots = "tested elsewhere"
        each.before(url)
    assert clock.slept == [2.0]


@pytest.mark.parametrize(
    ("delay", "slept"), [("10", [2.0, 10.0]), ("1", [2.0, 2.0]), ("soon", [2.0, 2.0])]
)
def test_crawl_delay(tmp_path: Path, delay: str, slept: list[float]) -> None:
    clock = Clock()
    courtesy = courtesy_of(tmp_path, clock, f"User-agent: *\nCrawl-delay: {delay}\n")
    for _ in range(2):
        courtesy.before(httpx.URL("https://a.example/"))
    assert clock.slept == slept


def test_a_crawl_delay_of_an_hour_ends_the_fetch(tmp_path: Path) -> None:
    courtesy = courtesy_of(tmp_path, Clock(), "User-agent: *\nCrawl-delay: 3600\n")
    with pytest.raises(RobotsError, match="3600 seconds between requests"):
        courtesy.before(httpx.URL("https://a.example/"))


def test_a_clock_that_was_set_back_does_not_stop_a_host(tmp_path: Path) -> None:
    clock = Clock()
    courtesy = courtesy_of(tmp_path, clock)
    courtesy.before(httpx.URL("https://a.example/"))
    clock.now, clock.slept = 10.0, []
    courtesy.before(httpx.URL("https://a.example/"))
    assert clock.slept == []
