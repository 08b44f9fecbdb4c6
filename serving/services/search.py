"""Finding places: by distance from a point, exactly, with the number of all that match."""

from __future__ import annotations

import math
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import msgspec

from schemas.api.area_help import AreaHelp
from schemas.api.lists import DataProvider, Location, ModeCounts, SearchHead
from schemas.values.coordinates import chord_to_miles, miles_to_chord
from schemas.vocab.resource_types import MODES, RESOURCE_TYPES
from serving.context import Context
from serving.errors import invalid
from serving.services.area_help import FAR_MILES, help_where_far
from serving.services.asking_together import asking_together
from serving.services.listing import lister_of
from serving.services.organization import organization_of
from serving.services.places import Start, start_of_text, start_of_zip
from warehouse.reader import MODE_TYPES, TYPE_CODES, OpenRelease
from warehouse.spatial import Hit
from warehouse.spatial_together import Sought, counts_within

DEFAULT_RADIUS, MAX_RADIUS = 25.0, 500.0
DEFAULT_LIMIT, MAX_LIMIT, MAX_PAGE = 20, 100, 1000
COUNT_RADIUS = 150.0
# A radius asked for is widened only when nothing lies within this many miles, and then by these
# steps.
EXPANSION_AFTER = FAR_MILES
STEPS = (EXPANSION_AFTER, 75.0, 100.0, 150.0, 250.0, 500.0)
Types = frozenset[int] | None


class Page(msgspec.Struct, frozen=True, gc=False):
    """Which part of the matches is wanted."""

    limit: int
    number: int = 1


class Found(NamedTuple):
    """Matches of one page, nearest first, and how many there are on all pages."""

    hits: list[Hit]
    total: int
    radius: float
    is_expanded: bool = False


@lru_cache(maxsize=512)
def chosen_types(mode: str | None, types: str | None) -> Types:
    """Type codes of a mode, of a comma list of type ids, or of what both have in common.

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


def find(release: OpenRelease, start: Start, types: Types, radius: float, page: Page) -> Found:
    """Places within a radius in miles."""
    selection = release.spatial.select(types)
    total = selection.count_within(start.at, miles_to_chord(radius))
    first = page.limit * (page.number - 1)
    if first >= total:
        return Found([], total, radius)
    hits = selection.nearest(start.at, first + page.limit, miles_to_chord(radius))
    return Found(hits[first:], total, radius)


async def find_beside_others(
    release: OpenRelease, start: Start, types: Types, radius: float, page: Page
) -> Found:
    """`find`, worked out together with what others ask in the same turn of the event loop."""
    first = page.limit * (page.number - 1)
    selection, chord = release.spatial.select(types), miles_to_chord(radius)
    sought = Sought(selection, start.at, chord, first, page.limit)
    total, hits = await asking_together(release).near(sought)
    return Found(hits, total, radius)


def find_expanding(
    release: OpenRelease, start: Start, types: Types, asked: float | None, page: Page
) -> Found:
    """`find`; when nothing lies within 50 miles (or the radius, if larger), wider and wider.

    Whoever asks for no radius gets the nearest places there are: 25 miles, then 50, then wider. A
    radius
    that was asked for is kept as long as anything lies within 50 miles, even if that is beyond it.
    """
    radius = DEFAULT_RADIUS if asked is None else asked
    found = find(release, start, types, radius, page)
    if found.total:
        return found
    selection = release.spatial.select(types)
    if asked is not None and selection.count_within(
        start.at, miles_to_chord(max(radius, EXPANSION_AFTER))
    ):
        return found
    for step in STEPS:
        if step > radius and selection.count_within(start.at, miles_to_chord(step)):
            return find(release, start, types, step, page)._replace(is_expanded=True)
    return Found([], 0, MAX_RADIUS, is_expanded=radius < MAX_RADIUS)


def searched_in_vain(asked: float | None, widened_to: float) -> float:
    """The radius within which nothing lies, when the search was widened."""
    if asked is None:
        return DEFAULT_RADIUS if widened_to <= EXPANSION_AFTER else EXPANSION_AFTER
    return max(asked, EXPANSION_AFTER)


def message_on(
    release: OpenRelease, start: Start, types: Types, asked: float | None, found: Found
) -> str | None:
    """What a reader should know about an answer, in one or two sentences."""
    notes = [start.note] if start.note else []
    if types is not None and not types:
        notes.append("None of the requested types belongs to this mode.")
    elif found.is_expanded and found.total:
        notes.append(
            f"Nothing within {searched_in_vain(asked, found.radius):g} miles: the search was widened to {found.radius:g} miles."
        )
    elif found.is_expanded:
        notes.append(f"Nothing within {MAX_RADIUS:g} miles.")
    elif not found.total:
        nearest = release.spatial.select(types).nearest(start.at, 1, miles_to_chord(MAX_RADIUS))
        away = f"; the nearest is {_miles(nearest[0]):.0f} miles away" if nearest else ""
        notes.append(f"Nothing within {asked or DEFAULT_RADIUS:g} miles{away}.")
    return " ".join(notes) or None


def _miles(hit: Hit) -> float:
    return chord_to_miles(math.sqrt(hit[0]))


def rendered(
    context: Context,
    release: OpenRelease,
    location: Location,
    found: Found,
    page: Page,
    message: str | None,
    now: datetime,
    *,
    area: AreaHelp | None = None,
    unknown: int | None = None,
    explain: bool = False,
) -> bytes:
    """The list envelope with its records.

    `area`: whom to ask where nothing is near. `unknown`: how many filters left out for lack of
    knowledge. `explain` adds the parts of each score.
    """
    head = SearchHead(
        success=True,
        total_available=found.total,
        count=len(found.hits),
        page=page.number,
        limit=page.limit,
        location=location,
        expanded=found.is_expanded,
        search_radius_mi=found.radius,
        message=message,
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
        data_provider=provider(context, release),
        area_help=area,
        filtered_out_unknown=unknown,
    )
    lister = lister_of(release)
    listed = (lister.explained if explain else lister.listed)(found.hits, now)
    # The parts are joined once, without a copy of each record before; the last comma is left out.
    return b"".join((msgspec.json.encode(head)[:-1], b',"resources":[', *listed[:-1], b"]}"))


class Question(msgspec.Struct, frozen=True, gc=False):
    """A search by text: ZIP code or city, types, radius asked for (miles), page."""

    text: str
    types: Types
    radius: float | None
    page: Page


class Searched(msgspec.Struct, gc=False):
    """The answer to a question as JSON, and what is counted of it."""

    body: bytes
    zip: str
    is_empty: bool


def searched(context: Context, release: OpenRelease, question: Question, now: datetime) -> Searched:
    """Answer a search by text. Raises ServiceProblem (400, 404) when the text is no place."""
    start = start_of_text(release, question.text)
    types, asked = question.types, question.radius
    found = find_expanding(release, start, types, asked, question.page)
    message = message_on(release, start, types, asked, found)
    area = help_where_far(release, start, types, found.hits)
    body = rendered(context, release, start.location, found, question.page, message, now, area=area)
    return Searched(body, start.location.zip or "", not found.total)


def provider(context: Context, release: OpenRelease) -> DataProvider:
    """Who gives the data, and under which licence."""
    settings = context.settings
    name = organization_of(settings).common_name
    return DataProvider(name, settings.url, release.manifest.data_license)


def mode_counts(release: OpenRelease, code: str) -> bytes:
    """Count places within 150 miles of a ZIP code by mode, as JSON. Raises ServiceProblem (400, 404)."""
    start = start_of_zip(release, code)
    chord = miles_to_chord(COUNT_RADIUS)
    asked = [(release.spatial.select(MODE_TYPES[mode]), start.at, chord) for mode in MODES]
    counts = dict(zip(MODES, counts_within(asked), strict=True))
    return msgspec.json.encode(ModeCounts(**counts))
