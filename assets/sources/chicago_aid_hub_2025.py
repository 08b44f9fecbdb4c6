"""Food sites of Chicago and its suburbs, as a neighbourhood aid site lists them: one flat object
per place.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import (
    by_rules,
    contains,
    digests,
    website_without_email,
    without_emails,
)
from assets.sources.reading import with_rejects
from assets.sources.reading_json import member, numbers, texts
from assets.sources.reading_json_whole import read_json_list
from assets.sources.whole_addresses import address_parts
from schemas.sources.registry import Source

# Nineteen spellings of the type. A pantry that also serves meals is a pantry.
_TYPE_RULES: tuple[tuple[str, str], ...] = (
    (r"\bheadquarters\b", "food_bank"),
    (r"\bmobile\b", "mobile_pantry"),
    (r"\bpantry\b|\bdistribution\b|\bmarket\b", "food_pantry"),
    (r"\bmeal\b", "soup_kitchen"),
)
# A network's office sends people on to its members.
_NETWORK_OFFICE = r"\bpantry network\b(?!.*\bheadquarters\b)"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's places in one frame."""
    records = read_json_list(file)
    kind, address = texts(records, "type"), texts(records, "address")
    places = address_parts(address, "IL").assign(
        source_row=range(1, len(records) + 1),
        source_key=digests(texts(records, "name"), address),
        name=texts(records, "name"),
        resource_type=by_rules(kind, _TYPE_RULES),
        lat=numbers(records, "latitude"),
        lng=numbers(records, "longitude"),
        phone=texts(records, "phone"),
        website=website_without_email(texts(records, "website")),
        hours_text=texts(records, "hours"),
        services_text=_labels(records),
        notes=without_emails(texts(records, "description")),
    )
    places["zip"] = places["zip"].fillna(texts(records, "zip"))
    yield with_rejects(places, [("network_office", contains(kind, _NETWORK_OFFICE), kind)])


def _labels(records: list[dict[str, object]]) -> pd.Series:
    lists = [member(record, "services") for record in records]
    plain = [", ".join(map(str, found)) if isinstance(found, list) else None for found in lists]
    return without_emails(pd.Series([text or None for text in plain], dtype="str"))
