"""Crawls schema.org JSON-LD of the pages in a sitemap (sitemaps.org protocol), one line per page.

A line is {"url", "lastmod", "retrieved_at", "jsonld": [...]}. A page with an unchanged lastmod is
not requested again, nor is one that an interrupted crawl has read.
"""

import gzip
import re
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import msgspec
from lxml import etree, html

from schemas.sources.registry import LiveFeed
from warehouse.fetch.answers import check_head
from warehouse.fetch.errors import TooLargeError, WrongContentError
from warehouse.fetch.retrying import Report, with_retries
from warehouse.fetch.web import Web, whole_body

_NAMESPACE = "{*}"
# sitemaps.org: a sitemap has at most 50,000 addresses, an index as many sitemaps.
MAX_SITEMAPS = 500
_GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
_PAGE_STATUSES = frozenset({HTTPStatus.OK, *_GONE})


class PageLine(msgspec.Struct, kw_only=True):
    """Records of a page; `lastmod` from its sitemap."""

    url: str
    lastmod: str | None
    retrieved_at: datetime
    jsonld: list[Any]


class SitemapCrawl:
    """One crawl of a feed's pages, written to `part`, which survives an interruption."""

    def __init__(self, web: Web, feed: LiveFeed, part: Path, report: Report) -> None:
        self._web, self._feed, self._part, self._report = web, feed, part, report
        self._matches = re.compile(feed.pages_matching or "").search

    def save(self, target: Path, last: Path | None) -> int:
        """Write all pages' lines to `target`; return how many have JSON-LD. Raises FetchError."""
        entries = self._entries()
        young = datetime.now(UTC) - timedelta(seconds=self._web.settings.resume_seconds)
        pages = {line.url: line for line in _lines(last) if line.lastmod}
        pages |= {line.url: line for line in _lines(self._part) if line.retrieved_at >= young}
        lines, missing_count = [], 0
        with self._part.open("ab") as part:
            for url, lastmod in entries.items():
                line = pages.get(url)
                if line is None or line.lastmod != lastmod:
                    line = self._page(url, lastmod)
                    if line is None:
                        missing_count += 1
                        continue
                    part.write(msgspec.json.encode(line) + b"\n")
                    part.flush()
                lines.append(line)
        if missing_count:
            self._report(f"{missing_count} pages of the sitemap are not there")
        count = sum(bool(line.jsonld) for line in lines)
        if not count:
            raise WrongContentError(self._feed.url, f"none of {len(lines)} pages has JSON-LD")
        target.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        return count

    def _entries(self) -> dict[str, str | None]:
        """Return the matching addresses and their lastmod, in sitemap order."""
        waiting, visited = [self._feed.url], set[str]()
        pages: dict[str, str | None] = {}
        while waiting:
            url = waiting.pop(0)
            if url in visited:
                continue
            visited.add(url)
            if len(visited) > MAX_SITEMAPS:
                raise TooLargeError(self._feed.url, f"more than {MAX_SITEMAPS} sitemaps")
            root = self._sitemap(url)
            located = {
                str(httpx.URL(url).join(location)): modified or None
                for each in root.iterfind(f"{_NAMESPACE}*")
                if (location := (each.findtext(f"{_NAMESPACE}loc") or "").strip())
                for modified in [(each.findtext(f"{_NAMESPACE}lastmod") or "").strip()]
            }
            if etree.QName(root).localname == "sitemapindex":
                waiting += located
            else:
                pages |= {loc: mod for loc, mod in located.items() if self._matches(loc)}
        if not pages:
            raise WrongContentError(self._feed.url, "no page of the sitemap matches")
        if len(pages) > self._feed.max_pages:
            raise TooLargeError(
                self._feed.url,
                f"{len(pages)} pages match, allowed are {self._feed.max_pages}",
                "Narrow pages_matching or raise max_pages of the feed",
            )
        return pages

    def _sitemap(self, url: str) -> etree._Element:
        body = _unpack(self._body(url, "application/xml") or b"", url, self._web)
        check_head(body, "application/xml", url)
        try:
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            return etree.fromstring(body, parser)
        except etree.XMLSyntaxError as error:
            raise WrongContentError(url, f"no sitemap ({error})") from error

    def _page(self, url: str, lastmod: str | None) -> PageLine | None:
        body = self._body(url, "text/html", _PAGE_STATUSES)
        if body is None:
            return None
        now = datetime.now(UTC).replace(microsecond=0)
        blocks, broken = _jsonld(body)
        if broken:
            self._report(f"{url}: {broken} blocks of JSON-LD cannot be read")
        return PageLine(url=url, lastmod=lastmod, retrieved_at=now, jsonld=blocks)

    def _body(
        self, url: str, accept: str, expected: frozenset[HTTPStatus] = frozenset({HTTPStatus.OK})
    ) -> bytes | None:
        def attempt() -> bytes | None:
            headers = {"Accept": accept, "Accept-Encoding": "gzip"}
            with self._web.open(httpx.URL(url), headers, expected) as response:
                is_gone = response.status_code in _GONE
                return None if is_gone else whole_body(response, url, self._web.settings)

        return with_retries(attempt, self._web.settings, url, self._report)


def _lines(path: Path | None) -> Iterable[PageLine]:
    """Yield the complete lines of an earlier file; a truncated line is skipped."""
    if path is None or not path.exists():
        return
    open_file = gzip.open if path.suffix == ".gz" else open
    with open_file(path, "rb") as stream:
        for line in stream:
            try:
                yield msgspec.json.decode(line, type=PageLine)
            except msgspec.DecodeError:
                continue


def _jsonld(body: bytes) -> tuple[list[Any], int]:
    """Return the JSON-LD blocks of a page and the number of invalid ones."""
    if not body.strip():
        return [], 0
    blocks, broken = [], 0
    tree = html.fromstring(body)
    for script in tree.iter("script"):
        kind = (script.get("type") or "").partition(";")[0].strip().lower()
        if kind != "application/ld+json":
            continue
        try:
            blocks.append(msgspec.json.decode((script.text or "").strip()))
        except msgspec.DecodeError:
            broken += 1
    return blocks, broken


def _unpack(body: bytes, url: str, web: Web) -> bytes:
    """Return a sitemap without the gzip that sitemaps.org allows."""
    if not body.startswith(b"\x1f\x8b"):
        return body
    unpacker = zlib.decompressobj(wbits=31)
    try:
        content = unpacker.decompress(body, web.settings.max_page_bytes)
    except zlib.error as error:
        raise WrongContentError(url, f"broken gzip ({error})") from error
    if unpacker.unconsumed_tail:
        raise TooLargeError(url, f"unpacks to more than {web.settings.max_page_bytes} bytes")
    return content
