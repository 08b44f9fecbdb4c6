"""Removes e-mail addresses: they are personal, and not needed to find food."""

import re

import pandas as pd

from assets.cleaning.frames import TEXT_FIELDS, contains, map_where
from assets.cleaning.text import says_something
from schemas.sources.registry import Source

_SIGNS = r"(?i)@|[\[(]\s*at\s*[\])]"
_AT = r"(?:@|\s*[\[(]\s*at\s*[\])]\s*)"
_DOT = r"(?:\.|\s*[\[(]\s*dot\s*[\])]\s*)"
_LABEL = r"(?:\b(?:e-?mail|correo(?:\s+electr[oó]nico)?)(?:\s+address)?(?:\s+(?:us|at))*\s*:?\s*)?"
_EMAIL = re.compile(
    rf"{_LABEL}(?:mailto:)?<?\b[\w.+'-]{{1,64}}{_AT}[\w-]+(?:{_DOT}[\w-]+)*{_DOT}[A-Za-z]{{2,24}}>?",
    re.IGNORECASE,
)
_LEFT_OVER = re.compile(r"\(\s*\)|\[\s*\]|(?<=[,;|/])\s*[,;|/]+")
_EDGES = " \n,;:|/-"


def remove_personal_data(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Remove e-mail addresses from every text field except web addresses, which have a separate
    step."""
    result = places.copy(deep=False)
    for name in TEXT_FIELDS:
        if name != "website":
            column = result[name]
            result[name] = map_where(column, contains(column, _SIGNS), without_emails)
    return result


def without_emails(text: str) -> str | None:
    """Return a text without e-mail addresses and the words introducing them; None if empty."""
    while (shorter := _EMAIL.sub("", text)) != text:
        shorter = _LEFT_OVER.sub("", shorter)
        lines = (" ".join(line.split()).strip(_EDGES) for line in shorter.split("\n"))
        text = "\n".join(line for line in lines if line)
    return text if says_something(text) else None
