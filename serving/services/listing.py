"""Records of a list as JSON: stored texts, and after each what depends on the moment and on the
asker.

The same members as `OpenRelease.live_members` gives, from texts that are made once: a list of ten
costs a few
look-ups for each place. Places with a live report or a doubt take the general way.
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import NamedTuple

import msgspec

from schemas.values.coordinates import MEAN_RADIUS_M, METRES_PER_MILE, chord_to_miles
from serving.per_release import per_release
from serving.services.relevance import (
    FRESH_DAYS,
    FRESHNESS,
    NEARNESS,
    NEARNESS_MILES,
    OPENING,
    explained,
    relevance,
    standing,
)
from warehouse.hours_clock import day_number
from warehouse.reader import Moment, OpenRelease
from warehouse.spatial import Hit

_DIAMETER_M = 2 * MEAN_RADIUS_M
# As many kinds of heads, and of distances, as are kept: a few hundred occur on any one day.
_MOST_KEPT = 50_000
_SCORES = [f',"relevance_score":{n / 1000!r}}}'.encode() for n in range(1001)]
Text = bytes | memoryview


class _Kind(NamedTuple):
    """What places of one type, opening state and age share."""

    head: bytes
    opening: float
    freshness: float


class Lister:
    """Lists places of one release. For one thread at a time."""

    def __init__(self, release: OpenRelease) -> None:
        self._release = release
        self._scores = standing(release)
        self._kinds: dict[tuple[int, Moment], _Kind] = {}
        self._distances: dict[float, bytes] = {}

    def listed(self, hits: list[Hit], now: datetime) -> list[Text]:
        """Texts of the records of hits at an aware instant, each followed by a comma."""
        release, kinds, distances = self._release, self._kinds, self._distances
        columns, stored = release.columns, release.stored_record
        reports, doubts, today = release.live.entries, release.live.doubts, day_number(now)
        moment_of = release.moment
        has_news = bool(reports or doubts)
        parts: list[Text] = []
        add = parts.append
        for (square, row), distance in zip(hits, release.shown_miles(hits), strict=True):
            if has_news and ((i := columns.ids[row]) in reports or i in doubts):
                self._add_reported(parts, (square, row), distance, now)
                continue
            moment = moment_of(row, now, today)
            kind = kinds.get((columns.types[row], moment)) or self._kind(row, moment)
            half = min(math.sqrt(square) / _DIAMETER_M, 1.0)
            miles = _DIAMETER_M * math.asin(half) / METRES_PER_MILE
            # In the order of `relevance`, so that sums agree to the last bit; so do miles with
            # `chord_to_miles`.
            score = self._scores[row] + NEARNESS / (1 + miles / NEARNESS_MILES) + kind.opening
            add(stored(row))
            add(kind.head)
            add(distances.get(distance) or self._distance(distance))
            add(_SCORES[round((score + kind.freshness) * 1000)])
            add(b",")
        return parts

    def explained(self, hits: list[Hit], now: datetime) -> list[Text]:
        """As `listed`, each record with the parts of its score."""
        release = self._release
        parts: list[Text] = []
        for (square, row), distance in zip(hits, release.shown_miles(hits), strict=True):
            self._add_reported(parts, (square, row), distance, now)
            miles = chord_to_miles(math.sqrt(square))
            told = msgspec.json.encode(explained(release, row, miles, release.moment(row, now)))
            live = bytes(parts[-2])
            parts[-2] = b"".join((live[:-1], b',"relevance":', told, b"}"))
        return parts

    def _add_reported(self, parts: list[Text], hit: Hit, distance: float, now: datetime) -> None:
        """A record by the general way."""
        release, (square, row) = self._release, hit
        moment, miles = release.moment(row, now), chord_to_miles(math.sqrt(square))
        score = relevance(self._scores[row], miles, moment)
        parts += (
            release.stored_record(row),
            release.live_members(row, moment, distance, score),
            b",",
        )

    def _kind(self, row: int, moment: Moment) -> _Kind:
        if len(self._kinds) >= _MOST_KEPT:
            self._kinds.clear()
        release, age = self._release, moment.age_days
        # The members up to the distance, as the general way writes them.
        head = release.live_members(row, moment).partition(b',"distance":')[0]
        fresh = FRESHNESS * (1 - age / FRESH_DAYS) if age is not None and age < FRESH_DAYS else 0.0
        kind = self._kinds[release.type_of(row), moment] = _Kind(
            head, OPENING[moment.hours_status], fresh
        )
        return kind

    def _distance(self, miles: float) -> bytes:
        if len(self._distances) >= _MOST_KEPT:
            self._distances.clear()
        text = self._distances[miles] = f',"distance":{miles!r},"distance_miles":{miles!r}'.encode()
        return text


@per_release
def lister_of(release: OpenRelease) -> Lister:
    """Make the lister of a release."""
    return Lister(release)
