"""Cleans telephone numbers (one number to tap, the others in the notes) and web addresses."""

import re

import pandas as pd

from assets.cleaning.text import map_unique
from schemas.sources.registry import Source
from schemas.values.contacts import parse_phones, parse_website

# Service codes (211, 311, 988) can be dialled, but have no E.164 form.
_SERVICE_CODE = re.compile(r"\D*(?:([2-8])\W?1\W?1|(988))\D*", re.ASCII)


def clean_phones(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Set `phone` (with extension), `phone_e164`, and further numbers as a line of `notes`."""
    text = places["phone"].fillna(places["phone_e164"])
    codes, uniques = pd.factorize(text)
    phones = [parse_phones(value) for value in uniques]
    first = [numbers[0] if numbers else None for numbers in phones]
    others = []
    for value, numbers in zip(uniques, phones, strict=True):
        code = _SERVICE_CODE.fullmatch(value) if not numbers else None
        shown = [code[2] or code[1] + "11"] if code else [phone.display for phone in numbers[1:]]
        others.append("Other phone: " + ", ".join(shown) if shown else None)
    columns = {
        "phone": [phone.display if phone else None for phone in first],
        "phone_e164": [phone.e164 if phone else None for phone in first],
        "notes": others,
    }
    assigned = {
        name: pd.Series(pd.array([*values, None], dtype="str").take(codes), index=places.index)
        for name, values in columns.items()
    }
    notes, lines = places["notes"], assigned["notes"]
    both = notes.notna() & lines.notna()
    assigned["notes"] = notes.fillna(lines).mask(both, notes + "\n" + lines)
    return places.assign(**assigned)


def clean_websites(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Clean `website`: http or https, a possible host and no tracking parameters, or missing."""
    return places.assign(website=map_unique(places["website"], parse_website))
