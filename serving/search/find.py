"""Finds places: candidates within a radius, then filters, then order, then the page.

Distances are exact, and totals count all that match.
"""

import asyncio
import math
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from schemas.values.coordinates import chord_to_miles, miles_to_chord
from serving.search.area_help import FAR_MILES
from serving.search.filter import NO_FILTERS, fits, sift
from serving.search.query import DEFAULT_RADIUS, MAX_RADIUS, Query, Types
from serving.search.rank import relevances
from serving.search.start import Start
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit, Within

# A radius that was asked for is widened only when nothing lies within this many miles.
EXPANSION_AFTER = FAR_MILES
# Up to so many places are judged on the event loop: a millisecond at most.
_FEW_JUDGED = 10_000
STEPS = (EXPANSION_AFTER, 75.0, 100.0, 150.0, 250.0, 500.0)


class Found(NamedTuple):
    """Matches of one page in the order of the query, and the number of all within the radius.

    `unknown`: how many the filters left out only because it is not known whether they match.
    `area_not_known`: of how many matches it is not known whether they serve the visitor's ZIP code.
    `nearest_miles`: distance of the nearest match, where none lies within the radius; None where
    none lies within 500 miles either.
    """

    hits: list[Hit]
    total: int
    radius: float
    is_expanded: bool = False
    unknown: int = 0
    area_not_known: int = 0
    nearest_miles: float | None = None


class Matches(NamedTuple):
    """All matches within a radius in the order of the query; `unknown` as in `Found`."""

    squares: NDArray[np.float64]
    rows: NDArray[np.int64]
    unknown: int


async def search(release: OpenRelease, start: Start, query: Query, now: datetime) -> Found:
    """Do what `find` does, for the event loop: many places are judged in another thread."""
    if query.is_plain:
        return find(release, start, query, now)
    radius = _radius(query)

    async def judged(judge: Callable[..., Found], of: float | Found, miles: float) -> Found:
        inside = _inside(release, start, query, miles)
        call = partial(judge, release, start, query, of, now, inside)
        return call() if len(inside.rows) <= _FEW_JUDGED else await asyncio.to_thread(call)

    found = await judged(_within, radius, radius)
    return found if found.total else await judged(_beyond, found, MAX_RADIUS)


def are_few(release: OpenRelease, start: Start, types: Types, miles: float) -> bool:
    """Return whether so few places lie within a radius that to hand them to another thread would
    cost more than to judge them."""
    chord = miles_to_chord(miles)
    return release.spatial.select(types).count(start.at, chord) <= _FEW_JUDGED


def find(release: OpenRelease, start: Start, query: Query, now: datetime | None = None) -> Found:
    """Find the page of a query. Filters and relevance need an aware `now`.

    Where nothing lies within 50 miles (or the radius, if larger), a query that expands gets the
    next step at which there is something. Without a radius: 25 miles, then 50, then wider.
    """
    found = _within(release, start, query, _radius(query), now)
    return found if found.total else _beyond(release, start, query, found, now)


def _radius(query: Query) -> float:
    return DEFAULT_RADIUS if query.radius is None else query.radius


def _inside(release: OpenRelease, start: Start, query: Query, miles: float) -> Within:
    return release.spatial.select(query.types).inside(start.at, miles_to_chord(miles))


def _beyond(
    release: OpenRelease,
    start: Start,
    query: Query,
    found: Found,
    now: datetime | None,
    inside: Within | None = None,
) -> Found:
    """Look beyond a radius without matches: for a query that expands find the page at the next step
    at which there is something, for any other the distance of the nearest.

    Judged once as far as a search may go: every step by itself would judge the same places again.
    `inside`: the places that lie within 500 miles, where they have been looked up.
    """
    radius = found.radius
    if inside is None and not query.is_plain:
        inside = _inside(release, start, query, MAX_RADIUS)
    square, unknown = _nearest(release, start, query, now, inside)
    if square is None:
        if not query.expands or radius >= MAX_RADIUS:
            return found
        return Found([], 0, MAX_RADIUS, is_expanded=True, unknown=unknown)
    is_bound = query.radius is not None and (
        square <= miles_to_chord(max(radius, EXPANSION_AFTER)) ** 2
    )
    if is_bound or not query.expands:
        return found._replace(nearest_miles=chord_to_miles(math.sqrt(square)))
    step = next(step for step in STEPS if step > radius and square <= miles_to_chord(step) ** 2)
    if inside is not None:
        inside = inside.take(np.flatnonzero(inside.squares <= miles_to_chord(step) ** 2))
    return _within(release, start, query, step, now, inside)._replace(is_expanded=True)


def miles_in_vain(asked: float | None, widened_to: float) -> float:
    """Return the radius within which nothing lies, when the search was widened."""
    if asked is None:
        return DEFAULT_RADIUS if widened_to <= EXPANSION_AFTER else EXPANSION_AFTER
    return max(asked, EXPANSION_AFTER)


def _nearest(
    release: OpenRelease,
    start: Start,
    query: Query,
    now: datetime | None,
    inside: Within | None,
) -> tuple[float | None, int]:
    """Return the squared chord of the nearest match within 500 miles, and how many places are left
    out there only because it is not known whether they match.
    """
    if inside is None:
        hits = release.spatial.select(query.types).nearest(start.at, 1, miles_to_chord(MAX_RADIUS))
        return (hits[0][0] if hits else None), 0
    by_distance = msgspec.structs.replace(query, order="distance")
    squares, _, unknown = _matches(release, by_distance, inside, now)
    return (float(squares[0]) if len(squares) else None), unknown


def _within(
    release: OpenRelease,
    start: Start,
    query: Query,
    radius: float,
    now: datetime | None,
    inside: Within | None = None,
) -> Found:
    """Find the page of the matches within a radius in miles; `inside`: the places that lie within
    it, where they have been looked up."""
    page = query.page
    if query.is_plain:
        selection = release.spatial.select(query.types)
        total, hits = selection.page(start.at, miles_to_chord(radius), page.first, page.limit)
        return Found(hits, total, radius)
    if inside is None:
        inside = _inside(release, start, query, radius)
    matches = _matches(release, query, inside, now)
    part = slice(page.first, page.first + page.limit)
    hits = list(zip(matches.squares[part].tolist(), matches.rows[part].tolist(), strict=True))
    home = query.filters.serves_zip
    answers = release.service_areas.answers(matches.rows, home) if home else []
    return Found(
        hits,
        len(matches.rows),
        radius,
        unknown=matches.unknown,
        area_not_known=answers.count("not_known"),
    )


def matches_within(
    release: OpenRelease, start: Start, query: Query, radius: float, now: datetime | None
) -> Matches:
    """Collect all matches within a radius in miles. Safe for threads."""
    return _matches(release, query, _inside(release, start, query, radius), now)


def _matches(release: OpenRelease, query: Query, found: Within, now: datetime | None) -> Matches:
    assert now is not None, "filters and relevance depend on the moment"
    unknown = 0
    if query.filters != NO_FILTERS:
        is_match, unknown = sift(release, found.rows, query.filters, now)
        found = found.take(np.flatnonzero(is_match))
    squares, rows = found.in_order()
    if query.order == "relevance":
        miles = np.asarray(chord_to_miles(np.sqrt(squares)))
        order = np.lexsort((rows, -relevances(release, rows, miles, now)))
        squares, rows = squares[order], rows[order]
    elif query.order == "likely" and query.filters.include_unknown:
        order = np.argsort(-fits(release, rows, query.filters, now), kind="stable")
        squares, rows = squares[order], rows[order]
    return Matches(squares, rows, unknown)
