"""The HSDS 3.0 feed: one list for every collection."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import urlencode

from litestar import Request, get
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.hsds.collections import COLLECTIONS
from serving.answers import (
    HOUR,
    JSON_TYPE,
    MINUTE,
    Answer,
    Header,
    StreamedAnswer,
    etag_matches,
)
from serving.compression import chosen_encoding, compressed
from serving.context import context_of, is_head_request
from serving.controllers.hsds_files import ROOT, sent_file
from serving.controllers.hsds_parameters import (
    Format,
    Full,
    FullService,
    Minimal,
    ModifiedAfter,
    OrganizationId,
    PageNumber,
    ParentId,
    PerPage,
    Postcode,
    Proximity,
    Search,
    Size,
    TaxonomyId,
    TermId,
    TopOnly,
    checked_format,
    instant_ms,
    near,
    refuse_strangers,
    text_of,
)
from serving.errors import release_of
from serving.openapi import answers
from serving.services.hsds import (
    DEFAULT_PER_PAGE,
    Feed,
    Page,
    Question,
    Shape,
    alerts_tag,
    all_rows,
    csv_page,
    json_page,
    live_feed,
    page_of,
    streamed_lines,
    streamed_minimal_csv,
    streamed_page,
    tag_of,
    tells_alerts,
)
from serving.services.hsds_description import ALIAS, operation_name
from warehouse.hsds.filters import NOTHING_ASKED, Filters
from warehouse.reader import OpenRelease

CSV_TYPE = b"text/csv; charset=utf-8; header=present"
NDJSON_TYPE = b"application/x-ndjson"
# Bodies above this are compressed off the event loop, before the edge would do it on the loop.
_LARGE_BYTES = 65_536
_TAGS = ["hsds"]
_ALERTED = frozenset({"services", "organizations", "service_at_location"})
_ALERTS = " `alert` of a service tells what its operator reported in the last 24 hours; `last_modified` does not change with it, and the files to download have none."
Handler = Any
# Collection -> parameters that its list takes, as its handler declares them.
_OFFERED: dict[str, frozenset[str]] = {}


# ---------------------------------------------------------------- lists


async def _listed(
    scope: Scope,
    name: str,
    filters: Filters,
    shape: Shape,
    page: int,
    per_page: int | None,
    size: int | None,
    format: str,
) -> ASGIResponse:
    """The answer to a question about a collection."""
    if scope["query_string"]:
        refuse_strangers(name, Request[Any, Any, Any](scope).query_params, _OFFERED[name])
    release = release_of(scope)
    feed = await live_feed(release, name, shape)
    wanted = per_page or size or (None if shape.is_minimal else DEFAULT_PER_PAGE)
    question = Question(name, filters, shape, page, wanted)
    if checked_format(format) == "ndjson":
        return await _ndjson(scope, release, feed, question)
    found = await asyncio.to_thread(page_of, feed, question)
    reported = (
        await asyncio.to_thread(alerts_tag, feed, question, found.rows) if feed.alerts else ()
    )
    max_age = _age_of(name, shape)
    headers = (
        (b"link", _links(scope, release, page, found)),
        (b"etag", tag_of(release, question, format, *reported)),
    )
    if format == "csv" and shape.is_minimal:
        return _streamed(
            scope, streamed_minimal_csv(feed, question, found), CSV_TYPE, headers, max_age
        )
    if format == "csv":
        rows = feed.folder.collection(name)
        return await _whole(
            scope, lambda: csv_page(feed, rows, found.rows), CSV_TYPE, headers, max_age
        )
    if shape == Shape():
        return await _whole(
            scope, lambda: json_page(feed, question, found), JSON_TYPE, headers, max_age
        )
    return _streamed(scope, streamed_page(feed, question, found), JSON_TYPE, headers, max_age)


def _age_of(name: str, shape: Shape) -> int:
    """How long an answer may be kept: rows with services tell what was reported a minute ago."""
    return MINUTE if tells_alerts(name, shape) else HOUR


async def _whole(
    scope: Scope,
    make: Callable[[], bytes],
    media_type: bytes,
    headers: tuple[Header, ...],
    max_age: int,
) -> Answer:
    """A body made, and compressed where it is large, off the event loop."""
    accepted = dict(scope["headers"]).get(b"accept-encoding", b"")
    encoding = chosen_encoding(accepted, media_type)

    def ready() -> tuple[bytes, tuple[Header, ...]]:
        body = make()
        if encoding and len(body) > _LARGE_BYTES:
            return compressed(body, encoding), (*headers, (b"content-encoding", encoding))
        return body, headers

    body, complete = await asyncio.to_thread(ready)
    return Answer(body, media_type=media_type, max_age=max_age, headers=complete)


def _streamed(
    scope: Scope,
    chunks: AsyncIterator[bytes],
    media_type: bytes,
    headers: tuple[Header, ...],
    max_age: int,
) -> StreamedAnswer:
    """A body made while it is sent; none is made where it would be thrown away."""
    tags = [value for name, value in headers if name == b"etag"]
    match = dict(scope["headers"]).get(b"if-none-match", b"")
    is_known = bool(match) and etag_matches(match, tags[0])
    shown = _nothing() if is_known or is_head_request(scope) else chunks
    return StreamedAnswer(shown, media_type, max_age, headers)


async def _nothing() -> AsyncIterator[bytes]:
    pieces: tuple[bytes, ...] = ()
    for piece in pieces:
        yield piece


async def _ndjson(
    scope: Scope, release: OpenRelease, feed: Feed, question: Question
) -> ASGIResponse:
    """All rows, one object a line: the stored file where nothing is left out or added."""
    if question.filters == NOTHING_ASKED and question.shape == Shape() and not feed.alerts:
        return sent_file(scope, f"{question.collection}.ndjson")
    rows = await asyncio.to_thread(all_rows, feed, question)
    # Pages do not bear on the stream, so they are no part of its tag.
    reported = await asyncio.to_thread(alerts_tag, feed, question, rows)
    tag = tag_of(
        release, question.collection, question.filters, question.shape, "ndjson", *reported
    )
    max_age = _age_of(question.collection, question.shape)
    return _streamed(
        scope, streamed_lines(feed, question, rows), NDJSON_TYPE, ((b"etag", tag),), max_age
    )


def _links(scope: Scope, release: OpenRelease, page: int, found: Page) -> bytes:
    """`Link` header (RFC 8288): the first, previous, next and last page, the licence, the
    descriptor.
    """
    base = context_of(scope).settings.url
    asked = Request[Any, Any, Any](scope).query_params.multi_items()
    kept = [(name, value) for name, value in asked if name != "page"]
    last = max(found.pages, 1)
    numbers = {"first": 1, "last": last}
    if page > 1:
        numbers["prev"] = min(page - 1, last)
    if page < found.pages:
        numbers["next"] = page + 1
    address = f"{base}{scope['path']}?"
    shown = [
        f'<{address}{urlencode([*kept, ("page", number)])}>; rel="{rel}"'
        for rel, number in numbers.items()
    ]
    shown.append(f'<https://spdx.org/licenses/{release.manifest.data_license}.html>; rel="license"')
    shown.append(f'<{base}{ROOT}/datapackage.json>; rel="describedby"')
    return ", ".join(shown).encode()


def _list_route(
    name: str, *more: str, errors: tuple[int, ...] = (400, 503)
) -> Callable[[Handler], HTTPRouteHandler]:
    """Decorator of the list of a collection; `more` are further addresses of it."""
    title = name.replace("_", " ")
    paths = [f"{ROOT}/{path}" for path in (name, *more)]
    route = get(
        paths if more else paths[0],
        operation_id=lambda _handler, _method, path: operation_name("list", str(path[-1])),
        summary=f"HSDS {title}",
        description=f"One page of {title} in the order of their ids: JSON in the official `Page`, CSV or NDJSON.{_ALERTS if name in _ALERTED else ''}",
        tags=_TAGS,
        responses=answers(dict[str, Any], "A page of rows.", *errors),
    )

    def registered(handler: Handler) -> HTTPRouteHandler:
        _OFFERED[name] = frozenset(inspect.signature(handler).parameters)
        return route(handler)

    return registered


@_list_route("services")
async def services(
    scope: Scope,
    page: PageNumber = 1,
    per_page: PerPage = None,
    size: Size = None,
    format: Format = "json",
    search: Search = None,
    modified_after: ModifiedAfter = None,
    taxonomy_term_id: TermId = None,
    taxonomy_id: TaxonomyId = None,
    organization_id: OrganizationId = None,
    full: Full = False,
    minimal: Minimal = False,
) -> ASGIResponse:
    filters = Filters(
        search=search,
        modified_after=instant_ms(modified_after),
        taxonomy_term_id=text_of(taxonomy_term_id),
        taxonomy_id=text_of(taxonomy_id),
        organization_id=text_of(organization_id),
    )
    shape = Shape(is_full=full and not minimal, is_minimal=minimal)
    return await _listed(scope, "services", filters, shape, page, per_page, size, format)


@_list_route("organizations")
async def organizations(
    scope: Scope,
    page: PageNumber = 1,
    per_page: PerPage = None,
    size: Size = None,
    format: Format = "json",
    search: Search = None,
    modified_after: ModifiedAfter = None,
    taxonomy_term_id: TermId = None,
    taxonomy_id: TaxonomyId = None,
    full: Full = False,
    full_service: FullService = False,
) -> ASGIResponse:
    filters = Filters(
        search=search,
        modified_after=instant_ms(modified_after),
        taxonomy_term_id=text_of(taxonomy_term_id),
        taxonomy_id=text_of(taxonomy_id),
    )
    shape = Shape(is_full=full, is_full_service=full_service)
    return await _listed(scope, "organizations", filters, shape, page, per_page, size, format)


@_list_route("service_at_location", ALIAS, errors=(400, 404, 503))
async def service_at_location(
    scope: Scope,
    page: PageNumber = 1,
    per_page: PerPage = None,
    size: Size = None,
    format: Format = "json",
    search: Search = None,
    modified_after: ModifiedAfter = None,
    taxonomy_term_id: TermId = None,
    taxonomy_id: TaxonomyId = None,
    organization_id: OrganizationId = None,
    postcode: Postcode = None,
    proximity: Proximity = None,
    full: Full = False,
) -> ASGIResponse:
    around = near(release_of(scope), postcode, proximity)
    filters = Filters(
        search=search,
        modified_after=instant_ms(modified_after),
        taxonomy_term_id=text_of(taxonomy_term_id),
        taxonomy_id=text_of(taxonomy_id),
        organization_id=text_of(organization_id),
        postcode=postcode[:5] if postcode and around is None else None,
        near=around,
    )
    return await _listed(
        scope, "service_at_location", filters, Shape(is_full=full), page, per_page, size, format
    )


@_list_route("locations", errors=(400, 404, 503))
async def locations(
    scope: Scope,
    page: PageNumber = 1,
    per_page: PerPage = None,
    size: Size = None,
    format: Format = "json",
    search: Search = None,
    modified_after: ModifiedAfter = None,
    organization_id: OrganizationId = None,
    postcode: Postcode = None,
    proximity: Proximity = None,
    full: Full = False,
) -> ASGIResponse:
    around = near(release_of(scope), postcode, proximity)
    filters = Filters(
        search=search,
        modified_after=instant_ms(modified_after),
        organization_id=text_of(organization_id),
        postcode=postcode[:5] if postcode and around is None else None,
        near=around,
    )
    return await _listed(
        scope, "locations", filters, Shape(is_full=full), page, per_page, size, format
    )


@_list_route("taxonomy_terms")
async def taxonomy_terms(
    scope: Scope,
    page: PageNumber = 1,
    per_page: PerPage = None,
    size: Size = None,
    format: Format = "json",
    search: Search = None,
    modified_after: ModifiedAfter = None,
    taxonomy_id: TaxonomyId = None,
    parent_id: ParentId = None,
    top_only: TopOnly = False,
) -> ASGIResponse:
    filters = Filters(
        search=search,
        modified_after=instant_ms(modified_after),
        taxonomy_id=text_of(taxonomy_id),
        parent_id=text_of(parent_id),
        top_only=top_only,
    )
    return await _listed(scope, "taxonomy_terms", filters, Shape(), page, per_page, size, format)


def _plain_list(name: str) -> HTTPRouteHandler:
    """The list of a collection without filters of its own."""

    @_list_route(name)
    async def rows(
        scope: Scope,
        page: PageNumber = 1,
        per_page: PerPage = None,
        size: Size = None,
        format: Format = "json",
        search: Search = None,
        modified_after: ModifiedAfter = None,
    ) -> ASGIResponse:
        filters = Filters(search=search, modified_after=instant_ms(modified_after))
        return await _listed(scope, name, filters, Shape(), page, per_page, size, format)

    return rows


_LISTS = {
    "services": services,
    "organizations": organizations,
    "service_at_location": service_at_location,
    "locations": locations,
    "taxonomy_terms": taxonomy_terms,
}

HANDLERS: list[HTTPRouteHandler] = [
    *(_LISTS.get(c.name) or _plain_list(c.name) for c in COLLECTIONS),
]
