"""Renders lists of places and counts as JSON, with one renderer, one envelope and one message."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from schemas.api.lists import DataProvider, ModeCounts, SearchHead
from schemas.values.coordinates import miles_to_chord
from schemas.vocab.resource_types import MODES
from serving.context import Context
from serving.reference.organization import organization_of
from serving.search.area_help import help_where_far, home_deliveries
from serving.search.filter import NO_FILTERS
from serving.search.find import MAX_RADIUS, Matches, Query, miles_in_vain
from serving.search.rank import explain, relevance, standing
from serving.search.start import Start, start_of_zip
from warehouse.index.points import MODE_TYPES, miles_of
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import Moment
from warehouse.index.spatial import Hit

# Extra members of a record as JSON, each after a comma, for a row at a distance in miles.
More = Callable[[int, float, Moment], bytes]


def record_parts(
    release: OpenRelease, hits: Sequence[Hit], now: datetime, more: More | None = None
) -> list[bytes]:
    """Render the records of hits at an aware instant, as texts to join."""
    scores, exact = standing(release), miles_of(hits)
    read_record, moment_of, live_head = release.read_record, release.moment, release.live_head
    parts: list[bytes] = []
    for (_, row), miles, away in zip(hits, exact, release.display_miles(hits, exact), strict=True):
        moment = moment_of(row, now)
        score = relevance(scores[row], miles, moment)
        distance = repr(away)
        tail = f',"distance":{distance},"distance_miles":{distance},"relevance_score":{score!r}'
        parts += (read_record(row), live_head(row, moment), tail.encode())
        if more is not None:
            parts.append(more(row, miles, moment))
        parts.append(b"},")
    if parts:
        parts[-1] = b"}"
    return parts


def records_json(
    release: OpenRelease, hits: Sequence[Hit], now: datetime, more: More | None = None
) -> bytes:
    """Render the records of hits as a JSON array."""
    # One join, which copies no record twice.
    return b"".join((b"[", *record_parts(release, hits, now, more), b"]"))


def list_json(
    context: Context,
    release: OpenRelease,
    start: Start,
    query: Query,
    matches: Matches,
    now: datetime,
) -> bytes:
    """Render a list answer: the envelope with its records."""
    # A search by point with results names no contacts, regardless of distance.
    is_enough = query.is_plain and not query.expands and not query.explain and matches.total
    hits = matches.hits if matches.nearest_listed is None else [matches.nearest_listed]
    area = None if is_enough else help_where_far(release, start, query.types, hits)
    head = SearchHead(
        success=True,
        total_available=matches.total,
        count=len(matches.hits),
        page=query.page.number,
        limit=query.page.limit,
        location=start.location,
        expanded=matches.is_expanded,
        search_radius_mi=matches.radius,
        message=message_on(start, query, matches),
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
        data_provider=provider(context, release),
        area_help=area,
        home_delivery=home_deliveries(release, start, query.types),
        filtered_out_unknown=None if query.filters == NO_FILTERS else matches.unknown,
        serves_area_not_known=matches.area_not_known if query.filters.serves_zip else msgspec.UNSET,
    )
    home = query.filters.serves_zip

    def more(row: int, miles: float, moment: Moment) -> bytes:
        """Return the optional members that the search requests."""
        text = b""
        if query.explain:
            text += b',"relevance":' + msgspec.json.encode(explain(release, row, miles, moment))
        if home is not None:
            text += f',"serves_area":"{release.service_areas.serves(row, home)}"'.encode()
        return text

    has_more = query.explain or home is not None
    records = record_parts(release, matches.hits, now, more if has_more else None)
    return b"".join((msgspec.json.encode(head)[:-1], b',"resources":[', *records, b"]}"))


def message_on(start: Start, query: Query, matches: Matches) -> str | None:
    """Write the notes on an answer in a few sentences."""
    notes = [start.note] if start.note else []
    what = "Nothing" if query.filters == NO_FILTERS else "Nothing that matches the filters"
    if query.types is not None and not query.types:
        notes.append("None of the requested types belongs to this mode.")
    elif matches.is_expanded and matches.total:
        vain = miles_in_vain(query.radius, matches.radius)
        notes.append(
            f"{what} within {vain:g} miles: the search was widened to {matches.radius:g} miles."
        )
    elif matches.is_expanded:
        notes.append(f"{what} within {MAX_RADIUS:g} miles.")
    elif not matches.total:
        away = ""
        if (miles := matches.nearest_miles) is not None:
            distance = "1 mile" if round(miles) == 1 else f"{miles:.0f} miles"
            away = f"; the nearest is {'less than a mile' if miles < 1 else distance} away"
        notes.append(f"{what} within {matches.radius:g} miles{away}.")
    if matches.unknown:
        are = "1 place is" if matches.unknown == 1 else f"{matches.unknown} places are"
        notes.append(
            f"Within {matches.radius:g} miles {are} left out because it is not known whether they"
            " match: call them to ask."
        )
    if matches.area_not_known:
        of = "1 place" if matches.area_not_known == 1 else f"{matches.area_not_known} places"
        notes.append(
            f"Of {of} it is not known whether they serve ZIP code {query.filters.serves_zip}:"
            " ask before you go."
        )
    return " ".join(notes) or None


def provider(context: Context, release: OpenRelease) -> DataProvider:
    """Return the data provider and its licence."""
    settings = context.settings
    name = organization_of(settings).common_name
    return DataProvider(name, settings.url, release.manifest.data_license)


COUNT_RADIUS = 150.0


class SearchAnswer(NamedTuple):
    """An answer as JSON, and its figures for the statistics of searches."""

    body: bytes
    zip: str
    is_empty: bool


def mode_counts(release: OpenRelease, code: str) -> bytes:
    """Count places within 150 miles of a ZIP code by mode. Raises ServiceProblem (400, 404)."""
    start = start_of_zip(release, code)
    chord = miles_to_chord(COUNT_RADIUS)
    select = release.spatial.select
    counts = {mode: select(MODE_TYPES[mode]).count(start.at, chord) for mode in MODES}
    return msgspec.json.encode(ModeCounts(**counts))
