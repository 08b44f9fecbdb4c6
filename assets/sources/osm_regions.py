"""Food assistance in OpenStreetMap, from regional extracts or an Overpass answer: volunteers'
knowledge, under the Open Database License.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains, type_by_name, without_emails
from assets.sources.reading import with_known, with_rejects
from assets.sources.reading_osm import OsmObject, osm_places, read_osm_pbf, read_overpass_json
from schemas.sources.registry import Source

# amenity=social_facility says what it is in social_facility=...; the other two are values of
# amenity. OpenStreetMap has one word for food banks and pantries; what is mapped is where people
# come for food.
_FACILITIES = {"food_bank": "food_pantry", "soup_kitchen": "soup_kitchen"}
_AMENITIES = {
    "food_bank": "food_pantry",
    "soup_kitchen": "soup_kitchen",
    "food_sharing": "community_fridge",
}
_KEYS = ("social_facility", "amenity")


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the social facilities and food sharing points of an extract in one frame, none where it
    has none.

    Other objects (roads, shops, schools) are no rows of this source. Raises UnreadableFileError
    when the bytes are no PBF, or no Overpass answer.
    """
    is_answer = file.layout == "overpass"
    found = read_overpass_json(file) if is_answer else read_osm_pbf(file, _KEYS)
    objects = [each for each in found if _is_candidate(each)]
    if objects:
        yield _places(objects, file, source)


def _is_candidate(each: OsmObject) -> bool:
    amenity = each.tags.get("amenity")
    return amenity in _AMENITIES or amenity == "social_facility" or "social_facility" in each.tags


def _type(each: OsmObject) -> str | None:
    amenity, facility = each.tags.get("amenity", ""), each.tags.get("social_facility", "")
    return _FACILITIES.get(facility) or _AMENITIES.get(amenity)


def _places(objects: list[OsmObject], file: RawFile, source: Source) -> pd.DataFrame:
    places = osm_places(objects)
    tagged = pd.Series([_type(each) for each in objects], dtype="str")
    named = type_by_name(places["name"])
    kind = pd.Series(
        [each.tags.get("social_facility", each.tags.get("amenity")) for each in objects],
        dtype="str",
    )
    access = pd.Series([each.tags.get("access", "") for each in objects], dtype="str")
    gone = pd.Series(
        [
            each.tags.get("disused") == "yes"
            or each.tags.get("abandoned") == "yes"
            or each.tags.get("opening_hours") in {"closed", "off"}
            for each in objects
        ],
        dtype="bool",
    )
    places["resource_type"] = named.where(tagged == "food_pantry").fillna(tagged)
    places["notes"] = without_emails(places["notes"])
    # A fridge on the street has no name of its own.
    unnamed = places["resource_type"].map({"community_fridge": "Community fridge"}).astype("str")
    places["name"] = places["name"].fillna(places["organization"]).fillna(unnamed)
    detail = kind.fillna("")
    return with_rejects(
        with_known(places, file, source),
        (
            ("not_food_assistance", tagged.isna(), detail),
            ("closed_by_source", gone, detail),
            ("not_public", contains(access, "^(?:private|no)$"), access),
            ("no_name", places["name"].isna(), detail),
        ),
    )
