"""Compares a fetched file with the previous one and refuses a list that lost rows or columns."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from schemas.sources.platforms import platforms
from warehouse.fetch.errors import ChangedLayoutError, ShrunkenError, WrongContentError
from warehouse.gzip_files import unpack_chunks

_SAMPLE = 200
# Start of a record in formats that are neither JSON nor a table.
_RECORD_MARKS = {
    "application/vnd.google-earth.kml+xml": b"<Placemark",
    "text/calendar": b"BEGIN:VEVENT",
}
_TABLES = ("text/csv", "text/tab-separated-values", "text/plain")


class Outline(NamedTuple):
    """Size of a file in `unit`, and the names of its columns or members."""

    size: int
    unit: str
    names: frozenset[str]


def outline_of(path: Path, media_type: str, max_bytes: int) -> Outline:
    """Return the outline of a file, which may be gzipped."""
    if media_type in _RECORD_MARKS:
        mark = _RECORD_MARKS[media_type]
        return Outline(_count(unpack_chunks(path, max_bytes), mark), "records", frozenset())
    if media_type == "application/json" or media_type.endswith("+json"):
        return _json_outline(b"".join(unpack_chunks(path, max_bytes)))
    if media_type in _TABLES:
        return _table_outline(path, max_bytes)
    size = sum(len(chunk) for chunk in unpack_chunks(path, max_bytes))
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
    missing = last.names - new.names
    if len(last.names) - len(missing) < min_share * len(last.names):
        raise ChangedLayoutError(
            address,
            f"{len(missing)} of {len(last.names)} columns are gone "
            f"({', '.join(sorted(missing)[:8])}); there are now {', '.join(sorted(new.names)[:8])}",
        )


def _json_outline(content: bytes) -> Outline:
    try:
        records = _records(msgspec.Raw(content.removeprefix(b"\xef\xbb\xbf")))
    except msgspec.DecodeError:
        records = None
    if records is None:
        return Outline(len(content), "bytes", frozenset())
    sample = [msgspec.json.decode(record) for record in records[:_SAMPLE]]
    names: set[str] = set()
    for record in sample:
        if isinstance(record, dict):
            inner = record.get("attributes") or record.get("properties")
            names.update(inner if isinstance(inner, dict) else record)
    return Outline(len(records), "records", frozenset(names))


def _records(answer: msgspec.Raw) -> list[msgspec.Raw] | None:
    """Return the undecoded records of an answer, with those of all pages in a list.

    They are under one of the platforms' own names, else in the longest list.
    """
    first = bytes(answer).lstrip()[:1]
    if first == b"[":
        items = msgspec.json.decode(answer, type=list[msgspec.Raw])
        pages = [_page_records(item) for item in items[:1]]
        if not pages or pages[0] is None:
            return items
        return [record for item in items for record in _page_records(item) or ()]
    return _page_records(answer) or _longest_list(answer)


def _page_records(answer: msgspec.Raw) -> list[msgspec.Raw] | None:
    paths = (path for platform in platforms().values() for path in platform.path if path)
    for path in dict.fromkeys(paths):
        try:
            value = answer
            for name in path:
                value = msgspec.json.decode(value, type=dict[str, msgspec.Raw])[name]
            return msgspec.json.decode(value, type=list[msgspec.Raw])
        except (KeyError, msgspec.ValidationError):
            continue
    return None


def _longest_list(answer: msgspec.Raw) -> list[msgspec.Raw] | None:
    try:
        members = msgspec.json.decode(answer, type=dict[str, msgspec.Raw])
    except msgspec.ValidationError:
        return None
    lists = []
    for member in members.values():
        try:
            lists.append(msgspec.json.decode(member, type=list[msgspec.Raw]))
        except msgspec.ValidationError:
            continue
    return max(lists, key=len, default=None)


def _table_outline(path: Path, max_bytes: int) -> Outline:
    header = next(_lines(unpack_chunks(path, max_bytes)), b"")
    text = header.decode("utf-8", "replace").lstrip("\ufeff").rstrip("\r\n")
    separator = max(",;\t|", key=text.count)
    names = next(csv.reader([text], delimiter=separator), [])
    rows = sum(1 for line in _lines(unpack_chunks(path, max_bytes)) if line.strip())
    columns = {name.strip().casefold() for name in names if name.strip()}
    return Outline(max(rows - 1, 0), "rows", frozenset(columns))


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
    if rest:
        yield rest


def _count(chunks: Iterable[bytes], mark: bytes) -> int:
    total, tail = 0, b""
    for chunk in chunks:
        window = tail + chunk
        total += window.count(mark)
        tail = window[-(len(mark) - 1) :] if len(mark) > 1 else b""
    return total
