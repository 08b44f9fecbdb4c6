"""Compares a fetched file with the one before: a list that lost its rows or columns is refused."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from warehouse.fetch.errors import ChangedLayoutError, ShrunkenError, WrongContentError
from warehouse.unpacking import unpacked_chunks

_SAMPLE = 200
# What begins a record in formats that are neither JSON nor a table.
_RECORD_MARKS = {
    "application/vnd.google-earth.kml+xml": b"<Placemark",
    "text/calendar": b"BEGIN:VEVENT",
}
_TABLES = ("text/csv", "text/tab-separated-values", "text/plain")
_LINES = ("application/x-ndjson",)


class Outline(NamedTuple):
    """How much a file holds, in `unit`, and the names of its columns or members."""

    size: int
    unit: str
    names: frozenset[str]


def outline_of(path: Path, media_type: str, max_bytes: int) -> Outline:
    """Return the outline of a file that may be packed in gzip."""
    if media_type in _RECORD_MARKS:
        mark = _RECORD_MARKS[media_type]
        return Outline(_count(unpacked_chunks(path, max_bytes), mark), "records", frozenset())
    if media_type == "application/json" or media_type.endswith("+json"):
        return _json_outline(b"".join(unpacked_chunks(path, max_bytes)))
    if media_type in _LINES:
        return Outline(_count(unpacked_chunks(path, max_bytes), b"\n"), "records", frozenset())
    if media_type in _TABLES:
        return _table_outline(path, max_bytes)
    size = sum(len(chunk) for chunk in unpacked_chunks(path, max_bytes))
    return Outline(size, "bytes", frozenset())


def check_against_last(new: Outline, last: Outline | None, address: str, min_share: float) -> None:
    """Raise WrongContentError for a file without records, ShrunkenError for one with fewer than
    `min_share` of the last one's, ChangedLayoutError for one with fewer of its column names."""
    if new.size == 0:
        raise WrongContentError(address, f"the file holds 0 {new.unit}")
    if last is None or last.unit != new.unit:
        return
    if new.size < min_share * last.size:
        raise ShrunkenError(address, f"{new.size} {new.unit} came, {last.size} the last time")
    gone = last.names - new.names
    if len(last.names) - len(gone) < min_share * len(last.names):
        raise ChangedLayoutError(
            address,
            f"{len(gone)} of {len(last.names)} columns are gone ({', '.join(sorted(gone)[:8])}); "
            f"there are now {', '.join(sorted(new.names)[:8])}",
        )


def _json_outline(content: bytes) -> Outline:
    try:
        body = msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except msgspec.DecodeError:
        return Outline(len(content), "bytes", frozenset())
    records = _longest_list(body)
    if records is None:
        return Outline(len(content), "bytes", frozenset())
    names = {name for record in records[:_SAMPLE] for name in _members(record)}
    return Outline(len(records), "records", frozenset(names))


def _longest_list(value: Any, depth: int = 3) -> list[Any] | None:
    """Return the longest list of objects among an answer's members, lists of pages taken together."""
    if isinstance(value, list):
        inner = [_longest_list(page, depth - 1) for page in value] if depth else []
        if inner and all(
            isinstance(each, list) and _is_page(p) for each, p in zip(inner, value, strict=True)
        ):
            return [record for each in inner for record in each or ()]
        return value
    if isinstance(value, dict) and depth:
        lists = [_longest_list(member, depth - 1) for member in value.values()]
        found = [each for each in lists if each is not None]
        return max(found, key=_objects, default=None)
    return None


def _is_page(value: Any) -> bool:
    return isinstance(value, dict) and ("features" in value or "metadata" in value)


def _objects(records: list[Any]) -> tuple[bool, int]:
    return bool(records) and isinstance(records[0], dict), len(records)


def _members(record: Any) -> Iterable[str]:
    if not isinstance(record, dict):
        return ()
    inner = record.get("attributes") or record.get("properties")
    return inner if isinstance(inner, dict) else record


def _table_outline(path: Path, max_bytes: int) -> Outline:
    header = next(_lines(unpacked_chunks(path, max_bytes)), b"")
    text = header.decode("utf-8", "replace").lstrip("\ufeff").rstrip("\r\n")
    separator = max(",;\t|", key=text.count)
    names = next(csv.reader([text], delimiter=separator), [])
    rows = sum(1 for line in _lines(unpacked_chunks(path, max_bytes)) if line.strip())
    known = {name.strip().casefold() for name in names if name.strip()}
    return Outline(max(rows - 1, 0), "rows", frozenset(known))


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    left = b""
    for chunk in chunks:
        *whole, left = (left + chunk).split(b"\n")
        yield from whole
    if left:
        yield left


def _count(chunks: Iterable[bytes], mark: bytes) -> int:
    total, left = 0, b""
    for chunk in chunks:
        joined = left + chunk
        total += joined.count(mark)
        left = joined[-(len(mark) - 1) :] if len(mark) > 1 else b""
    return total
