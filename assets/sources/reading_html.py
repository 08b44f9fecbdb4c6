"""Readers of web pages: their tables, lists as JSON in a script or an attribute, and places that
JSON-LD (schema.org) describes."""

import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import pandas as pd
from lxml import etree, html

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.headings import best_header, header_at, number_duplicates
from assets.sources.reading import as_text_rows, decode, refuse_wide
from assets.sources.reading_records import Record, decode_json, records_frame

_ROWS_LOOKED_AT = 10
_MAX_SPAN = 1000


def read_html_table(file: RawFile, expected: list[str]) -> pd.DataFrame:
    """Return the table of a page that has most of the expected columns, and those with the same
    header, as a frame of text; cells that span rows count in each of them. Raises
    UnreadableFileError for a page without a table."""
    try:
        page = html.fromstring(decode(file.read_bytes(), "utf-8"))
    except (ValueError, UnicodeDecodeError, html.etree.ParserError) as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    tables = [_cells(table, file) for table in page.iter("table")]
    tables = [table for table in tables if len(table) > 1]
    if not tables:
        raise UnreadableFileError(f"{file.name}: the page has no table")
    heads = [table[:_ROWS_LOOKED_AT] for table in tables]
    number, at = best_header(heads, expected, file.other_names) or (0, 0)
    best = tables[number]
    names = number_duplicates(name or f"column {n}" for n, name in enumerate(best[at], 1))
    # A page may have a table for each county, all with one header.
    parts = [table[table.index(best[at]) + 1 :] for table in tables if best[at] in table]
    records = [row for part in parts for row in part if any(row) and row != best[at]]
    columns = {
        name: pd.Series([row[n] if n < len(row) else None for row in records], dtype="str")
        for n, name in enumerate(names)
    }
    return as_text_rows(pd.DataFrame(columns), file)


def _cells(table: html.HtmlElement, file: RawFile) -> list[list[str | None]]:
    """Return the texts of a table's cells row by row, spans filled in. Raises
    UnreadableFileError."""
    rows: list[list[str | None]] = []
    open_cells: dict[int, tuple[int, str | None]] = {}
    for row in table.iter("tr"):
        if next(row.iterancestors("table")) is not table:
            continue
        texts: list[str | None] = []
        for cell in row.iterchildren("td", "th"):
            _fill(texts, open_cells)
            text = _text(cell)
            for _ in range(_span(cell, "colspan")):
                if (down := _span(cell, "rowspan")) > 1:
                    open_cells[len(texts)] = (down - 1, text)
                texts.append(text)
            refuse_wide(texts, file)
        _fill(texts, open_cells)
        rows.append(texts)
    return rows


def _fill(texts: list[str | None], open_cells: dict[int, tuple[int, str | None]]) -> None:
    """Add the cells of rows above that span into this one."""
    while len(texts) in open_cells:
        row_count, text = open_cells.pop(len(texts))
        if row_count > 1:
            open_cells[len(texts)] = (row_count - 1, text)
        texts.append(text)


def _span(cell: html.HtmlElement, name: str) -> int:
    text = cell.get(name, "1")
    return min(int(text), _MAX_SPAN) if text.isdigit() and text != "0" else 1


def _text(cell: html.HtmlElement) -> str | None:
    for each in cell.iter("br", "p", "div", "li"):
        each.tail = "\n" + (each.tail or "")
    lines = (" ".join(line.split()) for line in cell.text_content().splitlines())
    return "\n".join(line for line in lines if line) or None


_START = re.compile(r"[{\[]")
# Fewer objects are settings of the page rather than its list.
_MIN_RECORDS = 2
# One of these words is in a member's name of a list of places.
_PLACE_WORDS = ("name", "title", "address", "addr", "street", "agency")


def page_records(file: RawFile) -> list[Record]:
    """Return the longest list of places in the page's scripts and attributes; empty without one."""
    text = decode(file.read_bytes(), "utf-8-sig")
    texts = [text]
    if text.lstrip().startswith("<"):
        tree = html.fromstring(text)
        texts = [script.text for script in tree.iter("script") if script.text]
        texts += [
            value
            for element in tree.iter()
            if isinstance(element.tag, str)
            for name, value in element.attrib.items()
            if name.startswith("data-") and value.lstrip()[:1] in ("[", "{")
        ]
    lists = (found for each in texts for value in _json_values(each) for found in _lists_in(value))
    return max(lists, key=len, default=[])


def _json_values(text: str) -> Iterator[Any]:
    """Yield the JSON values that begin with an object or a list of objects."""
    decoder, at = json.JSONDecoder(), 0
    while start := _START.search(text, at):
        try:
            value, at = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            at = start.end()
            continue
        yield value


def _lists_in(value: Any) -> Iterator[list[Record]]:
    """Yield the lists of places in a JSON value."""
    if isinstance(value, dict):
        members = list(value.values())
        if _are_places(members):
            yield members
        for member in members:
            yield from _lists_in(member)
    elif isinstance(value, list):
        if _are_places(value):
            yield value
        else:
            for member in value:
                yield from _lists_in(member)


def _are_places(members: list[Any]) -> bool:
    if len(members) < _MIN_RECORDS or not all(isinstance(each, dict) for each in members):
        return False
    names = " ".join(str(name) for name in members[0]).casefold()
    return any(word in names for word in _PLACE_WORDS)


def read_long_html_table(
    file: RawFile, required: Sequence[str], optional: Iterable[str] = ()
) -> tuple[str, pd.DataFrame]:
    """Return the text above a row of all `required` names, and the table under it as text.

    Raises UnreadableFileError.
    """
    above: list[str] = []
    header: list[str] = []
    records: list[list[str]] = []
    for cells in _html_rows(file):
        if header:
            if len(cells) != len(header):
                raise UnreadableFileError(
                    f"{file.name}: row {len(records) + 1} has {len(cells)} cells, not {len(header)}"
                )
            records.append(cells)
        elif header_at([cells], required, file.other_names) is not None:
            header = cells
        else:
            above.append(" ".join(cells))
    if not header:
        raise UnreadableFileError(f"{file.name}: no table has the columns {sorted(required)}")
    frame = pd.DataFrame(records, columns=header, dtype="str")
    return "\n".join(above), as_text_rows(frame, file, required, optional)


def _html_rows(file: RawFile) -> Iterator[list[str]]:
    """Yield each table row's cells, one row in memory at a time; tags in any case."""
    events = etree.iterparse(
        io.BytesIO(file.read_bytes()), tag="tr", html=True, huge_tree=True, remove_comments=True
    )
    try:
        for _, row in events:
            for line_break in row.iter("br"):
                line_break.tail = f" {line_break.tail or ''}"
            cells = ["".join(each.itertext()).strip() for each in row if each.tag in {"td", "th"}]
            row.clear()
            while row.getprevious() is not None:
                del row.getparent()[0]
            if cells:
                yield cells
    except etree.XMLSyntaxError as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error


_SCRIPT = re.compile(
    r"<script[^>]*application/ld\+json[^>]*>(.*?)</script>", re.IGNORECASE | re.DOTALL
)
_COMMENT = re.compile(r"^\s*<!--|-->\s*$|^\s*//\s*<!\[CDATA\[|//\s*\]\]>\s*$")
# Types of schema.org other than an address: kinds are without end, an address is decisive.
_NO_PLACES = ("Event", "Person", "WebSite", "WebPage", "Article", "BreadcrumbList")
_LEADING = ("jsonld", "@graph", "itemListElement", "item", "mainEntity", "location", "department")
_DAY = re.compile(r"^(?:https?://schema\.org/)?(?:#)?(?P<day>[A-Z][a-z]+)$")


def read_json_ld(file: RawFile, required: list[str]) -> pd.DataFrame:
    """Return the things with an address that pages describe, as a frame of text.

    Members of schema.org are columns by path (name, address.streetAddress, geo.latitude,
    telephone, url); `hours` is openingHours, or openingHoursSpecification written as text. Raises
    UnreadableFileError for pages without any such thing.
    """
    text = decode(file.read_bytes(), "utf-8")
    if text.lstrip().startswith("<"):
        blocks = [_decode(block, file) for block in _SCRIPT.findall(text)]
    else:
        # Fetched pages are one object per line, with the descriptions of each in `jsonld`.
        blocks = [decode_json(file)]
    places = [place for block in blocks for place in _places(block)]
    if not places:
        raise UnreadableFileError(f"{file.name}: no JSON-LD describes a place with an address")
    unique = {msgspec.json.encode(record): record for record in places}
    return records_frame([_with_hours(r) for r in unique.values()], file, required)


def _decode(block: str, file: RawFile) -> Any:
    try:
        return msgspec.json.decode(_COMMENT.sub("", block).strip())
    except msgspec.DecodeError as error:
        raise UnreadableFileError(f"{file.name}: JSON-LD: {error}") from error


def _places(content: Any) -> Iterator[Record]:
    if isinstance(content, list):
        for item in content:
            yield from _places(item)
    elif isinstance(content, dict):
        kinds = content.get("@type")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if content.get("address") and not set(kinds) & set(_NO_PLACES):
            yield content
            return
        for name in _LEADING:
            if name in content:
                yield from _places(content[name])


def _with_hours(record: Record) -> Record:
    texts = record.get("openingHours")
    texts = texts if isinstance(texts, list) else [texts] if texts else []
    slots = record.get("openingHoursSpecification") or []
    slots = slots if isinstance(slots, list) else [slots]
    lines = [str(text) for text in texts] or [
        _slot(slot) for slot in slots if isinstance(slot, dict)
    ]
    address = record.get("address")
    address = address[0] if isinstance(address, list) and address else address
    return {**record, "address": address, "hours": "; ".join(line for line in lines if line)}


def _slot(slot: Record) -> str:
    """Format "Monday, Tuesday 09:00-12:00"; a day that opens and closes at midnight is closed."""
    days = slot.get("dayOfWeek") or []
    days = days if isinstance(days, list) else [days]
    names = [match["day"] for day in days if (match := _DAY.match(str(day)))]
    opens, closes = str(slot.get("opens") or "")[:5], str(slot.get("closes") or "")[:5]
    if not names or not opens:
        return ""
    if opens == closes == "00:00":
        return f"{', '.join(names)} closed"
    valid = " to ".join(str(slot[end]) for end in ("validFrom", "validThrough") if slot.get(end))
    return f"{', '.join(names)} {opens}-{closes}" + (f" ({valid})" if valid else "")
