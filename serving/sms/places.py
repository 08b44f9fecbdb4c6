"""The three places of a text message: near, open now or soon, and never a shop."""

from __future__ import annotations

import math
from datetime import datetime
from typing import NamedTuple

from schemas.values.coordinates import chord_to_miles, miles_to_chord, round_miles
from schemas.values.opening import OpenState
from serving.services.places import Start
from serving.services.search import DEFAULT_RADIUS, EXPANSION_AFTER, Page, find_expanding
from serving.services.single import stored_of
from serving.services.urgent import Groups, grouped
from warehouse.reader import MODE_TYPES, TYPE_CODES, OpenRelease
from warehouse.spatial import Hit

PLACES = 3
_OPEN = frozenset({"open", "closes_soon"})
# Somebody asks on foot or by bus: what is open weighs so many miles against what is near.
_SOON, _TODAY, _UNKNOWN, _LATER, _NO_PHONE = 1.0, 3.0, 5.0, 8.0, 4.0
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


class Nearby(NamedTuple):
    """The places, and the radius in which nothing lies when the search had to be widened."""

    places: list[Place]
    in_vain: float | None


def free_food(release: OpenRelease, start: Start, now: datetime) -> Nearby:
    """The best three places of the mode `free`. Safe for threads: it asks k-d trees only."""
    return _nearby(release, start, MODE_TYPES["free"], now)


def wic_offices(release: OpenRelease, start: Start, now: datetime) -> Nearby:
    """The nearest three WIC offices."""
    return _nearby(release, start, _WIC, now)


def _nearby(release: OpenRelease, start: Start, types: frozenset[int], now: datetime) -> Nearby:
    found = find_expanding(release, start, types, None, Page(0))
    if found.radius > _FARTHEST:
        return Nearby([], None)
    hits = release.spatial.select(types).within(start.at, miles_to_chord(found.radius))
    chosen = sorted(_ranked(release, grouped(release, hits, now), now))[:PLACES]
    # Of those chosen, what is open comes first, each group nearest first.
    chosen.sort(key=lambda entry: (entry[3] is None or entry[3].status not in _OPEN, entry[1]))
    in_vain = (DEFAULT_RADIUS if found.radius <= EXPANSION_AFTER else EXPANSION_AFTER) if found.is_expanded else None  # fmt: skip
    return Nearby([_place(release, row, miles, state) for _, miles, row, state in chosen], in_vain)


def _ranked(
    release: OpenRelease, groups: Groups, now: datetime
) -> list[tuple[float, float, int, OpenState | None]]:
    """(miles and what speaks against it, miles, row, state) of every place that one may be sent to.

    A place whose address must not be published is never one of them.
    """
    entries: list[tuple[Hit, OpenState | None, float]] = [(hit, state, 0.0) for hit, state in groups.open]  # fmt: skip
    entries += [(hit, state, _SOON) for hit, state in groups.soon]
    entries += [(hit, state, _against(state, now)) for hit, state in groups.later]
    entries += [(hit, None, _UNKNOWN + (0.0 if release.has_phone[hit[1]] else _NO_PHONE)) for hit in groups.unknown]  # fmt: skip
    ranked = []
    for (square, row), state, against in entries:
        if not release.is_confidential[row]:
            miles = chord_to_miles(math.sqrt(square))
            ranked.append((miles + against, miles, row, state))
    return ranked


def _against(state: OpenState, now: datetime) -> float:
    assert state.opens_at is not None
    is_today = state.opens_at.date() == now.astimezone(state.opens_at.tzinfo).date()
    return _TODAY if is_today else _LATER


def _place(release: OpenRelease, row: int, miles: float, state: OpenState | None) -> Place:
    record = stored_of(release, row)
    return Place(
        name=record["name"],
        address=record["address"],
        phone=record["phone"],
        miles=round_miles(miles, release.precision_of(row)),
        state=state,
        is_open=state is not None and state.status in _OPEN,
        by_appointment=bool(record["requires_appointment"]),
    )
