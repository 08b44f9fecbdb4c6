"""sitemap.xml (sitemaps.org 0.9): an index, the pages of the site, and every place, in English and
Spanish.

A file holds 20,000 addresses of the 50,000 that are allowed: about 9 MB of the 50 MB that are
allowed. `lastmod` is given only where it is known: of a text the day of its last review, of a page
of figures the day of the release, of a place the day of its newest confirmation.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import date, timedelta
from typing import NamedTuple
from xml.sax.saxutils import escape

import msgspec

from schemas.vocab.states import FIFTY_ONE
from serving.documents.registry import STATE, Library, Row
from warehouse.index.reader import OpenRelease

PLACES_PER_FILE = 10_000
_PLACES_PER_CHUNK = 1_000
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<{} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"{}>\n'
_XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
_EPOCH = date(1970, 1, 1)


class Page(NamedTuple):
    """A page with its Spanish twin; `day` is when it last changed, as far as that is known."""

    path: str
    path_es: str | None
    day: str | None


def file_count(release: OpenRelease) -> int:
    """Return files of places."""
    return -(-len(release) // PLACES_PER_FILE)


def index_xml(base: str, release: OpenRelease | None) -> str:
    """Return the index of the files."""
    day = f"<lastmod>{release.manifest.created_at[:10]}</lastmod>" if release else ""
    names = (
        ["site", *(f"places-{n}" for n in range(1, file_count(release) + 1))]
        if release
        else ["site"]
    )
    entries = (
        f"<sitemap><loc>{escape(base)}/sitemaps/{name}.xml</loc>{day}</sitemap>\n" for name in names
    )
    return _HEAD.format("sitemapindex", "") + "".join(entries) + "</sitemapindex>\n"


# ---------------------------------------------------------------- pages of the site


def site_xml(
    base: str, release: OpenRelease | None, library: Library, more: tuple[Page, ...]
) -> str:
    """Return every page of the registry, those of states one by one, and `more`."""
    pages = [*more, *site_pages(library, release)]
    return (
        _HEAD.format("urlset", _XHTML)
        + "".join(_entries(base, page) for page in pages)
        + "</urlset>\n"
    )


def site_pages(library: Library, release: OpenRelease | None) -> Iterator[Page]:
    """Yield the pages of the registry."""
    for row in library.listed():
        if row.page is None:
            continue
        day = _day_of(library, row, release)
        for code in FIFTY_ONE if row.is_per_state else ("",):
            twin = row.page_es.replace(STATE, code) if row.page_es else None
            yield Page(row.page.replace(STATE, code), twin, day)


def _day_of(library: Library, row: Row, release: OpenRelease | None) -> str | None:
    """Return None for listed pages, which are made elsewhere."""
    if row.is_listed_only:
        return None
    text = library.text(row, "en")
    day = text.updated.isoformat()
    shows_release = row.is_per_state or b"live." in msgspec.json.encode(text)
    return max(day, release.manifest.created_at[:10]) if release and shows_release else day


# ---------------------------------------------------------------- places


async def places_xml(base: str, release: OpenRelease, number: int) -> AsyncIterator[bytes]:
    """Yield file `number` (from 1) of the places, in order of their ids, in pieces."""
    first = (number - 1) * PLACES_PER_FILE
    last = min(first + PLACES_PER_FILE, len(release))
    yield _HEAD.format("urlset", _XHTML).encode()
    for start in range(first, last, _PLACES_PER_CHUNK):
        end = min(start + _PLACES_PER_CHUNK, last)
        yield await asyncio.to_thread(_places, base, release, start, end)
    yield b"</urlset>\n"


def _places(base: str, release: OpenRelease, start: int, end: int) -> bytes:
    ids, days = release.ids[start:end].tolist(), release.dated_days[start:end].tolist()
    pages = (
        Page(
            f"/place/{i}",
            f"/es/place/{i}",
            (_EPOCH + timedelta(days=d)).isoformat() if d >= 0 else None,
        )
        for i, d in zip(ids, days, strict=True)
    )
    return "".join(_entries(base, page) for page in pages).encode()


def _entries(base: str, page: Page) -> str:
    """Return a page and its twin, each naming both and the default (reciprocal hreflang)."""
    day = f"<lastmod>{page.day}</lastmod>" if page.day else ""
    en = escape(base + page.path)
    if page.path_es is None:
        return f"<url><loc>{en}</loc>{day}</url>\n"
    es = escape(base + page.path_es)
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{language}" href="{url}"/>'
        for language, url in (("en", en), ("es", es), ("x-default", en))
    )
    return "".join(f"<url><loc>{url}</loc>{day}{links}</url>\n" for url in (en, es))


async def nothing() -> AsyncIterator[bytes]:
    """Yield the body of an answer that nobody reads."""
    yield b""
