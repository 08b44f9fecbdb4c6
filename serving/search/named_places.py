"""Finds listed places by name, near a point if one is known."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from schemas.api.area_help import AreaContact
from schemas.values.coordinates import ecef_point, miles_to_chord
from serving.places.listings import Listing, listings_named, listings_spelt_alike
from serving.search.area_help import food_banks_named
from serving.search.language.landmarks import ListingName
from serving.search.language.reading import Reading
from serving.search.start import Start
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit

# A name with a town means a place in or near that town.
_NEAR_MILES = 50.0
_MAX_ALIKE = 5


class NamedPlaces(NamedTuple):
    """Places with a name as (squared chord in metres, row), and the matched text.

    `banks` are food banks with that name: they hand out no food but know who does. `start` is the
    origin of the search, None if the town is part of the name. `alike` are known names similar to a
    misspelt one.
    """

    text: str
    hits: list[Hit]
    start: Start | None
    banks: list[AreaContact]
    alike: tuple[str, ...] = ()


def places_of_name(release: OpenRelease, name: ListingName, start: Start | None) -> NamedPlaces:
    """Find places by name: the nearest first, within 50 miles; without a start the shortest names
    first.

    Queries the database: call it in a thread.
    """
    banks = food_banks_named(release, name.whole or name.text, None if name.whole else start)
    if name.whole and (hits := _hits(release, name.whole, None)):
        return NamedPlaces(name.whole, hits, None, banks)
    # "Good will": the organization writes its name in one word.
    one_word = name.own.replace(" ", "") if name.is_sure and name.own.count(" ") == 1 else ""
    texts = [text for text in dict.fromkeys((name.text, name.own, one_word)) if text]
    hits = next((hits for text in texts if (hits := _hits(release, text, start))), [])
    if hits or banks or name.is_guess:
        return NamedPlaces(name.text, hits, start, banks)
    return _correct_spelling(release, name, start)


def questions_of_alike(places: NamedPlaces, reading: Reading | None) -> list[tuple[str, str]]:
    """Return each similar name with the question for it."""
    where = reading.where.location if reading else None
    return [(name, f"{name}, {where}" if where else name) for name in places.alike]


def words_outside(texts: Sequence[str], places: NamedPlaces | None) -> list[str]:
    """Return landmarks or words of a question outside the names of the listed places found."""
    is_said = places is not None and (places.hits or places.banks or places.alike)
    name = places.text if places and is_said else ""
    return [one for one in texts if not name or (one not in name and name not in one)]


def _correct_spelling(release: OpenRelease, name: ListingName, start: Start | None) -> NamedPlaces:
    """Resolve a misspelt name: to the only name one typing error away, else to names to choose
    from."""
    # Near a place the answer names its food bank anyway.
    banks = (
        release.food_banks.find_spelt_alike(name.whole or name.text)
        if name.whole or not start
        else []
    )
    texts = [text for text in dict.fromkeys((name.text, name.own)) if text]
    listings = next((f for t in texts if (f := _similar_listings(release, t, start))), [])
    similar = [(errors, bank.name) for errors, bank in banks]
    similar += [(errors, title) for errors, title, _ in listings]
    names = dict.fromkeys(title for _, title in sorted(similar, key=lambda f: f[0]))
    if len(names) == 1 and similar[0][0] == 1:
        (title,) = names
        hits = [hit for _, _, hit in listings]
        return NamedPlaces(title, hits, start, food_banks_named(release, title) if banks else [])
    return NamedPlaces(name.text or name.whole, [], start, [], tuple(names)[:_MAX_ALIKE])


def _similar_listings(
    release: OpenRelease, text: str, start: Start | None
) -> list[tuple[int, str, Hit]]:
    """Return typing errors, name and hit of places of a misspelt name."""
    similar = [
        (errors, one.name, hit)
        for errors, one in listings_spelt_alike(release, text, start and start.location)
        if (hit := _hit(release, one, start)) is not None
    ]
    if start is None:
        return similar
    return [one for one in similar if one[2][0] <= miles_to_chord(_NEAR_MILES) ** 2]


def _hits(release: OpenRelease, text: str, start: Start | None) -> list[Hit]:
    listings = listings_named(release, text, None if start is None else start.location)
    hits = [hit for one in listings if (hit := _hit(release, one, start)) is not None]
    if start is None:
        return hits
    return sorted(hit for hit in hits if hit[0] <= miles_to_chord(_NEAR_MILES) ** 2)


def _hit(release: OpenRelease, one: Listing, start: Start | None) -> Hit | None:
    row = release.row_of(one.resource_id)
    if row is None:
        return None
    square = 0.0 if start is None else math.dist(start.at, ecef_point(one.lat, one.lng)) ** 2
    return square, row
