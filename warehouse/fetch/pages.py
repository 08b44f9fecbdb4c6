"""Reads lists of records, in pages or whole, into one JSON file in the publisher's envelope.

`schemas/vocab/platforms.yaml` says how each platform pages and where its records are; a platform
that needs more has a class in `warehouse/fetch/platforms.py`.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from schemas.sources.platforms import platforms
from schemas.sources.registry import LiveFeed
from warehouse.fetch.answers import Answer, Client, Params
from warehouse.fetch.errors import ChangedWhileReadingError, TooLargeError, WrongContentError
from warehouse.fetch.settings import FetchSettings

_PLACE_OF_RECORDS = "records go here"


class Position(NamedTuple):
    """Progress: pages read and records stored."""

    pages: int = 0
    rows: int = 0


class Request(NamedTuple):
    """An address and its parameters."""

    url: str
    params: Params


class Paging:
    """Requests of one feed, by the declaration of its platform.

    `path` leads to the records, `total` is the publisher's count of all records once it is known.
    """

    def __init__(self, feed: LiveFeed, client: Client) -> None:
        self.feed, self.client = feed, client
        self.platform = platforms()[feed.platform]
        self.url = feed.url
        self.path = self.platform.path[0]
        self.total: int | None = None

    @property
    def is_list(self) -> bool:
        """Return whether each answer is a whole list, whose records other answers may repeat."""
        return self.platform.fetch == "list"

    def count(self) -> int | None:
        """Return the publisher's own count, asked before and after; None if it has none."""
        return None

    def request(self, at: Position) -> Request:
        """Return the request for the page after `at`, or for the next value of `each`."""
        rules = self.platform
        if self.is_list:
            for names, values in self.feed.each.items():
                pairs = zip(names.split(","), values[at.pages].split(","), strict=True)
                return Request(
                    self.url, {**rules.params, **{name.strip(): v.strip() for name, v in pairs}}
                )
            return Request(self.url, {**rules.params, **rules.whole})
        first = {rules.start: str(at.rows)} if rules.start else {rules.page: str(at.pages + 1)}
        return Request(self.url, {rules.size: str(self.feed.page_size), **first, **rules.params})

    def records(self, answer: Answer) -> list[bytes]:
        """Return the records of an answer, byte for byte.

        Raises WrongContentError for another layout. `max_results` in the feed's params is the
        server's maximum: raises TooLargeError for a list of that length, which the server cut.
        """
        for path in self.platform.path:
            if isinstance(answer.value(*path), list):
                self.path = path
                break
        records = answer.records(self.path)
        most = self.feed.params.get("max_results", "")
        if self.is_list and most.isdecimal() and len(records) >= int(most):
            raise TooLargeError(
                answer.address,
                f"{len(records)} records, the most that the server gives",
                "Ask for more and smaller areas in `each` of the feed",
            )
        return records

    def identify(self, record: Any) -> object:
        """Return the key of a record; None without one."""
        if not self.platform.id or not isinstance(record, dict):
            return None
        key = tuple(record.get(name) for name in self.platform.id)
        return None if None in key else key

    def total_in(self, answer: Answer) -> int | None:
        """Return the total number of records stated in a page."""
        counts = (count_in(answer, *path) for path in self.platform.total)
        return next((count for count in counts if count is not None), None)

    def is_last(self, answer: Answer, count: int, at: Position) -> bool:
        """Return whether this is the last page; it has `count` records, `at` in total.

        Without a count only an empty page ends the pages: a server may return fewer records than
        requested.
        """
        if self.is_list:
            return at.pages >= max((len(values) for values in self.feed.each.values()), default=1)
        return at.rows >= self.total if self.total is not None else count == 0


def count_in(answer: Answer, *path: str) -> int | None:
    """Return the integer at a path of members."""
    count = answer.value(*path)
    return count if isinstance(count, int) and not isinstance(count, bool) else None


def save_pages(paging: Paging, part: Path, target: Path, settings: FetchSettings) -> int:
    """Write all records to `target`, by way of `part`; return their number.

    Raises ChangedWhileReadingError if a page or record repeats, the count changes or the records
    end before it, WrongContentError without records, TooLargeError beyond the limits.
    """
    before = paging.total = paging.count()
    if before == 0:
        raise WrongContentError(paging.url, "the publisher counts 0 records")
    ends_at = time.monotonic() + settings.max_seconds_per_file
    at, first = Position(), None
    with part.open("w+b") as stream:
        records_file = _Records(stream, paging, settings.max_file_bytes)
        while True:
            if at.pages >= paging.feed.max_pages:
                raise TooLargeError(
                    paging.url,
                    f"more than {paging.feed.max_pages} pages",
                    "If the list truly is that long, raise max_pages or page_size of the feed",
                )
            if time.monotonic() > ends_at:
                limit = settings.max_seconds_per_file
                raise TooLargeError(
                    paging.url,
                    f"{at.pages} pages in {limit:g} seconds, and more follow",
                    "Ask for a part of the list, or for another address",
                )
            request = paging.request(at)
            answer = paging.client.get(request.url, request.params, paging.platform.post)
            first = first or answer
            records = paging.records(answer)
            _take_total(paging, answer)
            at = Position(at.pages + 1, at.rows + records_file.add(records))
            if paging.is_last(answer, len(records), at):
                break
            if not records and not paging.is_list:
                raise ChangedWhileReadingError(paging.url, f"{at.rows} of {paging.total} rows came")
        if at.rows == 0:
            raise WrongContentError(paging.url, "no record came")
        if not paging.is_list:
            if paging.total not in (None, at.rows):
                raise ChangedWhileReadingError(
                    paging.url, f"{at.rows} rows came, counted {paging.total}"
                )
            after = paging.count()
            if after != before:
                raise ChangedWhileReadingError(
                    paging.url, f"the publisher counts {before} rows before and {after} after"
                )
        stream.seek(0)
        _write_envelope(stream, target, first, paging)
    return at.rows


class _Records:
    """The records read so far, each once."""

    def __init__(self, stream: BinaryIO, paging: Paging, max_bytes: int) -> None:
        self._stream, self._paging, self._max_bytes = stream, paging, max_bytes
        self._seen: set[object] = set()
        self._pages: set[str] = set()

    def add(self, records: Sequence[bytes]) -> int:
        """Append a page; return how many of its records are new. Raises
        ChangedWhileReadingError if pages repeat a record, or TooLargeError."""
        address = self._paging.url
        if not self._paging.is_list:
            digest = hashlib.sha256(b"\n".join(records)).hexdigest()
            if records and digest in self._pages:
                raise ChangedWhileReadingError(address, "a page came twice")
            self._pages.add(digest)
        count = 0
        for record in records:
            key = self._paging.identify(msgspec.json.decode(record))
            if key is None and self._paging.is_list:
                key = record
            if key is not None and key in self._seen:
                if self._paging.is_list:
                    continue
                raise ChangedWhileReadingError(address, "a row came twice: the order moved")
            self._seen.add(key)
            self._stream.write(b",\n" + record if self._stream.tell() else record)
            count += 1
        if self._stream.tell() > self._max_bytes:
            raise TooLargeError(address, f"more than {self._max_bytes} bytes of pages")
        return count


def _take_total(paging: Paging, answer: Answer) -> None:
    total = paging.total_in(answer)
    if total is None:
        return
    if paging.total not in (None, total):
        raise ChangedWhileReadingError(
            paging.url, f"the count went from {paging.total} to {total} between pages"
        )
    if total == 0:
        raise WrongContentError(paging.url, "the publisher counts 0 records")
    paging.total = total


def _write_envelope(records: BinaryIO, target: Path, first: Answer | None, paging: Paging) -> None:
    """Write the kept members of the first answer, with the records at their path."""
    body = first.body if first and isinstance(first.body, dict) else {}
    whole: Any = _PLACE_OF_RECORDS
    for name in reversed(paging.path):
        whole = {name: whole}
    if paging.path:
        whole = {**{name: body[name] for name in paging.platform.keep if name in body}, **whole}
    before, _, after = msgspec.json.encode(whole).decode().partition(f'"{_PLACE_OF_RECORDS}"')
    with target.open("wb") as file:
        file.write(f"{before}[\n".encode())
        shutil.copyfileobj(records, file)
        file.write(f"\n]{after}\n".encode())
