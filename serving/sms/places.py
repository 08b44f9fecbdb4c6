"""The three nearest places of a text message, and never a shop."""

from datetime import date, datetime
from itertools import islice
from typing import NamedTuple

import numpy as np

from schemas.api.area_help import AreaHelp
from schemas.api.record import Doubt
from schemas.hours.opening import OPEN_STATUSES, OpenState
from schemas.values.advice import Advice, advice_for
from schemas.values.coordinates import miles_to_chord
from serving.places.detail import read_record
from serving.search.area_help import FAR_MILES, help_where_far
from serving.search.constraints import Ranking
from serving.search.find import find, miles_in_vain
from serving.search.language.reading import Reading
from serving.search.plain_search import find_within, read_miles, weigh_within
from serving.search.query import Page, Query
from serving.search.start import Start
from warehouse.index.points import MODE_TYPES, TYPE_CODES
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit

PLACES = 3
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
    # The state now by hours too old to be asserted, and their day.
    usual: OpenState | None = None
    usual_day: date | None = None

    @property
    def advice(self) -> Advice:
        """Advice before a trip."""
        return advice_for(has_phone=bool(self.phone))

    @property
    def rank(self) -> int:
        """Open places first, then those that are usually open now."""
        return 0 if self.is_open else 1 if self.usual and self.usual.status in OPEN_STATUSES else 2


class Nearby(NamedTuple):
    """Places, the radius without any place if the search was widened, the counts of wishes.

    `area`: contacts if nothing is near.
    """

    places: list[Place]
    in_vain: float | None
    ranking: Ranking | None = None
    area: AreaHelp | None = None


def free_food(
    release: OpenRelease, start: Start, now: datetime, reading: Reading | None = None
) -> Nearby:
    """Return the three places of the mode `free` that are nearest, or that fit the wishes of a
    message best.

    Safe for threads: it only reads the release.
    """
    types = MODE_TYPES["free"]
    nearby = _nearby(release, start, types, now, reading)
    return nearby._replace(area=help_where_far(release, start, types))


def wic_offices(
    release: OpenRelease, start: Start, now: datetime, reading: Reading | None = None
) -> Nearby:
    """Return the same of WIC offices."""
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
    matches = find(release, start, Query(types, page=Page(0)))
    if matches.radius > FAR_MILES:
        return Nearby([], None)
    # The index has all places within it, nearest first; confidential places are not
    # destinations.
    hits = release.spatial.select(types).within(start.at, miles_to_chord(matches.radius)).hits()
    to_go = (hit for hit in hits if not release.is_confidential[hit[1]])
    places = _places(release, list(islice(to_go, PLACES)), now)
    in_vain = miles_in_vain(None, matches.radius) if matches.is_expanded else None
    # Stable: each group nearest first, doubted places last.
    return Nearby(sorted(places, key=lambda place: (place.rank, place.doubt is not None)), in_vain)


def _fitting(
    release: OpenRelease, start: Start, types: frozenset[int], now: datetime, reading: Reading
) -> Nearby:
    """Return the places that fit the wishes best, then the nearest."""
    wishes = reading.wishes
    matches, in_vain = find_within(release, start, types, read_miles(wishes))
    if matches.radius > FAR_MILES:
        return Nearby([], None)
    ranking = weigh_within(release, start, types, matches, wishes, reading.time, now)
    is_public = release.is_confidential[ranking.places.rows] == 0
    to_go = ranking.places.take(np.flatnonzero(is_public)[:PLACES]).hits()
    return Nearby(_places(release, to_go, now), in_vain, ranking)


def _places(release: OpenRelease, hits: list[Hit], now: datetime) -> list[Place]:
    miles = release.display_miles(hits)
    return [_place(release, row, away, now) for (_, row), away in zip(hits, miles, strict=True)]


def _place(release: OpenRelease, row: int, miles: float, now: datetime) -> Place:
    record, state = read_record(release, row), release.open_state(row, now)
    if state is not None and state.status == "unknown":
        state = None
    is_usual, origin = release.usual_hours(row, now) is not None, release.hours_origin(row)
    return Place(
        name=record["name"],
        address=record["address"],
        phone=record["phone"],
        miles=miles,
        state=state,
        is_open=state is not None and state.status in OPEN_STATUSES,
        by_appointment=bool(record["requires_appointment"]),
        doubt=release.doubt(row),
        usual=release.timetable_state(int(release.hours_codes[row]), now) if is_usual else None,
        usual_day=origin.day if is_usual and origin else None,
    )
