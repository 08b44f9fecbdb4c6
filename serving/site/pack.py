"""Places as a phone stores them: the lasting facts of their pages, and their hours as instants.

`schemas.hours.opening` evaluates the hours of the coming days here, so that a phone without a
connection needs no rules: it looks up the instant. Past `until` it may say nothing but the date of
the hours.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.types import Scope

from schemas.api.area_help import AreaContact
from schemas.hours.clock_words import full_date
from schemas.hours.opening import spans_between
from schemas.values.coordinates import miles_to_chord
from serving.context import context_of
from serving.http.answers import HOUR, MINUTE, Answer, json_answer
from serving.http.caching import of_minute
from serving.http.errors import ServiceProblem, release_of
from serving.places.listings import find_row
from serving.places.view import PlaceView, place_view, views_of
from serving.render.formats import day
from serving.render.page import page, page_head
from serving.render.words import Language, Words, finder_paths, path_language, paths_of, words
from serving.search.area_help import FAR_MILES, contacts_for
from serving.search.start import Start, start_of_zip
from serving.site.area_links import zip_path
from serving.site.routes import PLACE_TEXT, ModeText, run_search
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit

# A pack asserts hours for a week at most: reports and editions since are not in it.
MAX_DAYS = 7
MAX_PACK_BYTES = 150_000
_MAX_PLACES = 250


class PackPlace(msgspec.Struct, omit_defaults=True):
    """A place in one language. `hours` are in words, `as_of` is their date, in words.

    `spans`: begin and end in seconds since 1970, and 1 if it is certainly open, 0 if unknown; at
    any other instant before `until` it is closed. Without `until` nothing is asserted.
    """

    id: int
    name: str
    path: str
    kind: str
    address: str
    zone: str
    phone: str | None = None
    call_url: str | None = None
    distance: str | None = None
    hours: str | None = None
    as_of: str | None = None
    notes: list[str] = []
    until: int | None = None
    spans: list[tuple[int, int, int]] = []


class PackContact(msgspec.Struct, omit_defaults=True):
    """Whom to ask for food anywhere in the area."""

    name: str
    text: str
    phone: str | None = None


class Pack(msgspec.Struct):
    """Places saved together: of a place's page, of a search, of a ZIP code.

    `path` is the page's, `made_at` is in seconds since 1970, `total` counts all matches; `as_of` is
    the date of the listings, in words.
    """

    kind: str
    title: str
    path: str
    made_at: int
    release_id: str
    total: int
    places: list[PackPlace]
    contacts: list[PackContact] = []
    as_of: str = ""


def pack_of_views(
    release: OpenRelease,
    kind: str,
    title: str,
    path: str,
    views: Sequence[PlaceView],
    total: int,
    now: datetime,
    language: Language,
    contacts: Sequence[AreaContact] = (),
) -> Pack:
    """Return the pack of places that are shown."""
    places = [_place(release, view, now, language) for view in views]
    contact_list = [PackContact(c.name, c.text[language], c.phone) for c in contacts]
    made_at = int(now.timestamp())
    as_of = full_date(date.fromisoformat(release.manifest.as_of_date), language, year=True)
    return Pack(kind, title, path, made_at, release.release_id, total, places, contact_list, as_of)


def pack_of_place(release: OpenRelease, row: int, now: datetime, language: Language) -> Pack:
    """Return the pack of one place."""
    view = place_view(release, row, now, language)
    return pack_of_views(release, "place", view.name, view.path, [view], 1, now, language)


def pack_of_area(
    release: OpenRelease, title: str, path: str, start: Start, now: datetime, language: Language
) -> bytes:
    """Return the free food around a point as JSON of at most 150 KB: the nearest that fit."""
    near = release.spatial.select(MODE_TYPES["free"]).within(start.at, miles_to_chord(FAR_MILES))
    hits: list[Hit] = near.hits(0, _MAX_PLACES)
    pack = pack_of_views(
        release,
        "area",
        title,
        path,
        views_of(release, hits, now, language),
        len(near.rows),
        now,
        language,
        contacts_for(release, start),
    )
    body = msgspec.json.encode(pack)
    while len(body) > MAX_PACK_BYTES:
        del pack.places[len(pack.places) * MAX_PACK_BYTES // len(body) - 1 :]
        body = msgspec.json.encode(pack)
    return body


def _place(release: OpenRelease, view: PlaceView, now: datetime, language: Language) -> PackPlace:
    row = release.row_of(view.id)
    assert row is not None, "a place that is shown is listed"
    origin = None if view.is_confidential else release.hours_origin(row)
    place = PackPlace(
        id=view.id,
        name=view.name,
        path=view.path,
        kind=view.type_label,
        address=view.address,
        zone=release.zone_of(row).key,
        phone=view.phone,
        call_url=view.call_url,
        distance=view.distance,
        hours=view.hours,
        as_of=day(origin.day, language) if origin else None,
        notes=[*view.notes, *([view.doubt] if view.doubt else [])],
    )
    until = _valid_until(release, row, view, now)
    timetable = release.timetable(row)
    if until is None or timetable is None:
        return place
    spans = [(*span, sure) for span, sure in spans_between(*timetable, now, until)]
    place.until = int(until.timestamp())
    place.spans = _with_report(release, row, now, spans)
    return place


def _valid_until(release: OpenRelease, row: int, view: PlaceView, now: datetime) -> datetime | None:
    """Return until when the hours may be asserted, as currently known; None if they may not."""
    if view.is_confidential or view.doubt or not release.shows_hours(row, now):
        return None
    expiry = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(
        days=int(release.hours_until_days[row]) + 1
    )
    return min(expiry, now + timedelta(days=MAX_DAYS))


def _with_report(
    release: OpenRelease, row: int, now: datetime, spans: list[tuple[datetime, datetime, bool]]
) -> list[tuple[int, int, int]]:
    """Return the spans as numbers; on a day with an operator's report the report goes before.

    Closed today: none of today. Any other report on the opening: today is not known.
    """
    state = release.reported_state(row, now)
    if state is not None:
        tomorrow = datetime.combine(
            release.local_day(row, now) + timedelta(days=1), time(), release.zone_of(row)
        ).astimezone(UTC)
        spans = [(max(b, tomorrow), e, sure) for b, e, sure in spans if e > tomorrow]
        if state.status != "closed":
            spans.append((now, tomorrow, False))
    return [(int(b.timestamp()), int(e.timestamp()), int(sure)) for b, e, sure in spans]


# ---------------------------------------------------------------- pages

_ENDING = ".json"


def _hour() -> datetime:
    """Return the beginning of the hour: a pack is the same, and its ETag, until the next."""
    return datetime.now(UTC).replace(minute=0, second=0, microsecond=0)


def _stem(name: str) -> str:
    """Return the name of a pack. Raises ServiceProblem (404) for another file."""
    if not name.endswith(_ENDING):
        raise ServiceProblem("not-found", f"There is no pack {name[:60]!r}.")
    return name.removesuffix(_ENDING)


@get(finder_paths("/packs/{name:str}"), include_in_schema=False)
async def area_pack(scope: Scope, name: FromPath[str]) -> Answer:
    """Return the free food around a ZIP code, at most 150 KB: `10002.json`."""
    language, release, now = path_language(scope), release_of(scope), _hour()
    start = start_of_zip(release, _stem(name))
    code = start.location.zip or ""
    title = words("areas", language).title.zip.format(name=code)
    path, _ = paths_of(zip_path(code), language)
    body = await context_of(scope).responses.find_or_compute(
        of_minute(release, now, "pack", path),
        lambda: pack_of_area(release, title, path, start, now, language),
    )
    return Answer(body, max_age=HOUR)


@get(finder_paths("/packs/place/{name:str}"), include_in_schema=False)
async def place_pack(scope: Scope, name: FromPath[str]) -> Answer:
    """Return the pack of a place: `101.json`. A merged id leads to its successor."""
    language, release, stem = path_language(scope), release_of(scope), _stem(name)
    if not stem.isascii() or not stem.isdecimal() or len(stem) > 16:
        raise ServiceProblem("not-found", f"There is no pack {name[:60]!r}.")
    row = find_row(release, int(stem), paths_of("/packs/place/{id}.json", language)[0])
    pack = pack_of_place(release, row, _hour(), language)
    return json_answer(pack, HOUR)


@get(finder_paths("/packs/search.json"), include_in_schema=False, dependencies=PLACE_TEXT)
async def search_pack(scope: Scope, text: NamedDependency[str], mode: ModeText = "free") -> Answer:
    """Return the first page of a search with the address of its page."""
    language, release = path_language(scope), release_of(scope)
    now = datetime.now(UTC)
    finder = await run_search(scope, text, mode, 1, now)
    if finder.place is None or finder.results is None:
        raise ServiceProblem("unknown-place", finder.problem or "", suggestions=finder.suggestions)
    title = words("site", language).search_title.format(place=finder.place.name)
    query = finder.choices.address(finder.text, finder.mode)
    pack = pack_of_views(
        release,
        "search",
        title,
        f"{paths_of('/search', language)[0]}?{query}",
        finder.results.places,
        finder.results.total,
        now,
        language,
    )
    return json_answer(pack, MINUTE)


@get(finder_paths("/saved"), include_in_schema=False)
async def saved(scope: Scope) -> Answer:
    """Return the page of the places that a phone has stored. It has no data of its own."""
    w = words("pocket", path_language(scope))
    head = page_head(scope, "/saved", w.title, w.lead, is_indexed=False)
    return page(
        scope,
        "saved.html",
        head,
        texts=msgspec.json.encode(_texts(w)).decode(),
        f=words("forms", head.language),
    )


def _texts(w: Words) -> dict[str, Any]:
    """Return the texts that web/static/saved.js fills in."""
    names = (
        "is_waiting",
        "is_late",
        "is_refused",
        "age",
        "counted",
        "page",
        "call",
        "discard",
        "dated",
    )
    return {**{name: w[name] for name in names}, **dict(w.by_hours.items())}
