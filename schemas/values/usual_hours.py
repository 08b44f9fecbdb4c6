"""Hours that are too old to be asserted, in words that say so: "Usually Tuesday 9 a.m. to noon,
says its list of August 2025".
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated

import msgspec

from schemas.descriptions import describe
from schemas.hours.clock_words import DAYS, MONTHS, Words, at_clock, capital, day_from, sentence
from schemas.hours.opening import OpenState, OpenStatus
from schemas.values.advice import Advice
from schemas.vocab.dates import DateKind

_OPEN = frozenset({"open", "closes_soon"})
# "9 a.m. to noon" is no end of a sentence.
_NEXT_SENTENCE = re.compile(r"\. (?=[A-Z])")
_HALF_OF_DAY = re.compile(r"\b[ap]\.\s?m\.$")
_KEEPS_CAPITAL = re.compile("|".join(DAYS["en"]))


class UsualHours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Published hours that are too old to be asserted. `hours_status` stays `unknown`: call first."""

    summary: Annotated[
        Words,
        describe(
            "The hours, how old they are, and what to do first.",
            {
                "en": "Usually Tuesday 9 a.m. to noon, says its list of August 2025. Call first.",
                "es": "Normalmente martes de 9 a. m. a mediodía, según su lista de agosto de 2025. Llame antes de ir.",
            },
        ),
    ]
    hours: Annotated[Words, describe("The hours as sentences.")]
    as_of_date: Annotated[str, describe("Day that the hours are of.", "2025-08-08")]
    basis: Annotated[
        DateKind,
        describe(
            "What happened on that day: the hours were `confirmed`, their publisher `updated` the row, or an edition `listed` it."
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


def origin_words(basis: DateKind, day: date) -> Words:
    """Format "its list of August 2025", "an update of August 2025", "a check of August 2025"."""
    en, es = {
        "listed": ("its list", "su lista"),
        "updated": ("an update", "una actualización"),
        "confirmed": ("a check", "una consulta"),
    }[basis]
    months = MONTHS["en"][day.month - 1], MONTHS["es"][day.month - 1]
    return Words(f"{en} of {months[0]} {day.year}", f"{es} de {months[1]} de {day.year}")


def usual_words(hours: Words, origin: Words, advice: Advice) -> Words:
    """Return the hours with their age, and what to do first."""
    en, es = _unended(hours.en), _unended(hours.es)
    if _NEXT_SENTENCE.search(en):
        # More than one sentence: the age comes first, so that it covers them all.
        return Words(
            f"{capital(origin.en)} says, usually: {sentence(en)} {advice.sentence.en}",
            f"Normalmente, según {origin.es}: {sentence(es)} {advice.sentence.es}",
        )
    return Words(
        f"Usually {_inside(en)}, says {origin.en}. {advice.sentence.en}",
        f"Normalmente {es[:1].lower()}{es[1:]}, según {origin.es}. {advice.sentence.es}",
    )


def usual_state_words(state: OpenState, now: datetime, origin: Words, advice: Advice) -> Words:
    """Open now, or when next, by old hours that say one of them."""
    words = _open_words(state) if state.status in _OPEN else _opening_words(state, now)
    return Words(
        f"{words.en}, says {origin.en}. {advice.sentence.en}",
        f"{words.es}, según {origin.es}. {advice.sentence.es}",
    )


def _open_words(state: OpenState) -> Words:
    closes = state.closes_at
    if closes is None:
        return Words("Usually open now", "Normalmente abierto a esta hora")
    minutes = closes.hour * 60 + closes.minute
    en, es = at_clock(minutes, "en").removeprefix("at "), at_clock(minutes, "es")
    return Words(
        f"Usually open now, until {en}",
        f"Normalmente abierto a esta hora, hasta {es.removeprefix('a ')}",
    )


def _opening_words(state: OpenState, now: datetime) -> Words:
    opens = state.opens_at
    assert opens is not None, "what opens soon opens at a time"
    today, minutes = now.astimezone(opens.tzinfo).date(), opens.hour * 60 + opens.minute
    return Words(
        f"Usually opens {day_from(today, opens.date(), 'en')} {at_clock(minutes, 'en')}",
        f"Normalmente abre {day_from(today, opens.date(), 'es')} {at_clock(minutes, 'es')}",
    )


def _unended(text: str) -> str:
    """Return a sentence without its full stop; that of "p.m." stays."""
    return text if _HALF_OF_DAY.search(text) else text.rstrip(".")


def _inside(text: str) -> str:
    """Return the text as the middle of a sentence: names of days keep their capital."""
    return text if _KEEPS_CAPITAL.match(text) else text[:1].lower() + text[1:]
