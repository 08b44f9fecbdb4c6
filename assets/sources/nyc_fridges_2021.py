"""Community fridges of New York City, May 2021, from a map of mutual-aid networks: hosts, no names.

A fridge is called by its own name where the column holds one, else "Community fridge" with the
host's. The address of the page is published where it is the fridge's own and not an article about it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains, digests, without_emails
from assets.sources.reading_json import numbers, texts
from assets.sources.reading_json_whole import read_json_list
from schemas.sources.registry import Source

# "@a@b" are handles of accounts; a person's name is before "//" in one row.
_HANDLE = r"^@"
_PERSON = r"^.*//"
_CITIES = {
    "Brooklyn": "Brooklyn",
    "Bronx": "Bronx",
    "Staten Island": "Staten Island",
    "Manhattan": "New York",
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's fridges in one frame. Raises UnreadableFileError when it is no list."""
    records = read_json_list(file)
    host = texts(records, "organization").str.replace(_PERSON, "", regex=True)
    host = host.mask(contains(host, _HANDLE))
    street, page = texts(records, "street_address"), texts(records, "url")
    borough = texts(records, "borough").replace("Mahattan", "Manhattan")
    yield pd.DataFrame(
        {
            "source_row": range(1, len(records) + 1),
            "source_key": digests(street, texts(records, "zip_code")),
            "name": _names(host),
            "organization": host,
            "address": street,
            "city": borough.map(_CITIES),
            "state": "NY",
            "zip": texts(records, "zip_code"),
            "lat": numbers(records, "latitude"),
            "lng": numbers(records, "longitude"),
            "website": page.where(contains(page, r"^https://www\.instagram\.com/")),
            "notes": without_emails(texts(records, "__2")),
        }
    )


def _names(host: pd.Series) -> pd.Series:
    plain = "Community fridge (" + host + ")"
    return plain.mask(contains(host, r"\bfridge\b"), host).fillna("Community fridge")
