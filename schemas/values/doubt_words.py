"""Visitors' reports against a listing in words: their number, subject and day, and advice."""

from datetime import date

from schemas.hours.clock_words import month_day
from schemas.languages import Language
from schemas.vocab.reviews import DoubtKind
from schemas.words import Words, message, messages, say


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
