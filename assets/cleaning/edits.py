"""Repairs approved edits like places, without the rules for whole places."""

import pandas as pd

from assets.cleaning.frames import TEXT_FIELDS
from assets.cleaning.personal_data import remove_personal_data
from assets.cleaning.phones import clean_phones
from assets.cleaning.text import clean_text
from assets.cleaning.websites import clean_websites
from schemas.sources.registry import Source

_STEPS = (clean_text, remove_personal_data, clean_phones, clean_websites)


def clean_edits(edits: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Return repaired rows of edits; all rows, in the same order."""
    if edits.empty:
        return edits
    missing = [name for name in TEXT_FIELDS if name not in edits]
    work = edits.assign(**{n: pd.Series(None, edits.index, dtype="str") for n in missing})
    for step in _STEPS:
        work = step(work, source)
    return work.drop(columns=missing)
