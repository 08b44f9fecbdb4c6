"""sitemap.xml (sitemaps.org 0.9): an index, the pages of the site, every place, ZIP code, city and
county, in English and Spanish.

A file holds 20,000 addresses of the 50,000 that are allowed: about 9 MB of the 50 MB that are
allowed. `lastmod` is given only where it is known: of a text the day of its last review, of a page
of figures or an area the day of the release, of a place the day of its newest confirmation.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple
from xml.sax.saxutils import escape

import msgspec

from schemas.vocab.states import FIFTY_ONE
from serving.documents.registry import STATE, Library, Row
from serving.site.area_links import area_paths
from warehouse.index.reader import OpenRelease

PAGES_PER_FILE = 10_000
_PAGES_PER_CHUNK = 1_000
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<{} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"{}>\n'
_XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
_EPOCH = date(1970, 1, 1)


class Page(NamedTuple):
    """A page with its Spanish twin; `day` is its last change, if known."""

    path: str
    path_es: str | None
    day: str | None


class Part(NamedTuple):
    """Pages of one kind: how many there are, and those from one position to another."""

    total: int
    pages: Callable[[int, int], Iterator[Page]]

    @property
    def files(self) -> int:
        return -(-self.total // PAGES_PER_FILE)


def parts(release: OpenRelease) -> dict[str, Part]:
    """Return the parts of the sitemap by the beginning of their files' names."""
    by_name = {"places": Part(len(release), partial(_places, release))}
    for name, paths in area_paths(release)._asdict().items():
        by_name[name] = Part(len(paths), partial(_areas, paths, _release_day(release)))
    return by_name


def index_xml(base: str, release: OpenRelease | None) -> str:
    """Return the index of the files."""
    day = f"<lastmod>{_release_day(release)}</lastmod>" if release else ""
    names = ["site"]
    for name, part in parts(release).items() if release else ():
        names += [f"{name}-{number}" for number in range(1, part.files + 1)]
    entries = (
        f"<sitemap><loc>{escape(base)}/sitemaps/{name}.xml</loc>{day}</sitemap>\n" for name in names
    )
    return _HEAD.format("sitemapindex", "") + "".join(entries) + "</sitemapindex>\n"


def _release_day(release: OpenRelease) -> str:
    return release.manifest.created_at[:10]


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
    for row in library.list_rows():
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
    return max(day, _release_day(release)) if release and shows_release else day


# ---------------------------------------------------------------- places and areas


async def part_xml(base: str, part: Part, number: int) -> AsyncIterator[bytes]:
    """Yield file `number` (from 1) of a part, in pieces."""
    first = (number - 1) * PAGES_PER_FILE
    last = min(first + PAGES_PER_FILE, part.total)
    yield _HEAD.format("urlset", _XHTML).encode()
    for start in range(first, last, _PAGES_PER_CHUNK):
        end = min(start + _PAGES_PER_CHUNK, last)
        yield await asyncio.to_thread(_chunk, base, part, start, end)
    yield b"</urlset>\n"


def _chunk(base: str, part: Part, start: int, end: int) -> bytes:
    return "".join(_entries(base, page) for page in part.pages(start, end)).encode()


def _places(release: OpenRelease, start: int, end: int) -> Iterator[Page]:
    """Yield pages of places in order of their ids."""
    ids, days = release.ids[start:end].tolist(), release.dated_days[start:end].tolist()
    for i, d in zip(ids, days, strict=True):
        day = (_EPOCH + timedelta(days=d)).isoformat() if d >= 0 else None
        yield Page(f"/place/{i}", f"/es/place/{i}", day)


def _areas(paths: list[str], day: str, start: int, end: int) -> Iterator[Page]:
    return (Page(path, f"/es{path}", day) for path in paths[start:end])


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
