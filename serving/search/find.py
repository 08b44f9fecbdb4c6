"""Finds places: candidates within a radius, then filters, then order, then the page.

Distances are exact, and totals count all that match.
"""

import asyncio
import math
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import NamedTuple

import numpy as np

from schemas.values.coordinates import chord_to_miles, miles_to_chord
from serving.search.area_help import FAR_MILES
from serving.search.filter import NO_FILTERS, FilterResult, fits, sift
from serving.search.query import DEFAULT_RADIUS, MAX_RADIUS, Query, Types
from serving.search.rank import opening_ranks, relevances
from serving.search.start import Start
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit, Within

# An explicit radius is widened only when nothing is within this many miles.
EXPANSION_AFTER = FAR_MILES
# Up to this many places are judged on the event loop: a millisecond at most.
_FEW_JUDGED = 10_000
STEPS = (EXPANSION_AFTER, 75.0, 100.0, 150.0, 250.0, 500.0)


class Matches(NamedTuple):
    """Matches of one page in the order of the query, and the total within the radius.

    `unknown`: number excluded only because a filter's attribute is unknown. `area_not_known`:
    number of matches whose service area is unknown for the visitor's ZIP code. `nearest_miles`:
    distance of the nearest match if none is within the radius; None if none is within 500 miles.
    `nearest_listed`: if none matches within the radius, the nearest place within 500 miles
    regardless of filters.
    """

    hits: list[Hit]
    total: int
    radius: float
    is_expanded: bool = False
    unknown: int = 0
    area_not_known: int = 0
    nearest_miles: float | None = None
    nearest_listed: Hit | None = None


async def search(release: OpenRelease, start: Start, query: Query, now: datetime) -> Matches:
    """Run `find` from the event loop: many places are judged in another thread."""
    if query.is_plain:
        return find(release, start, query, now)
    radius = _radius(query)

    async def judge_within(judge: Callable[..., Matches], miles: float) -> Matches:
        inside = _inside(release, start, query, miles)
        call = partial(judge, release, start, query, radius, now, inside)
        return call() if len(inside.rows) <= _FEW_JUDGED else await asyncio.to_thread(call)

    matches = await judge_within(_within, radius)
    return matches if matches.total else await judge_within(_beyond, MAX_RADIUS)


def are_few(release: OpenRelease, start: Start, types: Types, miles: float) -> bool:
    """Return whether a radius has so few places that judging them costs less than handing them to
    another thread."""
    chord = miles_to_chord(miles)
    return release.spatial.select(types).count(start.at, chord) <= _FEW_JUDGED


def find(release: OpenRelease, start: Start, query: Query, now: datetime | None = None) -> Matches:
    """Find the page of a query. Filters and relevance need an aware `now`.

    If nothing is within 50 miles (or the radius, if larger), an expanding query gets the next step
    with a result. Without a radius: 25 miles, then 50, then wider.
    """
    radius = _radius(query)
    inside = None if query.is_plain else _inside(release, start, query, radius)
    matches = _within(release, start, query, radius, now, inside)
    if matches.total:
        return matches
    inside = None if query.is_plain else _inside(release, start, query, MAX_RADIUS)
    return _beyond(release, start, query, radius, now, inside)


def _radius(query: Query) -> float:
    return DEFAULT_RADIUS if query.radius is None else query.radius


def _inside(release: OpenRelease, start: Start, query: Query, miles: float) -> Within:
    return release.spatial.select(query.types).inside(start.at, miles_to_chord(miles))


def _within(
    release: OpenRelease,
    start: Start,
    query: Query,
    radius: float,
    now: datetime | None,
    inside: Within | None,
) -> Matches:
    """Find the page of the matches within a radius in miles; without matches, `_beyond` counts the
    unknown ones. `inside`: the places within the radius; None for a plain query."""
    filter_result = None if inside is None else _sift(release, query, inside, now, is_first=True)
    return _page(release, start, query, radius, now, filter_result)


def _beyond(
    release: OpenRelease,
    start: Start,
    query: Query,
    radius: float,
    now: datetime | None,
    inside: Within | None,
) -> Matches:
    """Search beyond a radius without matches: an expanding query gets the page at the next step
    with a match, others the distance of the nearest.

    `inside`: the places within 500 miles, the limit of a search; None for a plain query. All steps
    share one judgement of these.
    """
    filter_result, no_matches = None, Matches([], 0, radius)
    if inside is None:
        hits = release.spatial.select(query.types).nearest(start.at, 1, miles_to_chord(MAX_RADIUS))
        square = hits[0][0] if hits else None
    else:
        filter_result = _sift(release, query, inside, now)
        squares = filter_result.matches.squares
        square = float(squares.min()) if len(squares) else None
        no_matches = no_matches._replace(
            unknown=len(filter_result.within(radius).unknown), nearest_listed=inside.nearest_hit()
        )
    if square is None:
        if not query.expands or radius >= MAX_RADIUS:
            return no_matches
        unknown = 0 if filter_result is None else len(filter_result.unknown)
        return no_matches._replace(radius=MAX_RADIUS, is_expanded=True, unknown=unknown)
    is_bound = query.radius is not None and (
        square <= miles_to_chord(max(radius, EXPANSION_AFTER)) ** 2
    )
    if is_bound or not query.expands:
        return no_matches._replace(nearest_miles=chord_to_miles(math.sqrt(square)))
    step = next(step for step in STEPS if step > radius and square <= miles_to_chord(step) ** 2)
    near = None if filter_result is None else filter_result.within(step)
    matches = _page(release, start, query, step, now, near)
    return matches._replace(is_expanded=True, nearest_listed=no_matches.nearest_listed)


def miles_in_vain(radius: float | None, widened_to: float) -> float:
    """Return the radius that had no result if the search was widened."""
    if radius is None:
        return DEFAULT_RADIUS if widened_to <= EXPANSION_AFTER else EXPANSION_AFTER
    return max(radius, EXPANSION_AFTER)


def _page(
    release: OpenRelease,
    start: Start,
    query: Query,
    radius: float,
    now: datetime | None,
    filter_result: FilterResult | None,
) -> Matches:
    """Take the page of a query from its matches; the page of a plain query from the index."""
    page = query.page
    if filter_result is None:
        selection = release.spatial.select(query.types)
        total, hits = selection.page(start.at, miles_to_chord(radius), page.first, page.limit)
        return Matches(hits, total, radius)
    places, home = _in_order(release, query, filter_result.matches, now), query.filters.serves_zip
    answers = release.service_areas.answers(places.rows, home) if home else []
    return Matches(
        places.hits(page.first, page.first + page.limit),
        len(places.rows),
        radius,
        unknown=len(filter_result.unknown),
        area_not_known=answers.count("not_known"),
    )


def _sift(
    release: OpenRelease,
    query: Query,
    inside: Within,
    now: datetime | None,
    *,
    is_first: bool = False,
) -> FilterResult:
    if query.filters == NO_FILTERS:
        return FilterResult(inside, inside.squares[:0])
    assert now is not None, "filters depend on the moment"
    return sift(release, inside, query.filters, now, is_first=is_first)


def _in_order(release: OpenRelease, query: Query, places: Within, now: datetime | None) -> Within:
    places = places.in_order()
    if query.order == "relevance":
        assert now is not None, "relevance depends on the moment"
        miles = np.asarray(chord_to_miles(np.sqrt(places.squares)))
        return places.take(np.lexsort((places.rows, -relevances(release, places.rows, miles, now))))
    if query.order == "distance":
        return places
    assert now is not None, "opening states depend on the moment"
    keys = []
    if query.order == "open_first":
        keys.append(opening_ranks(release, places.rows, now))
    if query.filters.include_unknown:
        keys.append(-fits(release, places.rows, query.filters, now))
    # The last key counts first; equal places stay nearest first.
    return places.take(np.lexsort(keys)) if keys else places
