"""The three nearest places of a text message, and never a shop."""

from __future__ import annotations

import math
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from schemas.api.area_help import AreaHelp
from schemas.api.record import Doubt
from schemas.values.coordinates import chord_to_miles, miles_to_chord, round_miles
from schemas.values.opening import OpenState
from serving.language.reading import Reading
from serving.services.area_help import help_where_far
from serving.services.places import Start
from serving.services.plain_search import asked_miles, found_within, weighed_within
from serving.services.search import DEFAULT_RADIUS, EXPANSION_AFTER, Page, find_expanding
from serving.services.single import stored_of
from serving.services.wishes import Weighed
from warehouse.reader import MODE_TYPES, TYPE_CODES, OpenRelease
from warehouse.spatial import Hit

PLACES = 3
_OPEN = frozenset({"open", "closes_soon"})
# Further away a text message sends nobody.
_FARTHEST = 100.0
_WIC = frozenset({TYPE_CODES["wic_office"]})


class Place(NamedTuple):
    """A place as the message needs it. Without `state` its hours are not known now."""

    name: str
    address: str | None
    phone: str | None
    miles: float
    state: OpenState | None
    is_open: bool
    by_appointment: bool
    doubt: Doubt | None = None


class Nearby(NamedTuple):
    """The places, the radius in which nothing lies when the search had to be widened, the counts of wishes.

    `area`: whom to ask where nothing is near.
    """

    places: list[Place]
    in_vain: float | None
    weighed: Weighed | None = None
    area: AreaHelp | None = None


def free_food(release: OpenRelease, start: Start, now: datetime, reading: Reading | None = None) -> Nearby:  # fmt: skip
    """The three places of the mode `free` that are nearest, or that fit the wishes of a message best.

    Safe for threads: it asks k-d trees only.
    """
    types = MODE_TYPES["free"]
    nearby = _nearby(release, start, types, now, reading)
    return nearby._replace(area=help_where_far(release, start, types))


def wic_offices(release: OpenRelease, start: Start, now: datetime, reading: Reading | None = None) -> Nearby:  # fmt: skip
    """The same of WIC offices."""
    return _nearby(release, start, _WIC, now, reading)


def _nearby(
    release: OpenRelease,
    start: Start,
    types: frozenset[int],
    now: datetime,
    reading: Reading | None,
) -> Nearby:
    if reading is not None and reading.wishes:
        return _fitting(release, start, types, now, reading)
    found = find_expanding(release, start, types, None, Page(0))
    if found.radius > _FARTHEST:
        return Nearby([], None)
    # The k-d trees know all that lies within, which is nearest first; a confidential place is none to go to.
    hits = release.spatial.select(types).within(start.at, miles_to_chord(found.radius))
    to_go = (hit for hit in hits if not release.is_confidential[hit[1]])
    places = [_place(release, hit, now) for hit in islice(to_go, PLACES)]
    in_vain = (DEFAULT_RADIUS if found.radius <= EXPANSION_AFTER else EXPANSION_AFTER) if found.is_expanded else None  # fmt: skip
    # Stable: what is open comes first, what is doubted last, each group nearest first.
    return Nearby(
        sorted(places, key=lambda place: (not place.is_open, place.doubt is not None)), in_vain
    )


def _fitting(
    release: OpenRelease, start: Start, types: frozenset[int], now: datetime, reading: Reading
) -> Nearby:
    """The places that fit the wishes best, then the nearest."""
    wishes = reading.wishes
    found, in_vain = found_within(release, start, types, asked_miles(wishes))
    if found.radius > _FARTHEST:
        return Nearby([], None)
    weighed = weighed_within(release, start, types, found, wishes, reading.time, now)
    to_go = (hit for hit in weighed.hits if not release.is_confidential[hit[1]])
    places = [_place(release, hit, now) for hit in islice(to_go, PLACES)]
    return Nearby(places, in_vain, weighed)


def _place(release: OpenRelease, hit: Hit, now: datetime) -> Place:
    square, row = hit
    record, state = stored_of(release, row), release.open_state(row, now)
    if state is not None and state.status == "unknown":
        state = None
    return Place(
        name=record["name"],
        address=record["address"],
        phone=record["phone"],
        miles=round_miles(chord_to_miles(math.sqrt(square)), release.precision_of(row)),
        state=state,
        is_open=state is not None and state.status in _OPEN,
        by_appointment=bool(record["requires_appointment"]),
        doubt=release.doubt(row),
    )
