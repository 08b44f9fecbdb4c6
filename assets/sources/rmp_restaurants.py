"""Restaurants of the Restaurant Meals Program in Los Angeles County, 2015: text that a volunteer
took from a PDF.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import digests, five_digits
from assets.sources.reading import with_known, with_rejects
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_COLUMNS = {
    "RESTAURANT": "name",
    "ADDRESS": "address",
    "CITY": "city",
    "ZIP": "zip",
    "PHONE": "phone",
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's restaurants in one frame. Raises UnreadableFileError when columns are
    missing."""
    rows = read_table(file, encoding="utf-16", separator=";", required=_COLUMNS)
    rows = rows.rename(columns=_COLUMNS)
    # The PDF's leader dots and half brackets: "562) 867-4600", "(818) 246-3850        ."
    phone = rows["phone"].str.removesuffix(".").str.strip()
    phone = phone.str.replace(r"^(\d{3})\)", r"(\1)", regex=True)
    places = rows.assign(
        source_key=digests(rows["name"], rows["address"], rows["city"], five_digits(rows["zip"])),
        phone=phone.str.replace(r"\s+", " ", regex=True),
    )
    where = rows["address"].fillna("no address")
    yield with_rejects(
        with_known(places[["source_row", "source_key", *_COLUMNS.values()]], file, source),
        (("no_name", rows["name"].isna(), where),),
    )
