"""Look listed places up by ZIP code or by name. Everything here queries the database: call it in a thread."""

from __future__ import annotations

from typing import NamedTuple

from schemas.api.lists import Location
from schemas.values.names import fold_name
from warehouse.index.reader import OpenRelease

_COLUMNS = "resource_id, name, resource_type, address, city, state, zip, phone, verification_status, lat, lng"
_FROM = f"SELECT {_COLUMNS} FROM core_directory__resources WHERE is_active AND"  # noqa: S608 - names of our own
MAX_NAMED = 10
# More places than these share their words, such as "food pantry": the text is no name.
_MAX_SHARING = 60
_MIN_LETTERS = 3


class Listed(NamedTuple):
    """A listed place, for a list or a comparison."""

    resource_id: int
    name: str
    resource_type: str
    address: str | None
    city: str | None
    state: str
    zip: str | None
    phone: str | None
    verification_status: str
    lat: float
    lng: float


def listings_in_zip(release: OpenRelease, zip_code: str) -> list[Listed]:
    """Return all listed places of a ZIP code, in id order."""
    with release.cursor() as db:
        found = db.execute(f"{_FROM} zip = ? ORDER BY resource_id", [zip_code]).fetchall()
    return [Listed(*row) for row in found]


def listings_named(release: OpenRelease, text: str, near: Location | None = None) -> list[Listed]:
    """Return the places whose name has every word of the text, the shortest names first; none
    where the words are too common. Near a location the nearest come first, and no farther ones
    than a degree."""
    whole = set(fold_name(text).split())
    words = {word for word in whole if len(word) >= _MIN_LETTERS}
    if not words:
        return []
    has_words = " AND ".join(["contains(strip_accents(lower(name)), ?)"] * len(words))
    order = "length(name)"
    values: list[str | float] = [*words]
    if near is not None:
        values += [near.lat, near.lng, near.lat, near.lng, near.lat]
        has_words += " AND abs(lat - ?) < 1 AND abs(lng - ?) < 1.5"
        order = "(lat - ?) ** 2 + ((lng - ?) * cos(radians(?))) ** 2"
    with release.cursor() as db:
        found = db.execute(
            f"{_FROM} {has_words} ORDER BY {order}, resource_id LIMIT {_MAX_SHARING + 1}", values
        ).fetchall()
    if near is None and len(found) > _MAX_SHARING:
        return []
    listings = (Listed(*row) for row in found)
    return [one for one in listings if whole <= set(fold_name(one.name).split())][:MAX_NAMED]
