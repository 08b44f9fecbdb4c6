"""Fetches paged records and stores them as one JSON file in the publisher's envelope.

A `Paging` builds the next request and locates the records; everything else is here, the same for
every platform. Fetched pages are stored on disk, so that a fetch interrupted at page 37 resumes
there if the source is unchanged.
"""

import time
from typing import Any, ClassVar, NamedTuple

import msgspec

from schemas.sources.registry import LiveFeed
from warehouse.fetch.answers import Answer, Client, Params
from warehouse.fetch.errors import ChangedWhileReadingError, TooLargeError, WrongContentError
from warehouse.fetch.page_file import PageFile, Position
from warehouse.fetch.retrying import Report
from warehouse.fetch.settings import FetchSettings


class Request(NamedTuple):
    """An address and its parameters."""

    url: str
    params: Params


class Paging:
    """Requests and layout of one feed; platforms declare or override the differences.

    `size_name` is the parameter of the page size, `offset_name` that of the first row or
    `page_name` that of the page number, from 1, and `fixed` are further ones. `total_path` leads to
    the publisher's count of all records. `path` names the member with the records, `envelope_names`
    members of the first answer stored with them, `id_name` the member that identifies a record.
    `has_overlap`: answers may repeat each other's records. `total` is the publisher's count once it
    is known.
    """

    size_name = ""
    offset_name = ""
    page_name = ""
    fixed: ClassVar[Params] = {}
    total_path: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    envelope_names: tuple[str, ...] = ()
    id_name: str | None = None
    has_overlap = False

    def __init__(self, feed: LiveFeed, client: Client) -> None:
        self.feed, self.client = feed, client
        self.url = feed.url
        self.total: int | None = None

    def count(self) -> int | None:
        """Return the publisher's own count, queried before and after; None if it has none."""
        return None

    def request(self, at: Position) -> Request:
        """Return the request for the page after `at`."""
        start = (
            {self.offset_name: str(at.rows)}
            if self.offset_name
            else {self.page_name: str(at.pages + 1)}
        )
        size = {self.size_name: str(self.feed.page_size)}
        return Request(self.url, {**size, **start, **self.fixed})

    def total_in(self, answer: Answer) -> int | None:
        """Return the total number of records stated in a page."""
        return count_in(answer, *self.total_path) if self.total_path else None

    def records(self, answer: Answer) -> list[bytes]:
        """Return the records of a page. Raises WrongContentError for another layout."""
        return answer.records(self.path)

    def identify(self, record: Any) -> object:
        """Return the key of a record; None without one."""
        return record.get(self.id_name) if self.id_name and isinstance(record, dict) else None

    def is_last(self, answer: Answer, count: int, at: Position) -> bool:
        """Return whether this is the last page; it has `count` records, `at` in total.

        Without a count only an empty page ends the list: a server may return fewer than requested.
        """
        return at.rows >= self.total if self.total is not None else count == 0

    def envelope(self, first: Answer | None) -> dict[str, Any]:
        """Return the members to store with the records."""
        body = first.body if first and isinstance(first.body, dict) else {}
        return {name: body[name] for name in self.envelope_names if name in body}


def count_in(answer: Answer, *path: str) -> int | None:
    """Return the integer at a path of members."""
    count = answer.value(*path)
    return count if isinstance(count, int) and not isinstance(count, bool) else None


def save_pages(paging: Paging, file: PageFile, settings: FetchSettings, report: Report) -> int:
    """Read all pages into `file`; return the number of records.

    Raises ChangedWhileReadingError if a page or record repeats, the count changes or the records
    end before it, WrongContentError without records, TooLargeError beyond the limits.
    """
    before = paging.total = paging.count()
    if before == 0:
        raise WrongContentError(paging.url, "the publisher counts 0 records")
    _resume(paging, file, report)
    ends_at = time.monotonic() + settings.max_seconds_per_file
    while True:
        _check_limits(paging, file, ends_at, settings)
        answer = _answer(paging, file.at)
        records = paging.records(answer)
        _take_total(paging, answer)
        file.add(records, [paging.identify(msgspec.json.decode(each)) for each in records])
        if file.at.pages == 1:
            file.set_envelope(paging.envelope(answer), paging.path)
        if paging.is_last(answer, len(records), file.at):
            break
        if not records and not paging.has_overlap:
            raise ChangedWhileReadingError(
                paging.url, f"{file.at.rows} of {paging.total} rows came"
            )
        file.save(paging.total)
    _check_end(paging, file, before)
    return file.at.rows


def _answer(paging: Paging, at: Position) -> Answer:
    request = paging.request(at)
    return paging.client.get(request.url, request.params)


def _resume(paging: Paging, file: PageFile, report: Report) -> None:
    """Continue after the last stored page if the publisher still returns that same page."""
    if not file.restore(paging.total, paging.identify):
        return
    again = paging.records(_answer(paging, file.last))
    if file.is_last_page(again):
        report(f"resuming after page {file.at.pages}, {file.at.rows} rows")
        return
    report("the source changed since the fetch broke off; reading from the first page")
    file.restart()


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


def _check_limits(paging: Paging, file: PageFile, ends_at: float, settings: FetchSettings) -> None:
    if file.at.pages >= paging.feed.max_pages:
        raise TooLargeError(
            paging.url,
            f"more than {paging.feed.max_pages} pages",
            "If the list truly is that long, raise max_pages or page_size of the feed",
        )
    if time.monotonic() > ends_at:
        raise TooLargeError(
            paging.url,
            f"{file.at.pages} pages in {settings.max_seconds_per_file:g} seconds, and more follow",
            "The next fetch goes on from here",
        )


def _check_end(paging: Paging, file: PageFile, before: int | None) -> None:
    rows = file.at.rows
    if rows == 0:
        raise WrongContentError(paging.url, "no record came")
    if paging.has_overlap:
        return
    if paging.total not in (None, rows):
        raise ChangedWhileReadingError(paging.url, f"{rows} rows came, counted {paging.total}")
    after = paging.count()
    if after != before:
        raise ChangedWhileReadingError(
            paging.url, f"the publisher counts {before} rows before and {after} after"
        )
