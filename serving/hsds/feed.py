"""The HSDS feed: pages, streams and single objects, cut from the files of the release."""

import asyncio
import csv
import io
import json
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from schemas.hsds.collections import BY_NAME
from schemas.hsds.model import Column
from schemas.values.formulas import without_formula
from serving.http.errors import ServiceProblem
from serving.http.per_release import per_release
from warehouse.hsds.filters import NOTHING_ASKED, FilteredRows, Filters
from warehouse.hsds.nesting import FULL_SERVICES, NESTED, Render, make_nested_renderer
from warehouse.hsds.reader import HsdsFolder, OpenCollection
from warehouse.index.reader import OpenRelease

MAX_PER_PAGE, DEFAULT_PER_PAGE = 1000, 100
# Rows per piece of a stream: flat rows are cheap, nested ones are some kilobytes each.
_FLAT_PIECE, _NESTED_PIECE = 1000, 50
Rows = Sequence[int] | np.ndarray


class Feed(NamedTuple):
    """The HSDS part of the release a request is answered from."""

    folder: HsdsFolder
    filtered: FilteredRows

    def collection(self, name: str) -> OpenCollection:
        """Return the rows of a collection. Raises KeyError for an unknown name."""
        return self.folder.collection(name)


@dataclass(frozen=True)
class Shape:
    """Form of rows: flat, with related rows, or id and date only."""

    is_full: bool = False
    is_full_service: bool = False
    is_minimal: bool = False

    @property
    def is_flat(self) -> bool:
        """Return whether rows are as stored."""
        return not (self.is_full or self.is_full_service or self.is_minimal)


@dataclass(frozen=True)
class Question:
    """Query of a list. `per_page` None: all rows on one page."""

    collection: str
    filters: Filters = field(default_factory=Filters)
    shape: Shape = Shape()
    page: int = 1
    per_page: int | None = DEFAULT_PER_PAGE


class Page(NamedTuple):
    """Rows of one page, and how many rows and pages there are."""

    rows: Rows
    total: int
    pages: int


@per_release
def feed_of(release: OpenRelease) -> Feed:
    """Open the feed of a release. Raises ServiceProblem (503) for a release without one."""
    try:
        folder = HsdsFolder(release.folder)
    except FileNotFoundError as error:
        raise ServiceProblem("no-release", "The current release has no HSDS feed.") from error
    return Feed(folder, FilteredRows(folder))


# ---------------------------------------------------------------- which rows


def all_rows(feed: Feed, question: Question) -> Rows:
    """Return every row that passes the filters, ascending. Reads the database when there is a
    filter."""
    if question.filters == NOTHING_ASKED:
        return range(len(feed.collection(question.collection)))
    return feed.filtered.rows(question.collection, question.filters)


def page_of(feed: Feed, question: Question) -> Page:
    """Return the rows of the page requested; none past the last."""
    rows = all_rows(feed, question)
    size = question.per_page or max(len(rows), 1)
    first = (question.page - 1) * size
    return Page(rows[first : first + size], len(rows), -(-len(rows) // size))


# ---------------------------------------------------------------- how rows are shown


def renderer(feed: Feed, name: str, shape: Shape) -> Render | None:
    """Return a function that renders one row as a JSON object; None if rows are served as
    stored."""
    if shape.is_minimal:
        return _minimal(feed.collection(name))
    members = NESTED.get(name)
    if not members or not (shape.is_full or shape.is_full_service):
        return None
    chosen = FULL_SERVICES if shape.is_full_service else members
    return make_nested_renderer(feed.folder, name, chosen)


def _minimal(rows: OpenCollection, form: bytes = b'{"id":"%s","last_modified":"%s"}') -> Render:
    modified = rows.modified_ms().data

    def render(row: int) -> bytes:
        return form % (rows.id_of(row).encode(), _instant(modified[row]))

    return render


@lru_cache(maxsize=4096)
def _instant(milliseconds: int) -> bytes:
    text = datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z").encode()


def json_inside(rows: OpenCollection, numbers: Rows, render: Render | None) -> bytes:
    """Return rows as the inside of a JSON array."""
    show = render or rows.json_object
    return b",".join([show(row) for row in _plain(numbers)])


def json_lines(rows: OpenCollection, numbers: Rows, render: Render | None) -> bytes:
    """Return rows as NDJSON."""
    show = render or rows.json_object
    return b"".join([show(row) + b"\n" for row in _plain(numbers)])


def csv_page(rows: OpenCollection, numbers: Rows) -> bytes:
    """Return rows as CSV with the header, made from their JSON objects."""
    columns = BY_NAME[rows.name].columns
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([column.name for column in columns])
    for row in _plain(numbers):
        # Numbers stay the texts that they are.
        values = json.loads(rows.json_object(row), parse_int=str, parse_float=str)
        writer.writerow([_cell(values.get(column.name), column) for column in columns])
    return text.getvalue().encode()


def _cell(value: str | bool | None, column: Column) -> str:
    """Return a value as the cell that the CSV of the release has."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return without_formula(value) if column.is_free_text else value


def _plain(numbers: Rows) -> Sequence[int]:
    """Return row numbers as Python's own: arithmetic on NumPy's costs three times as much."""
    return numbers.tolist() if isinstance(numbers, np.ndarray) else numbers


def envelope(page: Page, question: Question) -> bytes:
    """Return the official `Page` without its last member and brace."""
    head: dict[str, Any] = {
        "total_items": page.total,
        "total_pages": page.pages,
        "page_number": question.page,
        "size": len(page.rows),
        "first_page": question.page == 1,
        "last_page": question.page >= page.pages,
        "empty": len(page.rows) == 0,
    }
    return msgspec.json.encode(head)[:-1]


def json_page(feed: Feed, question: Question, page: Page) -> bytes:
    """Return a page of flat rows as JSON."""
    rows = feed.collection(question.collection)
    inside = json_inside(rows, page.rows, renderer(feed, question.collection, question.shape))
    return b"".join((envelope(page, question), b',"contents":[', inside, b"]}"))


# ---------------------------------------------------------------- streams


def _piece_rows(shape: Shape) -> int:
    return _NESTED_PIECE if shape.is_full or shape.is_full_service else _FLAT_PIECE


async def stream_page(feed: Feed, question: Question, page: Page) -> AsyncIterator[bytes]:
    """Yield a page as JSON in pieces, each made off the event loop."""
    rows = feed.collection(question.collection)
    render = await asyncio.to_thread(renderer, feed, question.collection, question.shape)
    yield envelope(page, question) + b',"contents":['
    step = _piece_rows(question.shape)
    for first in range(0, len(page.rows), step):
        piece = await asyncio.to_thread(json_inside, rows, page.rows[first : first + step], render)
        yield b"," + piece if first else piece
    yield b"]}"


async def stream_lines(feed: Feed, question: Question, numbers: Rows) -> AsyncIterator[bytes]:
    """Yield rows as NDJSON in pieces, each made off the event loop."""
    rows = feed.collection(question.collection)
    render = await asyncio.to_thread(renderer, feed, question.collection, question.shape)
    step = _piece_rows(question.shape)
    for first in range(0, len(numbers), step):
        yield await asyncio.to_thread(json_lines, rows, numbers[first : first + step], render)


async def stream_minimal_csv(feed: Feed, question: Question, page: Page) -> AsyncIterator[bytes]:
    """Yield id and date of the rows of a page as CSV in pieces, each made off the event loop."""
    render = _minimal(feed.collection(question.collection), b"%s,%s\r\n")
    yield b"id,last_modified\r\n"
    for first in range(0, len(page.rows), _FLAT_PIECE):
        piece = _plain(page.rows[first : first + _FLAT_PIECE])
        yield await asyncio.to_thread(lambda rows: b"".join(map(render, rows)), piece)


# ---------------------------------------------------------------- single objects


class Moved(NamedTuple):
    """The id was merged into another."""

    successor: str


def entity(feed: Feed, name: str, row_id: uuid.UUID, shape: Shape) -> bytes | Moved:
    """Return one object as JSON, or the redirect to its successor. Sometimes reads the database.

    Raises ServiceProblem: 404 for an unknown id, 410 for a retired one.
    """
    rows = feed.collection(name)
    row = rows.row_of(row_id)
    if row is not None:
        return (renderer(feed, name, shape) or rows.json_object)(row)
    was_published, successor = feed.folder.successor(name, row_id)
    if successor is not None:
        return Moved(successor)
    if was_published:
        raise ServiceProblem("gone", f"{name}/{row_id} is no longer published.")
    raise ServiceProblem("not-found", f"{name} has no row with the id {row_id}.")
