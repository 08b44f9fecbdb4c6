"""Refuses texts in two languages that do not agree on the days."""

from itertools import takewhile

from assets.hours.days import CONNECTORS, ENGLISH_DAYS, SPANISH_DAYS
from assets.hours.lexicon import RANGES, Kind
from assets.hours.times import CannotTell
from assets.hours.tokens import Token


def refuse_other_days(tokens: list[Token]) -> None:
    """Refuse "Thursdays/Viernes 3-5", "2nd Tuesday / tercer martes": a translation that names other
    days."""
    for at, token in enumerate(tokens):
        if token.kind is Kind.SLASH:
            before = [*takewhile(_is_of_days, reversed(tokens[:at]))][::-1]
            after = [*takewhile(_is_of_days, tokens[at + 1 :])]
            languages = {_language(before), _language(after)}
            if languages == {"en", "es"} and _days_in(before) != _days_in(after):
                raise CannotTell("a translation with other days")


def _is_of_days(token: Token) -> bool:
    kinds = (Kind.DAYS, Kind.ORDINAL, Kind.OTHER, *CONNECTORS, *RANGES, Kind.FILLER, Kind.EVERY)
    return token.kind in kinds and token.kind is not Kind.SLASH


def _language(tokens: list[Token]) -> str | None:
    """Return the language of the days, or None without days or with both languages."""
    days = [token.text for token in tokens if token.kind is Kind.DAYS]
    if days and all(day.startswith(ENGLISH_DAYS) for day in days):
        return "en"
    return "es" if days and all(day.startswith(SPANISH_DAYS) for day in days) else None


def _days_in(tokens: list[Token]) -> list[object]:
    kinds = (Kind.DAYS, Kind.ORDINAL, Kind.OTHER, *RANGES)
    days = [token for token in tokens if token.kind in kinds]
    return [RANGES if token.kind in RANGES else token.value for token in days]
