"""The export of the whole directory, page by page."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Literal
from urllib.parse import urlencode

from litestar import get
from litestar.types import Scope

from schemas.api.lists import BulkHead, BulkPage
from schemas.vocab.states import STATES
from serving.context import context_of
from serving.exports.bulk import (
    BulkQuestion,
    BulkRows,
    csv_chunks,
    cursor_before,
    json_chunks,
    moments_of,
    ndjson_chunks,
    reports_on,
    rows_after,
    rows_of_page,
    tag_of,
)
from serving.http.answers import JSON_TYPE, MINUTE, StreamedAnswer
from serving.http.as_of import as_of_parameter
from serving.http.errors import RULES, invalid, release_of
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.search.query import chosen_types
from serving.search.query_parameters import StateChoice, TypeChoice
from warehouse.index.reader import OpenRelease

_MAX_LIMIT = 1000
BulkLimit = Annotated[int, query("limit", of="export", ge=1, le=_MAX_LIMIT)]
BulkNumber = Annotated[int, query("page", of="export", ge=1, le=10_000_000)]
Cursor = Annotated[int, query("cursor", ge=0, le=2**53 - 1)]
Format = Annotated[Literal["json", "csv", "ndjson"], query("format", of="export")]
_CSV, _NDJSON = b"text/csv; charset=utf-8; header=present", b"application/x-ndjson"


@get(
    "/api/resources/bulk",
    summary="Export",
    tags=["data"],
    responses=answers(BulkPage, "One page of records, in order of id."),
)
async def export_resources(
    scope: Scope,
    page: BulkNumber = 1,
    cursor: Cursor = 0,
    limit: BulkLimit = _MAX_LIMIT,
    format: Format = "json",
    us_state: StateChoice = None,
    type: TypeChoice = None,
) -> StreamedAnswer:
    """Return all records in order of id, page by page. Follow `next` or the `Link` header; whole
    files: `/exports/`."""
    release, now = release_of(scope), datetime.now(UTC)
    if us_state is not None and us_state not in STATES:
        raise invalid("state", RULES["state"])
    asked = BulkQuestion(us_state, chosen_types(None, type), limit)
    number = page if _is_asked_by_number(scope) else None
    found = rows_of_page(release, asked, number) if number else rows_after(release, asked, cursor)
    parameters = {"format": format, "state": us_state, "type": type, "limit": limit}
    address = f"{context_of(scope).settings.url}/api/resources/bulk?"
    shown = {k: v for k, v in parameters.items() if v is not None} | as_of_parameter(scope)
    make_links = _page_links if number else _cursor_links
    links = make_links(release, asked, address, shown, found)
    moments = await moments_of(release, found.rows, now)
    license_id = release.manifest.data_license
    reports = reports_on(release, found.rows)
    headers = (
        (b"link", _link_header(links, license_id)),
        (
            b"etag",
            tag_of(release, moments, found.first, limit, format, us_state, type, number, reports),
        ),
    )
    if format == "csv":
        return StreamedAnswer(csv_chunks(release, found.rows, moments), _CSV, MINUTE, headers)
    if format == "ndjson":
        return StreamedAnswer(ndjson_chunks(release, found.rows, moments), _NDJSON, MINUTE, headers)
    following = str(release.id_of(found.rows[-1])) if found.rows and found.has_more else None
    head = BulkHead(
        True,
        found.page,
        limit,
        len(found.rows),
        found.total,
        found.pages,
        links.get("next"),
        following,
        license_id,
        release.is_synthetic,
        release.release_id,
    )
    return StreamedAnswer(
        json_chunks(release, head, found.rows, moments), JSON_TYPE, MINUTE, headers
    )


def _is_asked_by_number(scope: Scope) -> bool:
    """Return whether the client counts pages; otherwise the links lead on by cursor."""
    names = {part.partition(b"=")[0] for part in scope["query_string"].split(b"&")}
    return b"page" in names and b"cursor" not in names


def _page_links(
    release: OpenRelease,
    asked: BulkQuestion,
    address: str,
    parameters: Mapping[str, object],
    found: BulkRows,
) -> dict[str, str]:
    """Return addresses of the first, previous, next and last page (RFC 8288), by number."""
    last = max(found.pages, 1)
    numbers = {"first": 1, "last": last}
    if found.first > 0:
        numbers["prev"] = min(found.page - 1, last)
    if found.page < found.pages:
        numbers["next"] = found.page + 1
    return {
        rel: address + urlencode({**parameters, "page": number}) for rel, number in numbers.items()
    }


def _cursor_links(
    release: OpenRelease,
    asked: BulkQuestion,
    address: str,
    parameters: Mapping[str, object],
    found: BulkRows,
) -> dict[str, str]:
    """Return the same by cursor. Pages count from where this one begins."""
    places = {"first": 0, "last": max(found.pages - 1, 0) * found.limit}
    if found.first > 0:
        places["prev"] = max(min(found.first, found.total) - found.limit, 0)
    if found.has_more:
        places["next"] = found.first + len(found.rows)
    return {
        rel: address + urlencode({**parameters, "cursor": cursor_before(release, asked, place)})
        for rel, place in places.items()
    }


def _link_header(links: Mapping[str, str], license_id: str) -> bytes:
    shown = [f'<{url}>; rel="{rel}"' for rel, url in links.items()]
    shown.append(f'<https://spdx.org/licenses/{license_id}.html>; rel="license"')
    return ", ".join(shown).encode()
