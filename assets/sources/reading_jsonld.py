"""Reader for schema.org descriptions of places in saved pages (JSON-LD, one page or many in a
row)."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.delimited import decode
from assets.sources.reading_records import Record, decode_json, records_frame

_SCRIPT = re.compile(
    r"<script[^>]*application/ld\+json[^>]*>(.*?)</script>", re.IGNORECASE | re.DOTALL
)
_COMMENT = re.compile(r"^\s*<!--|-->\s*$|^\s*//\s*<!\[CDATA\[|//\s*\]\]>\s*$")
# Types of schema.org other than an address: kinds are without end, an address is decisive.
_NO_PLACES = ("Event", "Person", "WebSite", "WebPage", "Article", "BreadcrumbList")
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
        for name in (
            "jsonld",
            "@graph",
            "itemListElement",
            "item",
            "mainEntity",
            "location",
            "department",
        ):
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
