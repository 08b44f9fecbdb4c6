"""Describes a search and finds its places: candidates within a radius, then filters, then order,
then the page.

Distances are exact, and totals count all that match.
"""

import math
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from schemas.values.coordinates import chord_to_miles, miles_to_chord
from schemas.vocab.resource_types import RESOURCE_TYPES
from serving.http.errors import invalid
from serving.search.area_help import FAR_MILES
from serving.search.filter import NO_FILTERS, FilterResult, Filters, apply_filters, fits
from serving.search.rank import opening_ranks, relevances
from serving.search.start import Start
from warehouse.index.points import MODE_TYPES, TYPE_CODES
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit, Within

DEFAULT_RADIUS, MAX_RADIUS = 25.0, 500.0
DEFAULT_LIMIT, MAX_LIMIT, MAX_PAGE = 20, 100, 1000
Types = frozenset[int] | None
Order = Literal["distance", "relevance", "likely", "open_first"]


class Page(msgspec.Struct, frozen=True, gc=False):
    """The requested page of matches. A limit of 0 counts matches and lists none."""

    limit: int
    number: int = 1

    @property
    def first(self) -> int:
        """Position of its first match."""
        return self.limit * (self.number - 1)


class Query(msgspec.Struct, frozen=True):
    """A search from a point. `types` None: all; `radius` in miles, None: the nearest places.

    `order` likely: with unknown places included, those that meet most conditions first, then the
    nearest; open_first: the same, and among equals those that are open now, usually open now, or
    open later today before the others, old listings last. `expands`: widen the search if nothing is
    near. `explain`: list the parts of each score.
    """

    types: Types = None
    radius: float | None = None
    page: Page = Page(DEFAULT_LIMIT)
    filters: Filters = NO_FILTERS
    order: Order = "distance"
    explain: bool = False
    expands: bool = True

    @property
    def is_plain(self) -> bool:
        """Whether the spatial index alone can answer it: nearest first, without filters."""
        is_by_point = self.order in {"distance", "likely"}
        return is_by_point and self.filters == NO_FILTERS


@lru_cache(maxsize=512)
def choose_types(mode: str | None, types: str | None) -> Types:
    """Return type codes of a mode, of a comma-separated list of type ids, or of their intersection.

    None means all types. Raises ServiceProblem naming the parameter.
    """
    if types is None:
        return MODE_TYPES[mode] if mode else None
    names = [name.strip() for name in types.split(",")]
    unknown = [name for name in names if name not in RESOURCE_TYPES]
    if unknown:
        raise invalid(
            "type", f"{unknown[0][:40]!r} is no type; the types are {', '.join(RESOURCE_TYPES)}"
        )
    codes = frozenset(TYPE_CODES[name] for name in names)
    return codes & MODE_TYPES[mode] if mode else codes


# An explicit radius is widened only when nothing is within this many miles.
EXPANSION_AFTER = FAR_MILES
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


def find(release: OpenRelease, start: Start, query: Query, now: datetime | None = None) -> Matches:
    """Find the page of a query. Filters and relevance need an aware `now`.

    If nothing is within 50 miles (or the radius, if larger), an expanding query gets the next step
    with a result. Without a radius: 25 miles, then 50, then wider.
    """
    selection, page = release.spatial.select(query.types), query.page
    radius = DEFAULT_RADIUS if query.radius is None else query.radius
    if not query.is_plain:
        inside = selection.inside(start.at, miles_to_chord(radius))
        matches = _find_within(release, query, radius, inside, now)
        if matches.total:
            return matches
        return _find_beyond(release, start, query, radius, now)
    total, hits = selection.page(start.at, miles_to_chord(radius), page.first, page.limit)
    if total:
        return Matches(hits, total, radius)
    nearest = selection.nearest(start.at, 1, miles_to_chord(MAX_RADIUS))
    matches = _without_matches(query, radius, nearest[0][0] if nearest else None)
    if not nearest or not matches.is_expanded:
        return matches
    chord = miles_to_chord(matches.radius)
    total, hits = selection.page(start.at, chord, page.first, page.limit)
    return matches._replace(hits=hits, total=total)


def _find_within(
    release: OpenRelease, query: Query, radius: float, inside: Within, now: datetime | None
) -> Matches:
    """Find the page of the matches among the places within the radius; without matches,
    `_find_beyond` counts the unknown ones."""
    return _page(release, query, radius, now, _filter(release, query, inside, now, is_first=True))


def _find_beyond(
    release: OpenRelease, start: Start, query: Query, radius: float, now: datetime | None
) -> Matches:
    """Search beyond a radius without matches: an expanding query gets the page at the next step
    with a match, others the distance of the nearest.

    All steps share one judgement of the places within 500 miles, the limit of a search.
    """
    inside = release.spatial.select(query.types).inside(start.at, miles_to_chord(MAX_RADIUS))
    filter_result, nearest_listed = _filter(release, query, inside, now), inside.nearest_hit()
    squares = filter_result.matches.squares
    matches = _without_matches(query, radius, float(squares.min()) if len(squares) else None)
    near = filter_result.within(matches.radius)
    if len(squares) and matches.is_expanded:
        matches = _page(release, query, matches.radius, now, near)._replace(is_expanded=True)
    return matches._replace(unknown=len(near.unknown), nearest_listed=nearest_listed)


def _without_matches(query: Query, radius: float, square: float | None) -> Matches:
    """Return the answer to a query without a match within its radius: for an expanding one, the
    step to search. `square` is the squared chord (m²) of the nearest match within 500 miles."""
    if square is None:
        is_expanded = query.expands and radius < MAX_RADIUS
        return Matches([], 0, MAX_RADIUS if is_expanded else radius, is_expanded)
    is_bound = query.radius is not None and (
        square <= miles_to_chord(max(radius, EXPANSION_AFTER)) ** 2
    )
    if is_bound or not query.expands:
        return Matches([], 0, radius, nearest_miles=chord_to_miles(math.sqrt(square)))
    step = next(step for step in STEPS if step > radius and square <= miles_to_chord(step) ** 2)
    return Matches([], 0, step, is_expanded=True)


def miles_in_vain(radius: float | None, widened_to: float) -> float:
    """Return the radius that had no result if the search was widened."""
    if radius is None:
        return DEFAULT_RADIUS if widened_to <= EXPANSION_AFTER else EXPANSION_AFTER
    return max(radius, EXPANSION_AFTER)


def _page(
    release: OpenRelease,
    query: Query,
    radius: float,
    now: datetime | None,
    filter_result: FilterResult,
) -> Matches:
    """Take the page of a query from its matches."""
    page, home, places = query.page, query.filters.serves_zip, filter_result.matches
    answers = release.service_areas.answers(places.rows, home) if home else []
    first, last = page.first, page.first + page.limit
    return Matches(
        places.first(last, *_keys(release, query, places, now)).hits(first, last),
        len(places.rows),
        radius,
        unknown=len(filter_result.unknown),
        area_not_known=answers.count("not_known"),
    )


def _filter(
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
    return apply_filters(release, inside, query.filters, now, is_first=is_first)


def _keys(
    release: OpenRelease, query: Query, places: Within, now: datetime | None
) -> list[NDArray[Any]]:
    """Return the keys of the order of a query; the last counts first."""
    if query.order == "distance":
        return []
    assert now is not None, "opening states and relevance depend on the moment"
    if query.order == "relevance":
        miles = np.asarray(chord_to_miles(np.sqrt(places.squares)))
        return [places.rows, -relevances(release, places.rows, miles, now)]
    keys: list[NDArray[Any]] = []
    if query.order == "open_first":
        keys.append(opening_ranks(release, places.rows, now))
    if query.filters.include_unknown:
        keys.append(-fits(release, places.rows, query.filters, now))
    return keys
