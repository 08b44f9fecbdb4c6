"""Food help on Michigan's Upper Peninsula: places collected by hand, hours as lists of spans per
weekday.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains, digests, type_by_name, website_without_email
from assets.sources.hours_by_weekday import WEEKDAYS, weekly_text
from assets.sources.reading import with_rejects
from assets.sources.reading_json import Record, member, numbers, texts
from assets.sources.reading_json_whole import read_json_list
from assets.sources.whole_addresses import address_parts
from schemas.sources.registry import Source


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's places in one frame."""
    records = read_json_list(file)
    name, address = texts(records, "title"), texts(records, "address")
    places = address_parts(address, "MI").assign(
        source_row=range(1, len(records) + 1),
        source_key=digests(name, address),
        name=name,
        resource_type=type_by_name(name),
        lat=numbers(records, "latitude"),
        lng=numbers(records, "longitude"),
        phone=texts(records, "phone"),
        website=website_without_email(texts(records, "website")),
        hours_text=weekly_text(pd.DataFrame({day: _spans(records, day) for day in WEEKDAYS})),
    )
    # A shop is a place to give and buy, unless the list marks it as a pantry or its name does.
    is_pantry = _is_marked(records) | contains(name, r"\bpantry\b")
    is_shop = contains(name, r"\bthrift\b|\bstore\b") & ~is_pantry
    yield with_rejects(places, [("not_food_assistance", is_shop, name)])


def _spans(records: list[Record], day: str) -> pd.Series:
    """Return a weekday's list as text: "11:00-12:30, 16:00-18:00", "closed"; missing where the
    day is."""
    lists = [member(record, "hours", day) for record in records]
    plain = [", ".join(map(str, found)) if isinstance(found, list) else None for found in lists]
    column = pd.Series([text or None for text in plain], dtype="str")
    return column.mask(column == "Closed", "closed")


def _is_marked(records: list[Record]) -> pd.Series:
    return pd.Series(["pantry" in (record.get("categories") or []) for record in records])
