"""Context of an item in the review console: likely duplicates, a small map, forms for values."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from schemas.values.coordinates import ecef_point, great_circle_miles, miles_to_chord
from schemas.values.place_fields import FieldFaultError, check_zip_of_state, read_field
from schemas.vocab.reviews import EDITABLE, NEVER_EMPTY, REQUIRED_OF_SUBMISSION, SUBMITTED, Kind
from serving.places.listings import Listing, listings_in_zip, listings_of
from serving.places.proposals import similarity
from warehouse.index.reader import OpenRelease

# What forms and tables of the console call the fields of a place.
LABELS: dict[str, str] = {
    "name": "Name",
    "organization": "Organization",
    "resource_type": "Type of place",
    "address": "Street address",
    "city": "City",
    "state": "State, two letters",
    "zip": "ZIP code",
    "lat": "Latitude",
    "lng": "Longitude",
    "phone": "Telephone",
    "website": "Website",
    "hours_text": "Opening hours",
    "services_offered": "What people get there",
    "requirements_text": "What to bring",
    "eligibility_text": "Who may come",
    "languages": "Languages, by code",
    "notes": "Notes",
    "accepts_walkins": "People may come without an appointment",
    "requires_appointment": "An appointment is needed",
    "is_active": "Still open",
}
NEAR_MILES = 3.0
MAX_NEIGHBOURS = 8
_MAX_LOOKED_AT = 60
_MAP_WIDTH, _MAP_HEIGHT = 600, 320


class Neighbour(NamedTuple):
    """A listed place near an item. `mark` is its number on the map."""

    mark: int
    place: Listing
    similarity: float
    miles: float


class Spot(NamedTuple):
    """A point of the small map, in its units."""

    x: float
    y: float
    label: str
    is_own: bool


class SmallMap(NamedTuple):
    """A sketch without streets: the item in the middle, its neighbors around it, a scale."""

    width: int
    height: int
    spots: list[Spot]
    miles_across: float


def point_of(release: OpenRelease, place: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return an item's location: its own point, else the middle of its ZIP code."""
    if place.get("lat") is not None and place.get("lng") is not None:
        return place["lat"], place["lng"]
    zip_place = release.gazetteer.zip(place.get("zip") or "")
    return (
        None
        if zip_place is None or zip_place.lat is None or zip_place.lng is None
        else (zip_place.lat, zip_place.lng)
    )


def rows_near(release: OpenRelease, point: tuple[float, float] | None) -> list[int]:
    """Return ids of the nearest listed places. To be called on the event loop, like every
    spatial question."""
    if point is None:
        return []
    hits = release.spatial.select(None).nearest(
        ecef_point(*point), _MAX_LOOKED_AT, miles_to_chord(NEAR_MILES)
    )
    return [release.id_of(row) for _, row in hits]


def neighbours(
    release: OpenRelease, place: Mapping[str, Any], ids: Sequence[int], own_id: int | None = None
) -> list[Neighbour]:
    """Return the listed places most similar to an item, in its ZIP code and near its point. Queries
    the database."""
    point = point_of(release, place)
    listings = {row.resource_id: row for row in listings_in_zip(release, place.get("zip") or "")}
    listings |= {row.resource_id: row for row in listings_of(release, ids)}
    listings.pop(own_id or 0, None)
    candidates = []
    for row in listings.values():
        miles = great_circle_miles(*point, row.lat, row.lng) if point else 0.0
        candidates.append((similarity(place["name"], row.name), miles, row))
    candidates.sort(key=lambda entry: (-entry[0], entry[1], entry[2].resource_id))
    return [
        Neighbour(mark, row, alike, round(miles, 2))
        for mark, (alike, miles, row) in enumerate(candidates[:MAX_NEIGHBOURS], 1)
    ]


def places_by_id(release: OpenRelease, ids: Sequence[int]) -> dict[int, Listing]:
    """Return listed places by id. Queries the database: call it in a thread."""
    return {row.resource_id: row for row in listings_of(release, ids)}


def small_map(
    point: tuple[float, float] | None, others: Sequence[tuple[str, float, float]]
) -> SmallMap | None:
    """Return the sketch around a point; places beyond the edge are drawn on it."""
    if point is None:
        return None
    lat, lng = point
    narrow = math.cos(math.radians(lat)) or 1e-9
    # Degrees of latitude north and of longitude east, both as miles.
    offsets = [(label, (b - lng) * 69.09 * narrow, (a - lat) * 69.09) for label, a, b in others]
    near = [max(abs(x), abs(y)) for _, x, y in offsets if max(abs(x), abs(y)) <= 2 * NEAR_MILES]
    reach = max([0.25, *near]) * 1.15
    half = _MAP_HEIGHT / 2
    spots = [Spot(_MAP_WIDTH / 2, half, "", is_own=True)]
    for label, x, y in offsets:
        left = _MAP_WIDTH / 2 + max(-1.7, min(1.7, x / reach)) * half
        spots.append(
            Spot(
                round(left, 1),
                round(half - max(-0.95, min(0.95, y / reach)) * half, 1),
                label,
                is_own=False,
            )
        )
    return SmallMap(_MAP_WIDTH, _MAP_HEIGHT, spots, round(reach * 2 * _MAP_WIDTH / _MAP_HEIGHT, 1))


# ---------------------------------------------------------------- values in forms


def as_text(value: object) -> str:
    """Return a value as a form or a table shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def from_form(kinds: Mapping[str, Kind], form: Mapping[str, str]) -> dict[str, Any]:
    """Return the normalized values of a form; empty ones are None. Raises FieldFaultError."""
    values: dict[str, Any] = {}
    for name, kind in kinds.items():
        text = form.get(name, "").strip()
        value: object = text
        if kind in {"truth", "closing"} and text:
            value = {"true": True, "false": False}.get(text.lower(), text)
        elif kind in {"latitude", "longitude"} and text:
            try:
                value = float(text)
            except ValueError as error:
                raise FieldFaultError(name, "a number") from error
        elif kind in {"list", "codes"}:
            value = text.splitlines()
        values[name] = read_field(name, kind, value) if text else None
    return values


def submission_from_form(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the place of a submission as an administrator corrected it. Raises FieldFaultError."""
    place = from_form(SUBMITTED, form)
    for name in REQUIRED_OF_SUBMISSION:
        if place[name] is None:
            raise FieldFaultError(name, "required")
    check_zip_of_state(place["zip"], place["state"])
    return {name: value for name, value in place.items() if value is not None}


def changes_from_form(names: Sequence[str], form: Mapping[str, str]) -> dict[str, Any]:
    """Return the changes of an edit as an administrator corrected them. Raises FieldFaultError."""
    changes = from_form({name: EDITABLE[name] for name in names}, form)
    for name, value in changes.items():
        if value is None and name in NEVER_EMPTY:
            raise FieldFaultError(name, "cannot be removed")
    return changes
