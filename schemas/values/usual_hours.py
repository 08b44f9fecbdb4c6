"""Hours that are too old to be asserted, in words that say so: "Usually Tuesday 9 a.m. to noon,
according to its list of August 2025".
"""

import re
from datetime import date, datetime
from functools import cache, lru_cache
from typing import Annotated, NamedTuple

import msgspec

from schemas.descriptions import describe
from schemas.hours.clock_words import (
    at_clock,
    capital,
    day_from,
    day_name,
    hour_words,
    minutes_of,
    month_day,
    month_year,
    sentence,
)
from schemas.hours.opening import OPEN_STATUSES, OpenState, OpenStatus
from schemas.languages import PUBLISHED, Language
from schemas.vocab.reviews import DoubtKind
from schemas.vocab.statuses import DateKind
from schemas.words import Words, message, messages, say


class Advice(NamedTuple):
    """`clause` follows a comma or colon; `sentence` is whole; `short` is for SMS."""

    clause: Words
    sentence: Words
    short: Words


@cache
def advice_for(*, has_phone: bool, has_website: bool = False) -> Advice:
    """Return the advice for a place with or without a telephone number and a web address."""
    key = "call_first" if has_phone else "website_first" if has_website else "ask_first"
    clause = message("hours", key)
    alone = say(lambda language: sentence(capital(clause[language]), language))
    return Advice(clause, alone, message("hours", "call_short" if has_phone else "ask_short"))


def with_advice(text: Words, advice: Advice) -> Words:
    """Join a sentence and the advice after it: "Hours not known: call first."."""
    return say(
        lambda language: messages("hours", language).advice.format(
            text=text[language].rstrip(".。"), advice=advice.clause[language]
        )
    )


# Visitors' reports against a listing in words: their number, subject and day, and advice.


def doubt_words(kind: DoubtKind, reporters: int, day: date, *, has_phone: bool) -> Words:
    """State the visitors' reports and the next step; `day` is that of the newest report.

    "2 people reported that it may be closed, most recently on November 23. Call first."
    """
    advice = before_going(has_phone=has_phone)

    def render(language: Language) -> str:
        phrase = messages("hours", language).doubt[kind]
        text = phrase(reporters, day=month_day(day.month, day.day, language))
        return f"{text} {advice[language]}"

    return say(render)


def before_going(*, has_phone: bool) -> Words:
    """Advise how to check before going, without a telephone that is not listed."""
    return message("hours", "call" if has_phone else "ask_211")


# "9 a.m. to noon" is no end of a sentence.
_NEXT_SENTENCE = re.compile(r"\. (?=[A-Z])")
_HALF_OF_DAY = re.compile(r"\b[ap]\.\s?m\.$")


class UsualHours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Published hours that are too old to be asserted. `hours_status` stays `unknown`: call
    first."""

    summary: Annotated[
        Words,
        describe(
            "The hours, how old they are, and what to do first.",
            {
                "en": (
                    "Usually Tuesday 9 a.m. to noon, according to its list of August 2025. Call "
                    "first."
                ),
                "es": (
                    "Normalmente los martes, de 9 a. m. a mediodía, según su lista de agosto de "
                    "2025. Llame antes de ir."
                ),
            },
        ),
    ]
    hours: Annotated[Words, describe("The hours as sentences.")]
    as_of_date: Annotated[str, describe("Day that the hours are of.", "2025-08-08")]
    basis: Annotated[
        DateKind,
        describe(
            "What happened on that day: the hours were `confirmed`, their publisher `updated` the "
            "row, or an edition `listed` it."
        ),
    ]
    source_id: Annotated[str, describe("Source that supplies the hours.")]
    publisher: Annotated[str | None, describe("Who publishes them.")]
    status: Annotated[
        OpenStatus, describe("The opening state by these hours, if they were still valid.")
    ]
    opens_at: Annotated[
        str | None,
        describe("Next opening by them, local time with its offset; null where none is in sight."),
    ]
    closes_at: Annotated[
        str | None, describe("End of the present opening by them; null while closed.")
    ]


@lru_cache(maxsize=1024)
def origin_words(basis: DateKind, day: date) -> Words:
    """Format "its list of August 2025", "an update of August 2025", "a check of August 2025"."""
    return say(
        lambda language: (
            messages("hours", language).origin[basis].format(month=month_year(day, language))
        )
    )


def usual_words(hours: Words, origin: Words, advice: Advice) -> Words:
    """Return the hours with their age, and the first step."""
    # More than one sentence: the age comes first, so that it covers them all.
    is_long = _NEXT_SENTENCE.search(_without_stop(hours.en)) is not None

    def render(language: Language) -> str:
        w, text = messages("hours", language), _without_stop(hours[language])
        parts = {"origin": origin[language], "advice": advice.sentence[language]}
        if is_long:
            return capital(w.usual_sentences.format(hours=sentence(text, language), **parts))
        text = inside_sentence(text, language)
        is_day = text.startswith(tuple(day_name(weekday, language) for weekday in range(7)))
        if language in PUBLISHED and is_day:
            # "Normalmente los miércoles, de 2 a 6 p. m.".
            text = messages("clock", language).usual_days.format(days=text)
        return str(w.usual.format(hours=text, **parts))

    return say(render)


def usual_state_words(state: OpenState, now: datetime, origin: Words, advice: Advice) -> Words:
    """State that it is open now, or when it opens next, by hours too old to be asserted."""

    def render(language: Language) -> str:
        is_open = state.status in OPEN_STATUSES
        usual = _open_words(state, language) if is_open else _opening_words(state, now, language)
        return str(
            messages("hours", language).usual_says.format(
                usual=usual, origin=origin[language], advice=advice.sentence[language]
            )
        )

    return say(render)


def _open_words(state: OpenState, language: Language) -> str:
    w, closes = messages("hours", language), state.closes_at
    if closes is None:
        return str(w.usual_open)
    return str(w.usual_open_until.format(time=hour_words(minutes_of(closes), language)))


def _opening_words(state: OpenState, now: datetime, language: Language) -> str:
    opens = state.opens_at
    assert opens is not None, "what opens soon opens at a time"
    day = day_from(now.astimezone(opens.tzinfo).date(), opens.date(), language)
    time = at_clock(minutes_of(opens), language)
    return str(messages("hours", language).usual_opens.format(day=day, time=time))


def _without_stop(text: str) -> str:
    """Return a sentence without its full stop; the one of "p.m." stays."""
    return text if _HALF_OF_DAY.search(text) else text.rstrip(".。")


def inside_sentence(text: str, language: Language) -> str:
    """Return the text as the middle of a sentence: names of days keep their capital."""
    is_name = text.startswith(tuple(day_name(weekday, language) for weekday in range(7)))
    return text if is_name else text[:1].lower() + text[1:]
