"""Reads a text message (a keyword, a program, a place) and answers it. Neither the message nor the
telephone number is stored."""

import re
from datetime import datetime
from typing import Literal, NamedTuple

from schemas.values.gsm7 import as_gsm7
from schemas.values.names import fold_name
from serving.context import Context
from serving.http.errors import ServiceProblem
from serving.reference.organization import facts, organization_of
from serving.render.words import words
from serving.search.answered_needs import answer_needs
from serving.search.area_help import way_words
from serving.search.language.needs import answer_need
from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import Reading, read_question
from serving.search.language.reply import label_unsupported, quote_words, state_name
from serving.search.language.text import Language, printable
from serving.search.language.wishes import Wish
from serving.search.plain_language import names_of
from serving.search.plain_search import by_clock_of_place, start_of_reading
from serving.search.start import Start, start_of_zip
from serving.sms.replies import (
    Further,
    free_food,
    nearest_reply,
    places_reply,
    simple,
    snap_reply,
    wic_offices,
    with_more,
)
from warehouse.index.reader import OpenRelease

Kind = Literal["stop", "start", "help", "food", "snap", "wic"]
# Maximum characters read of a message; the rest says no more about the place.
MAX_READ = 320

# Messages of one keyword. The English ones are those that carriers in the United States know.
_KEYWORDS: dict[tuple[Kind, Language], str] = {
    ("stop", "en"): "stop stopall stopplease pleasestop unsubscribe cancel end quit revoke optout "
    "optmeout optoutplease removeme stoptexting stoptextingme",
    ("stop", "es"): "alto parar pare baja darsedebaja darmedebaja dardebaja cancelar "
    "cancelarsuscripcion detener terminar nomasmensajes",
    ("start", "en"): "start unstop optin optmein",
    ("start", "es"): "iniciar inicio empezar comenzar reanudar",
    ("help", "en"): "help info",
    ("help", "es"): "ayuda informacion",
}
_WHOLE = {word: kind for kind, words in _KEYWORDS.items() for word in words.split()}
# First words; the place follows.
_FIRST: dict[str, tuple[Kind, Language | None]] = {
    **dict.fromkeys(["food", "pantry", "meals"], ("food", "en")),
    **dict.fromkeys(["comida", "alimentos", "despensa"], ("food", "es")),
    **dict.fromkeys(["snap", "ebt"], ("snap", None)),
    **dict.fromkeys(["stamps"], ("snap", "en")),
    **dict.fromkeys(["estampillas", "cupones"], ("snap", "es")),
    "wic": ("wic", None),
}
_WORD = re.compile(r"[^\W_]+")
# Telephones send a reaction to a message as a text: verb and quotation, or a sign and quotation.
_REACTIONS = (
    "loved|liked|disliked|laughed at|emphasized|questioned|reacted .{1,12} to"
    "|removed an? .{1,20} from|le encantó|le gustó|no le gustó|se rió de|se rio de|enfatizó"
    "|destacó|cuestionó|puso en duda|reaccionó .{1,16} a|me encanta|quitó .{1,30} (?:de|a)"
    r"|eliminó .{1,30} (?:de|a)|[^\w\s].{0,10} to|[^\w\s].{0,10} a"
)
_REACTION = re.compile(
    rf"(?:{_REACTIONS})\s+(?:[“\"«„]|an? (?:image|photo|picture|video|movie|sticker)\b"
    r"|(?:una? )(?:imagen|foto|video)\b)",
    re.IGNORECASE,
)


class TextQuestion(NamedTuple):
    """A parsed message. `reading` is None for keywords that need no place; `others` are further
    requested kinds."""

    kind: Kind
    language: Language
    reading: Reading | None = None
    others: tuple[Kind, ...] = ()


def keyword_of(body: str) -> TextQuestion | None:
    """Return the keyword of a message that is only STOP, START, HELP or the same in Spanish; None
    for any other."""
    whole = "".join(fold_name(word) for word in _WORD.findall(printable(body[:MAX_READ])))
    return TextQuestion(*_WHOLE[whole]) if whole in _WHOLE else None


def is_reaction(body: str) -> bool:
    """Check whether a message only reports a reaction ("Loved “...”") to one of ours."""
    return _REACTION.match(printable(body[:MAX_READ]).strip()) is not None


def read_message(body: str, names: PlaceNames) -> TextQuestion:
    """Return the question of a message of any content; never raises."""
    text = " ".join(printable(body[:MAX_READ]).split())
    keyword = keyword_of(text)
    if keyword is not None:
        return keyword
    first = _WORD.match(text)
    first_keyword = _FIRST.get(fold_name(first[0])) if first else None
    whole = read_question(text, names)
    if first_keyword is None or first is None:
        kind, *others = _kinds_of(whole)
        return TextQuestion(kind, whole.language, whole, tuple(others))
    kind, tongue = first_keyword
    others = [one for one in _kinds_of(whole) if len(whole.wants.modes) > 1 and one != kind]
    # Without its keyword the rest is a place and nothing else: "FOOD Salem OR".
    rest = read_question(text[first.end() :].strip(" :,-#"), names)
    rest = rest._replace(
        wishes=whole.wishes, time=whole.time, needs=whole.needs, seeks_food=whole.seeks_food
    )
    has_place = rest.where.location or rest.where.state or rest.where.unknown_zip
    return TextQuestion(kind, tongue or whole.language, rest if has_place else whole, tuple(others))


def _kinds_of(reading: Reading) -> list[Kind]:
    """Return the kinds of a question, each once: buying with SNAP becomes free food."""
    wants = reading.wants
    wants_office = wants.intent == "apply" or "snap_office" in wants.kinds
    kinds: list[Kind] = [
        "wic" if mode == "wic" else "snap" if mode == "snap" and wants_office else "food"
        for mode in wants.modes
    ]
    return list(dict.fromkeys(kinds))


_VETERANS = Wish("audience", "veterans")


class Reply(NamedTuple):
    """A reply, and the counts of its search; `mode` is None without a search."""

    text: str
    language: Language
    zip: str = ""
    mode: str | None = None
    is_empty: bool = False


def reply_to(context: Context, release: OpenRelease | None, body: str, now: datetime) -> Reply:
    """Return the reply to a message of any content. The caller carries out STOP and START, which
    the reply reports as done."""
    organization = organization_of(context.settings).common_name
    keyword = keyword_of(body)
    if keyword is not None:
        name = {"stop": "stopped", "start": "started", "help": "help"}[keyword.kind]
        return Reply(simple(name, keyword.language, organization), keyword.language)
    if release is None:
        return Reply(simple("not_now", "en"), "en")
    names = names_of(release)
    question = read_message(body, names)
    reading, language, danger = question.reading, question.language, ""
    if reading is not None and reading.needs:
        if not reading.needs[0].is_danger:
            return Reply(_answer_needs(release, question, reading), language)
        answer = answer_need(reading.needs[0], reading.language)
        danger = answer.short if answer else ""
    if question.kind == "snap":
        if not (question.others and reading is not None and reading.where.location):
            return Reply(snap_reply(_state_of(reading), language, danger), language)
        # "SNAP and a pantry in Toledo": the places first, then SNAP.
        first, *more = question.others
        question = question._replace(kind=first, others=("snap", *more))
    return _search(release, question, danger, now)


def _answer_needs(release: OpenRelease, question: TextQuestion, reading: Reading) -> str:
    """Return the answer to a need, contacts, and the keyword for food, as space permits."""
    language, need = question.language, reading.needs[0]
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


def _state_of(reading: Reading | None) -> str | None:
    where = reading.where if reading else None
    return where and ((where.zip.state if where.zip else None) or where.state)


def _search(release: OpenRelease, question: TextQuestion, danger: str, now: datetime) -> Reply:
    reading, language = question.reading, question.language
    assert reading is not None, "keywords are answered before"
    reading = by_clock_of_place(release, reading, now)
    question = question._replace(reading=reading)
    start = _start(release, reading)
    if start is None:
        text = _ask_for_place(release, question)
        return Reply(with_more(danger, [text]) if danger else text, language)
    is_wic = question.kind == "wic"
    nearby = (wic_offices if is_wic else free_food)(release, start, now, reading)
    town = f"{start.location.city}, {start.location.state}"
    label = reading.where.zip.zip if reading.where.zip else town
    text = places_reply(
        nearby,
        label,
        "wic" if is_wic else "food",
        language,
        now,
        release.is_synthetic,
        _others(release, question, start, label, now),
        danger,
    )
    return Reply(
        text, language, start.location.zip or "", "wic" if is_wic else "free", not nearby.places
    )


def _others(
    release: OpenRelease, question: TextQuestion, start: Start, place: str, now: datetime
) -> list[Further]:
    """Return the answers for the other programs of a message, telephone numbers for programs
    without places, and the words that were not used."""
    language, reading = question.language, question.reading
    assert reading is not None, "keywords are answered before"
    w = words("sms", language)

    def answer_for(kind: Kind) -> str:
        if kind == "snap":
            return snap_reply(_state_of(reading) or start.location.state, language)
        find = wic_offices if kind == "wic" else free_food
        return nearest_reply(find(release, start, now, reading), place, kind, language, now)

    further = [
        Further(answer_for(kind), str(w.also[kind].format(place=place))) for kind in question.others
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


def _ask_for_place(release: OpenRelease, question: TextQuestion) -> str:
    """Ask for a place, with telephone help for urgent cases."""
    language: Language = question.language
    where = question.reading.where if question.reading else None
    unknown = where and (where.unknown_zip or (where.zip.zip if where.zip else None))
    if unknown:
        return simple("unknown_zip", language, zip=unknown)
    if question.kind == "wic":
        return simple("wic_ask", language)
    if where and where.state:
        largest = release.gazetteer.largest_cities(where.state)
        name = state_name(where.state, language)
        if not largest:
            return simple("ask_state", language, state=name)
        return simple("ask_in", language, state=name, example=f"{largest[0].name} {where.state}")
    return simple("ask", language)
