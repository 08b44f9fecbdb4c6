"""Publishers' files over the network, from the feeds in the registry."""

from __future__ import annotations

from pathlib import Path

import httpx

from schemas.sources.registry import LiveFeed, Source
from warehouse.fetch.addresses import guard_of
from warehouse.fetch.content import check_body
from warehouse.fetch.download import PartFile, download
from warehouse.fetch.errors import ChangedWhileReadingError, FetchError
from warehouse.fetch.pages import asker, save_arcgis_pages, save_openfema_pages
from warehouse.fetch.provider import Report
from warehouse.fetch.retrying import with_retries
from warehouse.fetch.settings import FetchSettings
from warehouse.fetch.web import Web
from warehouse.raw_store import Arrival, KeptFile, RawStore
from warehouse.unpacking import DamagedFileError


class LiveProvider:
    """Fetches `source.live`; all feeds or none become the current set.

    Raises FetchError naming source, address, cause and what to do; BusyError when another process
    fetches the same source.
    """

    def __init__(self, settings: FetchSettings | None = None) -> None:
        self._settings = settings or FetchSettings()

    def obtain(self, source: Source, store: RawStore, report: Report) -> list[KeptFile]:
        """Bring the feeds into the store. Unchanged files keep their bytes and their time."""
        if not source.live:
            report(f"{source.id}: skipped, no live feed is known")
            return []
        try:
            with (
                store.updating(source.id),
                Web(self._settings, guard_of(source, self._settings)) as web,
            ):
                fetch = _SourceFetch(source, store, web, report)
                kept = [fetch.feed(feed) for feed in source.live]
                store.replace_latest(source.id, kept)
        except FetchError as error:
            error.source_id = source.id
            raise
        return kept


class _SourceFetch:
    """One fetch of one source."""

    def __init__(self, source: Source, store: RawStore, web: Web, report: Report) -> None:
        self._source, self._store, self._web = source, store, web
        self._report: Report = lambda line: report(f"{source.id}: {line}")
        self._parts = store.parts_folder(source.id)
        self._previous = self._last_set()

    def _last_set(self) -> list[KeptFile]:
        try:
            return self._store.files(self._source.id)
        except DamagedFileError as error:
            self._report(f"fetching everything again: {error}")
            return []

    def feed(self, feed: LiveFeed) -> KeptFile:
        layout = self._source.layout_of(feed.file_name)
        if layout is None:
            raise FetchError(
                feed.url, f"no layout names {feed.file_name}", "Correct the source's facts"
            )
        arrival = Arrival(media_type=layout.media_type, source_updated_date=layout.vintage)
        if feed.method == "download":
            return self._download(feed, arrival)
        return self._paged(feed, arrival)

    def _download(self, feed: LiveFeed, arrival: Arrival) -> KeptFile:
        url = httpx.URL(feed.url)
        url = url.copy_merge_params(feed.params) if feed.params else url
        part = PartFile(self._parts, feed.file_name, str(url))
        previous = self._unchanged_candidate(feed, str(url))
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
        served = answer or Arrival()
        arrival = Arrival(
            media_type=served.media_type or arrival.media_type,
            etag=served.etag,
            last_modified=served.last_modified,
            source_updated_date=arrival.source_updated_date,
        )
        kept = self._keep(part.path, str(url), feed, arrival)
        part.discard()
        return kept

    def _check(self, part: PartFile, arrival: Arrival, address: str) -> None:
        media_type = arrival.media_type or "application/octet-stream"
        try:
            check_body(part.path, media_type, address, self._web.settings.max_unpacked_bytes)
        except FetchError:
            part.discard()
            raise

    def _unchanged_candidate(self, feed: LiveFeed, address: str) -> KeptFile | None:
        name = feed.file_name.removesuffix(".gz")
        return next(
            (f for f in self._previous if f.file_name == name and f.fetched_from == address), None
        )

    def _paged(self, feed: LiveFeed, arrival: Arrival) -> KeptFile:
        target = self._parts / f"{feed.file_name}.pages"
        try:
            rows = self._pages_of_one_state(feed, target)
            self._report(f"{feed.file_name}: {rows} rows")
            return self._keep(target, feed.url, feed, arrival)
        finally:
            target.unlink(missing_ok=True)

    def _pages_of_one_state(self, feed: LiveFeed, target: Path) -> int:
        for _ in range(self._web.settings.paging_attempts - 1):
            try:
                return self._save_pages(feed, target)
            except ChangedWhileReadingError as error:
                self._report(f"{error.cause}; reading again from the first page")
        return self._save_pages(feed, target)

    def _save_pages(self, feed: LiveFeed, target: Path) -> int:
        max_bytes = self._web.settings.max_file_bytes
        if feed.method == "openfema_pages":
            ask = asker(self._web, httpx.URL(feed.url), feed, self._report)
            return save_openfema_pages(ask, feed, target, feed.url, max_bytes)
        address = f"{feed.url.rstrip('/').removesuffix('/query')}/query"
        ask = asker(self._web, httpx.URL(address), feed, self._report)
        return save_arcgis_pages(ask, feed, target, address, max_bytes)

    def _keep(self, path: Path, address: str, feed: LiveFeed, arrival: Arrival) -> KeptFile:
        kept = self._store.keep_file(
            self._source.id, path, address, feed.file_name.removesuffix(".gz"), arrival
        )
        self._report(f"{feed.file_name}: {kept.size_bytes} bytes from {address}")
        return kept


def _conditions(previous: KeptFile | None) -> dict[str, str]:
    if previous is None:
        return {}
    pairs = {"If-None-Match": previous.etag, "If-Modified-Since": previous.last_modified}
    return {name: value for name, value in pairs.items() if value}
