"""The export of the whole directory, page by page: as JSON or CSV."""

import asyncio
import csv
import io
import time
from bisect import bisect_left, bisect_right
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

import msgspec
import numpy as np
from litestar import get
from litestar.types import Scope

from schemas.api.lists import BulkHead, BulkPage
from schemas.api.record import LIVE_MEMBERS, RECORD_MEMBERS
from schemas.fields import FIELDS
from schemas.values.formulas import without_formula
from schemas.vocab.states import STATE_CODES, STATES
from serving.context import context_of
from serving.http.answers import (
    CSV_TYPE,
    JSON_TYPE,
    MINUTE,
    StreamedAnswer,
    link_header,
    weak_tag,
)
from serving.http.errors import RULES, invalid, release_of
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.search.find import choose_types
from serving.search.parameters import StateChoice, TypeChoice
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import Moment

CSV_COLUMNS: tuple[str, ...] = (
    *(m.name for m in RECORD_MEMBERS),
    *(name for name, _ in LIVE_MEMBERS),
)
# Members that people wrote: only these are protected from spreadsheets.
FREE_TEXT = frozenset(m.name for m in RECORD_MEMBERS if FIELDS[m.field].is_free_text)
# Records per piece of the stream.
_PIECE = 100
# Work on the event loop before others get their turn.
_TURN_SECONDS = 0.001


class BulkRows(NamedTuple):
    """Rows of one page, the position of the first among all matches, and the number of matches."""

    rows: list[int]
    first: int
    total: int
    limit: int

    @property
    def pages(self) -> int:
        return -(-self.total // self.limit)

    @property
    def page(self) -> int:
        """Number of the page with the first row, from 1."""
        return self.first // self.limit + 1

    @property
    def has_more(self) -> bool:
        return self.first + len(self.rows) < self.total


# ---------------------------------------------------------------- the moment


async def moments_of(release: OpenRelease, rows: Sequence[int], now: datetime) -> list[Moment]:
    """Return the members of each row that depend on the instant.

    A page of 1,000 timetables never requested before takes tens of milliseconds: other requests get
    their turn after every one.
    """
    moments: list[Moment] = []
    until = time.perf_counter() + _TURN_SECONDS
    for row in rows:
        moments.append(release.moment(row, now))
        if time.perf_counter() > until:
            await asyncio.sleep(0)
            until = time.perf_counter() + _TURN_SECONDS
    return moments


def reports_on(release: OpenRelease, rows: Sequence[int]) -> str:
    """Return operators' and visitors' reports on rows, for the ETag: empty without any."""
    live = release.live
    if not live.entries and not live.doubts:
        return ""
    reports = ((i, live.text_of(i), live.doubts.get(i)) for i in map(release.id_of, rows))
    return "".join(str(news) for news in reports if news[1] or news[2])


def tag_of(release: OpenRelease, moments: list[Moment], *parts: object) -> bytes:
    """Return the ETag of a page: the release, the query, and the state of the moment."""
    text = "".join(f"{m.hours_status}{m.days_since_confirmed}{m.usual_hours}" for m in moments)
    return weak_tag(release.release_id, parts, text)


# ---------------------------------------------------------------- formats


def _records(release: OpenRelease, rows: list[int], moments: list[Moment]) -> bytes:
    parts: list[bytes | memoryview] = []
    for row, moment in zip(rows, moments, strict=True):
        parts += (release.read_record(row), release.live_members(row, moment), b",")
    return b"".join(parts)


async def json_chunks(
    release: OpenRelease, head: BulkHead, rows: list[int], moments: list[Moment]
) -> AsyncIterator[bytes]:
    """Yield the page as JSON, in pieces."""
    yield msgspec.json.encode(head)[:-1] + b',"resources":['
    for start in range(0, len(rows), _PIECE):
        end = start + _PIECE
        piece = _records(release, rows[start:end], moments[start:end])
        yield piece if end < len(rows) else piece[:-1]
    yield b"]}"


async def csv_chunks(
    release: OpenRelease, rows: list[int], moments: list[Moment]
) -> AsyncIterator[bytes]:
    """Yield the page as CSV (RFC 4180) with a header row, in pieces."""
    yield ",".join(CSV_COLUMNS).encode() + b"\r\n"
    for start in range(0, len(rows), _PIECE):
        end = start + _PIECE
        yield csv_lines(release, rows[start:end], moments[start:end])


def csv_lines(release: OpenRelease, rows: list[int], moments: list[Moment]) -> bytes:
    """Return CSV lines of rows, made from the JSON records."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    for row, moment in zip(rows, moments, strict=True):
        whole = b"".join((release.read_record(row), release.live_members(row, moment)))
        record: dict[str, Any] = msgspec.json.decode(whole)
        writer.writerow([_cell(record[name], name) for name in CSV_COLUMNS])
    return text.getvalue().encode()


def _cell(value: Any, name: str) -> Any:
    """Format lists and objects as JSON, booleans as `true` and `false`, nothing as an empty
    cell."""
    if isinstance(value, bool | list | dict):
        return msgspec.json.encode(value).decode()
    return without_formula(value) if name in FREE_TEXT and isinstance(value, str) else value


# ---------------------------------------------------------------- the address


_MAX_LIMIT = 1000
BulkLimit = Annotated[int, query("limit", of="export", ge=1, le=_MAX_LIMIT)]
BulkNumber = Annotated[int, query("page", of="export", ge=1, le=10_000_000)]
Cursor = Annotated[int, query("cursor", ge=0, le=2**53 - 1)]
Format = Annotated[Literal["json", "csv"], query("format", of="export")]


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
    is_match = np.ones(len(release), dtype=bool)
    if us_state is not None:
        is_match &= release.state_codes == STATE_CODES.index(us_state)
    if (types := choose_types(None, type)) is not None:
        is_match &= np.isin(release.type_codes, list(types))
    matches = np.flatnonzero(is_match).astype(np.int32)
    # Links use cursors, unless the client asks for pages by number.
    names = {part.partition(b"=")[0] for part in scope["query_string"].split(b"&")}
    number = page if b"page" in names and b"cursor" not in names else None
    # The id of a cursor need not exist any more.
    first = (
        (number - 1) * limit
        if number
        else bisect_left(matches.data, bisect_right(release.ids.data, cursor))
    )
    selection = BulkRows(matches[first : first + limit].tolist(), first, len(matches), limit)
    parameters = {"format": format, "state": us_state, "type": type, "limit": limit}
    values = {k: v for k, v in parameters.items() if v is not None}
    address = f"{context_of(scope).settings.url}/api/resources/bulk?{urlencode(values)}"
    links = _links(release, matches, address, selection, by_number=number is not None)
    moments = await moments_of(release, selection.rows, now)
    reports = reports_on(release, selection.rows)
    headers = (
        (b"link", link_header(links, release.manifest.data_license).encode()),
        (
            b"etag",
            tag_of(
                release, moments, selection.first, limit, format, us_state, type, number, reports
            ),
        ),
    )
    if format == "csv":
        chunks, media_type = csv_chunks(release, selection.rows, moments), CSV_TYPE
    else:
        following = selection.rows[-1:] if selection.has_more else []
        head = BulkHead(
            True,
            selection.page,
            selection.limit,
            len(selection.rows),
            selection.total,
            selection.pages,
            links.get("next"),
            str(release.id_of(following[0])) if following else None,
            release.manifest.data_license,
            release.is_synthetic,
            release.release_id,
        )
        chunks, media_type = json_chunks(release, head, selection.rows, moments), JSON_TYPE
    return StreamedAnswer(chunks, media_type, MINUTE, headers)


def _links(
    release: OpenRelease,
    matches: np.ndarray,
    address: str,
    selection: BulkRows,
    *,
    by_number: bool,
) -> dict[str, str]:
    """Return addresses of the first, previous, next and last page (RFC 8288): by number, or by
    cursor if pages count from the start of this one."""
    last = max(selection.pages - 1, 0) * selection.limit
    positions = {"first": 0, "last": last}
    if selection.first > 0:
        positions["prev"] = max(min(selection.first - selection.limit, last), 0)
    if selection.has_more:
        positions["next"] = selection.first + len(selection.rows)
    if by_number:
        return {rel: f"{address}&page={at // selection.limit + 1}" for rel, at in positions.items()}
    # A cursor is the id before a page; no id is 0.
    return {
        rel: f"{address}&cursor={release.id_of(int(matches[at - 1])) if at else 0}"
        for rel, at in positions.items()
    }
