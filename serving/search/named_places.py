"""Listed places by their name, near a point where one is known."""

from __future__ import annotations

import math
from typing import NamedTuple

from schemas.api.area_help import AreaContact
from schemas.values.coordinates import ecef_point, miles_to_chord
from serving.places.listings import Listed, listings_named
from serving.search.area_help import food_banks_named
from serving.search.language.listing_names import ListingName
from serving.search.start import Start
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit

# Who names a place and a town means no place beyond its surroundings.
_NEAR_MILES = 50.0


class NamedPlaces(NamedTuple):
    """Places of a name as (squared chord in metres, row), and the text that is their name.

    `banks` are food banks of that name: they give no food themselves, and know who does. `start` is the point they were searched from: none where the town is part of the name.
    """

    text: str
    hits: list[Hit]
    start: Start | None
    banks: list[AreaContact]


def places_of_name(release: OpenRelease, name: ListingName, start: Start | None) -> NamedPlaces:
    """Return the places of a name: the nearest first, within 50 miles; without a start the
    shortest names first.

    Queries the database: call it in a thread.
    """
    banks = food_banks_named(release, name.whole or name.text)
    if name.whole and (hits := _hits(release, name.whole, None)):
        return NamedPlaces(name.whole, hits, None, banks)
    texts = [text for text in dict.fromkeys((name.text, name.own)) if text]
    hits = next((hits for text in texts if (hits := _hits(release, text, start))), [])
    return NamedPlaces(name.text, hits, start, banks)


def _hits(release: OpenRelease, text: str, start: Start | None) -> list[Hit]:
    found = listings_named(release, text, None if start is None else start.location)
    hits = [hit for one in found if (hit := _hit(release, one, start)) is not None]
    if start is None:
        return hits
    return sorted(hit for hit in hits if hit[0] <= miles_to_chord(_NEAR_MILES) ** 2)


def _hit(release: OpenRelease, one: Listed, start: Start | None) -> Hit | None:
    row = release.row_of(one.resource_id)
    if row is None:
        return None
    square = 0.0 if start is None else math.dist(start.at, ecef_point(one.lat, one.lng)) ** 2
    return square, row
