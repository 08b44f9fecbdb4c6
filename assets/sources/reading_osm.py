"""Readers for OpenStreetMap: extracts in the PBF format, and answers of the Overpass API in JSON.

Both give the same records. An object is a point (node), a line or outline (way), or a group
(relation).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

import osmium
import osmium.filter
import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.free_text import as_dates, website_without_email
from assets.sources.reading import join_texts
from assets.sources.reading_records import Record, read_records

# OpenStreetMap began in 2004; extracts without history say 1970.
_FIRST_DAY = date(2004, 8, 9)


@dataclass(frozen=True)
class OsmObject:
    """One tagged object: `key` is "node/123", the point the middle of its corners."""

    key: str
    tags: dict[str, str]
    lat: float | None
    lng: float | None
    edited: date | None = None


def read_osm_pbf(file: RawFile, tag_keys: tuple[str, ...]) -> list[OsmObject]:
    """Return an extract's tagged objects, nodes first. Raises UnreadableFileError."""
    try:
        return list(_pbf_objects(file.read_bytes(), tag_keys))
    except RuntimeError as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error


def _pbf_objects(content: bytes, tag_keys: tuple[str, ...]) -> Iterator[OsmObject]:
    buffer = osmium.io.FileBuffer(content, "pbf")
    processor = osmium.FileProcessor(buffer).with_locations()
    for each in processor.with_filter(osmium.filter.KeyFilter(*tag_keys)):
        if isinstance(each, osmium.osm.Changeset):
            continue
        kind = {"n": "node", "w": "way", "r": "relation"}[each.type_str()]
        lat, lng = _middle(each)
        day = each.timestamp.astimezone(UTC).date()
        edited = day if day > _FIRST_DAY else None
        yield OsmObject(f"{kind}/{each.id}", dict(each.tags), lat, lng, edited)


def _middle(each: object) -> tuple[float | None, float | None]:
    if isinstance(each, osmium.osm.Node):
        return each.location.lat, each.location.lon
    if not isinstance(each, osmium.osm.Way):
        return None, None
    # An extract may be cut through a way.
    corners = [node.location for node in each.nodes if node.location.valid()]
    if not corners:
        return None, None
    lats, lngs = [corner.lat for corner in corners], [corner.lon for corner in corners]
    return round((min(lats) + max(lats)) / 2, 7), round((min(lngs) + max(lngs)) / 2, 7)


def read_overpass_json(file: RawFile) -> list[OsmObject]:
    """Return the elements of an Overpass answer; ways need `out center` to have a point.

    Raises UnreadableFileError when it is no such answer.
    """
    elements = read_records(file, "elements")
    if not all("type" in element and "id" in element for element in elements):
        raise UnreadableFileError(f"{file.name}: an element has no type or id")
    return [_of_element(element) for element in elements]


def _of_element(element: Record) -> OsmObject:
    point = element if "lat" in element else element.get("center") or {}
    stamp = element.get("timestamp")
    return OsmObject(
        key=f"{element['type']}/{element['id']}",
        tags={name: str(value) for name, value in (element.get("tags") or {}).items()},
        lat=point.get("lat"),
        lng=point.get("lon"),
        edited=datetime.fromisoformat(stamp).date() if stamp else None,
    )


def osm_places(objects: list[OsmObject]) -> pd.DataFrame:
    """Return objects as untyped places: address, hours, telephone, website from tags."""
    edited = pd.Series([each.edited for each in objects], dtype="object")
    check_dates = as_dates(_tag(objects, "check_date"), "%Y-%m-%d")
    return pd.DataFrame(
        {
            "source_row": range(1, len(objects) + 1),
            "source_key": [each.key for each in objects],
            "name": _tag(objects, "name"),
            "organization": _tag(objects, "operator"),
            "address": join_texts(
                join_texts(_tag(objects, "addr:housenumber"), _tag(objects, "addr:street")),
                _tag(objects, "addr:unit"),
                separator=", ",
            ),
            "city": _tag(objects, "addr:city"),
            "state": _tag(objects, "addr:state"),
            "zip": _tag(objects, "addr:postcode"),
            "lat": pd.Series([each.lat for each in objects], dtype="float64"),
            "lng": pd.Series([each.lng for each in objects], dtype="float64"),
            "phone": _tag(objects, "phone").fillna(_tag(objects, "contact:phone")),
            "website": website_without_email(
                _tag(objects, "website").fillna(_tag(objects, "contact:website"))
            ),
            "hours_text": _tag(objects, "opening_hours"),
            "notes": _tag(objects, "description"),
            "source_updated_date": check_dates.where(check_dates.notna(), edited),
            "updated_date": edited,
            "confirmed_date": check_dates,
        }
    )


def _tag(objects: list[OsmObject], name: str) -> pd.Series:
    column = pd.Series([each.tags.get(name) for each in objects], dtype="str").str.strip()
    return column.mask(column == "")
