"""Questions in plain language: read, searched, answered from the release."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import quote, urlencode

import msgspec

from schemas.api.lists import Location
from schemas.api.plain_language import Action, AskedIntent, FoundPlace, PlainAnswer
from schemas.values.coordinates import chord_to_miles, ecef_point, round_miles
from serving.context import Context
from serving.language import reply
from serving.language.facts import facts
from serving.language.names import PlaceNames
from serving.language.reading import Reading, read_question
from serving.language.text import printable
from serving.language.times import AskedTime
from serving.render.place_view import place_path
from serving.services.asked_time import (
    Served,
    links_of,
    served_of,
    then_of,
    when_words,
    windows_of,
)
from serving.services.listing import unchanged_until
from serving.services.openings import Window, is_open_by_old_hours
from serving.services.places import Start
from serving.services.remembered import Remembered, remembered_of
from serving.services.search import (
    DEFAULT_RADIUS,
    EXPANSION_AFTER,
    Found,
    Page,
    Types,
    find,
    find_expanding,
    ids_of,
    provider,
)
from warehouse.gazetteer import City
from warehouse.reader import MODE_TYPES, TYPE_CODES, OpenRelease
from warehouse.spatial import Hit

MAX_QUESTION = 500
_SHORT_QUESTION = 120
PLACE_NAMES = "place_names"
_RESULTS, _CONSIDERED = 10, 60
_REMEMBERED_BYTES = 16_000_000
# An answer about applying is not worth a long way.
_APPLY_RADIUS = 50.0
_OFFICES: dict[Action, str] = {"apply_snap": "snap_office", "apply_wic": "wic_office"}
_OPEN_FIRST = {"open": 0, "closes_soon": 0, "opens_soon": 1, "unknown": 2, "closed": 3}
# Points of this precision are an area's, not a place's.
_ROUGH = frozenset({"zip", "county", "city"})


class _Record(msgspec.Struct):
    """The members of a stored record that an answer uses."""

    id: int
    name: str
    resource_type: str
    address: str | None
    city: str | None
    state: str | None
    zip: str | None
    phone: str | None


class Question(msgspec.Struct, frozen=True, gc=False):
    """A question as received, and whether its reading is to be explained."""

    text: str
    explain: bool


class Asked(msgspec.Struct, gc=False):
    """The answer as JSON, its language, and what is counted of it."""

    body: bytes
    language: str
    zip: str
    mode: str
    is_empty: bool


class _Search(NamedTuple):
    """What was found. Where a time is asked for: its windows, and each of the hits in them."""

    found: Found
    kind: str
    considered: list[Hit]
    windows: tuple[Window, ...] = ()
    served: tuple[Served, ...] = ()


def names_of(release: OpenRelease) -> PlaceNames:
    """The names of places of a release: a tenth of a second, so off the event loop."""
    return PlaceNames(release.gazetteer)


def asked(
    context: Context, release: OpenRelease, question: Question, reading: Reading, now: datetime
) -> Asked:
    """The answer to a question and its reading, remembered until a place in it opens or closes."""
    remembered, version = _remembered(release), release.live.version
    answer, considered = _answered(context, release, reading, now)
    answer.query = printable(question.text)
    if question.explain:
        answer.explanation = [
            f"language: {reading.language}",
            reading.where.reason,
            *reading.wants.reasons,
        ]
        if reading.time:
            answer.explanation.append(f"time: {when_words(reading.time, 'en')}")
    body = msgspec.json.encode(answer)
    place = reading.where.zip.zip if reading.where.zip else ""
    result = Asked(body, reading.language, place, reading.wants.mode, not answer.resources)
    until, about = unchanged_until(release, considered, now), ids_of(release, considered)
    if reading.time or reading.wants.is_urgent:
        # Midnights and, nearly always, what old hours say change at a quarter.
        until = min(until, _next_quarter(now))
    return remembered.keep(question, result, len(body) + len(question.text), until, about, version)


def _next_quarter(now: datetime) -> datetime:
    return now.replace(minute=now.minute // 15 * 15, second=0, microsecond=0) + timedelta(minutes=15)  # fmt: skip


def asked_before(release: OpenRelease, question: Question, now: datetime) -> Asked | None:
    """The answer to a question that was asked before, while it is still true."""
    return _remembered(release).get(question, now)


async def reading_of(question: Question, names: PlaceNames) -> Reading:
    """What a question means. A long one takes milliseconds: off the event loop."""
    if len(question.text) <= _SHORT_QUESTION:
        return read_question(question.text, names)
    return await asyncio.to_thread(read_question, question.text, names)


def _remembered(release: OpenRelease) -> Remembered[Asked]:
    return remembered_of(release, "questions", _REMEMBERED_BYTES, by_reports=True)


def action_of(reading: Reading) -> Action:
    """What is done about a question."""
    if reading.wants.intent == "apply" and reading.wants.mode in ("snap", "wic"):
        return "apply_snap" if reading.wants.mode == "snap" else "apply_wic"
    return "search_results" if reading.where.location else "need_location"


def _answered(context: Context, release: OpenRelease, reading: Reading, now: datetime) -> tuple[PlainAnswer, list[Hit]]:  # fmt: skip
    action, language, where = action_of(reading), reading.language, reading.where
    start = start_of_reading(reading)
    search = _searched(release, reading, action, start, now) if start else None
    places, results = [], None
    if search and start:
        results = _results(context, release, reading, search, now)
        places = results.places
    said = [reply.crisis_line(language)] if reading.wants.is_in_crisis else []
    said += _said(reading, action, results)
    if release.is_synthetic and places:
        said.append(reply.phrases(language).synthetic)
    wants = reading.wants
    answer = PlainAnswer(
        query="",
        intent=AskedIntent(where.location, where.state, wants.mode, wants.is_urgent, wants.intent),
        answer=" ".join(filter(None, said)),
        action=action,
        result_count=len(places),
        total_available=search.found.total if search else 0,
        resources=places,
        related_links=_links(context, reading, action, search),
        attribution=_attribution(context, release, reading),
    )
    return answer, search.considered if search else []


def _said(reading: Reading, action: Action, results: reply.Results | None) -> list[str]:
    where, language = reading.where, reading.language
    if action == "need_location":
        return reply.question_for_place(where.state, where.unknown_zip, language)
    said: list[str] = []
    if action == "apply_snap":
        said = reply.how_to_apply_for_snap(where.state, language)
    elif action == "apply_wic":
        said = reply.how_to_apply_for_wic(where.location is not None, language)
    if results is None:
        return said + (reply.no_point(where.zip.zip, language) if where.zip else [])
    return said + reply.results_in_words(results, language)


# ---------------------------------------------------------------- the search


def start_of_reading(reading: Reading) -> Start | None:
    """The point to search from; None without a place, or with one that is not on the map."""
    where = reading.where
    if where.zip:
        place = where.zip
        if place.lat is None or place.lng is None:
            return None
        location = Location(place.name, place.state, place.zip, place.lat, place.lng)
        return Start(location, ecef_point(place.lat, place.lng))
    city: City | None = where.near or where.city
    if city is None:
        return None
    return Start(Location(city.name, city.state, city.zip, city.lat, city.lng), ecef_point(city.lat, city.lng))  # fmt: skip


def _searched(
    release: OpenRelease, reading: Reading, action: Action, start: Start, now: datetime
) -> _Search:
    """The places for a question: offices for who applies, open ones first for who is in need now."""
    if action in _OFFICES:
        office = _OFFICES[action]
        found = find(release, start, frozenset({TYPE_CODES[office]}), _APPLY_RADIUS, Page(3))
        return _Search(found, "wic" if office == "wic_office" else office, found.hits)
    wants = reading.wants
    page = Page(_CONSIDERED if wants.is_urgent or reading.time else _RESULTS)
    types: Types = MODE_TYPES[wants.mode]
    kind: str = wants.mode
    if wants.kind:
        only = frozenset({TYPE_CODES[wants.kind]})
        if find(release, start, only, DEFAULT_RADIUS, Page(1)).total:
            types, kind = only, wants.kind
    found = find_expanding(release, start, types, None, page)
    considered = found.hits
    if reading.time and considered:
        return _at_time(release, reading.time, _Search(found, kind, considered), now)
    if wants.is_urgent:
        # Stable: of the same state the nearest first.
        ranked = sorted(considered, key=lambda hit: _urgency(release, hit[1], now))
        found = found._replace(hits=ranked[:_RESULTS])
    return _Search(found, kind, considered)


def _urgency(release: OpenRelease, row: int, now: datetime) -> tuple[int, bool]:
    """Open places first; of those of which it is not known, those that are open by old hours."""
    status = release.hours_status(row, now)
    return _OPEN_FIRST[status], status == "unknown" and not is_open_by_old_hours(release, row, now)


def _at_time(release: OpenRelease, time: AskedTime, search: _Search, now: datetime) -> _Search:
    """The places that are open when somebody wants to come, then those of which it cannot be told."""
    hits = search.considered
    windows = windows_of(release, time, hits[0][1], now)
    served = served_of(release, [row for _, row in hits], windows, now)
    # Stable: of the same answer the nearest first.
    ranked = sorted(zip(hits, served, strict=True), key=lambda pair: pair[1].rank)[:_RESULTS]
    found = search.found._replace(hits=[hit for hit, _ in ranked])
    return search._replace(found=found, windows=windows, served=tuple(s for _, s in ranked))


def _results(
    context: Context, release: OpenRelease, reading: Reading, search: _Search, now: datetime
) -> reply.Results:
    found, places, rough, days, old = search.found, [], [], [], []
    for square, row in found.hits:
        moment, precision = release.moment(row, now), release.precision_of(row)
        record = msgspec.json.decode(bytes(release.stored_record(row)) + b"}", type=_Record)
        miles = round_miles(chord_to_miles(square**0.5), precision)
        page = f"{context.settings.url}{place_path(record.id, reading.language)}"
        data = f"{context.settings.url}/api/resources/{record.id}"
        places.append(FoundPlace(record.id, _line(record.name), record.resource_type, _address(record), record.phone, miles, moment.hours_status, page, data))  # fmt: skip
        rough.append(precision in _ROUGH)
        days.append(moment.days_since_confirmed)
        is_unknown = reading.wants.is_urgent and moment.hours_status == "unknown"
        old.append(is_unknown and is_open_by_old_hours(release, row, now))
    when, then = "", []
    if reading.time and search.served:
        when = when_words(reading.time, reading.language)
        then = [then_of(release, row, s, reading.time, now, reading.language) for (_, row), s in zip(found.hits, search.served, strict=True)]  # fmt: skip
    vain = None
    if found.is_expanded:
        vain = DEFAULT_RADIUS if found.radius <= EXPANSION_AFTER else EXPANSION_AFTER
    return reply.Results(places, rough, days, found.total, found.radius, vain, reading.where.location or "", search.kind, reading.wants.is_urgent, tuple(old), when, tuple(then))  # fmt: skip


def _line(text: str) -> str:
    """A text of a record in one line, without control characters."""
    return " ".join(printable(text).split())


def _address(record: _Record) -> str:
    """The address in one line; what is not known is left out."""
    town = " ".join(part for part in (record.state, record.zip) if part)
    return ", ".join(_line(part) for part in (record.address, record.city, town) if part)


# ---------------------------------------------------------------- links, attribution


def _links(
    context: Context, reading: Reading, action: Action, search: _Search | None
) -> dict[str, str]:
    base, where = context.settings.url, reading.where
    links = {"openapi": f"{base}/api/openapi.json"}
    if search and where.location:
        chosen = {"type": _OFFICES[action]} if action in _OFFICES else {"mode": reading.wants.mode}
        if reading.time:
            chosen |= links_of(reading.time, search.windows)
        links["search"] = f"{base}/api/resources/search?{urlencode({'zip': where.location, **chosen}, quote_via=quote)}"  # fmt: skip
        if reading.wants.is_about_health and reading.wants.mode == "free":
            links["health"] = f"{base}/api/resources/search?{urlencode({'zip': where.location, 'mode': 'health'}, quote_via=quote)}"  # fmt: skip
        if where.zip:
            links["counts"] = f"{base}/api/resources/counts?zip={where.zip.zip}"
    program = facts().programs.get(where.state or "")
    if reading.wants.mode == "snap" and program and program.portal:
        links["state_portal"] = program.portal.url
    return links


def _attribution(context: Context, release: OpenRelease, reading: Reading) -> str:
    words = reply.phrases(reading.language)
    text = words.attribution_synthetic if release.is_synthetic else words.attribution
    given = provider(context, release)
    return text.format(organization=given.name, license=given.license, release=release.release_id)
