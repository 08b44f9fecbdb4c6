"""Looks places up by ZIP code or name, which queries the database (call it in a thread), and by id:
a place that is no longer listed answers 301 to its successor, or 410."""

from collections.abc import Sequence
from typing import NamedTuple

from schemas.api.lists import Location
from schemas.values.names import fold_name
from serving.http.answers import FIVE_MINUTES, redirect
from serving.http.errors import InsteadError, ServiceProblem, make_gone_problem
from warehouse.index.fuzzy_names import errors_by_word
from warehouse.index.reader import OpenRelease

_COLUMNS = (
    "resource_id, name, resource_type, address, city, state, zip, phone, "
    "verification_status, lat, lng"
)
_FROM = f"SELECT {_COLUMNS} FROM core_directory__resources WHERE is_active AND"  # noqa: S608 - names of our own
MAX_NAMED = 10
# More places than these share their words, such as "food pantry": the text is no name.
_MAX_SHARING = 60
_MIN_LETTERS, _LEAST_WORDS = 3, 2
# The nearest so many are compared with a misspelt name: all within 50 miles nearly everywhere.
_MAX_COMPARED = 3_000
# 20 ms of 100,000 names; a word of four misspelt leaves 0.9 and more.
_LIKE, _LEAST_LIKENESS = "jaro_winkler_similarity(strip_accents(lower(name)), ?) > ?", 0.8


class Listing(NamedTuple):
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


def listings_in_zip(release: OpenRelease, zip_code: str) -> list[Listing]:
    """Return all listed places of a ZIP code, in id order."""
    with release.cursor() as db:
        rows = db.execute(f"{_FROM} zip = ? ORDER BY resource_id", [zip_code]).fetchall()
    return [Listing(*row) for row in rows]


def listings_of(release: OpenRelease, ids: Sequence[int]) -> list[Listing]:
    """Return the listed places among some ids."""
    with release.cursor() as db:
        rows = db.execute(f"{_FROM} resource_id IN (SELECT unnest(?))", [list(ids)]).fetchall()
    return [Listing(*row) for row in rows]


def listings_named(release: OpenRelease, text: str, near: Location | None = None) -> list[Listing]:
    """Return the places whose name has every word of the text, the shortest names first; none if
    the words are too common. Near a location the nearest come first, up to a degree away."""
    whole = set(fold_name(text).split())
    words = [word for word in whole if len(word) >= _MIN_LETTERS]
    if not words:
        return []
    has_words = " AND ".join(["contains(strip_accents(lower(name)), ?)"] * len(words))
    listings = _listings_where(release, has_words, [*words], near, _MAX_SHARING + 1)
    if near is None and len(listings) > _MAX_SHARING:
        return []
    return [one for one in listings if whole <= set(fold_name(one.name).split())][:MAX_NAMED]


def listings_spelt_alike(
    release: OpenRelease, text: str, near: Location | None
) -> list[tuple[int, Listing]]:
    """Return typing errors and the places whose name has every word of a misspelt text, the fewest
    errors first; none for a single word, which is like too many.

    Near a location all names are compared, without one those that are like the text as a whole.
    """
    query_words = fold_name(text).split()
    if sum(len(word) >= _MIN_LETTERS for word in query_words) < _LEAST_WORDS:
        return []
    alike = "true" if near else _LIKE
    values: list[str | float] = [] if near else [" ".join(query_words), _LEAST_LIKENESS]
    listings = [
        (errors, one)
        for one in _listings_where(release, alike, values, near, _MAX_COMPARED)
        if (errors := errors_by_word(query_words, fold_name(one.name).split())) is not None
    ]
    return sorted(listings, key=lambda f: f[0])[:MAX_NAMED]


def _listings_where(
    release: OpenRelease,
    where: str,
    condition_values: list[str | float],
    near: Location | None,
    limit: int,
) -> list[Listing]:
    """Return the places whose name meets a condition, with its values."""
    order, values = "length(name)", [*condition_values]
    if near is not None:
        values += [near.lat, near.lng, near.lat, near.lng, near.lat]
        where += " AND abs(lat - ?) < 1 AND abs(lng - ?) < 1.5"
        order = "(lat - ?) ** 2 + ((lng - ?) * cos(radians(?))) ** 2"
    with release.cursor() as db:
        rows = db.execute(
            f"{_FROM} {where} ORDER BY {order}, resource_id LIMIT {limit}", values
        ).fetchall()
    return [Listing(*row) for row in rows]


# ---------------------------------------------------------------- ids


def row_or_successor(release: OpenRelease, resource_id: int) -> int | None:
    """Return the row of a place, or of the one that it was merged into; None without either."""
    row = release.row_of(resource_id)
    if row is None:
        _, successor = release.find_gone(resource_id)
        row = None if successor is None else release.row_of(successor)
    return row


def make_unlisted_problem(release: OpenRelease, resource_id: int) -> ServiceProblem:
    """Return the problem of an id without a place: 410 for one that was listed, 404 for others."""
    was_listed, _ = release.find_gone(resource_id)
    if was_listed:
        return make_gone_problem(release, resource_id)
    return ServiceProblem("unknown-resource", f"There is no resource {resource_id}.")


def find_row(release: OpenRelease, resource_id: int, address: str) -> int:
    """Return the row of a place; `address` has `{id}` in place of its id.

    Raises InsteadError with the redirect to its successor, ServiceProblem (404, 410) without one.
    """
    row = release.row_of(resource_id)
    if row is not None:
        return row
    _, successor = release.find_gone(resource_id)
    if successor is None:
        raise make_unlisted_problem(release, resource_id)
    raise InsteadError(redirect(address.replace("{id}", str(successor)), max_age=FIVE_MINUTES))
