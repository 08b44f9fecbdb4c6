"""Finds free food now: open places, places that open soon, and telephones if hours are unknown.

Mode `free` only: no shop, no school kitchen, no Head Start center. Summer meal sites are a separate
list that says who may eat. A place with a confidential address is never a destination: it is among
those to call first, whatever its hours.
"""

import asyncio
import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple

import msgspec
import numpy as np
from litestar import get
from litestar.types import Scope

from schemas.api.lists import UrgentHead, UrgentList
from schemas.hours.clock_words import at_clock, hour_words, minutes_of, on_day_from, sentence
from schemas.hours.opening import OPEN_STATUSES, OpenState
from schemas.languages import Language
from schemas.values.advice import with_advice
from schemas.values.coordinates import chord_to_miles, miles_to_chord
from schemas.values.us_holidays import MAJOR_HOLIDAYS, holiday_name
from schemas.values.usual_hours import origin_words, usual_state_words
from schemas.vocab.attributes import WHO_MAY_EAT
from schemas.vocab.resource_types import TYPE_IDS
from schemas.words import Words, message, messages, say
from serving.context import Context, context_of
from serving.http.answers import Answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.places.detail import hours_age, read_record
from serving.search.answer import SearchAnswer
from serving.search.area_help import help_where_far
from serving.search.find import Matches, find
from serving.search.query import DEFAULT_LIMIT, DEFAULT_RADIUS, MAX_RADIUS, Page, Query
from serving.search.query_parameters import Limit, Radius, finite
from serving.search.render import message_on, provider, records_json
from serving.search.start import PLACE_PATTERN, Start, start_of_point, start_of_text
from warehouse.index.points import MODE_TYPES, TYPE_CODES
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import Moment
from warehouse.index.spatial import Hit

# Reaches from Friday evening to Monday.
LATER = timedelta(hours=72)
# A city bus with the walk and the wait, door to door: about 10 miles an hour.
MINUTES_PER_MILE = 6.0
_FREE = MODE_TYPES["free"]
_FOR_CHILDREN = frozenset({TYPE_CODES["summer_meal"]})
Timed = tuple[Hit, OpenState]


class Groups(NamedTuple):
    """All places within a radius, nearest first, by their state now.

    `usual` are open now by hours too old to be asserted, and places whose operator reported "open
    today" without hours. `later` is ordered by the earliest time a person leaving now could be
    served, `unknown` lists those with a telephone first; doubted places come last in each.
    """

    open: list[Timed]
    soon: list[Timed]
    usual: list[Timed]
    later: list[Timed]
    unknown: list[Hit]
    total: int


def group_places(release: OpenRelease, hits: list[Hit], now: datetime) -> Groups:
    """Group places by their certainty at an instant; `hits` nearest first. Safe for threads."""
    rows = np.fromiter((row for _, row in hits), dtype=np.int64, count=len(hits))
    codes = release.hours_codes[rows]
    has_hours = (codes >= 0) & (release.is_confidential[rows] == 0)
    is_shown = has_hours & release.are_hours_shown(rows, now)
    # Many places share a timetable, and most have none: each is evaluated once.
    states = {int(c): release.timetable_state(int(c), now) for c in np.unique(codes[has_hours])}
    groups = Groups([], [], [], [], [], len(hits))
    is_reported = bool(release.live.entries)
    for hit, code, is_current, has_timetable in zip(
        hits, codes.tolist(), is_shown.tolist(), has_hours.tolist(), strict=True
    ):
        state = release.reported_state(hit[1], now) if is_reported else None
        if state is not None and not release.is_confidential[hit[1]]:
            if state.status == "unknown":
                groups.usual.append((hit, state))
                continue
        else:
            state = states[code] if has_timetable else None
            if state is not None and not is_current:
                if state.status in OPEN_STATUSES:
                    groups.usual.append((hit, state))
                    continue
                state = None
        _assign(groups, hit, state, now)
    groups.later.sort(key=lambda timed: (_count_minutes_until_served(timed, now), timed[0]))
    has_phone = release.has_phone
    groups.unknown.sort(key=lambda hit: not has_phone[hit[1]])
    _put_doubted_last(release, groups)
    return groups


def _put_doubted_last(release: OpenRelease, groups: Groups) -> None:
    """Order equally certain places: those without reports of doubt come first."""
    if release.live.doubts:
        for timed in (groups.open, groups.soon, groups.usual, groups.later):
            timed.sort(key=lambda one: release.is_doubted(one[0][1]))
        groups.unknown.sort(key=lambda hit: release.is_doubted(hit[1]))


def _count_minutes_until_served(timed: Timed, now: datetime) -> float:
    """Return minutes until a closed place opens and a person could be there: an opening across town
    waits for the bus."""
    (square, _), state = timed
    assert state.opens_at is not None, "what opens later opens at a time"
    waiting = (state.opens_at - now).total_seconds() / 60
    return waiting + MINUTES_PER_MILE * chord_to_miles(math.sqrt(square))


def _assign(groups: Groups, hit: Hit, state: OpenState | None, now: datetime) -> None:
    if state is None or state.status == "unknown":
        groups.unknown.append(hit)
    elif state.status in OPEN_STATUSES:
        groups.open.append((hit, state))
    elif state.status == "opens_soon":
        groups.soon.append((hit, state))
    elif state.opens_at is not None and state.opens_at - now <= LATER:
        groups.later.append((hit, state))


def answer(
    context: Context,
    release: OpenRelease,
    start: Start,
    requested_miles: float | None,
    limit: int,
    now: datetime,
) -> SearchAnswer:
    """Return the whole answer. Safe for threads: it only reads the release.

    `requested_miles`: the requested radius in miles; `limit`: the length of each list. The search
    is widened as in `/api/resources/search`: if no place with free food, open or not, is within 50
    miles. A pantry nearby without known hours must not send people hundreds of miles."""
    radius, is_expanded = _radius(release, start, requested_miles)
    groups = _within(release, start, _FREE, radius, now)
    children = _within(release, start, _FOR_CHILDREN, radius, now)
    lists: dict[str, Sequence[tuple[Hit, OpenState | None]]] = {
        "resources": groups.open[:limit],
        "opening_soon": groups.soon[:limit],
        "usually_open": groups.usual[:limit],
        "opening_later": groups.later[:limit],
        "call_first": [(hit, None) for hit in groups.unknown[:limit]],
        "for_children": sorted(
            [*children.open, *children.soon], key=lambda t: (release.is_doubted(t[0][1]), t[0])
        )[:limit],
    }
    matches = Matches([hit for hit, _ in lists["resources"]], groups.total, radius, is_expanded)
    message = _message(release, start, requested_miles, matches, groups)
    head = _head(context, release, start, groups, limit, matches, message)
    parts = [msgspec.json.encode(head)[:-1]]
    for name, entries in lists.items():
        parts.append(b',"%s":%s' % (name.encode(), _records(release, entries, now)))
    body = b"".join((*parts, b"}"))
    return SearchAnswer(body, start.location.zip or "", not groups.total)


def _radius(
    release: OpenRelease, start: Start, requested_miles: float | None
) -> tuple[float, bool]:
    """Find the radius of a search; a page without places avoids the R-tree."""
    matches = find(release, start, Query(_FREE, requested_miles, Page(0)))
    return matches.radius, matches.is_expanded


def _within(
    release: OpenRelease, start: Start, types: frozenset[int], radius: float, now: datetime
) -> Groups:
    hits = release.spatial.select(types).within(start.at, miles_to_chord(radius)).hits()
    return group_places(release, hits, now)


def _head(
    context: Context,
    release: OpenRelease,
    start: Start,
    groups: Groups,
    limit: int,
    matches: Matches,
    message: str | None,
) -> UrgentHead:
    current = groups.total - len(groups.unknown) - len(groups.usual)
    return UrgentHead(
        success=True,
        total_available=len(groups.open),
        count=len(matches.hits),
        page=1,
        limit=limit,
        location=start.location,
        expanded=matches.is_expanded,
        search_radius_mi=matches.radius,
        message=message,
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
        data_provider=provider(context, release),
        area_help=help_where_far(release, start, _FREE) if matches.is_expanded else None,
        hours_known_share=round(current / groups.total, 3) if groups.total else None,
        total_open_now=len(groups.open),
        total_opening_soon=len(groups.soon),
        total_usually_open=len(groups.usual),
        total_opening_later=len(groups.later),
        total_call_first=len(groups.unknown),
    )


def _message(
    release: OpenRelease,
    start: Start,
    requested_miles: float | None,
    matches: Matches,
    groups: Groups,
) -> str | None:
    if not groups.total:
        # All kinds of free food were requested, so no other choice could find more.
        notes = [start.note] if start.note else []
        reach = (
            MAX_RADIUS
            if matches.is_expanded
            else requested_miles
            if requested_miles is not None
            else DEFAULT_RADIUS
        )
        return " ".join([*notes, f"No place with free food within {reach:g} miles."])
    notes = [note] if (note := message_on(start, Query(_FREE, requested_miles), matches)) else []
    if not groups.open:
        notes.append(f"No place within {matches.radius:g} miles is known to be open now.")
        if groups.later or groups.soon:
            notes.append(
                "Some open later: see `opening_later`."
                if not groups.soon
                else "Some open within the hour: see `opening_soon`."
            )
    if count := len(groups.usual):
        is_one = count == 1
        notes.append(
            f"{count} {'is' if is_one else 'are'} usually open now, by hours too old "
            "to rely on (`usually_open`): call first, or ask 211 where no phone is listed."
        )
    if count := len(groups.unknown):
        notes.append(
            f"For {count} it is not known whether "
            f"{'it is' if count == 1 else 'they are'} open: call first, or ask 211 "
            "where no phone is listed."
        )
    return " ".join(notes) or None


# ---------------------------------------------------------------- records


def _records(
    release: OpenRelease, entries: Sequence[tuple[Hit, OpenState | None]], now: datetime
) -> bytes:
    """Render records as in every list, each with the time to go."""
    states = {row: state for (_, row), state in entries}

    def more(row: int, _: float, moment: Moment) -> bytes:
        return _when(release, row, states[row], moment, now)

    return records_json(release, [hit for hit, _ in entries], now, more)


def _when(
    release: OpenRelease, row: int, state: OpenState | None, moment: Moment, now: datetime
) -> bytes:
    who = WHO_MAY_EAT.get(TYPE_IDS[release.type_of(row)])
    # Old hours are no promise: their times appear only in `usual_hours`.
    is_certain = state is not None and moment.hours_status != "unknown"
    opens = state.opens_at if state and is_certain and state.status not in OPEN_STATUSES else None
    closes = state.closes_at if state and is_certain else None
    when = {
        "opens_at": opens.isoformat() if opens else None,
        "closes_at": closes.isoformat() if closes else None,
        "when": when_words(release, row, state if is_certain else None, now),
        "who_may_eat": who,
    }
    return b"," + msgspec.json.encode(when)[1:-1]


def when_words(release: OpenRelease, row: int, state: OpenState | None, now: datetime) -> Words:
    """Say when to go to a place, or the step to take first. Without a state its hours now are not
    certain."""
    if state is None or state.status == "unknown":
        return _usually(release, row, now) or with_advice(
            cause_of_doubt(release, row, now), release.advice(row)
        )
    words = _open_words(state, now) if state.status in OPEN_STATUSES else _opening_words(state, now)
    if read_record(release, row)["requires_appointment"]:
        appointment = with_advice(message("hours", "by_appointment"), release.advice(row))
        return say(lambda language: f"{words[language]} {appointment[language]}")
    return words


def _usually(release: OpenRelease, row: int, now: datetime) -> Words | None:
    """Return today's state of a place without hours, or with hours too old to be asserted."""
    if release.is_confidential[row]:
        return None
    if release.reported_state(row, now) is not None:
        return with_advice(message("hours", "open_today"), release.advice(row))
    usual, origin = release.usual_hours(row, now), release.hours_origin(row)
    if usual is None or origin is None:
        return None
    state = release.timetable_state(int(release.hours_codes[row]), now)
    if state.status not in OPEN_STATUSES and state.status != "opens_soon":
        return usual.summary
    return usual_state_words(
        state, now, origin_words(origin.basis, origin.day), release.advice(row)
    )


def cause_of_doubt(release: OpenRelease, row: int, now: datetime) -> Words:
    """Say why it is not known whether a place is open."""
    if release.is_confidential[row]:
        return message("hours", "hidden")
    if release.hours_codes[row] < 0:
        return message("hours", "no_hours")
    if release.shows_hours(row, now):
        is_holiday = holiday_name(release.local_day(row, now)) in MAJOR_HOLIDAYS
        return message("hours", "doubtful_holiday" if is_holiday else "doubtful")
    age = hours_age(release, row, now)
    return say(lambda language: messages("hours", language).hours_age.format(age=age[language]))


def _open_words(state: OpenState, now: datetime) -> Words:
    closes = state.closes_at
    today = now.astimezone(closes.tzinfo).date() if closes else None

    def render(language: Language) -> str:
        w = messages("hours", language)
        if closes is None or today is None:
            return sentence(w.open_now, language)
        time = hour_words(minutes_of(closes), language)
        # People call a closing at midnight or in the small hours "tonight".
        if closes - now < timedelta(hours=12):
            return sentence(w.open_until.format(time=time), language)
        day = on_day_from(today, closes.date(), language)
        return sentence(w.open_until_day.format(day=day, time=time), language)

    return say(render)


def _opening_words(state: OpenState, now: datetime) -> Words:
    opens = state.opens_at
    today = now.astimezone(opens.tzinfo).date() if opens else None

    def render(language: Language) -> str:
        w = messages("hours", language)
        if opens is None or today is None:  # what no group holds
            return sentence(w.doubtful, language)
        day = on_day_from(today, opens.date(), language)
        time = at_clock(minutes_of(opens), language)
        return sentence(w.opens.format(day=day, time=time), language)

    return say(render)


MaybeZipOrCity = Annotated[
    str | None, query("zip", of="urgent", pattern=PLACE_PATTERN, max_length=100)
]
MaybeLatitude = Annotated[float | None, query("lat", of="urgent", ge=-90, le=90)]
MaybeLongitude = Annotated[float | None, query("lng", of="urgent", ge=-180, le=180)]


@get(
    "/api/resources/urgent",
    summary="Free food now",
    tags=["search"],
    responses=answers(UrgentList, "Open now, opening soon, and who to call.", 404),
)
async def urgent_resources(
    scope: Scope,
    zip: MaybeZipOrCity = None,
    lat: MaybeLatitude = None,
    lng: MaybeLongitude = None,
    radius: Radius = DEFAULT_RADIUS,
    limit: Limit = DEFAULT_LIMIT,
) -> Answer:
    """Return places with free food: open now, opening soon, usually open now, and places to call
    first.

    `resources` lists places open now, `opening_soon` places that open within the hour,
    `usually_open` places usually open now by hours too old to rely on (`hours_status` is
    `unknown`, see `usual_hours`: call first), each nearest first. `opening_later` lists places
    that open within three days, by waiting plus travel time; `call_first` places with unknown or
    stale hours, those with a telephone first; `for_children` summer meal sites, with who may eat.
    Each list has at most `limit` places. Shops and school kitchens are never listed. When no place
    with free food, open or not, is within 50 miles, the search is widened as in
    `/api/resources/search`. `zip` wins over `lat` and `lng`, and `message` says that they were not
    used.
    """
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    place = _place(zip, lat, lng)
    requested_miles = finite("radius", radius) if b"radius=" in scope["query_string"] else None
    if isinstance(place, str):
        start = start_of_text(release, place)
        if lat is not None or lng is not None:
            ignored = "`zip` was used; `lat` and `lng` were not."
            start = start._replace(note=" ".join(filter(None, (start.note, ignored))))
    else:
        start = start_of_point(release, *place)
    response = await asyncio.to_thread(answer, context, release, start, requested_miles, limit, now)
    context.searches.add(now.date(), response.zip, "free", is_empty=response.is_empty)
    return Answer(response.body)


def _place(zip: str | None, lat: float | None, lng: float | None) -> str | tuple[float, float]:
    """Return the text or the point to start from. Raises ServiceProblem (400) naming the missing
    parameter."""
    if zip is not None:
        return zip
    if lat is not None and lng is not None:
        return finite("lat", lat), finite("lng", lng)
    advice = "send `zip`, or both `lat` and `lng`"
    missing = ["lng"] if lat is not None else ["lat"] if lng is not None else ["zip", "lat", "lng"]
    raise ServiceProblem(
        "missing-parameter", f"{', '.join(missing)}: {advice}", dict.fromkeys(missing, advice)
    )
