"""Cities and ZIP codes that begin with a text."""

from __future__ import annotations

from schemas.api.lists import Suggestion, Suggestions
from schemas.values.coordinates import ecef_point, miles_to_chord
from warehouse.gazetteer import City, ZipPlace
from warehouse.reader import MODE_TYPES, OpenRelease

_CHORD = miles_to_chord(25)


def suggestions(release: OpenRelease, text: str, limit: int) -> Suggestions:
    """Suggestions for a text of at least two characters, the most populous first."""
    plain = text.strip()
    if plain[:5].isdigit() and plain.isascii():
        found = [_of_zip(release, place) for place in release.gazetteer.zips_beginning(plain[:5], limit)]  # fmt: skip
    else:
        # "Salem, OR" typed out: the state narrows the cities.
        name, _, state = plain.partition(",")
        wanted = state.strip().upper()
        cities = release.gazetteer.cities_beginning(name, limit if not wanted else 1000)
        found = [_of_city(release, c) for c in cities if c.state.startswith(wanted)][:limit]
    return Suggestions(True, text, found, release.is_synthetic)


def _free_food(release: OpenRelease, lat: float, lng: float) -> int:
    selection = release.spatial.select(MODE_TYPES["free"])
    return selection.count_within(ecef_point(lat, lng), _CHORD)


def _of_city(release: OpenRelease, city: City) -> Suggestion:
    label = f"{city.name}, {city.state}"
    count = _free_food(release, city.lat, city.lng)
    return Suggestion(label, label, "city", city.name, city.state, city.zip, city.lat, city.lng, city.population, count)  # fmt: skip


def _of_zip(release: OpenRelease, place: ZipPlace) -> Suggestion:
    lat, lng = place.lat or 0.0, place.lng or 0.0
    town = ", ".join(part for part in (place.name, place.state) if part)
    display = f"{place.zip} {town}".strip()
    count = _free_food(release, lat, lng)
    return Suggestion(place.zip, display, "zip", place.name, place.state, place.zip, lat, lng, place.population, count)  # fmt: skip
