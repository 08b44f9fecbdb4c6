"""Replies to text messages. No message and no telephone number is stored."""

import asyncio
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from serving.context import Context
from serving.http.errors import ServiceProblem
from serving.reference.contacts import facts
from serving.reference.organization import organization_of
from serving.render.words import words
from serving.search.area_help import help_for, way_words
from serving.search.language.constraints import Wish
from serving.search.language.constraints_reply import label_unsupported, quote_words
from serving.search.language.detection import Language
from serving.search.language.reading import Reading
from serving.search.language.reply import state_name
from serving.search.plain_language import names_of
from serving.search.plain_search import by_clock_of_place, start_of_reading
from serving.search.start import Start, start_of_zip
from serving.sms.asking import Asking, Kind, asking_of, keyword_of
from serving.sms.places import free_food, wic_offices
from serving.sms.replies import Further, nearest_reply, places_reply, simple, snap_reply
from warehouse.index.reader import OpenRelease

_VETERANS, _GIVING = Wish("audience", "veterans"), "giving"


class Reply(NamedTuple):
    """A reply, and the counts of its search; `mode` is None without a search."""

    text: str
    language: Language
    zip: str = ""
    mode: str | None = None
    is_empty: bool = False


async def reply_to(
    context: Context, release: OpenRelease | None, body: str, now: datetime
) -> Reply:
    """Return the reply to a message of any content. STOP and START are reported as done: the
    caller must do them."""
    organization = organization_of(context.settings).common_name
    keyword = keyword_of(body)
    if keyword is not None:
        name = {"stop": "stopped", "start": "started", "help": "help"}[keyword.kind]
        return Reply(simple(name, keyword.language, organization), keyword.language)
    if release is None:
        return Reply(simple("not_now", "en"), "en")
    names = await names_of.in_thread(release)
    asking = await asyncio.to_thread(asking_of, body, names)
    place_search = _as_place_search(asking)
    if place_search.kind == "snap":
        return Reply(snap_reply(_state_of(asking.reading), asking.language), asking.language)
    return await asyncio.to_thread(_search, release, place_search, now)


def _as_place_search(asking: Asking) -> Asking:
    """Convert a message that asks for SNAP and for places near a place to one for these and SNAP;
    return any other unchanged."""
    reading = asking.reading
    is_near = reading is not None and reading.where.location
    if asking.kind != "snap" or not asking.others or not is_near:
        return asking
    first, *more = asking.others
    return asking._replace(kind=first, others=("snap", *more))


def _state_of(reading: Reading | None) -> str | None:
    if reading is None:
        return None
    where = reading.where
    return (where.zip.state if where.zip else None) or where.state


def _search(release: OpenRelease, asking: Asking, now: datetime) -> Reply:
    reading, language = asking.reading, asking.language
    assert reading is not None, "keywords are answered before"
    reading = by_clock_of_place(release, reading, now)
    asking = asking._replace(reading=reading)
    start = _start(release, reading)
    if start is None:
        return Reply(_question(release, asking), language)
    is_wic = asking.kind == "wic"
    nearby = (wic_offices if is_wic else free_food)(release, start, now, reading)
    label = _label(reading, start)
    text = places_reply(
        nearby,
        label,
        "wic" if is_wic else "food",
        language,
        now,
        release.is_synthetic,
        _others(release, asking, start, label, now),
    )
    return Reply(
        text, language, start.location.zip or "", "wic" if is_wic else "free", not nearby.places
    )


def _others(
    release: OpenRelease, asking: Asking, start: Start, place: str, now: datetime
) -> list[Further]:
    """Return the answers for the further programs of a message, telephones for those without places
    of their own, and the words not used."""
    language, reading = asking.language, asking.reading
    assert reading is not None, "keywords are answered before"
    w = words("sms", language)

    def answer_for(kind: Kind) -> str:
        if kind == "snap":
            return snap_reply(_state_of(reading) or start.location.state, language)
        find = wic_offices if kind == "wic" else free_food
        return nearest_reply(find(release, start, now, reading), place, kind, language, now)

    further = [
        Further(answer_for(kind), str(w.also[kind].format(place=place))) for kind in asking.others
    ]
    if _VETERANS in reading.wishes and (line := facts().veterans):
        further.append(Further(str(w.veterans.format(phone=line.number))))
    if _GIVING in reading.unsupported:
        banks = (one for one in help_for(release, start).contacts if one.kind == "food_bank")
        further += [
            Further(str(w.give.format(name=bank.name, way=way)))
            for bank in islice(banks, 1)
            if (way := way_words(bank, language))
        ]
    unread = label_unsupported([k for k in reading.unsupported if k != _GIVING], language)
    unread += quote_words(reading.unused, reading.landmarks, language)
    if unread:
        further.append(Further(str(w.unread.format(list="; ".join(unread))), str(w.unread_short)))
    elif reading.strange:
        # They may be a person's name, and replies are stored.
        further.append(Further(str(w.unread_short)))
    return further


def _start(release: OpenRelease, reading: Reading) -> Start | None:
    where = reading.where
    if where.zip:
        try:
            return start_of_zip(release, where.zip.zip)
        except ServiceProblem:
            return None
    return start_of_reading(reading)


def _label(reading: Reading, start: Start) -> str:
    where = reading.where
    if where.zip:
        return where.zip.zip
    return f"{start.location.city}, {start.location.state}"


def _question(release: OpenRelease, asking: Asking) -> str:
    """Ask for a place, with telephone help for urgent cases."""
    language: Language = asking.language
    where = asking.reading.where if asking.reading else None
    unknown = where and (where.unknown_zip or (where.zip.zip if where.zip else None))
    if unknown:
        return simple("unknown_zip", language, zip=unknown)
    if asking.kind == "wic":
        return simple("wic_ask", language)
    if where and where.state:
        largest = release.gazetteer.largest_cities(where.state)
        name = state_name(where.state, language)
        if not largest:
            return simple("ask_state", language, state=name)
        return simple("ask_in", language, state=name, example=f"{largest[0].name} {where.state}")
    return simple("ask", language)
