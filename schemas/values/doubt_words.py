"""Visitors' reports against a listing in words: how many, of what, when, and what to do."""

from __future__ import annotations

from datetime import date

from schemas.hours.clock_words import Words, month_day
from schemas.vocab.reviews import DoubtKind

_REPORTED: dict[DoubtKind, Words] = {
    "closed": Words(
        "{n} people reported that it may be closed, most recently on {day}.",
        "{n} personas avisaron que podría estar cerrado; el último aviso es del {day}.",
    ),
    "wrong_info": Words(
        "{n} people reported a mistake in this listing, most recently on {day}.",
        "{n} personas avisaron de un error en estos datos; el último aviso es del {day}.",
    ),
}
_CALL = Words("Call first.", "Llame antes de ir.")
_ASK = Words("Check before you go: call 211.", "Antes de ir, pregunte al 211.")


def doubt_words(kind: DoubtKind, reporters: int, day: date, *, has_phone: bool) -> Words:
    """State what visitors reported and what to do; `day` is that of the newest report.

    "2 people reported that it may be closed, most recently on November 23. Call first."
    """
    sentence, advice = _REPORTED[kind], before_going(has_phone=has_phone)
    en = sentence.en.format(n=reporters, day=month_day(day.month, day.day, "en"))
    es = sentence.es.format(n=reporters, day=month_day(day.month, day.day, "es"))
    return Words(f"{en} {advice.en}", f"{es} {advice.es}")


def before_going(*, has_phone: bool) -> Words:
    """Advise how to check before going: nobody is sent to a telephone that is not listed."""
    return _CALL if has_phone else _ASK
