"""Replies to text messages. No message and no telephone number is stored."""

import asyncio
from datetime import datetime
from typing import NamedTuple

from schemas.values.gsm7 import as_gsm7
from serving.context import Context
from serving.http.errors import ServiceProblem
from serving.reference.contacts import facts
from serving.reference.organization import organization_of
from serving.render.words import words
from serving.search.answered_needs import answer_needs
from serving.search.area_help import way_words
from serving.search.language.needs import answer_need
from serving.search.language.reading import Reading
from serving.search.language.reply import label_unsupported, quote_words, state_name
from serving.search.language.text import Language
from serving.search.language.wishes import Wish
from serving.search.plain_language import names_of
from serving.search.plain_search import by_clock_of_place, start_of_reading
from serving.search.start import Start, start_of_zip
from serving.sms.asking import Asking, Kind, asking_of, keyword_of
from serving.sms.places import free_food, wic_offices
from serving.sms.replies import (
    Further,
    nearest_reply,
    places_reply,
    simple,
    snap_reply,
    with_more,
)
from warehouse.index.reader import OpenRelease

_VETERANS = Wish("audience", "veterans")


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
    reading = asking.reading
    if reading is not None and reading.needs and not reading.needs[0].is_danger:
        return Reply(_answer_needs(release, asking, reading), asking.language)
    place_search = _as_place_search(asking)
    danger = _answer_danger(asking.reading)
    if place_search.kind == "snap":
        text = snap_reply(_state_of(asking.reading), asking.language, danger)
        return Reply(text, asking.language)
    return await asyncio.to_thread(_search, release, place_search, danger, now)


def _answer_danger(reading: Reading | None) -> str:
    """Return the line that helps a person in danger; empty without danger."""
    if reading is None or not reading.needs or not reading.needs[0].is_danger:
        return ""
    answer = answer_need(reading.needs[0], reading.language)
    return answer.short if answer else ""


def _answer_needs(release: OpenRelease, asking: Asking, reading: Reading) -> str:
    """Return the answer to a need, contacts, and the keyword for food, as space permits."""
    language, need = asking.language, reading.needs[0]
    found = answer_need(need, language)
    text = found.short.replace("{health}", "") if found else simple("ask", language)
    answered = answer_needs(release, reading, _start(release, reading), "")
    more = [
        f"{contact.name}: {way}"
        for contact in answered.contacts
        if (way := way_words(contact, language))
    ]
    if reading.seeks_food and reading.where.location:
        place = as_gsm7(reading.where.location)
        more.append(str(words("sms", language).also["food"].format(place=place)))
    return with_more(text, more)


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


def _search(release: OpenRelease, asking: Asking, danger: str, now: datetime) -> Reply:
    reading, language = asking.reading, asking.language
    assert reading is not None, "keywords are answered before"
    reading = by_clock_of_place(release, reading, now)
    asking = asking._replace(reading=reading)
    start = _start(release, reading)
    if start is None:
        question = _question(release, asking)
        return Reply(with_more(danger, [question]) if danger else question, language)
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
        danger,
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
    unread = label_unsupported(reading.unsupported, language)
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
