"""Test that downloads succeed despite faults on the way."""

import gzip
import time

from tests.integration.fetch.publisher_server import Answer, Publisher, Reply, unless_unchanged
from tests.integration.fetch.support import (
    CSV,
    HALF,
    NEW,
    OLD,
    PAGE,
    csv_source,
    fetch,
    leftovers,
    list_headers,
)
from tests.support.cases import cases
from warehouse.raw_store import RawStore


@cases(
    "answers, count",
    {
        "at once": ([Reply(NEW, headers=CSV)], 1),
        "503, 500, then fine": ([Reply(status=503), Reply(status=500), Reply(NEW)], 3),
        "429": ([Reply(status=429, headers={"Retry-After": "0"}), Reply(NEW)], 2),
        "truncated": ([Reply(NEW, cut_at=HALF), Reply(NEW)], 2),
        "reset": ([Reply(NEW, cut_at=HALF, resets=True), Reply(NEW)], 2),
        "a gateway's page once": ([Reply(PAGE), Reply(NEW)], 2),
        "redirect": ([Reply(status=302, headers={"Location": "/moved.csv"})], 2),
    },
)
def test_a_download_stores_the_whole_file(
    publisher: Publisher, store: RawStore, answers: list[Answer], count: int
) -> None:
    publisher.answers = {"/list.csv": answers, "/moved.csv": [Reply(NEW)]}
    files, lines = fetch(csv_source(publisher), store)
    assert [f.path.read_bytes() for f in files] == [NEW]
    assert files[0].fetched_from == publisher.url("/list.csv")
    assert store.files("agency_list") == files
    assert len(publisher.requests) == count
    assert {a.headers["user-agent"] for a in publisher.requests} == {"open-larder-test/1"}
    assert lines[-1].startswith(f"agency_list: list.csv: {len(NEW)} bytes from http://127.0.0.1:")
    assert leftovers(store) == []


def test_an_unchanged_file_keeps_bytes_and_time(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = {"/list.csv": [unless_unchanged(OLD, '"o"')]}
    source = csv_source(publisher)
    first, _ = fetch(source, store)
    again, lines = fetch(source, store)
    assert again == first == store.files("agency_list")
    assert first[0].etag == '"o"'
    assert list_headers(publisher, "if-none-match") == [(None,), ('"o"',)]
    assert "list.csv: not changed since" in lines[0]


def test_a_lost_file_is_fetched_without_conditions(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = {"/list.csv": [unless_unchanged(OLD, '"o"')]}
    source = csv_source(publisher)
    first, _ = fetch(source, store)
    first[0].path.unlink()
    again, lines = fetch(source, store)
    assert again[0].path.read_bytes() == OLD
    assert "fetching everything again" in lines[0]
    assert list_headers(publisher, "if-none-match") == [(None,), (None,)]


def test_retry_after_sets_the_wait(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = {"/list.csv": [Reply(status=429, headers={"Retry-After": "1"}), Reply(NEW)]}
    began = time.monotonic()
    fetch(csv_source(publisher), store)
    assert time.monotonic() - began >= 1.0


def test_gzip_transfer_encoding_is_stored_unchanged(publisher: Publisher, store: RawStore) -> None:
    body = gzip.compress(NEW)
    publisher.answers = {"/list.csv": [Reply(body, headers={"Content-Encoding": "gzip"})]}
    files, _ = fetch(csv_source(publisher), store)
    assert (files[0].file_name, files[0].size_bytes) == ("list.csv", len(NEW))
    assert files[0].path.read_bytes() == body
