"""Where a search starts: a ZIP code, a city, or a point."""

from __future__ import annotations

import re
from typing import NamedTuple

from schemas.api.lists import Location
from schemas.values.coordinates import ecef_point, miles_to_chord
from serving.errors import RULES, ServiceProblem, invalid
from warehouse.gazetteer import City, ZipPlace, state_code
from warehouse.reader import OpenRelease
from warehouse.spatial import At

# Anything with a letter is the name of a place.
PLACE_PATTERN = r"^([0-9]{5}(-[0-9]{4})?|.*[A-Za-zÀ-ɏ].*)$"
ZIP_PATTERN = r"^[0-9]{5}(-[0-9]{4})?$"
_ZIP = re.compile(ZIP_PATTERN)
_ENDS_IN_ZIP = re.compile(r"(?:^|[\s,])([0-9]{5})(?:-[0-9]{4})?$")
# Beyond this a ZIP code's point says nothing about where somebody is.
_NAMING_METRES = miles_to_chord(50)


class Start(NamedTuple):
    """A point to search from. `note` is what the reader should know about it."""

    location: Location
    at: At
    note: str | None = None


def start_of_text(release: OpenRelease, text: str, field: str = "zip") -> Start:
    """A ZIP code, ZIP+4, "City, ST", "City, ST 12345" or city; a ZIP code in the text wins.

    Raises ServiceProblem naming the field.
    """
    plain = text.strip()
    ending = _ENDS_IN_ZIP.search(plain)
    if ending:
        return _start_of_zip(release, ending[1], field)
    if not any(c.isalpha() for c in plain):
        raise invalid(field, RULES["zip"])
    return _start_of_city(release, plain, field)


def start_of_zip(release: OpenRelease, text: str, field: str = "zip") -> Start:
    """A ZIP code or ZIP+4 only. Raises ServiceProblem naming the field."""
    if not _ZIP.match(text.strip()):
        raise invalid(field, "a ZIP code has five digits")
    return _start_of_zip(release, text.strip()[:5], field)


def start_of_point(release: OpenRelease, lat: float, lng: float) -> Start:
    """A point, named after the nearest ZIP code within 50 miles."""
    at = ecef_point(lat, lng)
    near = release.gazetteer.nearest_zip(at, _NAMING_METRES)
    if near is None:
        return Start(Location(None, None, None, lat, lng), at)
    return Start(Location(near.name, near.state, near.zip, lat, lng), at)


def _start_of_zip(release: OpenRelease, code: str, field: str) -> Start:
    place = release.gazetteer.zip(code)
    if place is None:
        raise ServiceProblem("unknown-place", f"{field}: {code} is not a ZIP code we know", {field: "a known ZIP code"})  # fmt: skip
    if place.lat is None or place.lng is None:
        raise ServiceProblem("no-point", f"{field}: {_pointless(place)}", {field: "a ZIP code with a place on the map"})  # fmt: skip
    location = Location(place.name, place.state, code, place.lat, place.lng)
    return Start(location, ecef_point(place.lat, place.lng), _note_on_zip(place))


def _pointless(place: ZipPlace) -> str:
    if place.kind == "military":
        return f"{place.zip} is a military post office (APO, FPO or DPO) and no place on the map; search by city or by latitude and longitude"
    return f"{place.zip} exists but its place on the map is not known; search by city or by latitude and longitude"


def _note_on_zip(place: ZipPlace) -> str | None:
    if place.kind == "po_box":
        return f"{place.zip} is for post office boxes: distances are from that post office."
    if place.kind == "unique":
        return f"{place.zip} belongs to one organization: distances are from its address."
    if place.is_quality_low:
        return f"The sources disagree on where {place.zip} lies: distances are rough."
    return None


def _start_of_city(release: OpenRelease, text: str, field: str) -> Start:
    found, has_state = _cities_of(release, text)
    if not found:
        raise ServiceProblem("unknown-place", f"{field}: no city is known by the name {text!r}", {field: "a known city, written like `Salem, OR`"})  # fmt: skip
    city = found[0]
    location = Location(city.name, city.state, city.zip, city.lat, city.lng)
    note = None if has_state else _note_on_namesakes(city, found)
    return Start(location, ecef_point(city.lat, city.lng), note)


def _cities_of(release: OpenRelease, text: str) -> tuple[list[City], bool]:
    """Cities a text may mean, and whether it named the state: "Salem, OR", "Salem OR", "Salem"."""
    name, _, rest = text.rpartition(",")
    state = state_code(rest) if name.strip() else None
    if state:
        return release.gazetteer.cities(name, state), True
    found = release.gazetteer.cities(text)
    if found:
        return found, False
    name, _, rest = text.rpartition(" ")
    state = state_code(rest) if name.strip() else None
    return (release.gazetteer.cities(name, state), True) if state else ([], False)


def _note_on_namesakes(city: City, found: list[City]) -> str | None:
    if len(found) == 1:
        return None
    others = ", ".join(f"{other.name}, {other.state}" for other in found[1:4])
    return f"Searched from {city.name}, {city.state}, the largest of {len(found)} places of this name. Others: {others}."
