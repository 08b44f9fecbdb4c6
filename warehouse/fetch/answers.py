"""Answers: of the promised type and complete; JSON without an error under status 200."""

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import msgspec

from schemas.sources.registry import LiveFeed
from warehouse.fetch.errors import (
    AnswerError,
    ServerBusyError,
    TooLargeError,
    TruncatedError,
    WrongContentError,
)
from warehouse.fetch.web import Form, Report, Web, whole_body, with_retries
from warehouse.gzip_files import DamagedFileError, OversizedFileError, unpack_chunks

_HEAD_BYTES = 1024
_BLANK = b"\xef\xbb\xbf \t\r\n"
_ZIP_TYPES = ("application/zip", "application/vnd.openxmlformats-officedocument")
_WEB_PAGE = (b"<!doctype html", b"<html")
# Start and end of text formats that have an end marker (RFC 5545; OGC KML; ISO 32000).
_ENDS = {
    "text/calendar": (b"BEGIN:VCALENDAR", b"END:VCALENDAR"),
    "application/vnd.google-earth.kml+xml": (b"<", b"</kml>"),
    "application/pdf": (b"%PDF-", b"%%EOF"),
}


def check_body(path: Path, media_type: str, address: str, max_unpacked_bytes: int) -> None:
    """Check a body. Raises WrongContentError, TruncatedError or TooLargeError.

    `media_type` is the promised one, of the file inside a storage gzip. A format without an end
    marker (CSV without a Content-Length) passes.
    """
    head, tail = _ends(path, address, max_unpacked_bytes)
    check_head(head, media_type, address)
    if _is_zip(media_type):
        _check_zip(path, address, max_unpacked_bytes)
    elif _is_json(media_type) and tail.rstrip(_BLANK)[-1:] not in (b"}", b"]"):
        raise TruncatedError(address, "the JSON has no end")
    elif media_type in _ENDS and not tail.rstrip(_BLANK).endswith(_ENDS[media_type][1]):
        raise TruncatedError(address, f"{_ENDS[media_type][1].decode()} is missing at its end")


def check_head(head: bytes, media_type: str, address: str) -> None:
    """Check the first bytes of a body. Raises WrongContentError."""
    start = head.lstrip(_BLANK)
    if not start:
        raise WrongContentError(address, f"an empty body instead of {media_type}")
    is_page = start[:64].lower().startswith(_WEB_PAGE)
    if is_page and media_type not in ("text/html", "application/xhtml+xml"):
        raise WrongContentError(address, f"a web page instead of {media_type}")
    if _is_zip(media_type) and not start.startswith(b"PK"):
        raise WrongContentError(address, f"begins with {start[:16]!r}, not a zip file")
    if media_type in _ENDS and not start.startswith(_ENDS[media_type][0]):
        raise WrongContentError(address, f"begins with {start[:16]!r}, not {media_type}")
    if _is_json(media_type) and start[:1] not in (b"{", b"["):
        raise WrongContentError(address, f"begins with {start[:16]!r}, not JSON")


def _is_zip(media_type: str) -> bool:
    return media_type.startswith(_ZIP_TYPES)


def _is_json(media_type: str) -> bool:
    return media_type == "application/json" or media_type.endswith("+json")


def _ends(path: Path, address: str, max_unpacked_bytes: int) -> tuple[bytes, bytes]:
    head, tail = b"", b""
    try:
        for chunk in unpack_chunks(path, max_unpacked_bytes):
            head = head or chunk[:_HEAD_BYTES]
            tail = (tail + chunk)[-_HEAD_BYTES:]
    except DamagedFileError as error:
        raise TruncatedError(address, str(error)) from error
    except OversizedFileError as error:
        raise TooLargeError(address, str(error)) from error
    return head, tail


def _check_zip(path: Path, address: str, max_unpacked_bytes: int) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
    except zipfile.BadZipFile as error:
        raise TruncatedError(address, f"the zip is not whole ({error})") from error
    if size > max_unpacked_bytes:
        raise TooLargeError(address, f"unpacks to {size} bytes, more than {max_unpacked_bytes}")


Params = Mapping[str, str]
# JSONP: the answer is the argument of a call.
_CALL = re.compile(rb"[A-Za-z_$][\w$.]*\((.*)\);?", re.DOTALL)
_ERROR_NAMES = ("message", "__type", "error_message")
_BUSY_REMARKS = ("timed out", "rate_limited", "too busy")


class Answer:
    """One answer of a publisher: its bytes and their content."""

    def __init__(self, content: bytes, address: str) -> None:
        self.content, self.address = content, address
        self.body = _decode(content, address)
        _refuse_error(self.body, address)

    def value(self, *path: str) -> Any:
        """Return the member at a path of names; None if a step is missing."""
        value = self.body
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def records(self, path: tuple[str, ...]) -> list[bytes]:
        """Return the records of the list at a path, byte for byte.

        Raises WrongContentError without such a list: the layout changed.
        """
        if not isinstance(self.value(*path), list):
            place = ".".join(path) or "the answer"
            raise WrongContentError(self.address, f"a page without a list of records in {place}")
        raw = msgspec.Raw(self.content)
        for name in path:
            raw = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])[name]
        return [bytes(item) for item in msgspec.json.decode(raw, type=list[msgspec.Raw])]


class Client:
    """Asks one feed's publisher for JSON, with retries."""

    def __init__(self, web: Web, feed: LiveFeed, report: Report) -> None:
        self._web, self._feed, self._report = web, feed, report

    def get(self, url: str, params: Params, post: Params | None = None) -> Answer:
        """Return the answer to a page: the feed's own parameters replace the given ones.

        With `post` all parameters go into the body of a POST.
        """
        own = {**params, **self._feed.params}
        if not post:
            return self._ask(url, own)
        form = Form({**post, **own})
        return with_retries(
            lambda: self._answer(httpx.URL(url), form), self._web.settings, url, self._report
        )

    def ask_about(self, url: str, params: Params) -> Answer:
        """Return the answer to a question about the data: the given parameters replace the
        feed's."""
        return self._ask(url, {**self._feed.params, **params})

    def follow(self, address: str) -> Answer:
        """Return the answer of a complete address, used unchanged."""
        url = httpx.URL(address)
        return with_retries(lambda: self._answer(url), self._web.settings, address, self._report)

    def _ask(self, url: str, params: Params) -> Answer:
        return self.follow(str(httpx.URL(url).copy_merge_params(dict(params))))

    def _answer(self, url: httpx.URL, form: Form | None = None) -> Answer:
        headers = {"Accept": "application/json", "Accept-Encoding": "gzip"}
        with self._web.open(url, headers, form=form) as response:
            raw = whole_body(response, str(url), self._web.settings)
        content = raw.removeprefix(b"\xef\xbb\xbf").strip()
        call = _CALL.fullmatch(content)
        content = call[1].strip() if call else content
        check_head(content, "application/json", str(url))
        return Answer(content, str(url))


def _decode(content: bytes, address: str) -> Any:
    try:
        return msgspec.json.decode(content)
    except msgspec.DecodeError as error:
        if "truncated" in str(error):
            raise TruncatedError(address, f"the JSON has no end ({error})") from error
        raise WrongContentError(address, f"no JSON ({error})") from error


def _refuse_error(body: Any, address: str) -> None:
    """Detect errors under status 200.

    ArcGIS: {"error": {"code", "message", "details"}}. CKAN, Storepoint, StoreRocket: "success" is
    false. Socrata: {"error": true, "message"}. Overpass: a "remark" that names a runtime error.
    """
    if not isinstance(body, dict):
        return
    remark = body.get("remark")
    if isinstance(remark, str) and "runtime error" in remark:
        is_busy = any(words in remark for words in _BUSY_REMARKS)
        raise _error(address, remark, is_busy=is_busy)
    error = body.get("error")
    if not error and body.get("success") is not False:
        return
    facts: dict[str, Any] = error if isinstance(error, dict) else {**body, "error": error}
    code = facts.get("code")
    details = "; ".join(str(detail) for detail in facts.get("details") or [])
    message = next((facts[name] for name in _ERROR_NAMES if facts.get(name)), None)
    if message is None and isinstance(error, str):
        message = error
    text = " ".join(str(part) for part in (code, message, details) if part)
    is_busy = isinstance(code, int) and (code == 429 or code >= 500)
    raise _error(address, text or "without a reason", is_busy=is_busy)


def _error(address: str, text: str, *, is_busy: bool) -> AnswerError | ServerBusyError:
    kind = ServerBusyError if is_busy else AnswerError
    return kind(address, f"the publisher answers with an error: {text}")
