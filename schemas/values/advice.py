"""Advice before a trip to a place whose opening state is unknown, in one place for all surfaces.

"Call first" is for places with a telephone. Where none is listed, the web address or 211 is named
instead.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from schemas.hours.clock_words import Words, capital, sentence


class Advice(NamedTuple):
    """`clause` follows a comma or colon ("call first"); `sentence` is complete; `short` is for
    text messages."""

    clause: Words
    sentence: Words
    short: Words


_CALL = Words("call first", "llame antes de ir")
_WEBSITE = Words(
    "no phone is listed, so check its website or call 211 first",
    "no hay teléfono en la lista; consulte su página web o llame antes al 211",
)
_211 = Words(
    "no phone is listed, so call 211 first", "no hay teléfono en la lista; llame antes al 211"
)
_SHORT = Words("call first", "llame antes")
_SHORT_211 = Words("ask 211 first", "pregunte al 211")


@cache
def advice_for(*, has_phone: bool, has_website: bool = False) -> Advice:
    """Return the advice for a place with or without a telephone number and a web address."""
    clause = _CALL if has_phone else _WEBSITE if has_website else _211
    alone = Words(sentence(capital(clause.en)), sentence(capital(clause.es)))
    return Advice(clause, alone, _SHORT if has_phone else _SHORT_211)


def with_advice(text: Words, advice: Advice) -> Words:
    """Return a sentence, with or without its full stop, and the advice after it: "Hours not
    known: call first."."""
    return Words(
        f"{text.en.rstrip('.')}: {advice.clause.en}.", f"{text.es.rstrip('.')}: {advice.clause.es}."
    )
