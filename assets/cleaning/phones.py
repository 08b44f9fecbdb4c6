"""Telephone numbers: one number to tap, the others in the notes."""

import re

import pandas as pd

from schemas.sources.registry import Source
from schemas.values.phone import Phone, parse_phones

# Service codes (211, 311, 988) can be dialled, but have no E.164 form.
_SERVICE_CODE = re.compile(r"\D*(?:([2-8])\W?1\W?1|(988))\D*", re.ASCII)


def clean_phones(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Set `phone` (with extension), `phone_e164`, and further numbers as a line of `notes`."""
    text = places["phone"].fillna(places["phone_e164"])
    codes, uniques = pd.factorize(text)
    phones = [parse_phones(value) for value in uniques]
    first = [numbers[0] if numbers else None for numbers in phones]
    others = [_others(value, numbers) for value, numbers in zip(uniques, phones, strict=True)]
    columns = {
        "phone": [phone.display if phone else None for phone in first],
        "phone_e164": [phone.e164 if phone else None for phone in first],
        "notes": others,
    }
    assigned = {
        name: pd.Series(pd.array([*values, None], dtype="str").take(codes), index=places.index)
        for name, values in columns.items()
    }
    assigned["notes"] = _append(places["notes"], assigned["notes"])
    return places.assign(**assigned)


def _others(text: str, phones: list[Phone]) -> str | None:
    if len(phones) > 1:
        return "Other phone: " + ", ".join(phone.display for phone in phones[1:])
    code = _SERVICE_CODE.fullmatch(text) if not phones else None
    return f"Other phone: {code[2] or code[1] + '11'}" if code else None


def _append(notes: pd.Series, lines: pd.Series) -> pd.Series:
    """Append a line to notes where there is one to add."""
    both = notes.notna() & lines.notna()
    texts = notes.fillna(lines)
    if both.any():
        texts[both] = notes[both] + "\n" + lines[both]
    return texts
