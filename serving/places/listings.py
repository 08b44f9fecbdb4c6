"""Look listed places up by ZIP code or by name. Everything here queries the database: call it in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from schemas.api.lists import Location
from schemas.values.names import fold_name
from warehouse.index.fuzzy_names import errors_allowed, errors_by_word
from warehouse.index.reader import OpenRelease

_COLUMNS = "resource_id, name, resource_type, address, city, state, zip, phone, verification_status, lat, lng"
_FROM = f"SELECT {_COLUMNS} FROM core_directory__resources WHERE is_active AND"  # noqa: S608 - names of our own
MAX_NAMED = 10
# More places than these share their words, such as "food pantry": the text is no name.
_MAX_SHARING = 60
_MIN_LETTERS, _LEAST_WORDS = 3, 2
_MAX_ALIKE = 200


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
    words = [word for word in whole if len(word) >= _MIN_LETTERS]
    has_word = "contains(strip_accents(lower(name)), ?)"
    found = _with_words(release, has_word, [(word,) for word in words], near, _MAX_SHARING + 1)
    if near is None and len(found) > _MAX_SHARING:
        return []
    return [one for one in found if whole <= set(fold_name(one.name).split())][:MAX_NAMED]


def listings_spelt_alike(
    release: OpenRelease, text: str, near: Location | None = None
) -> list[tuple[int, Listed]]:
    """Return typing errors and places whose name has every word of a misspelt text, the fewest
    errors first; none for a single word, which is like too many."""
    asked = fold_name(text).split()
    words = [word for word in asked if len(word) >= _MIN_LETTERS]
    if len(words) < _LEAST_WORDS:
        return []
    has_word = (
        "len(list_filter(regexp_split_to_array(strip_accents(lower(name)), '[^a-z0-9]+'),"
        " lambda word: damerau_levenshtein(word, ?) <= ?)) > 0"
    )
    values = [(word, errors_allowed(word)) for word in words]
    found = [
        (errors, one)
        for one in _with_words(release, has_word, values, near, _MAX_ALIKE)
        if (errors := errors_by_word(asked, fold_name(one.name).split())) is not None
    ]
    return sorted(found, key=lambda f: f[0])[:MAX_NAMED]


def _with_words(
    release: OpenRelease,
    has_word: str,
    values: Sequence[tuple[str | int, ...]],
    near: Location | None,
    limit: int,
) -> list[Listed]:
    """Return the places that a condition holds for with each of some values."""
    if not values:
        return []
    where = " AND ".join([has_word] * len(values))
    order, bound = "length(name)", list[str | float](value for one in values for value in one)
    if near is not None:
        bound += [near.lat, near.lng, near.lat, near.lng, near.lat]
        where += " AND abs(lat - ?) < 1 AND abs(lng - ?) < 1.5"
        order = "(lat - ?) ** 2 + ((lng - ?) * cos(radians(?))) ** 2"
    with release.cursor() as db:
        found = db.execute(
            f"{_FROM} {where} ORDER BY {order}, resource_id LIMIT {limit}", bound
        ).fetchall()
    return [Listed(*row) for row in found]
