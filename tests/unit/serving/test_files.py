"""Files as answers: whole, in part, compressed ahead of time, unchanged."""

import asyncio
import dataclasses
import gzip

import pytest

from serving.context import HEAD_KEY
from serving.http.errors import ServiceProblem
from serving.http.files import StoredFile, file_answer
from warehouse.release.watch import is_read_fault

BODY = bytes(range(256)) * 9000
PACKED = gzip.compress(BODY)
PLAIN_TAG, PACKED_TAG = b'"plain"', b'"packed"'


@pytest.fixture
def stored(tmp_path):
    (tmp_path / "a.csv").write_bytes(BODY)
    (tmp_path / "a.csv.gz").write_bytes(PACKED)
    twin = StoredFile(tmp_path / "a.csv.gz", len(PACKED), PACKED_TAG, b"text/csv")
    return StoredFile(tmp_path / "a.csv", len(BODY), PLAIN_TAG, b"text/csv", twin)


def asked(stored, can_send_paths=False, is_head=False, sent_events=None, **headers):
    """Return status, headers and body of an answer; the body is a path if the server reads the
    file. `sent_events` gets the messages.
    """
    scope = {"headers": [(k.replace("_", "-").encode(), v) for k, v in headers.items()]}
    if can_send_paths:
        scope["extensions"] = {"http.response.pathsend": {}}
    if is_head:
        scope[HEAD_KEY] = True
    sent_events = [] if sent_events is None else sent_events

    async def send(message):
        sent_events.append(message)

    answer = file_answer(scope, stored, max_age=3600)
    asyncio.run(answer(scope, None, send))
    start, *rest = sent_events
    body = rest[0]["path"] if "path" in rest[0] else b"".join(m["body"] for m in rest)
    return start["status"], dict(start["headers"]), body


def test_a_whole_file(stored):
    status, headers, body = asked(stored)
    assert (status, body) == (200, BODY)
    assert headers[b"content-length"] == b"%d" % len(BODY)
    assert headers[b"etag"] == PLAIN_TAG
    assert headers[b"accept-ranges"] == b"bytes"
    assert headers[b"cache-control"] == b"public, max-age=3600"
    assert b"content-encoding" not in headers


def test_the_compressed_twin(stored):
    status, headers, body = asked(stored, accept_encoding=b"gzip, br")
    assert (status, body) == (200, PACKED)
    assert headers[b"content-encoding"] == b"gzip"
    assert headers[b"etag"] == PACKED_TAG
    assert asked(stored, accept_encoding=b"gzip;q=0")[2] == BODY


def test_the_server_reads_whole_files_itself(stored):
    assert asked(stored, can_send_paths=True)[2] == str(stored.path)
    assert asked(stored, can_send_paths=True, accept_encoding=b"gzip")[2] == str(
        stored.gzipped.path
    )
    assert asked(stored, can_send_paths=True, range=b"bytes=0-9")[2] == BODY[:10]
    assert asked(stored, can_send_paths=True, is_head=True)[2] == b""


SIZE = len(BODY)
PARTS = [
    (b"bytes=0-0", 0, 1),
    (b"bytes=5-1999999", 5, 2_000_000),
    (b"bytes=10-", 10, SIZE),
    (b"bytes=-7", SIZE - 7, SIZE),
    (b"bytes=-99999999999", 0, SIZE),
    (b"bytes=100-99999999999", 100, SIZE),
    (b"bytes=%d-" % (SIZE - 1), SIZE - 1, SIZE),
]


@pytest.mark.parametrize(("header", "first", "end"), PARTS)
def test_parts(stored, header, first, end):
    # The compressed form is for who has its beginning; a fresh part is of the plain form.
    status, headers, body = asked(stored, range=header, accept_encoding=b"gzip")
    assert (status, body) == (206, BODY[first:end])
    assert headers[b"content-range"] == b"bytes %d-%d/%d" % (first, end - 1, SIZE)
    assert headers[b"content-length"] == b"%d" % (end - first)
    assert headers[b"etag"] == PLAIN_TAG


@pytest.mark.parametrize(
    "header",
    [
        b"bytes=0-1,5-6",
        b"lines=1-2",
        b"bytes=",
        b"bytes=-",
        b"bytes=9-3",
        b"bytes=a-b",
        b"bytes=+1-2",
        b"",
        b"bytes=1-" + b"9" * 5000,
    ],
)
def test_invalid_ranges_are_ignored(stored, header):
    assert asked(stored, range=header)[::2] == (200, BODY)


@pytest.mark.parametrize("header", [b"bytes=%d-" % SIZE, b"bytes=99999999999-", b"bytes=-0"])
def test_ranges_beyond_the_end(stored, header):
    with pytest.raises(ServiceProblem) as error:
        asked(stored, range=header)
    assert error.value.kind == "range-not-satisfiable"
    assert error.value.headers == ((b"content-range", b"bytes */%d" % SIZE),)


@pytest.mark.parametrize("header", [b"bytes=0-9", b"bytes=99999999999-"])
def test_a_head_has_no_parts(stored, header):
    status, headers, body = asked(stored, is_head=True, range=header)
    assert (status, body, headers[b"content-length"]) == (200, b"", b"%d" % SIZE)
    assert b"content-range" not in headers


def test_a_range_of_a_cached_file(stored):
    assert asked(stored, range=b"bytes=0-9", if_range=PLAIN_TAG)[::2] == (206, BODY[:10])
    # Another file, a weak tag, which never matches, and a date, which is not known.
    for other in (b'"other"', b"W/" + PLAIN_TAG, b"Sun, 01 Nov 2026 06:00:00 GMT"):
        assert asked(stored, range=b"bytes=0-9", if_range=other)[::2] == (200, BODY)
        assert asked(stored, range=b"bytes=99999999-", if_range=other)[::2] == (200, BODY)
    status, headers, body = asked(stored, range=b"bytes=0-9", if_range=PACKED_TAG)
    assert (status, body, headers[b"content-encoding"]) == (206, PACKED[:10], b"gzip")


def test_nothing_is_read_for_heads_and_known_files(stored):
    stored.path.unlink()
    status, headers, body = asked(stored, is_head=True)
    assert (status, body, headers[b"content-length"]) == (200, b"", b"%d" % SIZE)
    for tag in (PLAIN_TAG, b'"x", ' + PLAIN_TAG, b"*"):
        # The edge turns it into 304.
        assert asked(stored, if_none_match=tag, range=b"bytes=0-9")[::2] == (200, b"")


def test_a_truncated_file_is_an_error(stored):
    stored.path.write_bytes(BODY[:100])
    with pytest.raises(OSError, match="shorter"):
        asked(stored)


DAMAGES = {
    "gone": lambda path: path.unlink(),
    "blank": lambda path: path.write_bytes(b""),
    "no gzip": lambda path: path.write_bytes(b"x" * 100),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "undecodable": lambda path: path.write_bytes(PACKED[:10] + b"\xff" * (len(PACKED) - 10)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_packed_file_that_cannot_be_read_is_a_problem_and_no_answer(stored, damage):
    damage(stored.gzipped.path)
    packed = dataclasses.replace(stored, path=stored.gzipped.path, gzipped=None, is_packed=True)
    fault, sent_events = fault_of(packed, range=b"bytes=%d-" % (SIZE - 9))
    assert is_read_fault(fault)
    assert sent_events == []


@pytest.mark.parametrize("name", ["gone", "blank", "half"])
def test_a_file_that_the_server_cannot_read_is_a_problem_and_no_answer(stored, name):
    """The server would answer 404 or abort."""
    for path, encoding in ((stored.path, b"identity"), (stored.gzipped.path, b"gzip")):
        DAMAGES[name](path)
        fault, sent_events = fault_of(stored, can_send_paths=True, accept_encoding=encoding)
        assert is_read_fault(fault)
        assert sent_events == []


def fault_of(stored, **options):
    """Return the error of a damaged file, and the messages before it."""
    sent_events = []
    with pytest.raises(Exception) as error:
        asked(stored, sent_events=sent_events, **options)
    return error.value, sent_events
