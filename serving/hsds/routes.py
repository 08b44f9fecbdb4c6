"""The HSDS feed: lists and single rows of every collection, and the files of the release."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from litestar import Request, get
from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.hsds.collections import BY_NAME, HSDS_ROOT
from serving.context import context_of
from serving.hsds import parameters
from serving.hsds.description import ALIASES
from serving.http.answers import (
    CSV_TYPE,
    DAY,
    HOUR,
    JSON_TYPE,
    NDJSON_TYPE,
    Answer,
    Header,
    StreamedAnswer,
    link_header,
    redirect,
    weak_tag,
)
from serving.http.caching import per_release
from serving.http.compression import choose_encoding, compress
from serving.http.errors import KINDS, ServiceProblem, release_of
from serving.http.files import file_answer, find_file
from serving.http.openapi import answers
from warehouse.hsds.nesting import FULL_SERVICES, NESTED, nested_objects
from warehouse.hsds.package import FOLDER
from warehouse.hsds.reader import NOTHING_ASKED, Filters, HsdsTables, Rows
from warehouse.index.reader import OpenRelease

# Bodies above this are compressed off the event loop, before `serving.http.policy` would do it on
# the loop.
_LARGE_BYTES = 65_536
# Rows per piece of a stream: flat rows are cheap, nested ones are some kilobytes each.
_FLAT_PIECE, _NESTED_PIECE = 1000, 500


@dataclass(frozen=True)
class Question:
    """Query of a list. `per_page` None: all rows on one page."""

    collection: str
    filters: Filters = field(default_factory=Filters)
    shape: parameters.Shape = field(default_factory=parameters.Shape)
    page: int = 1
    per_page: int | None = parameters.DEFAULT_PER_PAGE


class Page(NamedTuple):
    """Rows of one page, and how many rows and pages there are."""

    rows: Rows
    total: int
    pages: int


@per_release
def tables_of(release: OpenRelease) -> HsdsTables:
    """Open the feed of a release. Raises ServiceProblem (503) for a release without one."""
    try:
        return HsdsTables(release.folder)
    except FileNotFoundError as error:
        raise ServiceProblem("no-release", "The current release has no HSDS feed.") from error


def send_file(scope: Scope, path: str) -> ASGIResponse:
    """Send a file of the feed. Raises ServiceProblem (404)."""
    release = release_of(scope)
    file = find_file(release, f"{FOLDER}/{path}")
    if file is None:
        tables_of(release)
        raise ServiceProblem("not-found", f"The feed has no file {path[:80]!r}.")
    return file_answer(scope, file, max_age=HOUR)


def _collection(table: str) -> str:
    """Return the name of the collection at an address. Raises ServiceProblem (404)."""
    name = ALIASES.get(table, table)
    if name not in BY_NAME:
        raise ServiceProblem("not-found", KINDS["not-found"].advice)
    return name


# ---------------------------------------------------------------- lists


@get(
    f"{HSDS_ROOT}/{{table:str}}",
    tags=["hsds"],
    responses=answers(dict[str, Any], "A page of rows.", 404, 416),
    dependencies={"list_query": Provide(parameters.ListQuery, sync_to_thread=False)},
)
async def list_hsds_rows(
    scope: Scope,
    table: parameters.TableName,
    list_query: SkipValidation[NamedDependency[parameters.ListQuery]],
) -> ASGIResponse:
    """Return a page of a table, or a whole file of the feed such as `services.csv`."""
    if "." in table:
        return send_file(scope, table)
    name, release = _collection(table), release_of(scope)
    filters = parameters.filters_of(release, list_query)
    shape = parameters.shape_of(list_query)
    if scope["query_string"]:
        parameters.refuse_unknown(name, Request[Any, Any, Any](scope).query_params)
    tables = tables_of(release)
    per_page = list_query.per_page or list_query.size
    if per_page is None and not shape.is_minimal:
        per_page = parameters.DEFAULT_PER_PAGE
    question = Question(name, filters, shape, list_query.page, per_page)
    format = parameters.check_format(list_query.format)
    if format == "ndjson":
        if filters == NOTHING_ASKED and shape.is_flat:
            return send_file(scope, f"{name}.ndjson")
        rows = await asyncio.to_thread(_matching_rows, tables, question)
        # Pages do not bear on the stream, so they are no part of its tag.
        tag = weak_tag(release.release_id, (name, filters, shape, "ndjson"))
        lines = _stream_lines(_renderer(tables, question), rows, "\n", _piece_rows(shape))
        return StreamedAnswer(lines, NDJSON_TYPE, HOUR, ((b"etag", tag),))
    page = await asyncio.to_thread(_page_of, tables, question)
    headers = (
        (b"link", _links(scope, release, list_query.page, page)),
        (b"etag", weak_tag(release.release_id, (question, format))),
    )
    if format == "csv":
        return await _csv_page(scope, tables, question, page, headers)
    render, envelope = _renderer(tables, question), _envelope(question, page)
    if shape.is_flat:

        def body() -> bytes:
            return envelope + ",".join(render(page.rows)).encode() + b"]}"

        return await _whole(scope, body, JSON_TYPE, headers)
    objects = _stream_page(render, page.rows, envelope, _piece_rows(shape))
    return StreamedAnswer(objects, JSON_TYPE, HOUR, headers)


async def _csv_page(
    scope: Scope,
    tables: HsdsTables,
    question: Question,
    page: Page,
    headers: tuple[Header, ...],
) -> ASGIResponse:
    name = question.collection

    def changes(rows: Rows) -> list[str]:
        return [",".join(change) for change in tables.changes(name, rows)]

    def sheet() -> bytes:
        header = ",".join(BY_NAME[name].column_names)
        lines = [header, *tables.csv_lines(name, page.rows)]
        return "".join([f"{line}\r\n" for line in lines]).encode()

    if question.shape.is_minimal:  # maybe all rows on one page
        start = b"id,last_modified\r\n"
        lines = _stream_lines(changes, page.rows, "\r\n", _FLAT_PIECE, start)
        return StreamedAnswer(lines, CSV_TYPE, HOUR, headers)
    return await _whole(scope, sheet, CSV_TYPE, headers)


def _matching_rows(tables: HsdsTables, question: Question) -> Rows:
    """Return every row that passes the filters."""
    if question.filters == NOTHING_ASKED:
        return range(tables.count(question.collection))
    return tables.matching_rows(question.collection, question.filters)


def _page_of(tables: HsdsTables, question: Question) -> Page:
    """Return the rows of the page requested; none past the last."""
    rows = _matching_rows(tables, question)
    size = question.per_page or max(len(rows), 1)
    first = (question.page - 1) * size
    return Page(rows[first : first + size], len(rows), -(-len(rows) // size))


def _envelope(question: Question, page: Page) -> bytes:
    """Return the official `Page` up to its first row."""
    head: dict[str, Any] = {
        "total_items": page.total,
        "total_pages": page.pages,
        "page_number": question.page,
        "size": len(page.rows),
        "first_page": question.page == 1,
        "last_page": question.page >= page.pages,
        "empty": len(page.rows) == 0,
    }
    return msgspec.json.encode(head)[:-1] + b',"contents":['


def _links(scope: Scope, release: OpenRelease, page: int, result: Page) -> bytes:
    """Return the `Link` header (RFC 8288): the first, previous, next and last page, the licence,
    the descriptor."""
    base = context_of(scope).settings.url
    pairs = Request[Any, Any, Any](scope).query_params.multi_items()
    others = [(name, value) for name, value in pairs if name != "page"]
    last = max(result.pages, 1)
    numbers = {"first": 1, "last": last}
    if page > 1:
        numbers["prev"] = min(page - 1, last)
    if page < result.pages:
        numbers["next"] = page + 1
    address = f"{base}{scope['path']}?"
    links = {
        rel: address + urlencode([*others, ("page", number)]) for rel, number in numbers.items()
    }
    link = link_header(links, release.manifest.data_license)
    return f'{link}, <{base}{HSDS_ROOT}/datapackage.json>; rel="describedby"'.encode()


# ---------------------------------------------------------------- rows as text

Render = Callable[[Rows], list[str]]


def _renderer(tables: HsdsTables, question: Question) -> Render:
    """Return a function that shows rows as JSON objects; it reads the database."""
    name, shape = question.collection, question.shape
    if shape.is_minimal:
        return lambda rows: [
            f'{{"id":"{row_id}","last_modified":"{changed}"}}'
            for row_id, changed in tables.changes(name, rows)
        ]
    members = NESTED.get(name)
    if not members or shape.is_flat:
        return lambda rows: tables.json_objects(name, rows)
    chosen = FULL_SERVICES if shape.is_full_service else members
    return lambda rows: nested_objects(tables, name, rows, chosen)


def _piece_rows(shape: parameters.Shape) -> int:
    return _NESTED_PIECE if shape.is_full or shape.is_full_service else _FLAT_PIECE


async def _whole(
    scope: Scope,
    make: Callable[[], bytes],
    media_type: bytes,
    headers: tuple[Header, ...],
) -> Answer:
    """Return a body built, and compressed if large, off the event loop."""
    header = dict(scope["headers"]).get(b"accept-encoding", b"")
    encoding = choose_encoding(header, media_type)

    def ready() -> tuple[bytes, tuple[Header, ...]]:
        body = make()
        if encoding and len(body) > _LARGE_BYTES:
            return compress(body, encoding), (*headers, (b"content-encoding", encoding))
        return body, headers

    body, complete = await asyncio.to_thread(ready)
    return Answer(body, media_type=media_type, max_age=HOUR, headers=complete)


async def _stream_page(
    render: Render, rows: Rows, envelope: bytes, step: int
) -> AsyncIterator[bytes]:
    """Yield a page as JSON in pieces, each made off the event loop."""
    yield envelope
    for first in range(0, len(rows), step):
        piece = ",".join(await asyncio.to_thread(render, rows[first : first + step]))
        yield f",{piece}".encode() if first else piece.encode()
    yield b"]}"


async def _stream_lines(
    render: Render, rows: Rows, line_end: str, step: int, start: bytes = b""
) -> AsyncIterator[bytes]:
    """Yield rows as lines in pieces, each made off the event loop."""
    yield start
    for first in range(0, len(rows), step):
        lines = await asyncio.to_thread(render, rows[first : first + step])
        yield "".join([line + line_end for line in lines]).encode()


# ---------------------------------------------------------------- single rows


@get(
    f"{HSDS_ROOT}/{{table:str}}/{{entity_id:str}}",
    tags=["hsds"],
    responses=answers(dict[str, Any], "The row.", 404, 410),
)
async def get_hsds_row(
    scope: Scope,
    table: parameters.TableName,
    entity_id: parameters.EntityId,
    full: parameters.Full = True,
    full_service: parameters.FullService = False,
) -> Answer:
    """Return one row as JSON, or redirect to the row that took over its id."""
    name = _collection(table)
    row_id = parameters.parse_id(entity_id)
    shape = parameters.Shape(full, full_service and name == "organizations")
    tables = tables_of(release_of(scope))
    found = await asyncio.to_thread(_find_row, tables, Question(name, shape=shape), row_id)
    if isinstance(found, bytes):
        return Answer(found, max_age=DAY)
    return redirect(f"{HSDS_ROOT}/{table}/{found}")


def _find_row(tables: HsdsTables, question: Question, row_id: uuid.UUID) -> bytes | str:
    """Return a row as JSON, or the id into which its own was merged.

    Raises ServiceProblem: 404 for an unknown id, 410 for a retired one.
    """
    name = question.collection
    row = tables.row_of(name, row_id)
    if row is not None:
        return _renderer(tables, question)([row])[0].encode()
    was_published, successor = tables.successor(name, row_id)
    if successor is not None:
        return successor
    if was_published:
        raise ServiceProblem("gone", f"{name}/{row_id} is no longer published.")
    raise ServiceProblem("not-found", f"{name} has no row with the id {row_id}.")
