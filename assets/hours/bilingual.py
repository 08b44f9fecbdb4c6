"""Refuses texts in two languages that do not agree on the days."""

from collections.abc import Iterable
from itertools import pairwise, takewhile

from assets.hours.days import ENGLISH_DAYS, SPANISH_DAYS
from assets.hours.lexicon import RANGES, Kind
from assets.hours.times import CannotTell
from assets.hours.tokens import Token

_DAYS = (Kind.DAYS, Kind.ORDINAL, Kind.OTHER)
_BOUNDS = (Kind.BREAK, Kind.SLASH, Kind.OPEN, Kind.CLOSE)


def refuse_other_days(tokens: list[Token]) -> None:
    """Refuse "Thursdays/Viernes 3-5", "2nd Tuesday / tercer martes", "Viernes 10-12 (Thursday
    10-12)": a translation that names other days for the same times, or without times."""
    for at, token in enumerate(tokens):
        if token.kind in (Kind.SLASH, Kind.OPEN, Kind.BREAK):
            before, after = _until_bound(tokens[:at][::-1])[::-1], _until_bound(tokens[at + 1 :])
            if token.kind is Kind.BREAK and len(before) + 1 + len(after) < len(tokens):
                continue  # a list of days in both languages
            times = _times_in(before)
            is_translation = {_language(before), _language(after)} == {"en", "es"}
            is_translation &= times == _times_in(after) or (not times and token.kind is Kind.SLASH)
            if is_translation and _days_in(before) != _days_in(after):
                raise CannotTell("a translation with other days")


def _until_bound(tokens: Iterable[Token]) -> list[Token]:
    return [*takewhile(lambda token: token.kind not in _BOUNDS, tokens)]


def _language(tokens: list[Token]) -> str | None:
    """Return the language of the days, or None without days or with both languages."""
    days = [token.text for token in tokens if token.kind is Kind.DAYS]
    if days and all(day.startswith(ENGLISH_DAYS) for day in days):
        return "en"
    return "es" if days and all(day.startswith(SPANISH_DAYS) for day in days) else None


def _times_in(tokens: list[Token]) -> list[object]:
    return [token.value for token in tokens if token.kind is Kind.CLOCK]


def _days_in(tokens: list[Token]) -> list[object]:
    """Return the days, their weeks and the marks of their ranges."""
    pairs = pairwise([*tokens, Token(Kind.BREAK)])
    return [
        RANGES if token.kind in RANGES else token.value
        for token, follows in pairs
        if token.kind in _DAYS or (token.kind in RANGES and follows.kind in _DAYS)
    ]
