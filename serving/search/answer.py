"""Answers searches by text and by point, and counts of places, as JSON."""

from datetime import datetime
from typing import NamedTuple

import msgspec

from schemas.api.lists import ModeCounts
from schemas.values.coordinates import miles_to_chord
from schemas.vocab.resource_types import MODES
from serving.context import Context
from serving.search.find import search
from serving.search.query import Query
from serving.search.render import list_json
from serving.search.start import Start, start_of_zip
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease

COUNT_RADIUS = 150.0


class SearchAnswer(NamedTuple):
    """An answer as JSON, and its figures for the statistics of searches."""

    body: bytes
    zip: str
    is_empty: bool


async def answer_start(
    context: Context, release: OpenRelease, start: Start, query: Query, now: datetime
) -> SearchAnswer:
    """Answer a search from a point."""
    matches = await search(release, start, query, now)
    body = list_json(context, release, start, query, matches, now)
    return SearchAnswer(body, start.location.zip or "", not matches.total)


def mode_counts(release: OpenRelease, code: str) -> bytes:
    """Count places within 150 miles of a ZIP code by mode. Raises ServiceProblem (400, 404)."""
    start = start_of_zip(release, code)
    chord = miles_to_chord(COUNT_RADIUS)
    select = release.spatial.select
    counts = {mode: select(MODE_TYPES[mode]).count(start.at, chord) for mode in MODES}
    return msgspec.json.encode(ModeCounts(**counts))
