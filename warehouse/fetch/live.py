"""Fetches publishers' files over the network from the feeds in the registry."""

import os
from pathlib import Path

import httpx

from schemas.sources.platforms import platforms
from schemas.sources.registry import LiveFeed, Source
from warehouse.fetch.addresses import guard_of
from warehouse.fetch.answers import Client, check_body
from warehouse.fetch.comparing import check_against_last, outline_of
from warehouse.fetch.download import PartFile, download
from warehouse.fetch.errors import ChangedWhileReadingError, FetchError
from warehouse.fetch.pages import Paging, save_pages
from warehouse.fetch.platforms import file_address, paging_of
from warehouse.fetch.retrying import Report, with_retries
from warehouse.fetch.settings import FetchSettings
from warehouse.fetch.sitemaps import SitemapCrawl
from warehouse.fetch.web import Web
from warehouse.gzip_files import DamagedFileError
from warehouse.raw_store import Arrival, RawFile, RawStore


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
        self._previous = {file.file_name: file for file in self._last_set()}

    def _last_set(self) -> list[RawFile]:
        try:
            return self._store.files(self._source.id)
        except DamagedFileError as error:
            self._report(f"fetching everything again: {error}")
            return []

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
        if platforms()[feed.platform].fetch == "crawl":
            return self._crawl(feed, arrival)
        return self._download(feed, file_address(feed, client), arrival)

    def _download(self, feed: LiveFeed, url: httpx.URL, arrival: Arrival) -> RawFile:
        part = PartFile(self._parts, feed.file_name, str(url))
        previous = self._find_unchanged(feed, str(url))
        conditions = _conditions(previous)

        def attempt() -> Arrival | None:
            answer = download(self._web, url, part, conditions)
            if answer is not None:
                self._check(part, arrival, str(url))
            return answer

        answer = with_retries(attempt, self._web.settings, str(url), self._report)
        if answer is None and previous is not None:
            self._report(f"{feed.file_name}: not changed since {previous.retrieved_at:%Y-%m-%d}")
            return previous
        headers = answer or Arrival()
        arrival = Arrival(
            media_type=headers.media_type or arrival.media_type,
            etag=headers.etag,
            last_modified=headers.last_modified,
            source_updated_date=arrival.source_updated_date,
        )
        try:
            return self._keep(part.path, str(url), feed, arrival)
        finally:
            part.discard()

    def _check(self, part: PartFile, arrival: Arrival, address: str) -> None:
        media_type = arrival.media_type or "application/octet-stream"
        try:
            check_body(part.path, media_type, address, self._web.settings.max_unpacked_bytes)
        except FetchError:
            part.discard()
            raise

    def _find_unchanged(self, feed: LiveFeed, address: str) -> RawFile | None:
        last = self._previous.get(_plain(feed))
        return last if last is not None and last.fetched_from == address else None

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

    def _crawl(self, feed: LiveFeed, arrival: Arrival) -> RawFile:
        part = self._parts / f"{feed.file_name}.lines"
        target = self._parts / f"{feed.file_name}.whole"
        last = self._find_unchanged(feed, feed.url)
        try:
            crawl = SitemapCrawl(self._web, feed, part, self._report)
            pages = crawl.save(target, last.path if last else None)
            self._report(f"{feed.file_name}: {pages} pages with JSON-LD")
            files = self._keep(target, feed.url, feed, arrival)
            part.unlink(missing_ok=True)
            return files
        finally:
            target.unlink(missing_ok=True)

    def _keep(self, path: Path, address: str, feed: LiveFeed, arrival: Arrival) -> RawFile:
        layout = self._source.layout_of(feed.file_name)
        if layout is not None:
            self._compare(path, address, feed, layout.media_type)
        files = self._store.keep_file(self._source.id, path, address, _plain(feed), arrival)
        self._report(f"{feed.file_name}: {files.size_bytes} bytes from {address}")
        return files

    def _compare(self, path: Path, address: str, feed: LiveFeed, media_type: str) -> None:
        most = self._web.settings.max_unpacked_bytes
        last = self._previous.get(_plain(feed))
        outline = outline_of(last.path, media_type, most) if last else None
        check_against_last(outline_of(path, media_type, most), outline, address, self._min_share)


def _plain(feed: LiveFeed) -> str:
    return feed.file_name.removesuffix(".gz")


def _conditions(previous: RawFile | None) -> dict[str, str]:
    if previous is None:
        return {}
    pairs = {"If-None-Match": previous.etag, "If-Modified-Since": previous.last_modified}
    return {name: value for name, value in pairs.items() if value}
