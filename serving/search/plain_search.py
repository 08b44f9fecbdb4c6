"""Finds the places for a plain-language question: by name, by its wishes, then by distance."""

import math
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np

from schemas.api.area_help import AreaContact
from schemas.api.lists import Location
from schemas.api.plain_language import Action
from schemas.values.coordinates import ecef_point, miles_to_chord
from schemas.vocab.constraints import OPEN_NOW, TYPES_WITH
from serving.places.listings import Listing, listings_named, listings_spelt_alike
from serving.search.area_help import food_banks_named
from serving.search.asked_time import WindowState, states_in_windows, windows_of
from serving.search.constraints import Ranking, weigh
from serving.search.find import (
    DEFAULT_RADIUS,
    EXPANSION_AFTER,
    Matches,
    Page,
    Query,
    Types,
    find,
    miles_in_vain,
)
from serving.search.language.landmarks import ListingName
from serving.search.language.reading import Reading, by_clock
from serving.search.language.times import AskedTime
from serving.search.language.wishes import Wish
from serving.search.openings import Window, is_open_by_old_hours
from serving.search.start import Start, start_of_city
from warehouse.index.points import MODE_TYPES, TYPE_CODES
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit, within_of

# A name with a town means a place in or near that town.
_NEAR_MILES = 50.0
_MAX_ALIKE = 5


class NamedPlaces(NamedTuple):
    """Places with a name as (squared chord in metres, row), and the matched text.

    `banks` are food banks with that name: they hand out no food but know who does. `start` is the
    origin of the search, None if the town is part of the name. `alike` are known names similar to a
    misspelt one.
    """

    text: str
    hits: list[Hit]
    start: Start | None
    banks: list[AreaContact]
    alike: tuple[str, ...] = ()


def places_of_name(release: OpenRelease, name: ListingName, start: Start | None) -> NamedPlaces:
    """Find places by name: the nearest first, within 50 miles; without a start the shortest names
    first.

    Queries the database: call it in a thread.
    """
    banks = food_banks_named(release, name.whole or name.text, None if name.whole else start)
    if name.whole and (hits := _hits(release, name.whole, None)):
        return NamedPlaces(name.whole, hits, None, banks)
    # "Good will": the organization writes its name in one word.
    one_word = name.own.replace(" ", "") if name.is_sure and name.own.count(" ") == 1 else ""
    texts = [text for text in dict.fromkeys((name.text, name.own, one_word)) if text]
    hits = next((hits for text in texts if (hits := _hits(release, text, start))), [])
    if hits or banks or name.is_guess:
        return NamedPlaces(name.text, hits, start, banks)
    return _correct_spelling(release, name, start)


def questions_of_alike(places: NamedPlaces, reading: Reading | None) -> list[tuple[str, str]]:
    """Return each similar name with the question for it."""
    where = reading.where.location if reading else None
    return [(name, f"{name}, {where}" if where else name) for name in places.alike]


def words_outside(texts: Sequence[str], places: NamedPlaces | None) -> list[str]:
    """Return landmarks or words of a question outside the names of the listed places found."""
    is_said = places is not None and (places.hits or places.banks or places.alike)
    name = places.text if places and is_said else ""
    return [one for one in texts if not name or (one not in name and name not in one)]


def _correct_spelling(release: OpenRelease, name: ListingName, start: Start | None) -> NamedPlaces:
    """Resolve a misspelt name: to the only name one typing error away, else to names to choose
    from."""
    # Near a place the answer names its food bank anyway.
    banks = (
        release.food_banks.find_spelt_alike(name.whole or name.text)
        if name.whole or not start
        else []
    )
    texts = [text for text in dict.fromkeys((name.text, name.own)) if text]
    listings = next((f for t in texts if (f := _similar_listings(release, t, start))), [])
    similar = [(errors, bank.name) for errors, bank in banks]
    similar += [(errors, title) for errors, title, _ in listings]
    names = dict.fromkeys(title for _, title in sorted(similar, key=lambda f: f[0]))
    if len(names) == 1 and similar[0][0] == 1:
        (title,) = names
        hits = [hit for _, _, hit in listings]
        return NamedPlaces(title, hits, start, food_banks_named(release, title) if banks else [])
    return NamedPlaces(name.text or name.whole, [], start, [], tuple(names)[:_MAX_ALIKE])


def _similar_listings(
    release: OpenRelease, text: str, start: Start | None
) -> list[tuple[int, str, Hit]]:
    """Return typing errors, name and hit of places of a misspelt name."""
    similar = [
        (errors, one.name, hit)
        for errors, one in listings_spelt_alike(release, text, start and start.location)
        if (hit := _hit(release, one, start)) is not None
    ]
    if start is None:
        return similar
    return [one for one in similar if one[2][0] <= miles_to_chord(_NEAR_MILES) ** 2]


def _hits(release: OpenRelease, text: str, start: Start | None) -> list[Hit]:
    listings = listings_named(release, text, None if start is None else start.location)
    hits = [hit for one in listings if (hit := _hit(release, one, start)) is not None]
    if start is None:
        return hits
    return sorted(hit for hit in hits if hit[0] <= miles_to_chord(_NEAR_MILES) ** 2)


def _hit(release: OpenRelease, one: Listing, start: Start | None) -> Hit | None:
    row = release.row_of(one.resource_id)
    if row is None:
        return None
    square = 0.0 if start is None else math.dist(start.at, ecef_point(one.lat, one.lng)) ** 2
    return square, row


RESULTS, _MAX_CANDIDATES = 10, 60
_NONE_LISTED = Page(0)
# An answer about applying is not worth a long trip.
_APPLY_RADIUS = 50.0
OFFICES: dict[Action, str] = {"apply_snap": "snap_office", "apply_wic": "wic_office"}
_OPEN_FIRST = {"open": 0, "closes_soon": 0, "opens_soon": 1, "unknown": 2, "closed": 3}


class Search(NamedTuple):
    """Result of a search: the hits are the best of `candidates`.

    `kinds` are the requested modes or types with their numbers in `counts`; `missing` the types
    with none near. `in_vain` is the radius without any place if the search was widened. With a
    requested time: its `windows`, and in `states` the state of each hit in them.
    """

    matches: Matches
    kinds: tuple[str, ...]
    candidates: list[Hit]
    in_vain: float | None = None
    ranking: Ranking | None = None
    windows: tuple[Window, ...] = ()
    states: tuple[WindowState, ...] = ()
    types: Types = None
    missing: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()


def start_of_reading(reading: Reading) -> Start | None:
    """Return the start of the search; None without a place, or if it is not on the map."""
    where = reading.where
    if where.zip:
        place = where.zip
        if place.lat is None or place.lng is None:
            return None
        location = Location(place.name, place.state, place.zip, place.lat, place.lng)
        return Start(location, ecef_point(place.lat, place.lng))
    if where.county:
        middle = where.county
        location = Location(middle.name, middle.state, None, middle.lat, middle.lng)
        return Start(location, ecef_point(middle.lat, middle.lng))
    city = where.near or where.city
    return start_of_city(city) if city else None


def by_clock_of_place(release: OpenRelease, reading: Reading, now: datetime) -> Reading:
    """Resolve relative times by the clock at the start; unchanged if nothing is near."""
    start = start_of_reading(reading) if reading.soon or reading.next_day else None
    nearest = find(release, start, Query(page=Page(1))).hits if start else []
    return by_clock(reading, now.astimezone(release.zone_of(nearest[0][1]))) if nearest else reading


def search_for_question(
    release: OpenRelease, reading: Reading, action: Action, start: Start, now: datetime
) -> Search:
    """Return the places for a question: offices for applicants, open places first for urgent
    need."""
    if action in OFFICES:
        offices = tuple(OFFICES[one] for one in actions_of(reading) if one in OFFICES)
        matches = find(
            release,
            start,
            Query(types_of(offices), _APPLY_RADIUS, Page(3), expands=False),
        )
        ranking = (
            weigh(release, within_of(matches.hits), reading.wishes, reading.time, now)
            if reading.wishes
            else None
        )
        kinds = tuple("wic" if office == "wic_office" else office for office in offices)
        counts = _counts(release, start, offices, matches)
        return Search(matches, kinds, matches.hits, None, ranking, counts=counts)
    kinds, missing = kinds_near(release, reading, start)
    types = types_of(kinds)
    if "free" in kinds and Wish("item", "diapers") in reading.wishes:
        types |= types_of(TYPES_WITH["item", "diapers"])
    page = Page(_MAX_CANDIDATES if reading.wants.is_urgent else RESULTS)
    page = _NONE_LISTED if reading.wishes else page
    matches, in_vain = find_within(release, start, types, read_miles(reading.wishes), page)
    counts = _counts(release, start, kinds, matches)
    search = Search(
        matches, kinds, matches.hits, in_vain, types=types, missing=missing, counts=counts
    )
    if reading.wishes and matches.total:
        return _by_wishes(release, reading, start, types, search, now)
    hits = matches.hits
    if len(kinds) > 1:
        # The nearest of each kind, then the others, so that no kind hides another.
        of_kinds = (Query(types_of([k]), matches.radius, Page(1), expands=False) for k in kinds)
        nearest = sorted({hit for one in of_kinds for hit in find(release, start, one).hits})
        hits = [*nearest, *(hit for hit in hits if hit not in nearest)]
    if reading.wants.is_urgent:
        # Stable: within a state the nearest first.
        hits = sorted(hits, key=lambda hit: _urgency(release, hit[1], now))
    return search._replace(matches=matches._replace(hits=hits[:RESULTS]))


def actions_of(reading: Reading) -> tuple[Action, ...]:
    """Return the programs to apply for, as actions."""
    programs: dict[str, Action] = {"snap": "apply_snap", "wic": "apply_wic"}
    is_asked = reading.wants.intent == "apply"
    return tuple(programs[mode] for mode in reading.wants.modes if is_asked and mode in programs)


def types_of(kinds: Collection[str]) -> frozenset[int]:
    """Return the type codes of modes and types of places."""
    of_each = (MODE_TYPES[k] if k in MODE_TYPES else {TYPE_CODES[k]} for k in kinds)
    return frozenset[int]().union(*of_each)


def kinds_near(
    release: OpenRelease, reading: Reading, start: Start
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the modes and types to search, and the named types with none near. If all are missing,
    the whole modes are searched."""
    targets, chord = reading.wants.targets, miles_to_chord(DEFAULT_RADIUS)
    near = tuple(
        kind
        for kind in targets
        if kind in MODE_TYPES
        or release.spatial.select(types_of([kind])).nearest(start.at, 1, chord)
    )
    return near or reading.wants.modes, tuple(k for k in targets if k not in near)


def _counts(
    release: OpenRelease, start: Start, kinds: Sequence[str], matches: Matches
) -> tuple[int, ...]:
    """Count the places of each kind found within the radius."""
    if len(kinds) == 1:
        return (matches.total,)
    chord = miles_to_chord(matches.radius)
    return tuple(release.spatial.select(types_of([k])).count(start.at, chord) for k in kinds)


def missing_of(search: Search) -> list[str]:
    """Return the kinds that were not found while others were."""
    is_found = any(search.counts)
    none = (kind for kind, n in zip(search.kinds, search.counts, strict=True) if is_found and not n)
    return [*search.missing, *none]


def read_miles(wishes: Sequence[Wish]) -> float | None:
    """Return the smallest distance among the wishes."""
    return min((float(wish.value) for wish in wishes if wish.kind == "distance"), default=None)


def find_within(
    release: OpenRelease, start: Start, types: Types, miles: float | None, page: Page = _NONE_LISTED
) -> tuple[Matches, float | None]:
    """Return a page within the requested distance; if it is empty, the nearest places.

    Also returns the radius without any place if the search was widened.
    """
    if miles is not None:
        matches = find(release, start, Query(types, miles, page, expands=False))
        if matches.total:
            return matches, None
    matches = find(release, start, Query(types, page=page))
    in_vain = miles_in_vain(None, matches.radius) if matches.is_expanded else None
    return matches, in_vain if miles is None else max(miles, in_vain or 0.0)


def _urgency(release: OpenRelease, row: int, now: datetime) -> tuple[int, bool, bool]:
    """Rank open places first; among unknown ones, those open by old hours; doubted ones last."""
    status = release.hours_status(row, now)
    is_unknown = status == "unknown" and not is_open_by_old_hours(release, row, now)
    return _OPEN_FIRST[status], is_unknown, release.is_doubted(row)


def _by_wishes(
    release: OpenRelease,
    reading: Reading,
    start: Start,
    types: Types,
    search: Search,
    now: datetime,
) -> Search:
    """Return all places within the radius in the order of the wishes; in need, the open ones first
    among the best."""
    time, wishes = reading.time, reading.wishes
    ranking = weigh_within(release, start, types, search.matches, wishes, time, now)
    ranks = ranking.ranks[:_MAX_CANDIDATES].tolist()
    best = list(zip(ranks, ranking.places.hits(0, _MAX_CANDIDATES), strict=True))
    if reading.wants.is_urgent and time is None and Wish("time", OPEN_NOW) not in wishes:
        best.sort(key=lambda one: (one[0], _urgency(release, one[1][1], now)))
    candidates = [hit for _, hit in best]
    hits = candidates[:RESULTS]
    matches = search.matches._replace(hits=hits)
    search = search._replace(matches=matches, candidates=candidates, ranking=ranking)
    if time is None:
        return search
    windows = windows_of(release, time, candidates[0][1], now)
    states = states_in_windows(release, [row for _, row in hits], windows, now)
    return search._replace(windows=windows, states=tuple(states))


def weigh_within(
    release: OpenRelease,
    start: Start,
    types: Types,
    matches: Matches,
    wishes: Sequence[Wish],
    time: AskedTime | None,
    now: datetime,
) -> Ranking:
    """Order all places within the search radius by the wishes. Safe for threads."""
    within = release.spatial.select(types).within(start.at, miles_to_chord(matches.radius))
    ranking = weigh(release, within, wishes, time, now)
    if matches.radius <= max(EXPANSION_AFTER, read_miles(wishes) or 0.0):
        return ranking
    # So far away, distance counts before the wishes.
    places = ranking.places
    order = np.lexsort((places.rows, places.squares))
    return ranking._replace(places=places.take(order), ranks=ranking.ranks[order])
