"""Test that a failed download keeps the last good files and reports the reason."""

import gzip
import re
from dataclasses import replace
from typing import Any

import pytest

from schemas.sources.registry import LiveFeed
from tests.integration.fetch.publisher_server import Answer, Publisher, Reply, publisher_server
from tests.integration.fetch.support import (
    CSV,
    HALF,
    NEW,
    OLD,
    PAGE,
    SETTINGS,
    csv_source,
    fetch,
    source_of,
)
from warehouse.fetch.errors import (
    AnswerError,
    ConnectionFailedError,
    FetchError,
    RefusedAddressError,
    ServerBusyError,
    TooLargeError,
    TooSlowError,
    TruncatedError,
    UnresolvedHostError,
    WrongContentError,
)
from warehouse.fetch.live import fetch_live
from warehouse.raw_store import RawStore

FAILURES: list[Any] = [
    pytest.param([Reply(status=503)], ServerBusyError, "status 503 Service Unavailable. Try again later", 3, id="503 for ever"),
    pytest.param([Reply(status=404)], AnswerError, "status 404 Not Found. Check address and parameters", 1, id="404"),
    pytest.param(
        [Reply(status=429, headers={"Retry-After": "3600"})],
        ServerBusyError, "the server asks to wait 3600 seconds (allowed are 2)", 1, id="Retry-After beyond the limit",
    ),
    pytest.param([Reply(NEW, cut_at=HALF)], TruncatedError, "the answer breaks off", 3, id="always truncated"),
    pytest.param([Reply(NEW, cut_at=HALF, resets=True)], ConnectionFailedError, "the connection failed", 3, id="always reset"),
    pytest.param([Reply(PAGE, headers=CSV)], WrongContentError, "a web page instead of text/csv. Open the address", 2, id="HTML under 200"),
    pytest.param([Reply(b"", headers=CSV)], WrongContentError, "an empty body instead of text/csv", 2, id="empty"),
    pytest.param([Reply(gzip.compress(bytes(10**6)))], TooLargeError, "unpacks to more than 200000 bytes", 1, id="gzip bomb"),
    pytest.param([Reply(gzip.compress(NEW)[:-6])], TruncatedError, "broken gzip", 3, id="gzip without end"),
    pytest.param([Reply(b"x" * 100_001)], TooLargeError, "100001 bytes announced, more than 100000", 1, id="large, announced"),
    pytest.param([Reply(b"x" * 100_001, length=-1)], TooLargeError, "more than 100000 bytes", 1, id="large, not announced"),
    pytest.param([Reply(NEW, headers={"Content-Encoding": "br"})], WrongContentError, "sent as 'br'", 2, id="unasked encoding"),
    pytest.param([Reply(NEW[:5], 206)], AnswerError, "status 206 Partial Content", 1, id="206 unasked"),
    pytest.param([Reply(status=302, headers={"Location": "/list.csv"})], AnswerError, "more than 5 redirects", 6, id="redirect loop"),
    pytest.param(
        [Reply(status=302, headers={"Location": "http://169.254.169.254/latest"})],
        RefusedAddressError, "redirects to http://169.254.169.254/latest: host 169.254.169.254 is not declared", 1, id="redirect into the network",
    ),
    pytest.param(
        [Reply(status=301, headers={"Location": "file:///etc/passwd"})],
        RefusedAddressError, "redirects to file:/etc/passwd: is not a plain http(s) address", 1, id="redirect to a file",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("answers", "kind", "message", "requests"), FAILURES)
def test_a_failed_download_keeps_the_last_good_set(
    publisher: Publisher,
    store: RawStore,
    answers: list[Answer],
    kind: type[FetchError],
    message: str,
    requests: int,
) -> None:
    source = csv_source(publisher)
    publisher.answers = {"/list.csv": [Reply(OLD)]}
    good, _ = fetch(source, store)
    publisher.requests.clear()
    publisher.answers = {"/list.csv": answers}
    with pytest.raises(kind, match=re.escape(message)) as error:
        fetch(source, store)
    assert str(error.value).startswith(f"agency_list: {publisher.url('/list.csv')}: ")
    assert str(error.value).endswith("The last good files stay in use.")
    assert len(publisher.requests) == requests
    assert store.files("agency_list") == good
    assert good[0].path.read_bytes() == OLD


def test_a_closed_port_is_an_error_after_all_attempts(store: RawStore) -> None:
    with publisher_server() as publisher:
        source = csv_source(publisher)
    lines: list[str] = []
    with pytest.raises(ConnectionFailedError, match=r"the connection failed .*Check the network"):
        fetch_live(SETTINGS, source, store, lines.append)
    assert [line.rpartition(": ")[2] for line in lines] == ["attempt 2 of 3", "attempt 3 of 3"]


def test_a_download_below_the_minimum_speed_is_an_error(
    publisher: Publisher, store: RawStore
) -> None:
    publisher.answers = {"/list.csv": [Reply(NEW, drip_seconds=0.01)]}
    impatient = replace(SETTINGS, progress_window_seconds=0.2)
    with pytest.raises(TooSlowError, match=r"\d+ bytes per second, fewer than 10000\. Try again"):
        fetch(csv_source(publisher), store, impatient)
    assert len(publisher.requests) == 3
    assert store.files("agency_list") == []


def test_silence_is_an_error(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = {"/list.csv": [Reply(NEW, drip_seconds=0.5)]}
    impatient = replace(SETTINGS, read_timeout_seconds=0.1, attempts=1)
    with pytest.raises(ConnectionFailedError, match=r"the server was silent for 0\.1 seconds"):
        fetch(csv_source(publisher), store, impatient)


def test_one_failed_feed_keeps_the_whole_last_set(publisher: Publisher, store: RawStore) -> None:
    feeds = [LiveFeed("table", publisher.url(f"/{n}.csv"), f"{n}.csv") for n in ("a", "b")]
    publisher.answers = {"/a.csv": [Reply(OLD)], "/b.csv": [Reply(OLD)]}
    good, _ = fetch(source_of(*feeds), store)
    publisher.answers = {"/a.csv": [Reply(NEW)], "/b.csv": [Reply(status=404)]}
    with pytest.raises(AnswerError, match=r"/b\.csv: status 404"):
        fetch(source_of(*feeds), store)
    assert store.files("agency_list") == good
    assert {f.path.read_bytes() for f in good} == {OLD}


def test_a_source_without_feed_is_skipped_with_a_note(store: RawStore) -> None:
    assert fetch(source_of(), store) == ([], ["agency_list: skipped, no live feed is known"])


def test_a_feed_without_a_layout_is_an_error(publisher: Publisher, store: RawStore) -> None:
    source = source_of(LiveFeed("table", publisher.url("/list.csv"), "list.doc"))
    with pytest.raises(FetchError, match=r"no layout names list\.doc\. Correct"):
        fetch(source, store)


def test_an_unknown_host_is_asked_once(store: RawStore) -> None:
    source = source_of(LiveFeed("table", "https://list.invalid/list.csv", "list.csv"))
    lines: list[str] = []
    with pytest.raises(UnresolvedHostError, match="Check the network") as error:
        fetch_live(SETTINGS, source, store, lines.append)
    assert error.value.is_transient, "the build asks again later"
    assert not [line for line in lines if "attempt" in line]
