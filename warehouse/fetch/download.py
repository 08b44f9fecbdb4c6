"""Downloads one file over HTTP: conditional, resumable, complete or not at all.

An interrupted body is stored as `<name>.part` with a record of the bytes safely on disk and of
their validators. It is resumed only with If-Range, and only if the response confirms the same file.
"""

import os
import re
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

import httpx
import msgspec

from warehouse.fetch.errors import (
    AnswerError,
    ChangedWhileReadingError,
    TooLargeError,
    TruncatedError,
    WrongContentError,
)
from warehouse.fetch.web import BodyWatch, Web
from warehouse.files import write_bytes
from warehouse.raw_store import Arrival

_EXPECTED = frozenset(
    {
        HTTPStatus.OK,
        HTTPStatus.PARTIAL_CONTENT,
        HTTPStatus.NOT_MODIFIED,
        HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
    }
)
# A server may use these as transport coding of a stored .gz file: the bytes are stored unchanged.
_KEPT_ENCODINGS = ("", "identity", "gzip", "x-gzip")


class PartState(msgspec.Struct, frozen=True, kw_only=True):
    """State of a partial download: `size_bytes` of it are on disk."""

    url: str
    size_bytes: int
    etag: str | None
    last_modified: str | None
    encoding: str = ""
    total_bytes: int | None = None

    @property
    def validator(self) -> str | None:
        """Value for If-Range: a strong ETag, else the date (RFC 9110 13.1.5)."""
        if self.etag and not self.etag.startswith("W/"):
            return self.etag
        return self.last_modified


class PartFile:
    """An unfinished download of one address and its record."""

    def __init__(self, folder: Path, name: str, url: str) -> None:
        self.path = folder / f"{name}.part"
        self._record = folder / f"{name}.part.json"
        self._url = url

    def state(self) -> PartState | None:
        """Return the resumable part; None without one, or if it is of another address."""
        try:
            state = msgspec.json.decode(self._record.read_bytes(), type=PartState)
            is_there = self.path.stat().st_size >= state.size_bytes
        except (FileNotFoundError, msgspec.DecodeError):
            return None
        is_usable = state.url == self._url and state.validator is not None and state.size_bytes > 0
        return state if is_there and is_usable else None

    def open_at(self, size_bytes: int) -> BinaryIO:
        """Return the part cut to `size_bytes`, open for appending, without its record."""
        self._record.unlink(missing_ok=True)
        stream = self.path.open("r+b" if size_bytes else "wb")
        stream.truncate(size_bytes)
        stream.seek(size_bytes)
        return stream

    def save(self, stream: BinaryIO, state: PartState) -> None:
        """Sync the bytes to disk and record their number, for parts with a validator."""
        stream.flush()
        os.fsync(stream.fileno())
        size = os.fstat(stream.fileno()).st_size
        saved = msgspec.structs.replace(state, size_bytes=size)
        if state.validator is not None:
            write_bytes(self._record, msgspec.json.encode(saved))

    def discard(self) -> None:
        self._record.unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)


def download(
    web: Web, url: httpx.URL, part: PartFile, conditions: Mapping[str, str]
) -> Arrival | None:
    """Download the whole body into `part`; None when the server reports no change.

    `conditions` are If-None-Match and If-Modified-Since of the stored bytes, if any. One attempt:
    after a failure, the next one resumes.
    """
    earlier = part.state()
    headers = {"Accept-Encoding": "identity", **conditions, **_range_headers(earlier)}
    with web.open(url, headers, _EXPECTED) as response:
        if response.status_code == HTTPStatus.NOT_MODIFIED and conditions:
            part.discard()
            return None
        state = _state_to_write(response, url, earlier, part)
        _write_body(response, web, state, part)
    return Arrival(
        media_type=_media_type(response), etag=state.etag, last_modified=state.last_modified
    )


def _range_headers(earlier: PartState | None) -> dict[str, str]:
    if earlier is None or earlier.validator is None:
        return {}
    return {"Range": f"bytes={earlier.size_bytes}-", "If-Range": earlier.validator}


def _state_to_write(
    response: httpx.Response, url: httpx.URL, earlier: PartState | None, part: PartFile
) -> PartState:
    """Return the write offset: 0 for a whole body (200), the part's end for 206."""
    fresh = PartState(
        url=str(url),
        size_bytes=0,
        etag=response.headers.get("ETag"),
        last_modified=response.headers.get("Last-Modified"),
        encoding=response.headers.get("Content-Encoding", "").strip().lower(),
        total_bytes=_number(response.headers.get("Content-Length")),
    )
    if response.status_code == HTTPStatus.OK:
        if fresh.encoding not in _KEPT_ENCODINGS:
            raise WrongContentError(str(url), f"sent as {fresh.encoding!r}, though not requested")
        return fresh
    if earlier is None:
        raise AnswerError(
            str(url), f"status {response.status_code} to a request for the whole file"
        )
    fault = _why_not_the_rest(response, fresh, earlier)
    if fault:
        part.discard()
        raise ChangedWhileReadingError(str(url), fault)
    total = _content_range(response)[1]
    return msgspec.structs.replace(earlier, total_bytes=earlier.total_bytes or total)


def _why_not_the_rest(response: httpx.Response, fresh: PartState, earlier: PartState) -> str | None:
    if response.status_code != HTTPStatus.PARTIAL_CONTENT:
        return f"the server has no bytes after {earlier.size_bytes}"
    start, total = _content_range(response)
    if start != earlier.size_bytes:
        return f"the part sent does not begin at byte {earlier.size_bytes}"
    pairs = (
        (earlier.etag, fresh.etag),
        (earlier.last_modified, fresh.last_modified),
        (earlier.total_bytes, total),
    )
    if any(old is not None and new is not None and old != new for old, new in pairs):
        return "the file changed between two parts"
    return None if earlier.encoding == fresh.encoding else "the encoding changed between two parts"


def _content_range(response: httpx.Response) -> tuple[int | None, int | None]:
    """Return first byte and total of `Content-Range: bytes 5-9/10`; None if missing."""
    value = response.headers.get("Content-Range", "")
    match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", value)
    return (int(match[1]), _number(match[2])) if match else (None, None)


def _write_body(response: httpx.Response, web: Web, state: PartState, part: PartFile) -> None:
    address, settings = state.url, web.settings
    if (state.total_bytes or 0) > settings.max_file_bytes:
        part.discard()
        raise TooLargeError(
            address, f"{state.total_bytes} bytes announced, more than {settings.max_file_bytes}"
        )
    watch = BodyWatch(address, settings, settings.max_file_bytes, state.size_bytes)
    with part.open_at(state.size_bytes) as stream:
        saved = state.size_bytes
        try:
            for chunk in response.iter_raw():
                watch.saw(len(chunk))
                stream.write(chunk)
                if watch.total - saved >= settings.checkpoint_bytes:
                    part.save(stream, state)
                    saved = watch.total
            _check_length(watch.total, state)
        except TooLargeError:
            part.discard()
            raise
        except BaseException:
            part.save(stream, state)
            raise


def _check_length(received: int, state: PartState) -> None:
    if state.total_bytes is not None and received != state.total_bytes:
        raise TruncatedError(state.url, f"{received} of {state.total_bytes} bytes came")


def _media_type(response: httpx.Response) -> str | None:
    value = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return value or None


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None
