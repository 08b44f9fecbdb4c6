"""Search with filters, and in order of relevance: exact, whatever is asked, and the event loop
stays free.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.values.coordinates import chord_to_miles, miles_to_chord
from serving.context import Context
from serving.services.area_help import help_where_far
from serving.services.filters import NO_FILTERS, Filters, sift
from serving.services.places import Start, start_of_text
from serving.services.relevance import relevances
from serving.services.search import (
    DEFAULT_RADIUS,
    EXPANSION_AFTER,
    MAX_RADIUS,
    STEPS,
    Found,
    Page,
    Searched,
    Types,
    rendered,
    searched_in_vain,
)
from warehouse.reader import OpenRelease

Order = Literal["distance", "relevance"]
# Up to this many places are measured through the index on the event loop; more, all at once in a
# thread.
_FEW = 2_000


class Question(NamedTuple):
    """What is asked: types, radius asked for (miles), page, filters, order, with the parts of the
    score?
    """

    types: Types
    radius: float | None
    page: Page
    filters: Filters = NO_FILTERS
    order: Order = "distance"
    explain: bool = False


class Matches(NamedTuple):
    """All that match within a radius in the order asked for, and how many are left out as unknown."""

    squares: NDArray[np.float64]
    rows: NDArray[np.int64]
    unknown: int

    def page(self, page: Page, radius: float, *, is_expanded: bool) -> Found:
        part = slice(page.limit * (page.number - 1), page.limit * page.number)
        hits = list(zip(self.squares[part].tolist(), self.rows[part].tolist(), strict=True))
        return Found(hits, len(self.rows), radius, is_expanded)


class Outcome(NamedTuple):
    """What was found, and how many within the radius were left out for lack of knowledge."""

    found: Found
    unknown: int


async def matching(
    release: OpenRelease, start: Start, asked: Question, radius: float, now: datetime
) -> Matches:
    """All that match within a radius in miles."""
    selection, chord = release.spatial.select(asked.types), miles_to_chord(radius)
    if selection.count_within(start.at, chord) <= _FEW:
        hits = selection.within(start.at, chord)
        squares = np.array([square for square, _ in hits], dtype=np.float64)
        rows = np.array([row for _, row in hits], dtype=np.int64)
    else:
        squares, rows = await asyncio.to_thread(selection.measured_within, start.at, chord)
    return await asyncio.to_thread(_chosen, release, asked, squares, rows, now)


def _chosen(
    release: OpenRelease,
    asked: Question,
    squares: NDArray[np.float64],
    rows: NDArray[np.int64],
    now: datetime,
) -> Matches:
    unknown = 0
    if asked.filters != NO_FILTERS:
        is_match, unknown = sift(release, rows, asked.filters, now)
        squares, rows = squares[is_match], rows[is_match]
    if asked.order == "relevance":
        miles = np.asarray(chord_to_miles(np.sqrt(squares)))
        order = np.lexsort((rows, -relevances(release, rows, miles, now)))
        squares, rows = squares[order], rows[order]
    return Matches(squares, rows, unknown)


async def find_matching(
    release: OpenRelease, start: Start, asked: Question, now: datetime
) -> Outcome:
    """`search.find` with filters and order."""
    radius = DEFAULT_RADIUS if asked.radius is None else asked.radius
    matches = await matching(release, start, asked, radius, now)
    return Outcome(matches.page(asked.page, radius, is_expanded=False), matches.unknown)


async def find_matching_expanding(
    release: OpenRelease, start: Start, asked: Question, now: datetime
) -> Outcome:
    """`search.find_expanding` with filters and order: the same steps, counting matches only."""
    found = await find_matching(release, start, asked, now)
    if found.found.total:
        return found
    radius = found.found.radius
    if asked.radius is not None:
        near = await matching(release, start, asked, max(radius, EXPANSION_AFTER), now)
        if len(near.rows):
            return found
    unknown = found.unknown
    for step in (step for step in STEPS if step > radius):
        matches = await matching(release, start, asked, step, now)
        unknown = matches.unknown
        if len(matches.rows):
            return Outcome(matches.page(asked.page, step, is_expanded=True), unknown)
    return Outcome(Found([], 0, MAX_RADIUS, is_expanded=radius < MAX_RADIUS), unknown)


async def message_on_matches(
    release: OpenRelease, start: Start, asked: Question, outcome: Outcome, now: datetime
) -> str | None:
    """What a reader should know about an answer, in a few sentences."""
    found, notes = outcome.found, [start.note] if start.note else []
    what = "Nothing" if asked.filters == NO_FILTERS else "Nothing that matches the filters"
    if asked.types is not None and not asked.types:
        notes.append("None of the requested types belongs to this mode.")
    elif found.is_expanded and found.total:
        vain = searched_in_vain(asked.radius, found.radius)
        notes.append(
            f"{what} within {vain:g} miles: the search was widened to {found.radius:g} miles."
        )
    elif found.is_expanded:
        notes.append(f"{what} within {MAX_RADIUS:g} miles.")
    elif not found.total:
        far = await matching(release, start, asked._replace(order="distance"), MAX_RADIUS, now)
        miles = np.asarray(chord_to_miles(np.sqrt(far.squares[:1])))
        away = f"; the nearest is {miles[0]:.0f} miles away" if len(miles) else ""
        notes.append(f"{what} within {found.radius:g} miles{away}.")
    if outcome.unknown:
        are = "1 place is" if outcome.unknown == 1 else f"{outcome.unknown} places are"
        notes.append(
            f"Within {found.radius:g} miles {are} left out because it is not known whether they match: call them to ask."
        )
    return " ".join(notes) or None


async def searched_matching(
    context: Context, release: OpenRelease, text: str, asked: Question, now: datetime
) -> Searched:
    """Answer a search by text with filters or by relevance.

    Raises ServiceProblem (400, 404) when the text is no place.
    """
    start = start_of_text(release, text)
    outcome = await find_matching_expanding(release, start, asked, now)
    body = await rendered_matches(context, release, start, asked, outcome, now)
    return Searched(body, start.location.zip or "", not outcome.found.total)


async def nearby_matching(
    context: Context, release: OpenRelease, start: Start, asked: Question, now: datetime
) -> bytes:
    """The list answer to a search by point with filters or by relevance; never widened."""
    outcome = await find_matching(release, start, asked, now)
    start = start._replace(note=None)
    return await rendered_matches(context, release, start, asked, outcome, now)


async def rendered_matches(
    context: Context,
    release: OpenRelease,
    start: Start,
    asked: Question,
    outcome: Outcome,
    now: datetime,
) -> bytes:
    """The list envelope with its records."""
    message = await message_on_matches(release, start, asked, outcome, now)
    unknown = None if asked.filters == NO_FILTERS else outcome.unknown
    return rendered(
        context,
        release,
        start.location,
        outcome.found,
        asked.page,
        message,
        now,
        area=help_where_far(release, start, asked.types, outcome.found.hits),
        unknown=unknown,
        explain=asked.explain,
    )
