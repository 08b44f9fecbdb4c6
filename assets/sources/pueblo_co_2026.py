"""Food in Pueblo County, Colorado, as a local map collected it: pantries, and shops and gardens
that are none.

Pantries come from the Plentiful directory, their points from OpenStreetMap's geocoder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains, digests, type_by_name, without_emails
from assets.sources.hours_by_weekday import WEEKDAYS
from assets.sources.reading import with_known, with_rejects
from assets.sources.reading_json import Record, member, numbers, read_json_pages, texts
from assets.sources.reading_osm import osm_places, read_overpass_json
from assets.sources.whole_addresses import address_parts
from schemas.sources.registry import Source

# "Agape Church. in Pueblo, CO. Phone: (719) 555-0100.": made by the directory from the other
# fields.
_BOILERPLATE = r"^.*\. in Pueblo, CO\.(?: Hours and directions available\.| Phone: [^.]*\.)?$"
_CATEGORIES = {"meal_site": "soup_kitchen"}
_HOUSE_NUMBER = r"(?:^|, )\d+[A-Za-z]?,"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's places, none of geocoder answers. Raises UnreadableFileError."""
    if file.layout == "geocode_cache":
        return
    yield with_known(_READERS[file.layout](file), file, source)


def _pantries(file: RawFile) -> pd.DataFrame:
    records = read_json_pages(file, "entries")
    notes = texts(records, "notes")
    found_at = texts(records, "geocode_display_name")
    has_number = contains(found_at, _HOUSE_NUMBER)
    parts = address_parts(texts(records, "address"), "CO")
    name = texts(records, "name")
    places = parts.assign(
        source_row=range(1, len(records) + 1),
        source_key=texts(records, "id"),
        name=name,
        resource_type=texts(records, "category")
        .map(_CATEGORIES)
        .astype("str")
        .fillna(type_by_name(name)),
        lat=numbers(records, "lat"),
        lng=numbers(records, "lng"),
        # Without a house number the geocoder found the middle of a street.
        location_precision=pd.Series("city", parts.index, dtype="str").mask(has_number),
        phone=texts(records, "phone"),
        website=texts(records, "url"),
        hours_text=pd.Series(
            [_weekly(member(record, "hours_weekly")) for record in records], dtype="str"
        ),
        notes=without_emails(notes.mask(contains(notes, _BOILERPLATE))),
    )
    return with_rejects(places, ())


def _weekly(hours: object) -> str | None:
    """Format {"tue": ["8:00 AM - 2:00 PM"]} as "Tuesday 8:00 AM - 2:00 PM"."""
    if not isinstance(hours, dict):
        return None
    days = {day[:3].lower(): day for day in WEEKDAYS}
    parts = [f"{days.get(day, day)} {', '.join(slots)}" for day, slots in hours.items() if slots]
    return "; ".join(parts) or None


def _groceries(file: RawFile) -> pd.DataFrame:
    objects = read_overpass_json(file)
    places = osm_places(objects)
    shop = pd.Series([f"shop={each.tags.get('shop')}" for each in objects], dtype="str")
    # A shop is listed where a register says that it takes SNAP, which OpenStreetMap does not.
    return with_rejects(places, (("not_in_catalog", pd.Series(True, places.index), shop),))


def _wic_vendors(file: RawFile) -> pd.DataFrame:
    records = read_json_pages(file, "features")
    of = {name: texts(records, "attributes", name) for name in _VENDOR_FIELDS}
    places = pd.DataFrame(
        {
            "source_row": range(1, len(records) + 1),
            "source_key": digests(of["VendorStoreName"], of["StreetAddrLine"], of["City"]),
            "name": of["VendorStoreName"],
            "address": of["StreetAddrLine"],
            "city": of["City"],
            "lat": numbers(records, "geometry", "y"),
            "lng": numbers(records, "geometry", "x"),
        }
    )
    # A store where WIC benefits are spent is no office where families apply.
    vendor = "WIC vendor: " + of["StoreType"].fillna("")
    return with_rejects(places, (("not_in_catalog", pd.Series(True, places.index), vendor),))


_VENDOR_FIELDS = ("VendorStoreName", "StreetAddrLine", "StoreType", "City")


def _gardens(file: RawFile) -> pd.DataFrame:
    records: list[Record] = read_json_pages(file, "results")
    key = texts(records, "id")
    places = address_parts(texts(records, "display_address"), "CO").assign(
        source_row=range(1, len(records) + 1),
        source_key=key,
        name=key,
        lat=numbers(records, "new_lat"),
        lng=numbers(records, "new_lng"),
    )
    garden = "community garden: " + key
    return with_rejects(places, (("not_in_catalog", pd.Series(True, places.index), garden),))


_READERS: dict[str, Callable[[RawFile], pd.DataFrame]] = {
    "pantries": _pantries,
    "overpass": _groceries,
    "wic_vendors": _wic_vendors,
    "garden_geocodes": _gardens,
}
