"""Paged publishers' data, stored as one JSON file: a list of their answers, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec

from schemas.sources.registry import LiveFeed
from warehouse.fetch.content import check_head
from warehouse.fetch.errors import (
    AnswerError,
    ChangedWhileReadingError,
    ServerBusyError,
    TooLargeError,
    TruncatedError,
    WrongContentError,
)
from warehouse.fetch.provider import Report
from warehouse.fetch.retrying import with_retries
from warehouse.fetch.web import Web, whole_body

Params = Mapping[str, str]


class Page(NamedTuple):
    """One answer: its bytes, and the object they hold."""

    raw: bytes
    body: dict[str, Any]


Ask = Callable[[Params], Page]


class PageFile:
    """The growing list of pages on disk, with the ids of the rows in it."""

    def __init__(self, path: Path, address: str, max_bytes: int) -> None:
        self._stream = path.open("wb")
        self._address, self._max_bytes = address, max_bytes
        self._ids: set[object] = set()
        self.rows = 0

    def __enter__(self) -> PageFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.write(b"]\n" if self._stream.tell() else b"[]\n")
        self._stream.close()

    def add(self, raw: bytes, row_count: int, ids: list[object]) -> None:
        """Append a page. Raises ChangedWhileReadingError for a repeated row, TooLargeError."""
        if len(self._ids) + len(ids) != len(self._ids | set(ids)):
            raise ChangedWhileReadingError(self._address, "a row came twice: the order moved")
        self._ids.update(ids)
        self._stream.write(b",\n" if self._stream.tell() else b"[")
        self._stream.write(raw)
        self.rows += row_count
        if self._stream.tell() > self._max_bytes:
            raise TooLargeError(self._address, f"more than {self._max_bytes} bytes of pages")


def asker(web: Web, url: httpx.URL, feed: LiveFeed, report: Report) -> Ask:
    """Return a function that gets one page with the feed's own parameters over the given ones,
    with retries."""

    def ask(params: Params) -> Page:
        address = url.copy_merge_params({**params, **feed.params})
        return with_retries(lambda: _one_page(web, address), web.settings, str(url), report)

    return ask


def _one_page(web: Web, url: httpx.URL) -> Page:
    with web.opened(url, {"Accept": "application/json", "Accept-Encoding": "gzip"}) as response:
        raw = whole_body(response, str(url), web.settings)
    content = raw.removeprefix(b"\xef\xbb\xbf").strip()
    check_head(content, "application/json", str(url))
    page = Page(content, _decoded(content, str(url)))
    _refuse_error(page.body, str(url))
    return page


def _decoded(content: bytes, address: str) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(content)
    except msgspec.DecodeError as error:
        if "truncated" in str(error):
            raise TruncatedError(address, f"the JSON has no end ({error})") from error
        raise WrongContentError(address, f"no JSON ({error})") from error
    if not isinstance(body, dict):
        raise WrongContentError(address, "a JSON list instead of a page object")
    return body


def _refuse_error(body: dict[str, Any], address: str) -> None:
    """Detect errors that ArcGIS reports under status 200: {"error": {"code", "message",
    "details"}}."""
    error = body.get("error")
    if not error:
        return
    facts: dict[str, Any] = error if isinstance(error, dict) else {"message": str(error)}
    code = facts.get("code")
    details = "; ".join(str(detail) for detail in facts.get("details") or [])
    text = " ".join(str(part) for part in (code, facts.get("message"), details) if part)
    is_busy = isinstance(code, int) and (code == 429 or code >= 500)
    kind = ServerBusyError if is_busy else AnswerError
    raise kind(address, f"the publisher answers with an error: {text or 'without a reason'}")


def save_arcgis_pages(ask: Ask, feed: LiveFeed, target: Path, address: str, max_bytes: int) -> int:
    """Return all rows of an ArcGIS layer, in pages ordered by object id; returns how many.

    The layer's own count before and after must equal the rows read. A layer may cap its pages below
    the size requested, so the offset moves by what came. Raises ChangedWhileReadingError,
    WrongContentError when the layer is empty.
    """
    before = _arcgis_count(ask, address)
    with PageFile(target, address, max_bytes) as pages:
        while True:
            page = ask(_arcgis_page(feed, pages.rows))
            rows = page.body.get("features")
            if not isinstance(rows, list):
                raise WrongContentError(address, "a page without features")
            if not rows and pages.rows < before:
                raise ChangedWhileReadingError(address, f"{pages.rows} of {before} rows came")
            pages.add(page.raw, len(rows), _arcgis_ids(page.body, rows))
            if _is_last(page.body, len(rows), feed.page_size, before - pages.rows):
                break
        total = pages.rows
    after = _arcgis_count(ask, address)
    if not before == total == after:
        raise ChangedWhileReadingError(
            address, f"the layer counts {before} rows before and {after} after, {total} came"
        )
    return total


def _arcgis_page(feed: LiveFeed, offset: int) -> dict[str, str]:
    return {
        "where": "1=1",
        "outFields": "*",
        "orderByFields": "ObjectId",
        "resultOffset": str(offset),
        "resultRecordCount": str(feed.page_size),
        "f": "json",
    }


def _arcgis_count(ask: Ask, address: str) -> int:
    count = ask({"where": "1=1", "returnCountOnly": "true", "f": "json"}).body.get("count")
    if not isinstance(count, int) or count <= 0:
        raise WrongContentError(address, f"the layer gives {count!r} as its count of rows")
    return count


def _is_last(body: dict[str, Any], came: int, page_size: int, missing: int) -> bool:
    exceeded = body.get("exceededTransferLimit")
    if missing < 0 or exceeded is False:
        return True
    if exceeded:
        return False
    # Older servers leave the flag out: then a short page is the last, and so is the one that
    # completes.
    return came < page_size or missing == 0


def _arcgis_ids(body: dict[str, Any], rows: list[Any]) -> list[object]:
    name = body.get("objectIdFieldName")
    found = [row.get("attributes", {}).get(name) for row in rows if isinstance(row, dict)]
    return [value for value in found if value is not None]


def save_openfema_pages(
    ask: Ask, feed: LiveFeed, target: Path, address: str, max_bytes: int
) -> int:
    """Return all rows of an OpenFEMA data set, in pages ordered by id, until the count in its
    metadata is read.

    Raises ChangedWhileReadingError when the count moves or rows run out before it,
    WrongContentError when there is no count or none to read.
    """
    expected: int | None = None
    with PageFile(target, address, max_bytes) as pages:
        while expected is None or pages.rows < expected:
            page = ask(_openfema_page(feed, pages.rows))
            count = _openfema_count(page.body, address)
            rows = _openfema_rows(page.body, address)
            if expected not in (None, count):
                raise ChangedWhileReadingError(
                    address, f"the count went from {expected} to {count} between pages"
                )
            if not rows:
                raise ChangedWhileReadingError(address, f"{pages.rows} of {count} rows came")
            pages.add(page.raw, len(rows), [row["id"] for row in rows if row.get("id")])
            expected = count
        if pages.rows != expected:
            raise ChangedWhileReadingError(address, f"{pages.rows} rows came, counted {expected}")
        return pages.rows


def _openfema_page(feed: LiveFeed, skip: int) -> dict[str, str]:
    return {
        "$top": str(feed.page_size),
        "$skip": str(skip),
        "$count": "true",
        "$orderby": "id",
        "$format": "json",
    }


def _openfema_count(body: dict[str, Any], address: str) -> int:
    metadata = body.get("metadata")
    count = metadata.get("count") if isinstance(metadata, dict) else None
    if not isinstance(count, int) or count <= 0:
        raise WrongContentError(address, f"the metadata give {count!r} as the count of rows")
    return count


def _openfema_rows(body: dict[str, Any], address: str) -> list[dict[str, Any]]:
    lists = [
        value for name, value in body.items() if name != "metadata" and isinstance(value, list)
    ]
    if len(lists) != 1:
        raise WrongContentError(address, f"a page with {len(lists)} lists of rows instead of one")
    if not all(isinstance(row, dict) for row in lists[0]):
        raise WrongContentError(address, "rows that are no objects")
    return lists[0]
