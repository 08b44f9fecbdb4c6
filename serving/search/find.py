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
from serving.search.filter import NO_FILTERS, Sifted, fits, sift
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
    none lies within 500 miles either. `nearest_listed`: the nearest place within 500 miles, whatever
    the filters, where none matches within the radius.
    """

    hits: list[Hit]
    total: int
    radius: float
    is_expanded: bool = False
    unknown: int = 0
    area_not_known: int = 0
    nearest_miles: float | None = None
    nearest_listed: Hit | None = None


async def search(release: OpenRelease, start: Start, query: Query, now: datetime) -> Found:
    """Run `find` from the event loop: many places are judged in another thread."""
    if query.is_plain:
        return find(release, start, query, now)
    radius = _radius(query)

    async def judge_within(judge: Callable[..., Found], miles: float) -> Found:
        inside = _inside(release, start, query, miles)
        call = partial(judge, release, start, query, radius, now, inside)
        return call() if len(inside.rows) <= _FEW_JUDGED else await asyncio.to_thread(call)

    found = await judge_within(_within, radius)
    return found if found.total else await judge_within(_beyond, MAX_RADIUS)


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
    radius = _radius(query)
    inside = None if query.is_plain else _inside(release, start, query, radius)
    found = _within(release, start, query, radius, now, inside)
    if found.total:
        return found
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
) -> Found:
    """Find the page of the matches within a radius in miles; where there is none, `_beyond` counts
    what is not known. `inside`: the places that lie within it; None for a plain query."""
    sifted = None if inside is None else _sift(release, query, inside, now, is_first=True)
    return _page(release, start, query, radius, now, sifted)


def _beyond(
    release: OpenRelease,
    start: Start,
    query: Query,
    radius: float,
    now: datetime | None,
    inside: Within | None,
) -> Found:
    """Look beyond a radius without matches: for a query that expands find the page at the next step
    at which there is something, for any other the distance of the nearest.

    `inside`: the places that lie within 500 miles, as far as a search may go; None for a plain query.
    All steps take their page from one judgement of these.
    """
    sifted, vain = None, Found([], 0, radius)
    if inside is None:
        hits = release.spatial.select(query.types).nearest(start.at, 1, miles_to_chord(MAX_RADIUS))
        square = hits[0][0] if hits else None
    else:
        sifted = _sift(release, query, inside, now)
        squares = sifted.matches.squares
        square = float(squares.min()) if len(squares) else None
        vain = vain._replace(
            unknown=len(sifted.within(radius).unknown), nearest_listed=inside.nearest_hit()
        )
    if square is None:
        if not query.expands or radius >= MAX_RADIUS:
            return vain
        unknown = 0 if sifted is None else len(sifted.unknown)
        return vain._replace(radius=MAX_RADIUS, is_expanded=True, unknown=unknown)
    is_bound = query.radius is not None and (
        square <= miles_to_chord(max(radius, EXPANSION_AFTER)) ** 2
    )
    if is_bound or not query.expands:
        return vain._replace(nearest_miles=chord_to_miles(math.sqrt(square)))
    step = next(step for step in STEPS if step > radius and square <= miles_to_chord(step) ** 2)
    near = None if sifted is None else sifted.within(step)
    found = _page(release, start, query, step, now, near)
    return found._replace(is_expanded=True, nearest_listed=vain.nearest_listed)


def miles_in_vain(asked: float | None, widened_to: float) -> float:
    """Return the radius within which nothing lies, when the search was widened."""
    if asked is None:
        return DEFAULT_RADIUS if widened_to <= EXPANSION_AFTER else EXPANSION_AFTER
    return max(asked, EXPANSION_AFTER)


def _page(
    release: OpenRelease,
    start: Start,
    query: Query,
    radius: float,
    now: datetime | None,
    sifted: Sifted | None,
) -> Found:
    """Take the page of a query from its matches; the page of a plain query from the index."""
    page = query.page
    if sifted is None:
        selection = release.spatial.select(query.types)
        total, hits = selection.page(start.at, miles_to_chord(radius), page.first, page.limit)
        return Found(hits, total, radius)
    places, home = _in_order(release, query, sifted.matches, now), query.filters.serves_zip
    answers = release.service_areas.answers(places.rows, home) if home else []
    return Found(
        places.hits(page.first, page.first + page.limit),
        len(places.rows),
        radius,
        unknown=len(sifted.unknown),
        area_not_known=answers.count("not_known"),
    )


def _sift(
    release: OpenRelease,
    query: Query,
    inside: Within,
    now: datetime | None,
    *,
    is_first: bool = False,
) -> Sifted:
    if query.filters == NO_FILTERS:
        return Sifted(inside, inside.squares[:0])
    assert now is not None, "filters depend on the moment"
    return sift(release, inside, query.filters, now, is_first=is_first)


def _in_order(release: OpenRelease, query: Query, places: Within, now: datetime | None) -> Within:
    places = places.in_order()
    if query.order == "relevance":
        assert now is not None, "relevance depends on the moment"
        miles = np.asarray(chord_to_miles(np.sqrt(places.squares)))
        return places.take(np.lexsort((places.rows, -relevances(release, places.rows, miles, now))))
    if query.order == "likely" and query.filters.include_unknown:
        assert now is not None, "filters depend on the moment"
        met = fits(release, places.rows, query.filters, now)
        return places.take(np.argsort(-met, kind="stable"))
    return places
