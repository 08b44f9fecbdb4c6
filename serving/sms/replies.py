"""Writes replies to text messages: the nearest places, never a shop, in at most three parts of the
7-bit alphabet."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from typing import NamedTuple

import numpy as np

from schemas.api.area_help import AreaHelp
from schemas.api.record import Doubt
from schemas.hours.opening import OPEN_STATUSES, OpenState
from schemas.values.coordinates import miles_to_chord
from schemas.values.gsm7 import PART, as_gsm7, cut, segments, units
from schemas.values.usual_hours import Advice, advice_for
from schemas.vocab.states import STATES
from serving.places.detail import read_record
from serving.reference.organization import facts
from serving.render.words import Words, words
from serving.search.area_help import FAR_MILES, help_where_far, way_words
from serving.search.constraints import WHEN, Ranking, find_unpublished_wishes
from serving.search.find import Page, Query, find, miles_in_vain
from serving.search.language.reading import Reading
from serving.search.language.reply import label_of, state_name, write_date
from serving.search.language.text import Language
from serving.search.plain_search import find_within, read_miles, weigh_within
from serving.search.start import Start
from warehouse.index.points import MODE_TYPES, TYPE_CODES
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit

PLACES = 3
_WIC = frozenset({TYPE_CODES["wic_office"]})


class Place(NamedTuple):
    """A place as the message needs it. Without `state` its hours are not known now."""

    name: str
    address: str | None
    phone: str | None
    miles: float
    state: OpenState | None
    is_open: bool
    by_appointment: bool
    doubt: Doubt | None = None
    # The state now by hours too old to be asserted, and their day.
    usual: OpenState | None = None
    usual_day: date | None = None

    @property
    def advice(self) -> Advice:
        """Advice before a trip."""
        return advice_for(has_phone=bool(self.phone))

    @property
    def rank(self) -> int:
        """Open places first, then those that are usually open now."""
        return 0 if self.is_open else 1 if self.usual and self.usual.status in OPEN_STATUSES else 2


class Nearby(NamedTuple):
    """Places, the radius without any place if the search was widened, the counts of wishes, and
    contacts (`area`) if nothing is near."""

    places: list[Place]
    in_vain: float | None
    ranking: Ranking | None = None
    area: AreaHelp | None = None


def free_food(
    release: OpenRelease, start: Start, now: datetime, reading: Reading | None = None
) -> Nearby:
    """Return the three places of the mode `free` that are nearest, or that fit the wishes of a
    message best.

    Safe for threads: it only reads the release.
    """
    types = MODE_TYPES["free"]
    nearby = _nearby(release, start, types, now, reading)
    return nearby._replace(area=help_where_far(release, start, types))


def wic_offices(
    release: OpenRelease, start: Start, now: datetime, reading: Reading | None = None
) -> Nearby:
    """Return the three WIC offices that are nearest, or that fit the wishes best."""
    return _nearby(release, start, _WIC, now, reading)


def _nearby(
    release: OpenRelease,
    start: Start,
    types: frozenset[int],
    now: datetime,
    reading: Reading | None,
) -> Nearby:
    if reading is not None and reading.wishes:
        # The places that fit the wishes best, then the nearest.
        matches, in_vain = find_within(release, start, types, read_miles(reading.wishes))
        if matches.radius > FAR_MILES:
            return Nearby([], None)
        ranking = weigh_within(release, start, types, matches, reading.wishes, reading.time, now)
        is_public = release.is_confidential[ranking.places.rows] == 0
        to_go = ranking.places.take(np.flatnonzero(is_public)[:PLACES]).hits()
        return Nearby(_places(release, to_go, now), in_vain, ranking)
    matches = find(release, start, Query(types, page=Page(0)))
    if matches.radius > FAR_MILES:
        return Nearby([], None)
    # The index has all places within it, nearest first; confidential places are not
    # destinations.
    hits = release.spatial.select(types).within(start.at, miles_to_chord(matches.radius)).hits()
    nearest = islice((hit for hit in hits if not release.is_confidential[hit[1]]), PLACES)
    places = _places(release, list(nearest), now)
    in_vain = miles_in_vain(None, matches.radius) if matches.is_expanded else None
    # Stable: each group nearest first, doubted places last.
    return Nearby(sorted(places, key=lambda place: (place.rank, place.doubt is not None)), in_vain)


def _places(release: OpenRelease, hits: list[Hit], now: datetime) -> list[Place]:
    miles = release.display_miles(hits)
    return [_place(release, row, away, now) for (_, row), away in zip(hits, miles, strict=True)]


def _place(release: OpenRelease, row: int, miles: float, now: datetime) -> Place:
    record, state = read_record(release, row), release.open_state(row, now)
    if state is not None and state.status == "unknown":
        state = None
    is_usual, origin = release.usual_hours(row, now) is not None, release.hours_origin(row)
    return Place(
        name=record["name"],
        address=record["address"],
        phone=record["phone"],
        miles=miles,
        state=state,
        is_open=state is not None and state.status in OPEN_STATUSES,
        by_appointment=bool(record["requires_appointment"]),
        doubt=release.doubt(row),
        usual=release.timetable_state(int(release.hours_codes[row]), now) if is_usual else None,
        usual_day=origin.day if is_usual and origin else None,
    )


MAX_SEGMENTS = 3
_ROOM = MAX_SEGMENTS * PART
# Room for name and address of a place: shorter and shorter until the message fits.
_ROOMS = ((60, 40), (48, 34), (40, 28), (32, 22), (26, 16), (20, 0), (12, 0))
_FAR_ROOMS = (32, 22)
# With a further answer, a place is omitted before addresses are.
_SHARED_ROOMS = ((40, 28), (32, 22), (26, 16))
_LEAST_PLACES = 2
_PHONE_ROOM = 22
_NAMED_DAYS = timedelta(days=6)


class Further(NamedTuple):
    """The answer for a further program of a message, and the keyword to send if there is no room
    for it; empty otherwise."""

    answer: str
    hint: str = ""


def simple(name: str, language: Language, organization: str = "", **parts: str) -> str:
    """Return a reply without places, by its name in content/messages/sms.yaml."""
    text = words("sms", language)[name]
    return fit_segments(text.format(organization=organization, **parts))


def fit_segments(text: str) -> str:
    """Return any text in the alphabet and within three parts."""
    plain = (
        " ".join(as_gsm7(line).strip() for line in text.split("\n"))
        if units(as_gsm7(text)) > _ROOM
        else as_gsm7(text)
    )
    return plain if segments(plain) <= MAX_SEGMENTS else cut(plain, _ROOM - MAX_SEGMENTS)


# ---------------------------------------------------------------- places


def places_reply(
    nearby: Nearby,
    place: str,
    topic: str,
    language: Language,
    now: datetime,
    is_synthetic: bool,
    others: Sequence[Further] = (),
    danger: str = "",
) -> str:
    """Return the numbered places with distance, address, hours and telephone. `topic` is food or
    wic; `others` are the answers for further programs; `danger` is the line that helps in danger,
    which comes first."""
    w, suffix = words("sms", language), "_wic" if topic == "wic" else ""
    if nearby.area:
        text = _area_reply(nearby, nearby.area, place, language, is_synthetic, danger)
        return _with_further(text, others)
    if not nearby.places:
        none = simple(f"none{suffix}", language, place=as_gsm7(place)[:40])
        return with_more(danger or none, [none] if danger else [], others)
    head = [w[f"near{suffix}"].format(place=cut(as_gsm7(place), 40))]
    if is_synthetic:
        head.insert(0, w.invented)
    if nearby.in_vain is not None:
        head.insert(0, w.widened.format(vain=f"{nearby.in_vain:g}"))
    if danger:
        head.insert(0, f"{danger}\n")
    wishes = wish_notes(nearby.ranking, language)

    def write(places: Sequence[Place], rooms: tuple[int, int], notes: Sequence[str]) -> str:
        entries = [_entry(w, at, one, now, language, *rooms) for at, one in enumerate(places, 1)]
        return as_gsm7("\n".join([" ".join(head), *entries, *wishes, *notes, w.foot]))

    answers, hints = [one.answer for one in others], [one.hint for one in others if one.hint]
    least = min(_LEAST_PLACES, len(nearby.places))
    tries = [
        (nearby.places[:most], rooms, answers)
        for most in range(len(nearby.places), least - 1, -1)
        for rooms in _SHARED_ROOMS
        if others
    ]
    tries += [(nearby.places, rooms, hints) for rooms in _ROOMS]
    texts = (write(*one) for one in tries)
    return next((text for text in texts if segments(text) <= MAX_SEGMENTS), None) or fit_segments(
        write(*tries[-1])
    )


def nearest_reply(nearby: Nearby, place: str, topic: str, language: Language, now: datetime) -> str:
    """Return the nearest place in short, after the answer for another program."""
    w, suffix = words("sms", language), "_wic" if topic == "wic" else ""
    if not nearby.places:
        return simple(f"none{suffix}", language, place=as_gsm7(place)[:40])
    head = w[f"near{suffix}"].format(place=cut(as_gsm7(place), 40))
    return f"{head}\n{_entry(w, 1, nearby.places[0], now, language, *_FAR_ROOMS)}"


def with_more(text: str, more: Sequence[str], others: Sequence[Further] = ()) -> str:
    """Append each further text that still fits into three parts."""
    for one in more:
        longer = as_gsm7(f"{text}\n{one}")
        if segments(longer) <= MAX_SEGMENTS:
            text = longer
    return fit_segments(_with_further(text, others))


def _with_further(text: str, others: Sequence[Further]) -> str:
    """Append the further answers to a text, or their keywords, as space permits."""
    for texts in ([one.answer for one in others], [one.hint for one in others if one.hint]):
        longer = as_gsm7("\n".join([text, *texts]))
        if segments(longer) <= MAX_SEGMENTS:
            return longer
    return text


def wish_notes(ranking: Ranking | None, language: Language) -> list[str]:
    """Return one line on the results for the wishes; for facts that nobody publishes, advise to
    ask."""
    if ranking is None:
        return []
    w, unheard = words("sms", language), find_unpublished_wishes(ranking)
    wishes = []
    for one in ranking.tallies:
        if one.kind in (WHEN, "distance"):
            continue
        label = label_of(one.kind, one.value, language)
        is_known = one.met and (one.kind, str(one.value)) not in unheard
        wishes.append(
            (w.wish_known if is_known else w.wish_unknown).format(label=label, met=one.met)
        )
    return [w.wishes.format(list="; ".join(wishes))] if wishes else []


def _area_reply(
    nearby: Nearby,
    area: AreaHelp,
    place: str,
    language: Language,
    is_synthetic: bool,
    danger: str,
) -> str:
    """Return contacts for an area without places nearby."""
    w = words("sms", language)
    head = [f"{danger}\n"] if danger else []
    head += [w.invented] if is_synthetic else []
    head.append(w.area_none.format(place=cut(as_gsm7(place), 40)))
    if not area.has_free_food_list and area.state in STATES:
        head.append(w.area_no_list.format(state=state_name(area.state, language)))
    banks, programs = [], []
    for contact in area.contacts:
        way = way_words(contact, language)
        text = contact.text.es if language == "es" else contact.text.en
        if way and contact.kind == "food_bank":
            banks.append(w.area_bank.format(name=cut(_line(contact.name), 40), way=way))
        elif way and contact.kind == "food_program":
            programs.append(w.area_program.format(text=text, way=way))
    text = as_gsm7("\n".join([" ".join(head), *banks, w.area_line]))
    for more in (*wish_notes(nearby.ranking, language), *programs):
        longer = as_gsm7(f"{text}\n{more}")
        if segments(longer) > MAX_SEGMENTS:
            break
        text = longer
    return fit_segments(text)


def _entry(
    w: Words,
    number: int,
    place: Place,
    now: datetime,
    language: Language,
    name_room: int,
    address_room: int,
) -> str:
    name = cut(_line(place.name), name_room) or "?"
    address = cut(_line(place.address or "").rstrip("."), address_room) if address_room else ""
    phone = cut(_line(place.phone or ""), _PHONE_ROOM)
    hours_text = hours_words(w, place, now, language) + (
        w.appointment if place.by_appointment else ""
    )
    hours_text += doubt_words(w, place)
    return str(
        w.entry.format(
            number=number,
            name=name,
            miles=f"{place.miles:g}",
            address=f", {address}" if address else "",
            hours=hours_text,
            phone=f". {phone}" if phone else "",
        )
    )


def hours_words(w: Words, place: Place, now: datetime, language: Language) -> str:
    """Return when to go; if unknown, the usual hours and the step to take first."""
    state, advice = place.state, place.advice.short[language]
    if state is None:
        usual = _usual_words(w, place, now)
        return f"{usual}, {advice}" if usual else str(w.unknown.format(advice=advice))
    if place.is_open:
        return str(
            w.open_until.format(time=clock(w, state.closes_at)) if state.closes_at else w.open
        )
    at = state.opens_at
    # Beyond a week the weekday is ambiguous.
    if at is None or at - now > _NAMED_DAYS:
        return str(w.closed)
    if at.date() == now.astimezone(at.tzinfo).date():
        return str(w.opens_today.format(time=clock(w, at)))
    return str(w.opens_day.format(day=w.days[at.weekday()], time=clock(w, at)))


def doubt_words(w: Words, place: Place) -> str:
    """Return visitors' reports against the place in a few words; empty without any."""
    if place.doubt is None:
        return ""
    check = w.doubt_call if place.phone else w.doubt_ask
    return str(w.doubt[place.doubt.kind].format(n=place.doubt.reporters, check=check))


def _usual_words(w: Words, place: Place, now: datetime) -> str | None:
    """Say that it is open now, or when it opens next, by old hours with their age; None if they say
    neither."""
    state, day = place.usual, place.usual_day
    if state is None or day is None:
        return None
    if state.status in OPEN_STATUSES:
        hours_text = (
            w.usual_until.format(time=clock(w, state.closes_at))
            if state.closes_at
            else w.usual_open
        )
    elif state.opens_at is not None and state.opens_at - now <= _NAMED_DAYS:
        hours_text = w.usual_day.format(
            day=w.days[state.opens_at.weekday()], time=clock(w, state.opens_at)
        )
    else:
        return None
    return str(w.usual_age.format(hours=hours_text, month=day.month, year=day.year))


def clock(w: Words, at: datetime) -> str:
    """Return `9am`, `5:30pm`, noon and midnight in words."""
    if at.minute == 0 and at.hour in (0, 12):
        return str(w.noon if at.hour else w.midnight)
    minutes = f":{at.minute:02d}" if at.minute else ""
    return f"{(at.hour - 1) % 12 + 1}{minutes}{'pm' if at.hour >= 12 else 'am'}"


def _line(text: str) -> str:
    """Return a text of a record in one line of the alphabet."""
    return " ".join(as_gsm7(text).split())


# ---------------------------------------------------------------- SNAP


def snap_reply(state: str | None, language: Language, danger: str = "") -> str:
    """Return a state's application page for SNAP, if a dated fact states it; after the line that
    helps in danger."""
    if danger:
        return with_more(danger, [snap_reply(state, language)])
    program = facts().programs.get(state or "")
    if state is None or state not in STATES or program is None:
        return simple("snap_ask", language)
    w, name = words("sms", language), state_name(state, language)
    phone = program.phone
    if not program.is_snap:
        where = w.call.format(phone=phone.number) + "." if phone else ""
        return simple("snap_other", language, state=name, program=program.program, where=where)
    portal = program.portal
    if portal is None and phone is None:
        return simple("snap_ask", language)
    as_of = min(fact.as_of for fact in (portal, phone) if fact is not None)
    if portal is None:
        assert phone is not None
        where = w.call.format(phone=phone.number)
    else:
        where = w.or_call.format(url=portal.url, phone=phone.number) if phone else portal.url
    return simple("snap", language, state=name, where=where, date=write_date(as_of, language))
