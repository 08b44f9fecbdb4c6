"""Names of places and organizations: case, legal suffixes, left-over "NA"."""

import re

import pandas as pd

from assets.cleaning.casing import title_case
from assets.cleaning.frames import contains, is_one_case, map_where, reject
from assets.cleaning.text import says_something
from schemas.sources.registry import Source

# Left over from joining two fields with the second missing. A run of signs is matched only at its
# start: otherwise long runs would take quadratic time.
_TRAILING_NA = re.compile(r"(?<![\s,;/–-])(?:[\s,;/–-]+(?:N/?A|n/a|NULL|null|<Null>))+$")
_LEGAL = (
    (re.compile(r"(?<![,\s])[,\s]+L\.?\s?L\.?\s?C\.?$", re.IGNORECASE), " LLC"),
    (re.compile(r"(?<![,\s])[,\s]+L\.?L\.?P\.?$", re.IGNORECASE), " LLP"),
    (re.compile(r"(?<![,\s])[,\s]+(?:Inc|Incorporated)\.?,?$", re.IGNORECASE), " Inc."),
    (re.compile(r"(?<![,\s])[,\s]+Corp\.?$", re.IGNORECASE), " Corp."),
    (re.compile(r"(?<![,\s])[,\s]+Ltd\.?$", re.IGNORECASE), " Ltd."),
)
_SIGNS = (
    r"(?i)\b(?:l\.?\s?l\.?\s?[cp]|inc|incorporated|corp|ltd)\.?,?$|[\s,;/–-](?:n/?a|null|<null>)$"
)


def clean_names(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Clean `name` and `organization`; rows without a name are rejected (`no_name`)."""
    result = places.copy(deep=False)
    for field in ("name", "organization"):
        column = places[field]
        needs_repair = is_one_case(column) | contains(column, _SIGNS)
        result[field] = map_where(column, needs_repair, display_name)
    nameless = ~contains(result["name"], r"[\pL\pN]")
    return reject(result, nameless, "no_name", places["name"])


def display_name(text: str) -> str | None:
    """Return a name with its legal suffix in one form, in title case if it was in one case."""
    text = _TRAILING_NA.sub("", text).strip()
    if text.isupper() or text.islower():
        text = title_case(text, "name")
    for pattern, suffix in _LEGAL:
        text = pattern.sub(suffix, text)
    text = text.strip()
    return text if says_something(text) else None
