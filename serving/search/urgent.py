"""Finds free food now: open places, places that open soon, and telephones if hours are unknown.

Mode `free` only: no shop, no school kitchen, no Head Start center. Summer meal sites are a separate
list that says who may eat. A place with a confidential address is never a destination: it is among
those to call first, whatever its hours.
"""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from litestar import get
from litestar.types import Scope
from numpy.typing import NDArray

from schemas.api.lists import UrgentHead, UrgentList
from schemas.hours.clock_words import at_clock, hour_words, minutes_of, on_day_from, sentence
from schemas.hours.opening import OPEN_STATUSES, OpenState, OpenStatus
from schemas.languages import Language
from schemas.values.coordinates import chord_to_miles, miles_to_chord
from schemas.values.us_holidays import MAJOR_HOLIDAYS, holiday_name
from schemas.values.usual_hours import origin_words, usual_state_words, with_advice
from schemas.vocab.attributes import WHO_MAY_EAT
from schemas.vocab.resource_types import TYPE_IDS
from schemas.words import Words, message, messages, say
from serving.context import Context, context_of
from serving.http.answers import Answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.places.detail import freshness_of, read_record
from serving.search.area_help import help_where_far
from serving.search.find import (
    DEFAULT_LIMIT,
    DEFAULT_RADIUS,
    MAX_RADIUS,
    Matches,
    Page,
    Query,
    find,
)
from serving.search.parameters import Limit, Radius, finite
from serving.search.render import SearchAnswer, message_on, provider, records_json
from serving.search.start import PLACE_PATTERN, Start, start_of_point, start_of_text
from warehouse.index.points import MODE_TYPES, TYPE_CODES
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import STATUSES, Moment, day_number
from warehouse.index.spatial import Within, within_of

# Reaches from Friday evening to Monday.
LATER = timedelta(hours=72)
# A city bus with the walk and the wait, door to door: about 10 miles an hour.
MINUTES_PER_MILE = 6.0
_FREE = MODE_TYPES["free"]
_FOR_CHILDREN = frozenset({TYPE_CODES["summer_meal"]})
# The group of a place by its timetable; of a place without certain hours, `_UNKNOWN`.
_OPEN, _SOON, _USUAL, _LATER, _UNKNOWN, _NONE = range(6)
_GROUPS: dict[OpenStatus, int] = {
    "open": _OPEN,
    "closes_soon": _OPEN,
    "opens_soon": _SOON,
    "closed": _LATER,
    "unknown": _UNKNOWN,
}
_GROUP_OF = np.array([_GROUPS[status] for status in STATUSES])


class Group(NamedTuple):
    """The number of places in a group, and the first of them."""

    total: int
    first: Within


class Groups(NamedTuple):
    """The places within a radius, nearest first, by their state now.

    `usual` are open now by hours too old to be asserted, and places whose operator reported "open
    today" without hours. `later` is ordered by the earliest time a person leaving now could be
    served, `unknown` lists those with a telephone first; doubted places come last in each.
    """

    open: Group
    soon: Group
    usual: Group
    later: Group
    unknown: Group
    total: int


def group_places(release: OpenRelease, places: Within, limit: int, now: datetime) -> Groups:
    """Group places by their certainty at an instant, the first `limit` of each group. Safe for
    threads."""
    # Nothing is given out at a place that is closed for now, whatever its hours.
    is_closed = release.closed_until_days.take(places.rows) >= day_number(now)
    places = places.take((~is_closed).nonzero()[0])
    rows = places.rows
    is_hidden = release.is_confidential.take(rows) != 0
    statuses = np.full(len(rows), STATUSES.index("unknown"), dtype=np.uint8)
    openings = np.full(len(rows), np.inf)
    codes = release.hours_codes.take(rows)
    timed = ((codes >= 0) & ~is_hidden).nonzero()[0]
    statuses[timed], openings[timed] = release.timetable_states(codes.take(timed), now)
    is_certain = release.are_hours_shown(rows, now)
    if release.live.entries:
        for at, row in enumerate(rows.tolist()):
            state = release.reported_state(row, now)
            if state is not None and not is_hidden[at]:
                # "Open today" without hours is no more than usual hours are.
                is_certain[at] = state.status != "unknown"
                statuses[at] = STATUSES.index(state.status if is_certain[at] else "open")
                openings[at] = state.opens_at.timestamp() if state.opens_at else np.inf
    groups, minutes = _GROUP_OF.take(statuses), (openings - now.timestamp()) / 60
    groups[(groups == _LATER) & (minutes > LATER / timedelta(minutes=1))] = _NONE
    # Hours too old to be asserted say only that a place is usually open now.
    groups = np.where(is_certain, groups, np.where(groups == _OPEN, _USUAL, _UNKNOWN))
    # A closed place opens for a person who could be there: an opening across town waits for the
    # bus.
    minutes += MINUTES_PER_MILE * chord_to_miles(np.sqrt(places.squares))
    lacks_phone = release.has_phone.take(rows) == 0
    last_keys = []
    if release.live.doubts:
        last_keys = [np.array([release.is_doubted(row) for row in rows.tolist()], dtype=bool)]

    def members(group: int, *keys: NDArray[Any]) -> Group:
        """Return the places of a group: nearest first, unless keys come before, the last first."""
        at = (groups == group).nonzero()[0]
        keys_of_group = [key.take(at) for key in (*keys, *last_keys)]
        return Group(len(at), places.take(at).first(limit, *keys_of_group))

    return Groups(
        members(_OPEN),
        members(_SOON),
        members(_USUAL),
        members(_LATER, minutes),
        members(_UNKNOWN, lacks_phone),
        len(rows),
    )


class UrgentPlaces(NamedTuple):
    """Free food around a start, and meal sites for children that are open now or soon, within a
    radius in miles."""

    groups: Groups
    for_children: Within
    radius: float
    is_expanded: bool


def find_urgent(
    release: OpenRelease, start: Start, requested_miles: float | None, limit: int, now: datetime
) -> UrgentPlaces:
    """Find free food now; `requested_miles`: the requested radius; `limit`: the places of each
    list. Safe for threads.

    The search is widened as in `/api/resources/search`: if no place with free food, open or not, is
    within 50 miles. A pantry nearby without known hours must not send people hundreds of miles.
    """
    # A page without places finds the radius.
    matches = find(release, start, Query(_FREE, requested_miles, Page(0)))
    chord = miles_to_chord(matches.radius)
    groups, children = (
        group_places(release, release.spatial.select(types).inside(start.at, chord), limit, now)
        for types in (_FREE, _FOR_CHILDREN)
    )
    sites = within_of([*children.open.first.hits(), *children.soon.first.hits()])
    is_doubted = np.array([release.is_doubted(row) for row in sites.rows.tolist()], dtype=bool)
    sites = sites.first(limit, is_doubted)
    return UrgentPlaces(groups, sites, matches.radius, matches.is_expanded)


def answer(
    context: Context,
    release: OpenRelease,
    start: Start,
    requested_miles: float | None,
    limit: int,
    now: datetime,
) -> SearchAnswer:
    """Return the whole answer; `limit`: the length of each list. Safe for threads."""
    found = find_urgent(release, start, requested_miles, limit, now)
    groups = found.groups
    lists = {
        "resources": groups.open.first,
        "opening_soon": groups.soon.first,
        "usually_open": groups.usual.first,
        "opening_later": groups.later.first,
        "call_first": groups.unknown.first,
        "for_children": found.for_children,
    }
    open_count, usual, unknown = groups.open.total, groups.usual.total, groups.unknown.total
    head = UrgentHead(
        success=True,
        total_available=open_count,
        count=min(open_count, limit),
        page=1,
        limit=limit,
        location=start.location,
        expanded=found.is_expanded,
        search_radius_mi=found.radius,
        message=_message(start, requested_miles, found),
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
        data_provider=provider(context, release),
        area_help=help_where_far(release, start, _FREE) if found.is_expanded else None,
        hours_known_share=(
            round((groups.total - unknown - usual) / groups.total, 3) if groups.total else None
        ),
        total_open_now=open_count,
        total_opening_soon=groups.soon.total,
        total_usually_open=usual,
        total_opening_later=groups.later.total,
        total_call_first=unknown,
    )

    def more(row: int, _: float, moment: Moment) -> bytes:
        return _when(release, row, moment, now)

    parts = [msgspec.json.encode(head)[:-1]]
    for name, places in lists.items():
        records = records_json(release, places.hits(), now, more)
        parts.append(b',"%s":%s' % (name.encode(), records))
    body = b"".join((*parts, b"}"))
    return SearchAnswer(body, start.location.zip or "", not groups.total)


def _message(start: Start, requested_miles: float | None, found: UrgentPlaces) -> str | None:
    groups = found.groups
    if not groups.total:
        # All kinds of free food were requested, so no other choice could find more.
        reach = DEFAULT_RADIUS if requested_miles is None else requested_miles
        reach = MAX_RADIUS if found.is_expanded else reach
        notes = [start.note] if start.note else []
        return " ".join([*notes, f"No place with free food within {reach:g} miles."])
    matches = Matches([], groups.total, found.radius, found.is_expanded)
    notes = [note] if (note := message_on(start, Query(_FREE, requested_miles), matches)) else []
    if not groups.open.total:
        notes.append(f"No place within {found.radius:g} miles is known to be open now.")
        if groups.soon.total:
            notes.append("Some open within the hour: see `opening_soon`.")
        elif groups.later.total:
            notes.append("Some open later: see `opening_later`.")
    if count := groups.usual.total:
        notes.append(
            f"{count} {'is' if count == 1 else 'are'} usually open now, by hours too old "
            "to rely on (`usually_open`): call first, or ask 211 where no phone is listed."
        )
    if count := groups.unknown.total:
        notes.append(
            f"For {count} it is not known whether "
            f"{'it is' if count == 1 else 'they are'} open: call first, or ask 211 "
            "where no phone is listed."
        )
    return " ".join(notes) or None


def _when(release: OpenRelease, row: int, moment: Moment, now: datetime) -> bytes:
    """Return the further members of a record: the time to go, and who may eat."""
    # Old hours are no promise: their times appear only in `usual_hours`.
    is_certain = not release.is_confidential[row] and moment.hours_status != "unknown"
    state = release.open_state(row, now) if is_certain else None
    opens = state.opens_at if state and state.status not in OPEN_STATUSES else None
    closes = state.closes_at if state else None
    is_by_appointment = state is not None and read_record(release, row)["requires_appointment"]
    when = {
        "opens_at": opens.isoformat() if opens else None,
        "closes_at": closes.isoformat() if closes else None,
        "when": when_words(release, row, state, now, is_by_appointment=is_by_appointment),
        "who_may_eat": WHO_MAY_EAT.get(TYPE_IDS[release.type_of(row)]),
    }
    return b"," + msgspec.json.encode(when)[1:-1]


def when_words(
    release: OpenRelease,
    row: int,
    state: OpenState | None,
    now: datetime,
    *,
    is_by_appointment: bool,
) -> Words:
    """Say when to go to a place, or the step to take first. Without a state its hours now are not
    certain."""
    if state is None or state.status == "unknown":
        return _usually(release, row, now) or with_advice(
            cause_of_doubt(release, row, now), release.advice(row)
        )
    words = _words_of_state(state, now)
    if is_by_appointment:
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
    age = freshness_of(release, row, release.moment(row, now), now, "hours_")
    return say(age.__getitem__)


def _words_of_state(state: OpenState, now: datetime) -> Words:
    """Say until when a place is open, or when it opens."""
    is_open = state.status in OPEN_STATUSES
    at = state.closes_at if is_open else state.opens_at
    if at is None:  # a closed place without an opening is in no group
        return _clock_words("open_now" if is_open else "doubtful", None, None)
    today = now.astimezone(at.tzinfo).date()
    key = "open_until_day" if is_open else "opens"
    # People call a closing at midnight or in the small hours "tonight".
    if is_open and at - now < timedelta(hours=12):
        key = "open_until"
    return _clock_words(key, at.replace(tzinfo=None), today)


@lru_cache(maxsize=4096)
def _clock_words(key: str, at: datetime | None, today: date | None) -> Words:
    """Return a message of content/messages/hours.yaml, filled in for a local time. Few differ."""

    def render(language: Language) -> str:
        text, values = messages("hours", language)[key], {}
        if at is not None and today is not None:
            write = at_clock if key == "opens" else hour_words
            values["time"] = write(minutes_of(at), language)
            values["day"] = on_day_from(today, at.date(), language)
        return sentence(text.format(**values), language)

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
    requested_miles = finite("radius", radius) if b"radius=" in scope["query_string"] else None
    if zip is not None:
        start = start_of_text(release, zip)
        if lat is not None or lng is not None:
            ignored = "`zip` was used; `lat` and `lng` were not."
            start = start._replace(note=" ".join(filter(None, (start.note, ignored))))
    elif lat is not None and lng is not None:
        start = start_of_point(release, finite("lat", lat), finite("lng", lng))
    else:
        advice = "send `zip`, or both `lat` and `lng`"
        point = {"lat": lat, "lng": lng}
        missing = [name for name, value in point.items() if value is None]
        missing = ["zip", *missing] if len(missing) == 2 else missing
        raise ServiceProblem(
            "missing-parameter", f"{', '.join(missing)}: {advice}", dict.fromkeys(missing, advice)
        )
    response = answer(context, release, start, requested_miles, limit, now)
    context.searches.add(now.date(), response.zip, "free", is_empty=response.is_empty)
    return Answer(response.body)
