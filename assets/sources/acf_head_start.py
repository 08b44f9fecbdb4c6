"""Read Head Start service locations: the dataset as CSV, and its map layer as pages."""

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import digests
from assets.sources.readers import read_columns
from assets.sources.reading import as_number, join_texts, with_rejects
from schemas.sources.registry import Source

# No available document explains codes 3 to 6.
_PROGRAMS = {"1": "Head Start", "2": "Early Head Start"}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the locations in one frame. Raises UnreadableFileError for missing columns."""
    rows = read_columns(file, source)
    key = digests(rows["name"], rows["address"], rows["city"], rows["state"])
    places = rows.drop(columns=["address2", "phone2", "recipient", "program", "status"]).assign(
        source_key=key,
        address=join_texts(rows["address"], rows["address2"], separator=", "),
        # Recipients are written with underscores for blanks.
        organization=rows["organization"].fillna(rows["recipient"].str.replace("_", " ")),
        phone=rows["phone"].fillna(rows["phone2"]),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        services_text=_programs_of_place(rows["program"], key),
    )
    is_closed = rows["status"].str.casefold() == "closed"
    detail = "status: " + rows["status"].fillna("")
    yield with_rejects(places, (("closed_by_source", is_closed, detail),))


def _programs_of_place(codes: pd.Series, key: pd.Series) -> pd.Series:
    """Return all programs of the rows that share a key, since only one row of a key remains."""
    parts = [
        pd.Series(label, index=codes.index, dtype="str").where(
            (codes == code).groupby(key).transform("any")
        )
        for code, label in _PROGRAMS.items()
    ]
    return join_texts(*parts, separator="; ")
