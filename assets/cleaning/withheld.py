"""Finds addresses that the publisher withholds: the place is confidential and gets no street."""

import re

import pandas as pd

from assets.cleaning.frames import contains, map_where
from assets.cleaning.text import repair_text
from schemas.sources.registry import Source

# SAMHSA writes "- - -"; others use words, in English or Spanish, alone or after part of an address.
_WITHHELD = re.compile(
    r"\s*-\s+-\s+-\s*"
    r"|.*\b(?:confidential|confidencial|undisclosed|not\s+disclosed|unlisted|withheld|non-?disclosed)\b.*"
    r"|.*\b(?:call|phone|contact|llame)\b[^.]*\b(?:for|to\s+get|para)\b[^.]*"
    r"\b(?:location|address|ubicaci[oó]n|direcci[oó]n)\b.*",
    re.IGNORECASE | re.DOTALL,
)
# Any word of the pattern above; a fast RE2 search.
_SIGNS = (
    r"(?i)^\s*-\s|confiden|disclosed|unlisted|withheld"
    r"|\b(?:call|phone|contact|llame)\b.*(?:location|address|ubicaci|direcci)"
)


def is_withheld(address: str) -> bool:
    """Return whether an address is marked as withheld ("confidential", "- - -")."""
    return _WITHHELD.fullmatch(address) is not None


def mark_withheld(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Set `is_confidential` and drop the street of withheld addresses and confidential places."""
    address = places["address"]
    # Mojibake next to a word hides its end.
    suspect = contains(address, _SIGNS)
    withheld = map_where(address.where(suspect), suspect, _if_withheld).notna()
    confidential = withheld | places["is_confidential"].fillna(False).astype("bool")
    if not confidential.any():
        return places
    return places.assign(
        is_confidential=places["is_confidential"].mask(confidential, True),
        address=address.mask(confidential),
    )


def _if_withheld(address: str) -> str | None:
    return address if is_withheld(address) or is_withheld(repair_text(address) or "") else None
