"""Advice before a trip to a place with unknown opening state, the same on all surfaces.

"Call first" is for places with a telephone. Without one, the web address or 211 is named.
"""

from datetime import date
from functools import cache
from typing import NamedTuple

from schemas.hours.clock_words import capital, month_day, sentence
from schemas.languages import Language
from schemas.vocab.reviews import DoubtKind
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
