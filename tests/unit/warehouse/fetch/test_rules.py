"""The rules of fetching that need no server: addresses, statuses, content, speed."""

import gzip
import io
import socket
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from tests.support.cases import cases, labelled
from warehouse.fetch.addresses import HostGuard, is_public
from warehouse.fetch.answers import check_body
from warehouse.fetch.errors import (
    AnswerError,
    FetchError,
    RefusedAddressError,
    ServerBusyError,
    TooLargeError,
    TooSlowError,
    TruncatedError,
    WrongContentError,
)
from warehouse.fetch.settings import FetchSettings
from warehouse.fetch.web import BodyWatch, RetryRule, error_of_status, retry_after_seconds

URL = httpx.URL("https://data.example.org/x")
GUARD = HostGuard(frozenset({"data.example.org", "maps.example.org:8443"}))


@labelled("url, is_allowed")
def test_only_declared_hosts_are_requested(url: str, is_allowed: bool) -> None:
    if is_allowed:
        GUARD.check(httpx.URL(url))
    else:
        with pytest.raises(RefusedAddressError):
            GUARD.check(httpx.URL(url))


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "2606:4700:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"]
)
def test_public_addresses_are_distinguished_from_private_ones(address: str) -> None:
    assert is_public(address)
    assert not is_public("fe80::1%eth0")


@labelled("address")
def test_no_private_address_is_resolved(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    answer = [(family, socket.SOCK_STREAM, 6, "", (each, 443)) for each in ("8.8.8.8", address)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer)
    with pytest.raises(RefusedAddressError, match="not a public address"):
        GUARD.resolve(URL)


@labelled("value, expected")
def test_retry_after_is_seconds_or_a_date(value: str | None, expected: float | None) -> None:
    assert retry_after_seconds(value, datetime(2026, 11, 21, 7, tzinfo=UTC)) == expected


@pytest.mark.parametrize(
    ("status", "retry_after", "kind", "is_transient", "wait"),
    [
        (404, None, AnswerError, False, None),
        (403, "5", AnswerError, False, None),
        (408, None, ServerBusyError, True, None),
        (429, "7", ServerBusyError, True, 7.0),
        (429, "9999", ServerBusyError, False, None),
        (500, None, ServerBusyError, True, None),
        (503, "300", ServerBusyError, True, 300.0),
    ],
)
def test_statuses_to_retry(
    status: int, retry_after: str | None, kind: type, is_transient: bool, wait: float | None
) -> None:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    error = error_of_status(httpx.Response(status, headers=headers), URL, FetchSettings())
    assert (type(error), error.is_transient, error.wait_seconds) == (kind, is_transient, wait)


def test_retries_respect_retry_after_and_repeat_wrong_content_once() -> None:
    busy = ServerBusyError("x", "busy")
    busy.wait_seconds = 0.0
    rule = RetryRule()
    wrong = WrongContentError("x", "a web page")
    answers = [
        rule(e) for e in (busy, TruncatedError("x", "cut"), wrong, wrong, AnswerError("x", "no"))
    ]
    assert answers == [0.0, True, True, False, False]
    assert not isinstance(answers[0], bool)
    assert rule(KeyError("ours")) is False


def zip_of(size: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rows.csv", bytes(size))
    return target.getvalue()


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@cases(
    "media_type, body, error",
    {
        "csv": ("text/csv", b"a,b\n1,2\n", None),
        "csv in gzip": ("text/csv", gzip.compress(b"a,b\n"), None),
        "empty": ("text/csv", b"", WrongContentError),
        "blank": ("text/csv", b"\xef\xbb\xbf \n", WrongContentError),
        "page": ("text/csv", b"\n <!DOCTYPE HTML><p>Moved", WrongContentError),
        "page in gzip": ("text/csv", gzip.compress(b"<HTML lang=en>"), WrongContentError),
        "page where a page is promised": ("text/html", b"<!doctype html><table>", None),
        "cut gzip": ("text/csv", gzip.compress(b"a,b\n")[:-8], TruncatedError),
        "gzip bomb": ("text/csv", gzip.compress(bytes(200_000)), TooLargeError),
        "zip": ("application/zip", zip_of(10), None),
        "workbook": (XLSX, zip_of(10), None),
        "cut zip": ("application/zip", zip_of(10)[:-10], TruncatedError),
        "zip bomb": ("application/zip", zip_of(200_000), TooLargeError),
        "csv for a workbook": (XLSX, b"a,b\n1,2\n", WrongContentError),
        "json": ("application/json", b'\xef\xbb\xbf{"a": 1}\n', None),
        "cut json": ("application/geo+json", b'{"features": [', TruncatedError),
        "csv for json": ("application/json", b"name,zip\n", WrongContentError),
    },
)
def test_bodies_have_the_declared_length_and_type(
    tmp_path: Path, media_type: str, body: bytes, error: type[FetchError] | None
) -> None:
    path = tmp_path / "body"
    path.write_bytes(body)
    if error is None:
        check_body(path, media_type, "https://x.example/", 100_000)
    else:
        with pytest.raises(error):
            check_body(path, media_type, "https://x.example/", 100_000)


@cases(
    "steps, error",
    {
        "steady": ([(1, 500), (11, 500), (21, 500)], None),
        "a burst counts in its own window": ([(1, 5000), (11, 1)], None),
        "then a trickle": ([(1, 5000), (11, 1), (22, 1)], TooSlowError),
        "slow within the first window": ([(5, 9), (9, 9)], None),
        "slow at its end": ([(5, 9), (10, 9)], TooSlowError),
        "too much": ([(1, 9_999), (2, 2)], TooLargeError),
        "too long in all": ([(5, 900), (9, 900), (101, 8_000)], TooSlowError),
    },
)
def test_a_body_has_to_make_progress(
    steps: list[tuple[float, int]], error: type[FetchError] | None
) -> None:
    settings = FetchSettings(
        progress_window_seconds=10, min_bytes_per_second=10, max_seconds_per_file=100
    )
    moments = iter([0.0, *(moment for moment, _ in steps)])
    watch = BodyWatch("x", settings, 10_000, clock=lambda: next(moments))

    def see_all() -> None:
        for _, count in steps:
            watch.saw(count)

    if error is None:
        see_all()
    else:
        with pytest.raises(error):
            see_all()


def test_messages_name_source_address_cause_and_what_to_do() -> None:
    error = AnswerError("https://x.example/a.csv", "status 404 Not Found")
    error.source_id = "usda_x"
    assert str(error) == (
        "usda_x: https://x.example/a.csv: status 404 Not Found. Check address and parameters in the "
        "source's facts against the publisher's pages. The last good files stay in use."
    )
