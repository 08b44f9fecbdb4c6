"""The export of the whole directory, page by page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal
from urllib.parse import urlencode

from litestar import get
from litestar.params import QueryParameter
from litestar.types import Scope

from schemas.api.lists import BulkHead, BulkPage
from schemas.vocab.states import STATES
from serving.answers import JSON_TYPE, MINUTE, StreamedAnswer
from serving.context import context_of
from serving.controllers.parameters import StateChoice, TypeChoice
from serving.errors import RULES, invalid, release_of
from serving.openapi import answers
from serving.services.bulk import BulkRows, csv_chunks, json_chunks, rows_of_page, tag_of
from serving.services.search import chosen_types

_MAX_LIMIT = 1000
BulkLimit = Annotated[int, QueryParameter(name="limit", ge=1, le=_MAX_LIMIT, description="Most records per page.")]  # fmt: skip
BulkNumber = Annotated[int, QueryParameter(name="page", ge=1, le=10_000_000, description="Number of the page, from 1.")]  # fmt: skip
Format = Annotated[Literal["json", "csv"], QueryParameter(name="format", description="CSV has the members of the record as columns, in the same order.")]  # fmt: skip


@get(
    "/api/resources/bulk",
    operation_id="exportResources",
    summary="Export",
    tags=["data"],
    responses=answers(BulkPage, "One page of records, in order of id.", 400, 503),
)
async def bulk(
    scope: Scope,
    page: BulkNumber = 1,
    limit: BulkLimit = _MAX_LIMIT,
    format: Format = "json",
    us_state: StateChoice = None,
    type: TypeChoice = None,
) -> StreamedAnswer:
    """All records in order of id, page by page. Follow `next` or the `Link` header."""
    release, now = release_of(scope), datetime.now(UTC)
    if us_state is not None and us_state not in STATES:
        raise invalid("state", RULES["state"])
    found = rows_of_page(release, us_state, chosen_types(None, type), page, limit)
    kept = {"format": format, "state": us_state, "type": type, "limit": limit}
    address = f"{context_of(scope).settings.url}/api/resources/bulk?"
    links = _links(address, {k: v for k, v in kept.items() if v is not None}, page, found)
    license_id = release.manifest.data_license
    shown = [f'<{url}>; rel="{rel}"' for rel, url in links.items()]
    shown.append(f'<https://spdx.org/licenses/{license_id}.html>; rel="license"')
    headers = (
        (b"link", ", ".join(shown).encode()),
        (b"etag", tag_of(release, found.rows, now, page, limit, format, us_state, type)),
    )
    if format == "csv":
        return StreamedAnswer(csv_chunks(release, found.rows, now), b"text/csv; charset=utf-8; header=present", MINUTE, headers)  # fmt: skip
    head = BulkHead(True, page, limit, len(found.rows), found.total, found.pages, links.get("next"), license_id, release.is_synthetic, release.release_id)  # fmt: skip
    return StreamedAnswer(json_chunks(release, head, found.rows, now), JSON_TYPE, MINUTE, headers)


def _links(address: str, kept: dict[str, object], page: int, found: BulkRows) -> dict[str, str]:
    """Addresses of the first, previous, next and last page (RFC 8288)."""
    numbers = {"first": 1, "last": max(found.pages, 1)}
    if page > 1:
        numbers["prev"] = min(page - 1, max(found.pages, 1))
    if page < found.pages:
        numbers["next"] = page + 1
    return {rel: address + urlencode({**kept, "page": number}) for rel, number in numbers.items()}


HANDLERS = [bulk]
