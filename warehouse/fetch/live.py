"""Fetches publishers' files over the network from the feeds in the registry."""

import os
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path

import httpx

from schemas.sources.registry import LiveFeed, Source
from warehouse.fetch.addresses import guard_of
from warehouse.fetch.answers import Client, check_body
from warehouse.fetch.comparing import check_against_last, outline_of
from warehouse.fetch.errors import (
    ChangedWhileReadingError,
    FetchError,
    TooLargeError,
    TruncatedError,
    WrongContentError,
)
from warehouse.fetch.pages import Paging, file_address, paging_of, save_pages
from warehouse.fetch.settings import FetchSettings
from warehouse.fetch.web import BodyWatch, Report, Web, with_retries
from warehouse.gzip_files import DamagedFileError
from warehouse.raw_store import Arrival, RawFile, RawStore

# A server may use these as transport coding of a stored .gz file: the bytes are stored unchanged.
_KEPT_ENCODINGS = ("", "identity", "gzip", "x-gzip")


def fetch_live(
    settings: FetchSettings,
    source: Source,
    store: RawStore,
    report: Report,
    *,
    accept_changes: bool = False,
) -> list[RawFile]:
    """Fetch `source.live` into the store; all feeds or none become the current set. Unchanged files
    keep their bytes and their time.

    A file with far fewer records or columns than the last one is refused unless `accept_changes`.
    Raises FetchError naming source, address, cause and remedy; BusyError when another process
    fetches the same source.
    """
    if not source.live:
        report(f"{source.id}: skipped, no live feed is known")
        return []
    min_share = 0.0 if accept_changes else settings.min_share
    guard = guard_of(source, settings)
    try:
        with store.updating(source.id), Web(settings, guard, store.turns_folder()) as web:
            fetch = _SourceFetch(source, store, web, report, min_share)
            files = [fetch.feed(feed) for feed in source.live]
            store.replace_latest(source.id, files)
    except FetchError as error:
        error.source_id = source.id
        raise
    return files


class _SourceFetch:
    """One fetch of one source."""

    def __init__(
        self, source: Source, store: RawStore, web: Web, report: Report, min_share: float
    ) -> None:
        self._source, self._store, self._web = source, store, web
        self._report: Report = lambda line: report(f"{source.id}: {line}")
        self._min_share = min_share
        self._parts = store.parts_folder(source.id)
        try:
            self._previous = {file.file_name: file for file in store.files(source.id)}
        except DamagedFileError as error:
            self._report(f"fetching everything again: {error}")
            self._previous = {}

    def feed(self, feed: LiveFeed) -> RawFile:
        """Fetch one feed. Raises FetchError."""
        layout = self._source.layout_of(feed.file_name)
        if layout is None:
            raise FetchError(
                feed.url, f"no layout names {feed.file_name}", "Correct the source's facts"
            )
        if self._web.courtesy is not None:
            self._web.courtesy.ignore_robots = feed.ignore_robots
        pairs = {header: os.environ.get(name) for header, name in feed.secrets.items()}
        own = {header: value for header, value in pairs.items() if value}
        self._web.secrets = {httpx.URL(feed.url).netloc.decode(): own}
        arrival = Arrival(media_type=layout.media_type, source_updated_date=layout.vintage)
        client = Client(self._web, feed, self._report)
        paging = paging_of(feed, client)
        if paging is not None:
            return self._fetch_pages(feed, paging, arrival)
        return self._fetch_file(feed, file_address(feed), arrival)

    def _fetch_file(self, feed: LiveFeed, url: httpx.URL, arrival: Arrival) -> RawFile:
        address, settings = str(url), self._web.settings
        media_type = arrival.media_type or "application/octet-stream"
        part = self._parts / f"{feed.file_name}.part"
        previous = self._previous.get(_plain(feed))
        conditions = {}
        if previous is not None and previous.fetched_from == address:
            pairs = {"If-None-Match": previous.etag, "If-Modified-Since": previous.last_modified}
            conditions = {name: value for name, value in pairs.items() if value}

        def attempt() -> Arrival | None:
            answer = download(self._web, url, part, conditions)
            if answer is not None:
                check_body(part, media_type, address, settings.max_unpacked_bytes)
            return answer

        try:
            answer = with_retries(attempt, settings, address, self._report)
            if answer is None and previous is not None:
                day = f"{previous.retrieved_at:%Y-%m-%d}"
                self._report(f"{feed.file_name}: not changed since {day}")
                return previous
            headers = answer or Arrival()
            arrival = Arrival(
                media_type=headers.media_type or arrival.media_type,
                etag=headers.etag,
                last_modified=headers.last_modified,
                source_updated_date=arrival.source_updated_date,
            )
            return self._keep(part, address, feed, arrival)
        finally:
            part.unlink(missing_ok=True)

    def _fetch_pages(self, feed: LiveFeed, paging: Paging, arrival: Arrival) -> RawFile:
        """Read all pages; start again at the first one if the source changed meanwhile."""
        settings = self._web.settings
        part = self._parts / f"{feed.file_name}.pages"
        target = self._parts / f"{feed.file_name}.whole"
        try:
            for attempt in range(1, settings.paging_attempts + 1):
                try:
                    rows = save_pages(paging, part, target, settings)
                    break
                except ChangedWhileReadingError as error:
                    if attempt == settings.paging_attempts:
                        raise
                    self._report(f"{error.cause}; reading again from the first page")
            self._report(f"{feed.file_name}: {rows} rows")
            return self._keep(target, paging.url, feed, arrival)
        finally:
            part.unlink(missing_ok=True)
            target.unlink(missing_ok=True)

    def _keep(self, path: Path, address: str, feed: LiveFeed, arrival: Arrival) -> RawFile:
        layout = self._source.layout_of(feed.file_name)
        if layout is not None:
            most = self._web.settings.max_unpacked_bytes
            last = self._previous.get(_plain(feed))
            before = outline_of(last.path, layout.media_type, most) if last else None
            now = outline_of(path, layout.media_type, most)
            check_against_last(now, before, address, self._min_share)
        file = self._store.keep_file(self._source.id, path, address, _plain(feed), arrival)
        self._report(f"{feed.file_name}: {file.size_bytes} bytes from {address}")
        return file


def _plain(feed: LiveFeed) -> str:
    return feed.file_name.removesuffix(".gz")


def download(web: Web, url: httpx.URL, path: Path, conditions: Mapping[str, str]) -> Arrival | None:
    """Write the whole body to `path`; return None if the server reports no change.

    `conditions` are If-None-Match and If-Modified-Since of the stored bytes, if any. One attempt.
    """
    headers = {"Accept-Encoding": "identity", **conditions}
    expected = frozenset({HTTPStatus.OK, *([HTTPStatus.NOT_MODIFIED] if conditions else [])})
    settings, address = web.settings, str(url)
    with web.open(url, headers, expected) as response:
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            return None
        encoding = response.headers.get("Content-Encoding", "").strip().lower()
        if encoding not in _KEPT_ENCODINGS:
            raise WrongContentError(address, f"sent as {encoding!r}, though not requested")
        length = response.headers.get("Content-Length", "")
        announced = int(length) if length.isdecimal() else None
        if (announced or 0) > settings.max_file_bytes:
            raise TooLargeError(
                address, f"{announced} bytes announced, more than {settings.max_file_bytes}"
            )
        watch = BodyWatch(address, settings, settings.max_file_bytes)
        with path.open("wb") as stream:
            for chunk in response.iter_raw():
                watch.saw(len(chunk))
                stream.write(chunk)
        if announced is not None and watch.total != announced:
            raise TruncatedError(address, f"{watch.total} of {announced} bytes came")
        media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        return Arrival(
            media_type=media_type or None,
            etag=response.headers.get("ETag"),
            last_modified=response.headers.get("Last-Modified"),
        )
