"""Rural health clinics enrolled in Medicare: the quarterly enrollment file of CMS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains
from assets.sources.reading import join_texts, rename, with_rejects
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_COLUMNS = {
    "ENROLLMENT ID": "source_key",
    "PROVIDER TYPE TEXT": "kind",
    "ORGANIZATION NAME": "organization",
    "DOING BUSINESS AS NAME": "trade_name",
    "ADDRESS LINE 1": "address",
    "ADDRESS LINE 2": "address2",
    "CITY": "city",
    "STATE": "state",
    "ZIP CODE": "zip",
    "TELEPHONE NUMBER": "phone",
}
# RHC_Enrollments_2026.04.01.csv
_DATE_IN_NAME = re.compile(r"(20\d\d)\.(\d\d)\.(\d\d)(?!\d)")


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's enrollments in one frame. Raises UnreadableFileError when columns are
    missing."""
    rows = rename(read_table(file, encoding="cp1252", required=_COLUMNS), _COLUMNS)
    edition = _day_in_name(file.name)
    places = rows.drop(columns=["kind", "trade_name", "address2"]).assign(
        name=rows["trade_name"].fillna(rows["organization"]),
        address=join_texts(rows["address"], rows["address2"], separator=", "),
        source_updated_date=edition,
        listed_date=edition,
        updated_date=None,
    )
    is_other = ~contains(rows["kind"], r"\brural health clinic\b")
    detail = "PROVIDER TYPE TEXT: " + rows["kind"].fillna("none")
    yield with_rejects(places, (("not_in_catalog", is_other, detail),))


def _day_in_name(name: str) -> date | None:
    """Return the day in the publisher's file name, which is written with dots; None where it is
    no date."""
    found = _DATE_IN_NAME.search(name)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None
