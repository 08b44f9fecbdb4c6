"""The HSDS feed: one list for every collection, with its single rows by their id."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from litestar import Request, get
from litestar.di import NamedDependency, Provide
from litestar.handlers import HTTPRouteHandler
from litestar.params import SkipValidation
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.hsds.collections import COLLECTIONS, HSDS_ROOT
from serving.context import context_of
from serving.hsds import feed as feeds
from serving.hsds import parameters
from serving.hsds.description import ALIAS, operation_name
from serving.hsds.files import send_file
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
from serving.http.compression import choose_encoding, compress
from serving.http.errors import release_of
from serving.http.openapi import answers
from warehouse.hsds.filters import NOTHING_ASKED
from warehouse.hsds.nesting import NESTED
from warehouse.index.reader import OpenRelease

# Bodies above this are compressed off the event loop, before the edge would do it on the loop.
_LARGE_BYTES = 65_536
_get = partial(get, tags=["hsds"])
_ROW = "The row with an id. An id merged into another answers 301, one no longer published 410."
# Further addresses of a list.
_ALIASES = {"service_at_location": (ALIAS,)}


# ---------------------------------------------------------------- lists


async def list_rows(scope: Scope, name: str, query: parameters.ListQuery) -> ASGIResponse:
    """Answer a question about a collection."""
    release = release_of(scope)
    filters = parameters.filters_of(release, query)
    shape = parameters.shape_of(query)
    if scope["query_string"]:
        parameters.refuse_unknown(name, Request[Any, Any, Any](scope).query_params)
    feed = feeds.feed_of(release)
    per_page = (
        query.per_page or query.size or (None if shape.is_minimal else feeds.DEFAULT_PER_PAGE)
    )
    question = feeds.Question(name, filters, shape, query.page, per_page)
    format = parameters.check_format(query.format)
    if format == "ndjson":
        return await _ndjson(scope, release, feed, question)
    page = await asyncio.to_thread(feeds.page_of, feed, question)
    headers = (
        (b"link", _links(scope, release, query.page, page)),
        (b"etag", weak_tag(release.release_id, (question, format))),
    )
    if format == "csv" and shape.is_minimal:
        chunks = feeds.stream_minimal_csv(feed, question, page)
        return StreamedAnswer(chunks, CSV_TYPE, HOUR, headers)
    if format == "csv":
        rows = feed.collection(name)
        return await _whole(scope, lambda: feeds.csv_page(rows, page.rows), CSV_TYPE, headers)
    if shape.is_flat:
        return await _whole(
            scope, lambda: feeds.json_page(feed, question, page), JSON_TYPE, headers
        )
    return StreamedAnswer(feeds.stream_page(feed, question, page), JSON_TYPE, HOUR, headers)


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


async def _ndjson(
    scope: Scope, release: OpenRelease, feed: feeds.Feed, question: feeds.Question
) -> ASGIResponse:
    """Return all rows, one object per line: the stored file if nothing is omitted or added."""
    if question.filters == NOTHING_ASKED and question.shape.is_flat:
        return send_file(scope, f"{question.collection}.ndjson")
    rows = await asyncio.to_thread(feeds.all_rows, feed, question)
    # Pages do not bear on the stream, so they are no part of its tag.
    tag = weak_tag(
        release.release_id,
        (question.collection, question.filters, question.shape, "ndjson"),
    )
    return StreamedAnswer(
        feeds.stream_lines(feed, question, rows),
        NDJSON_TYPE,
        HOUR,
        ((b"etag", tag),),
    )


def _links(scope: Scope, release: OpenRelease, page: int, result: feeds.Page) -> bytes:
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


def _list_route(name: str) -> HTTPRouteHandler:
    """Return the list of a collection, at all of its addresses."""
    title = name.replace("_", " ")
    query_type = parameters.QUERIES.get(name, parameters.ListQuery)
    paths = [f"{HSDS_ROOT}/{path}" for path in (name, *_ALIASES.get(name, ()))]
    has_place = hasattr(query_type, "postcode")

    @_get(
        paths,
        operation_id=lambda _handler, _method, path: operation_name("list", str(path[-1])),
        summary=f"HSDS {title}",
        description=(
            f"One page of {title} in the order of their ids: JSON in the official `Page`, "
            "CSV or NDJSON."
        ),
        responses=answers(dict[str, Any], "A page of rows.", *((404,) if has_place else ())),
        dependencies={"list_query": Provide(query_type, sync_to_thread=False)},
    )
    async def rows(
        scope: Scope, list_query: SkipValidation[NamedDependency[parameters.ListQuery]]
    ) -> ASGIResponse:
        return await list_rows(scope, name, list_query)

    return rows


# ---------------------------------------------------------------- single rows


Handler = Any


async def show_row(scope: Scope, name: str, entity_id: str, shape: feeds.Shape) -> Answer:
    row_id = parameters.parse_id(entity_id)
    feed = feeds.feed_of(release_of(scope))
    row = await asyncio.to_thread(feeds.entity, feed, name, row_id, shape)
    if isinstance(row, feeds.Moved):
        path = scope["path"].rstrip("/").rpartition("/")[0]
        return redirect(f"{path}/{row.successor}")
    return Answer(row, max_age=DAY)


def _entity_route(name: str, *more: str) -> Callable[[Handler], HTTPRouteHandler]:
    """Decorate the handler of the single rows of a collection."""
    title = name.replace("_", " ")
    paths = [f"{HSDS_ROOT}/{path}/{{entity_id:str}}" for path in (name, *more)]
    return _get(
        paths if more else paths[0],
        operation_id=lambda _handler, _method, path: operation_name("get", str(path[-2])),
        summary=f"One row of HSDS {title}",
        description=_ROW,
        responses=answers(dict[str, Any], "The row.", 404, 410),
    )


def _single(name: str) -> HTTPRouteHandler:
    more = (ALIAS,) if name == "service_at_location" else ()
    if name == "organizations":

        @_entity_route(name)
        async def organization(
            scope: Scope,
            entity_id: parameters.EntityId,
            full: parameters.Full = True,
            full_service: parameters.FullService = False,
        ) -> Answer:
            return await show_row(scope, name, entity_id, feeds.Shape(full, full_service))

        return organization
    if name in NESTED:

        @_entity_route(name, *more)
        async def nested(
            scope: Scope, entity_id: parameters.EntityId, full: parameters.Full = True
        ) -> Answer:
            return await show_row(scope, name, entity_id, feeds.Shape(full))

        return nested

    @_entity_route(name)
    async def flat(scope: Scope, entity_id: parameters.EntityId) -> Answer:
        return await show_row(scope, name, entity_id, feeds.Shape())

    return flat


HANDLERS: list[HTTPRouteHandler] = [
    *(_list_route(c.name) for c in COLLECTIONS),
    *(_single(c.name) for c in COLLECTIONS),
]
