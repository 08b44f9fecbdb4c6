"""Build the profile live against servers on loopback: some lists answered once and fail now."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from pipelines.run import Outcome
from schemas.sources.registry import feeds
from tests.integration.fetch.feed_servers import server_of
from tests.integration.fetch.publisher_server import (
    Answer,
    Publisher,
    Reply,
    Request,
    publisher_server,
)

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BUSY, PAGE, CUT, CHANGED = (
    "feed_idaho",
    "feed_central_florida",
    "feed_oregon",
    "feed_coastal_georgia",
)
WAITING = "feed_freestore_oh"
GOOD = (
    "feed_heartland_ne",
    "feed_channel_one_mn",
    "feed_north_alabama",
    "feed_island_harvest_ny",
    "feed_river_valley_ar",
    "feed_hawaii",
)
BAD = {
    BUSY: "status 429 Too Many Requests. Try again later",
    PAGE: "a web page instead of",
    CUT: "Try again; if it stays so the publisher's file is damaged",
    CHANGED: "columns are gone",
}
TODAY = datetime.now(UTC).date()


@contextmanager
def servers(data_dir: Path) -> Iterator[dict[str, Publisher]]:
    """Serve the lists; write their addresses to a file of the data folder."""
    with ExitStack() as stack:
        running, addresses = {}, {}
        for name in (*GOOD, *BAD, WAITING):
            publisher = running[name] = stack.enter_context(publisher_server())
            (feed,) = feeds()[name].live
            parts = urlsplit(feed.url)
            path = parts.path or "/"
            publisher.answers = server_of(feeds()[name], feed, path)
            # The address of a map names it; the platform's own host is not asked.
            addresses[name] = publisher.url(path) + (f"?{parts.query}" if parts.query else "")
        (data_dir / "addresses.json").write_bytes(msgspec.json.encode(addresses))
        yield running


def build(data_dir: Path, after_days: int, *only: str) -> tuple[str, Outcome]:
    """Build as an operator does, without LARDER_PROFILE, or refresh only some lists; return the
    report and the outcome."""
    others = {name: value for name, value in os.environ.items() if name != "LARDER_PROFILE"}
    command = [sys.executable, "-m", "pipelines", "build", "--profile", "live", "--no-probe-urls"]
    command += ["--rights", "facts_only", "--as-of", str(TODAY + timedelta(days=after_days))]
    command += ["--accept-drops", "--json", str(data_dir / "outcome.json")]
    command += [f"--only={name}" for name in only]
    done = subprocess.run(
        command,
        env={
            **others,
            "DIRECTORY_DATA_DIR": str(data_dir),
            "LARDER_TEST_FEEDS": (data_dir / "addresses.json").read_text(),
            "PYTHONPATH": f"{ROOT / 'tests/support/live_registry'}{os.pathsep}{ROOT}",
        },
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    content = (data_dir / "outcome.json").read_bytes()
    return done.stdout, msgspec.json.decode(content, type=Outcome)


def rows_of(report: str, name: str) -> list[str]:
    """Return the cells of a source in the report's first table: read, published and so on."""
    (line,) = [line for line in report.splitlines() if line.startswith(f"{name} ")][:1]
    return line.split()[1:3]


def altered(answer: Answer, old: bytes, new: bytes) -> Answer:
    """Return an answer whose body has other column names."""

    def alter(request: Request) -> Reply:
        reply = answer if isinstance(answer, Reply) else answer(request)
        return replace(reply, body=reply.body.replace(old, new))

    return alter


def break_lists(running: dict[str, Publisher]) -> None:
    for answers in running[BUSY].answers.values():
        answers[:] = [Reply(status=429, headers={"Retry-After": "0"})]
    for answers in running[PAGE].answers.values():
        answers[:] = [Reply(b"<!DOCTYPE html><html><body>We have moved</body></html>")]
    for answers in running[CUT].answers.values():
        answers[:] = [replace(reply, cut_at=200) for reply in answers if isinstance(reply, Reply)]
    for answers in running[CHANGED].answers.values():
        answers[:] = [altered(answer, b'":', b'_now":') for answer in answers]


def test_a_live_build_releases_what_answers_and_keeps_what_fails(tmp_path: Path) -> None:
    with servers(tmp_path) as running:
        _, outcome = build(tmp_path, 0, *BAD)
        assert outcome.failed_sources == {}

        break_lists(running)
        report, outcome = build(tmp_path, 10)
        assert set(outcome.failed_sources) == set(BAD)
        for name, remedy in BAD.items():
            assert remedy in outcome.failed_sources[name]
            assert f"  {name}: " in report
        assert f"larder source allow):\n  {WAITING}" in report
        assert not running[WAITING].requests
        assert all(rows_of(report, name) == ["3", "3"] for name in (*GOOD, *BAD))
