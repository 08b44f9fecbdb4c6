"""Test that downloads succeed despite faults on the way, and resume."""

import gzip
import json
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from tests.integration.fetch.publisher_server import Answer, Publisher, Reply, serving_range
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
from tests.support.processes import comes_true
from warehouse.fetch.errors import ServerBusyError
from warehouse.raw_store import RawStore


@cases(
    "answers, ranges",
    {
        "at once": ([Reply(NEW, headers=CSV)], [None]),
        "503, 500, then fine": ([Reply(status=503), Reply(status=500), Reply(NEW)], [None] * 3),
        "429": ([Reply(status=429, headers={"Retry-After": "0"}), Reply(NEW)], [None] * 2),
        "truncated, no validator": ([Reply(NEW, cut_at=HALF), Reply(NEW)], [None] * 2),
        "truncated, resumed": (
            [Reply(NEW, cut_at=HALF, headers={"ETag": '"n"'}), serving_range(NEW, '"n"')],
            [None, f"bytes={HALF}-"],
        ),
        "reset, resumed": (
            [
                Reply(NEW, cut_at=HALF, resets=True, headers={"ETag": '"n"'}),
                serving_range(NEW, '"n"'),
            ],
            [None, f"bytes={HALF}-"],
        ),
        "resumed by date, server ignores Range": (
            [
                Reply(NEW, cut_at=HALF, headers={"Last-Modified": "Sun, 01 Nov 2026 06:00:00 GMT"}),
                Reply(NEW),
            ],
            [None, f"bytes={HALF}-"],
        ),
        "a weak ETag does not allow to resume": (
            [Reply(NEW, cut_at=HALF, headers={"ETag": 'W/"n"'}), Reply(NEW)],
            [None, None],
        ),
        "ETag changed between parts, server starts again": (
            [Reply(b"x" * 900, cut_at=500, headers={"ETag": '"o"'}), serving_range(NEW, '"n"')],
            [None, "bytes=500-"],
        ),
        "ETag changed between parts, server sends the rest": (
            [
                Reply(b"x" * len(NEW), cut_at=500, headers={"ETag": '"o"'}),
                Reply(
                    NEW[500:],
                    206,
                    {"ETag": '"n"', "Content-Range": f"bytes 500-{len(NEW) - 1}/{len(NEW)}"},
                ),
                serving_range(NEW, '"n"'),
            ],
            [None, "bytes=500-", None],
        ),
        "another range than requested": (
            [
                Reply(NEW, cut_at=HALF, headers={"ETag": '"n"'}),
                Reply(
                    NEW, 206, {"ETag": '"n"', "Content-Range": f"bytes 0-{len(NEW) - 1}/{len(NEW)}"}
                ),
                Reply(NEW),
            ],
            [None, f"bytes={HALF}-", None],
        ),
        "416": (
            [Reply(NEW, cut_at=HALF, headers={"ETag": '"n"'}), Reply(status=416), Reply(NEW)],
            [None, f"bytes={HALF}-", None],
        ),
        "a complete but unusable body is not resumed": (
            [Reply(PAGE * 99, headers={"ETag": '"n"'}), serving_range(NEW, '"n"')],
            [None, None],
        ),
        "a gateway's page once": ([Reply(PAGE), Reply(NEW)], [None] * 2),
        "redirect": ([Reply(status=302, headers={"Location": "/moved.csv"})], [None] * 2),
    },
)
def test_a_download_stores_the_whole_file(
    publisher: Publisher, store: RawStore, answers: list[Answer], ranges: list[str | None]
) -> None:
    publisher.answers = {"/list.csv": answers, "/moved.csv": [Reply(NEW)]}
    files, lines = fetch(csv_source(publisher), store)
    assert [f.path.read_bytes() for f in files] == [NEW]
    assert files[0].fetched_from == publisher.url("/list.csv")
    assert store.files("agency_list") == files
    assert list_headers(publisher, "range") == [(value,) for value in ranges]
    assert {a.headers["user-agent"] for a in publisher.requests} == {"open-larder-test/1"}
    assert lines[-1].startswith(f"agency_list: list.csv: {len(NEW)} bytes from http://127.0.0.1:")
    assert leftovers(store) == []


def test_an_unchanged_file_keeps_bytes_and_time(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = {"/list.csv": [serving_range(OLD, '"o"')]}
    source = csv_source(publisher)
    first, _ = fetch(source, store)
    again, lines = fetch(source, store)
    assert again == first == store.files("agency_list")
    assert first[0].etag == '"o"'
    assert list_headers(publisher, "if-none-match") == [(None,), ('"o"',)]
    assert "list.csv: not changed since" in lines[0]


def test_a_lost_file_is_fetched_without_conditions(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = {"/list.csv": [serving_range(OLD, '"o"')]}
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


def test_a_later_run_resumes_an_interrupted_download(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = {
        "/list.csv": [Reply(NEW, cut_at=HALF, headers={"ETag": '"n"'}), Reply(status=503)]
    }
    source = csv_source(publisher)
    with pytest.raises(ServerBusyError):
        fetch(source, store)
    assert leftovers(store) == ["list.csv.part", "list.csv.part.json"]
    publisher.answers = {"/list.csv": [serving_range(NEW, '"n"')]}
    files, _ = fetch(source, store)
    assert files[0].path.read_bytes() == NEW
    assert list_headers(publisher, "range", "if-range")[-1] == (f"bytes={HALF}-", '"n"')


def test_a_part_shortened_by_a_crash_is_not_resumed(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = {
        "/list.csv": [Reply(NEW, cut_at=HALF, headers={"ETag": '"n"'}), Reply(status=503)]
    }
    source = csv_source(publisher)
    with pytest.raises(ServerBusyError):
        fetch(source, store)
    (store.parts_folder("agency_list") / "list.csv.part").write_bytes(NEW[:100])
    publisher.answers = {"/list.csv": [serving_range(NEW, '"n"')]}
    files, _ = fetch(source, store)
    assert files[0].path.read_bytes() == NEW
    assert list_headers(publisher, "range")[-1] == (None,)


_FETCH = """
import sys, pathlib, msgspec
from schemas.sources.registry import Source
from warehouse.fetch.live import fetch_live
from warehouse.fetch.settings import FetchSettings
from warehouse.raw_store import RawStore
source = msgspec.json.decode(sys.argv[1], type=Source)
settings = FetchSettings(allow_private=True, checkpoint_bytes=1000)
fetch_live(settings, source, RawStore(pathlib.Path(sys.argv[2])), print)
"""


def test_kill_9_loses_only_bytes_not_yet_on_disk(publisher: Publisher, store: RawStore) -> None:
    etag = {"ETag": '"n"'}
    publisher.answers = {"/list.csv": [Reply(NEW, headers=etag, held_at=HALF)]}
    source = csv_source(publisher)
    record = store.parts_folder("agency_list") / "list.csv.part.json"
    arguments = [
        sys.executable,
        "-c",
        _FETCH,
        msgspec.json.encode(source).decode(),
        str(store.data_dir),
    ]
    with subprocess.Popen(arguments, cwd=Path(__file__).parents[3]) as process:
        assert comes_true(record.exists)
        process.kill()
    on_disk = json.loads(record.read_bytes())["size_bytes"]
    assert 1000 <= on_disk < len(NEW)
    publisher.answers = {"/list.csv": [serving_range(NEW, '"n"')]}
    files, _ = fetch(source, store)
    assert files[0].path.read_bytes() == NEW
    assert list_headers(publisher, "range")[-1] == (f"bytes={on_disk}-",)


def test_gzip_transfer_encoding_is_stored_unchanged(publisher: Publisher, store: RawStore) -> None:
    body = gzip.compress(NEW)
    publisher.answers = {"/list.csv": [Reply(body, headers={"Content-Encoding": "gzip"})]}
    files, _ = fetch(csv_source(publisher), store)
    assert (files[0].file_name, files[0].size_bytes) == ("list.csv", len(NEW))
    assert files[0].path.read_bytes() == body
