"""Answers questions in plain language from the release."""

import asyncio
from datetime import UTC, datetime
from functools import partial
from typing import Annotated
from urllib.parse import quote, urlencode

import msgspec
from litestar import get
from litestar.types import Scope

from schemas.api.area_help import AreaHelp, HomeDelivery
from schemas.api.common import SAYS_SOMETHING
from schemas.api.plain_language import (
    Action,
    AskedIntent,
    Constraint,
    FoundPlace,
    PlaceChoice,
    PlainAnswer,
)
from schemas.hours.opening import OPEN_STATUSES
from schemas.languages import languages
from schemas.values.usual_hours import origin_words
from schemas.vocab.resource_types import TYPE_IDS
from schemas.words import messages
from serving.context import Context, context_of
from serving.http.answers import MINUTE, Answer
from serving.http.caching import of_minute, per_release
from serving.http.errors import release_of
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.places.detail import hours_age
from serving.places.view import place_path
from serving.reference.organization import facts
from serving.search.answered_needs import answer_needs, topic_links, topics_in_words
from serving.search.area_help import (
    FAR_MILES,
    contact_words,
    count_in_words,
    help_where_far,
    home_deliveries,
    sentences,
)
from serving.search.asked_time import links_of, then_of, when_words
from serving.search.constraints import constraints_of, find_unpublished_wishes
from serving.search.find import DEFAULT_RADIUS
from serving.search.language import reply
from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import MAX_QUESTION, Reading, read_question
from serving.search.language.reply import (
    describe_unsupported,
    list_of_wishes,
    wishes_in_words,
)
from serving.search.language.text import Language, printable
from serving.search.openings import is_open_by_old_hours
from serving.search.plain_search import (
    OFFICES,
    RESULTS,
    NamedPlaces,
    Search,
    actions_of,
    by_clock_of_place,
    missing_of,
    places_of_name,
    questions_of_alike,
    read_miles,
    search_for_question,
    start_of_reading,
    types_of,
    words_outside,
)
from serving.search.render import provider
from warehouse.index.reader import OpenRelease

# These precisions locate an area, not a place.
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


# Compiled here: threads that meet a new class at once end the process (`serving.app`).
_RECORD = msgspec.json.Decoder(_Record)


def build_place(
    release: OpenRelease,
    base: str,
    language: Language,
    row: int,
    miles: float | None,
    now: datetime,
) -> FoundPlace:
    """Return the place of a row; `base` is the address of the service."""
    record = _RECORD.decode(release.read_record(row) + b"}")
    town = " ".join(filter(None, (record.state, record.zip)))
    address = ", ".join(filter(None, (record.address, record.city, town)))
    return FoundPlace(
        record.id,
        _line(record.name),
        record.resource_type,
        _line(address),
        record.phone,
        miles,
        release.moment(row, now).hours_status,
        release.usual_hours(row, now),
        f"{base}{place_path(record.id, language)}",
        f"{base}/api/resources/{record.id}",
        release.doubt(row),
    )


def name_place(
    release: OpenRelease,
    row: int,
    place: FoundPlace,
    then: reply.RequestedState | None,
    now: datetime,
    language: Language,
) -> reply.Entry:
    """Add the age and the origin of a place's hours, and the first thing to do, in words."""
    origin = release.hours_origin(row)
    age = hours_age(release, row, now)[language] if origin else ""
    words = origin_words(origin.basis, origin.day)[language] if origin else ""
    hours = reply.HoursWords(age, words, release.advice(row).clause[language])
    return reply.Entry(place, release.precision_of(row) in _ROUGH, hours, then)


def _line(text: str) -> str:
    """Return a text of a record in one line, without control characters."""
    return " ".join(printable(text).split())


class Question(msgspec.Struct, frozen=True, gc=False):
    """A question as received, and whether to explain its parsing."""

    text: str
    explain: bool


class QuestionAnswer(msgspec.Struct, gc=False):
    """The answer as JSON, its language, and its figures for the statistics."""

    body: bytes
    language: str
    zip: str
    mode: str
    is_empty: bool


@per_release
def names_of(release: OpenRelease) -> PlaceNames:
    """Index the place names of a release: takes a tenth of a second, so run it off the event
    loop."""
    return PlaceNames(release.gazetteer)


def answer_question(
    context: Context, release: OpenRelease, question: Question, reading: Reading, now: datetime
) -> QuestionAnswer:
    """Answer a parsed question. Safe for threads; queries the database for names and disasters."""
    reading = by_clock_of_place(release, reading, now)
    plain_answer = _answer(context, release, reading, now)
    plain_answer.query = printable(question.text)
    if question.explain:
        plain_answer.explanation = [
            f"language: {reading.language}",
            reading.where.reason,
            *reading.wants.reasons,
        ]
        if reading.time:
            plain_answer.explanation.append(f"time: {when_words(reading.time, 'en')}")
    body = msgspec.json.encode(plain_answer)
    place = reading.where.zip.zip if reading.where.zip else ""
    return QuestionAnswer(
        body, reading.language, place, reading.wants.mode, not plain_answer.resources
    )


def action_of(reading: Reading) -> Action:
    """Choose the action that answers a question."""
    if actions := actions_of(reading):
        return actions[0]
    if reading.needs and not reading.seeks_food:
        is_local = any(need.definition.adds for need in reading.needs)
        return "need_location" if is_local and not reading.where.state else "search_results"
    return "search_results" if reading.where.location else "need_location"


def _answer(context: Context, release: OpenRelease, reading: Reading, now: datetime) -> PlainAnswer:
    action, language = action_of(reading), reading.language
    where, wants = reading.where, reading.wants
    seeks_food, start = reading.seeks_food or action in OFFICES, start_of_reading(reading)
    answered = answer_needs(release, reading, start, context.settings.url)
    if not seeks_food:
        start = None
    by_name = (
        places_of_name(release, reading.name, start) if reading.name and not reading.needs else None
    )
    if by_name and by_name.hits and by_name.start is None:
        start, action = None, "search_results"
    search = search_for_question(release, reading, action, start, now) if start else None
    results, area = None, None
    places, delivering = list[FoundPlace](), list[HomeDelivery]()
    if search and start:
        if action == "search_results":
            area = help_where_far(release, start, search.types, search.candidates)
            delivering = home_deliveries(release, start, search.types)
            if area is not None and (read_miles(reading.wishes) or 0) <= FAR_MILES:
                # Places beyond 50 miles are shown only to those who ask for them.
                matches = search.matches._replace(hits=[], total=0)
                search = search._replace(matches=matches, candidates=[], ranking=None, states=())
        results = _results(context, release, reading, search, area, now)
        places = results.places
    near = search.candidates[0][1] if search and search.candidates else None
    constraints = constraints_of(release, reading.wishes, near, now)
    links = _links(context, reading, action, search)
    links |= {need.id: need.page for need in answered.needs if need.page}
    contacts = (contact_words(contact, language) for contact in answered.contacts)
    parts = [*answered.sentences, *contacts, answered.question]
    if by_name:
        about_name, name_matches = _name_in_words(context, release, reading, by_name, now)
        parts += about_name
        ids = {place.id for place in name_matches}
        places = [*name_matches, *(place for place in places if place.id not in ids)][:RESULTS]
    parts += topics_in_words(release, reading, links, now)
    if action == "need_location" and "disaster" in wants.topics and where.state:
        # The answer is about the state: no question for a place.
        parts.append(reply.hotlines(language))
    elif seeks_food:
        others = reply.places_instead(where, language) if action != "need_location" else []
        found = _sentences(reading, action, results, search, constraints)
        # Namesakes come first: the town may be the wrong one.
        parts += [*others, *found] if where.choices else [*found, *others]
    parts += count_in_words(delivering, language)
    if seeks_food:
        unused = words_outside((*reading.unused, *reading.strange), by_name)
        landmarks = words_outside(reading.landmarks, by_name)
        parts += describe_unsupported(reading.unsupported, unused, landmarks, language)
    if "operator" in wants.topics:
        # Never first: few who ask run a place.
        parts.append(messages("topics", language).operator.format(url=links["claim"]))
    words, publisher = reply.phrases(language), provider(context, release)
    attribution = words.attribution_synthetic if release.is_synthetic else words.attribution
    if release.is_synthetic and places:
        parts.append(words.synthetic)
    return PlainAnswer(
        query="",
        intent=AskedIntent(
            where.location,
            where.state,
            wants.mode,
            wants.is_urgent,
            wants.intent,
            constraints,
            list(wants.modes),
        ),
        # Two parts may name the same contact.
        answer=" ".join(dict.fromkeys(filter(None, parts))),
        action=action,
        result_count=len(places),
        # Places found by name need not be within the radius.
        total_available=max(len(places), search.matches.total if search else 0),
        constraint_counts=search.ranking.counts if search and search.ranking else [],
        area_help=area,
        home_delivery=delivering,
        resources=places,
        needs=answered.needs,
        related_links=links,
        choices=_choices(context, reading, by_name),
        attribution=attribution.format(
            organization=publisher.name, license=publisher.license, release=release.release_id
        ),
    )


def _name_in_words(
    context: Context, release: OpenRelease, reading: Reading, by_name: NamedPlaces, now: datetime
) -> tuple[list[str], list[FoundPlace]]:
    """Say which food banks and places have the requested name; return the places, with distances if
    the question names a start."""
    language, base, places = reading.language, context.settings.url, list[FoundPlace]()
    parts = [contact_words(bank, language) for bank in by_name.banks]
    is_sure = reading.name is not None and reading.name.is_sure
    if by_name.hits or (is_sure and not (by_name.banks or by_name.alike)):
        hits = by_name.hits[:RESULTS]
        miles = release.display_miles(hits) if by_name.start else [None] * len(hits)
        entries = list[reply.Entry]()
        for (_, row), away in zip(hits, miles, strict=True):
            places.append(build_place(release, base, language, row, away, now))
            entries.append(name_place(release, row, places[-1], None, now, language))
        parts += reply.join_names(by_name.text, entries, language)
    if by_name.alike:
        parts += reply.names_alike(by_name.text, by_name.alike, language)
    return parts, places


def _sentences(
    reading: Reading,
    action: Action,
    results: reply.Results | None,
    search: Search | None,
    constraints: list[Constraint],
) -> list[str]:
    where, language = reading.where, reading.language
    if action == "search_results" and results is None and (search is None and not where.zip):
        return list_of_wishes(constraints, language, is_only=True)
    if action == "need_location":
        wishes = list_of_wishes(constraints, language, is_only=True)
        return [*reply.question_for_place(where, language), *wishes]
    parts: list[str] = []
    for program in actions_of(reading):
        if program == "apply_snap":
            parts += reply.how_to_apply_for_snap(where.state, language)
        else:
            parts += reply.how_to_apply_for_wic(where.location is not None, language)
    if results is not None:
        if search and (missing := missing_of(search)):
            parts.append(reply.none_of_kinds(missing, DEFAULT_RADIUS, results.place, language))
        parts += reply.results_in_words(results, language)
    elif where.zip:
        parts += reply.no_point(where.zip.zip, language)
    if results is None or search is None or not search.ranking or not search.candidates:
        return parts + list_of_wishes(constraints, language, is_only=False)
    of_wishes = wishes_in_words(
        search.ranking.tallies, find_unpublished_wishes(search.ranking), results.when, language
    )
    return parts + of_wishes


def _results(
    context: Context,
    release: OpenRelease,
    reading: Reading,
    search: Search,
    area: AreaHelp | None,
    now: datetime,
) -> reply.Results:
    matches, language, is_urgent = search.matches, reading.language, reading.wants.is_urgent
    base = context.settings.url
    places = [
        build_place(release, base, language, row, miles, now)
        for (_, row), miles in zip(matches.hits, release.display_miles(matches.hits), strict=True)
    ]
    then = _then_of(release, reading, search, places[: reply.MAX_ENTRIES], now)
    is_timed = reading.time is not None and bool(search.states)
    is_any_open = (
        any(state.opening == "open" for state in search.states)
        if is_timed
        else not is_urgent or any(place.open_status in OPEN_STATUSES for place in places)
    )
    return reply.Results(
        places,
        [
            name_place(release, row, place, of_place, now, language)
            for (_, row), place, of_place in zip(matches.hits, places, then, strict=False)
        ],
        matches.total,
        matches.radius,
        search.in_vain,
        reading.where.location or "",
        tuple(zip(search.kinds, search.counts, strict=True)),
        is_urgent,
        is_any_open,
        when_words(reading.time, language) if reading.time and is_timed else "",
        search.ranking is not None
        and any(t.met and t.met < matches.total for t in search.ranking.tallies),
        tuple(sentences(area, language)) if area else (),
    )


def _then_of(
    release: OpenRelease,
    reading: Reading,
    search: Search,
    places: list[FoundPlace],
    now: datetime,
) -> list[reply.RequestedState | None]:
    """Return for each of the first places the words, if any, that replace its present state."""
    hits, language = search.matches.hits, reading.language
    if reading.time and search.states:
        return [
            then_of(release, row, state, reading.time, now, language)
            for _, (_, row), state in zip(places, hits, search.states, strict=False)
        ]
    is_old = (
        reading.wants.is_urgent
        and place.open_status == "unknown"
        and is_open_by_old_hours(release, row, now)
        for place, (_, row) in zip(places, hits, strict=False)
    )
    old = reply.RequestedState("old", reply.phrases(language).now, "")
    return [old if one else None for one in is_old]


# ---------------------------------------------------------------- links, attribution


def _links(
    context: Context, reading: Reading, action: Action, search: Search | None
) -> dict[str, str]:
    base, where = context.settings.url, reading.where
    links = {"openapi": f"{base}/api/openapi.json", **topic_links(reading, base)}
    if search and where.location:
        # Offices, the mode, or several types.
        if actions := actions_of(reading):
            parameters = {"type": ",".join(OFFICES[one] for one in actions)}
        elif len(reading.wants.modes) == 1:
            parameters = {"mode": reading.wants.mode}
        else:
            codes = sorted(types_of(reading.wants.targets))
            parameters = {"type": ",".join(TYPE_IDS[code] for code in codes)}
        if reading.time:
            parameters |= links_of(reading.time, search.windows)
        query = urlencode({"zip": where.location, **parameters}, quote_via=quote)
        links["search"] = f"{base}/api/resources/search?{query}"
        if where.zip:
            links["counts"] = f"{base}/api/resources/counts?zip={where.zip.zip}"
    program = facts().programs.get(where.state or "")
    if "snap" in reading.wants.modes and program and program.portal:
        links["state_portal"] = program.portal.url
    return links


def _choices(context: Context, reading: Reading, by_name: NamedPlaces | None) -> list[PlaceChoice]:
    base, prefix = context.settings.url, languages()[reading.language].prefix
    instead = (*reading.instead, *(questions_of_alike(by_name, reading) if by_name else ()))
    questions = ((label, text, urlencode({"q": text})) for label, text in instead)
    return [
        PlaceChoice(label, text, f"{base}/api/llm-search?{q}", f"{base}{prefix}/search?{q}")
        for label, text, q in questions
    ]


QuestionText = Annotated[
    str, query("q", min_length=1, max_length=MAX_QUESTION, pattern=SAYS_SOMETHING)
]
Explain = Annotated[bool, query("explain", of="question")]


@get(
    "/api/llm-search",
    summary="Search in plain English or Spanish",
    tags=["search"],
    responses=answers(PlainAnswer, "The recognized question, the answer in words, and the places."),
)
async def ask_in_plain_language(scope: Scope, q: QuestionText, explain: Explain = False) -> Answer:
    """Read place, program, urgency and wishes from a question and answer in its language, from the
    records.

    A wish is a constraint on a place: a diet, no papers, delivery, a language, a day, a distance
    and so on. `intent.constraints` lists all recognised ones, and `constraint_counts` says how many
    places meet each. Places known to meet all of them come first, then those where it is unknown.

    No model is called: the same question gives the same reading. Text that tries to command the
    service is read as any other text.
    """
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    question = Question(q, explain)
    # Reading and answering take some milliseconds, ten times as long as a search.
    key = of_minute(release, now, "question", question)
    answer: QuestionAnswer | None = context.responses.get(key)
    if answer is None:
        reading = read_question(q, names_of(release))
        ask = partial(answer_question, context, release, question, reading, now)
        # Names and disasters are looked up in the database.
        is_query = reading.name or "disaster" in reading.wants.topics
        answer = await asyncio.to_thread(ask) if is_query else ask()
        context.responses.put(key, answer, len(answer.body) + len(q))
    context.searches.add(now.date(), answer.zip, answer.mode, is_empty=answer.is_empty)
    return Answer(
        answer.body, max_age=MINUTE, headers=((b"content-language", answer.language.encode()),)
    )
