"""The export, page by page: JSON records as the release stores them, or CSV with the same columns."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import AsyncIterator, Iterable
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import numpy as np

from schemas.api.lists import BulkHead
from schemas.api.record import LIVE_MEMBERS, RECORD_MEMBERS
from schemas.vocab.states import STATE_CODES
from serving.services.search import Types
from warehouse.reader import OpenRelease

CSV_COLUMNS: tuple[str, ...] = (
    *(m.name for m in RECORD_MEMBERS),
    *(name for name, _ in LIVE_MEMBERS),
)
# Records per piece of the stream.
_PIECE = 50


class BulkRows(NamedTuple):
    """Rows of one page, and how many rows and pages match."""

    rows: list[int]
    total: int
    pages: int


def rows_of_page(
    release: OpenRelease, state: str | None, types: Types, page: int, limit: int
) -> BulkRows:
    """The rows of a page, in id order."""
    key = f"bulk:{state}:{sorted(types) if types is not None else None}"
    rows = release.kept(key, lambda: _matching(release, state, types))
    first = (page - 1) * limit
    return BulkRows(rows[first : first + limit].tolist(), len(rows), -(-len(rows) // limit))


def _matching(release: OpenRelease, state: str | None, types: Types) -> Any:
    wanted = np.ones(len(release), dtype=bool)
    if state is not None:
        wanted &= release.state_codes == STATE_CODES.index(state)
    if types is not None:
        wanted &= np.isin(release.type_codes, list(types))
    return np.flatnonzero(wanted).astype(np.int32)


def tag_of(release: OpenRelease, rows: list[int], now: datetime, *parts: object) -> bytes:
    """ETag of a page: the release, the question, and what depends on the moment."""
    moments = "".join(
        f"{m.hours_status}{m.days_since_confirmed}" for m in (release.moment(r, now) for r in rows)
    )
    text = f"{release.release_id}|{parts}|{moments}"
    return b'W/"%s"' % hashlib.blake2b(text.encode(), digest_size=12).hexdigest().encode()


async def json_chunks(
    release: OpenRelease, head: BulkHead, rows: list[int], now: datetime
) -> AsyncIterator[bytes]:
    """The page as JSON, in pieces."""
    yield msgspec.json.encode(head)[:-1] + b',"resources":['
    for start in range(0, len(rows), _PIECE):
        piece = b",".join(release.record(row, now) for row in rows[start : start + _PIECE])
        yield (b"," if start else b"") + piece
    yield b"]}"


async def csv_chunks(release: OpenRelease, rows: list[int], now: datetime) -> AsyncIterator[bytes]:
    """The page as CSV (RFC 4180) with a header row, in pieces."""
    yield _csv_lines([CSV_COLUMNS])
    for start in range(0, len(rows), _PIECE):
        piece = rows[start : start + _PIECE]
        yield _csv_lines(_cells(release, row, now) for row in piece)


def _csv_lines(rows: Iterable[Iterable[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode()


def _cells(release: OpenRelease, row: int, now: datetime) -> list[Any]:
    record: dict[str, Any] = msgspec.json.decode(release.record(row, now))
    return [_cell(record[name]) for name in CSV_COLUMNS]


def _cell(value: Any) -> Any:
    """Lists and objects as JSON, booleans as `true` and `false`, nothing as an empty cell."""
    if isinstance(value, bool | list | dict):
        return msgspec.json.encode(value).decode()
    return value
