"""Splits texts into clauses; patterns must match within one clause without a negating word."""

from __future__ import annotations

import re
from typing import NamedTuple


class Finding(NamedTuple):
    """Plain statement of one clause: `field`, its value, and the clause as evidence.

    `value` is a code for fields that are lists, else True, False, a number or a text.
    """

    field: str
    value: str | bool | int
    clause: str


_CLAUSE = re.compile(r"[.;!\n]+\s+|[;\n|•]+")
# A clause about one day, one meal or one moment says nothing about the place as a whole.
DAYS = (
    r"\b(?:mon|tues?|wed(?:nes)?|thurs?|fri|sat(?:ur)?|sun)(?:days?)?\b|\b(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)\b"
    r"|\b(?:1st|2nd|3rd|4th|first|second|third|fourth|last|every other|once an?|twice an?|month|holidays?|thanksgiving|christmas|covid)\b"
)


def pattern(*parts: str) -> re.Pattern[str]:
    """Compile alternatives as one pattern, ignoring case."""
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)


def clauses_of(text: str) -> list[str]:
    """Return the clauses of a text without bullets and blanks around them."""
    parts = (part.strip(" \t-*–").rstrip(".") for part in _CLAUSE.split(text))
    return [part for part in parts if part]
