"""Agencies of the Los Angeles Regional Food Bank about December 2015: one row per agency and day of
the week.

Old Macintosh line ends. The last two columns repeat two others and have slipped against them; they
are not read. In the last ten rows an e-mail address and a contact name are before the date.
"""

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import type_by_name, without_emails
from assets.sources.readers import read_table
from assets.sources.reading import join_texts, with_rejects
from schemas.hours.recurrence import WEEKDAYS
from schemas.sources.registry import Source

# The publisher's names, the second of two equal ones numbered by the reader. Positions 6 to 13.
_WHO = [
    "Agency No.",
    "Agency No..1",
    "Agency Address",
    "Agency City",
    "Agency Zip Code",
    "Agency Phone No.",
]
_WHEN = [
    "Date",
    "Frequency",
    "Day of Week",
    "Morning Opening Hour",
    "Morning Closing Hour",
    "Afternoon Opening Hour",
    "Afternoon Closing Hour",
    "Comments",
]
_REST = ["Afternoon Closing Hour.1", "Comments.1"]
_ORDINALS = r"(?i)(?:(?:1st|2nd|3rd|4th|5th|last|and)[\s,&]*)+"
_SHIFT = 2


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the rows in one frame: an agency's first row carries the hours of all its rows.

    Raises UnreadableFileError when columns are missing.
    """
    rows = read_table(file, required=[*_WHO, *_WHEN, *_REST], lineterminator="\r")
    number = rows["Agency No."]
    # The distinct texts of an agency's rows in file order, on every row of it.
    hours = pd.DataFrame({"number": number, "hours": _hours_of_row(_realign(rows))})
    together = hours.dropna().drop_duplicates().groupby("number", sort=False)["hours"]
    places = pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": number,
            "name": rows["Agency No..1"],
            "resource_type": type_by_name(rows["Agency No..1"]),
            "address": rows["Agency Address"],
            "city": rows["Agency City"],
            "state": "CA",
            "zip": rows["Agency Zip Code"],
            "phone": rows["Agency Phone No."],
            "hours_text": number.map(together.agg("; ".join)).astype("str"),
        }
    )
    first = rows.groupby(number)["source_row"].transform("first")
    is_later = rows["source_row"] != first
    yield with_rejects(
        places, [("joined_with_earlier_row", is_later, "row " + first.astype("str"))]
    )


def _realign(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of `_WHEN`, shifted by two if the weekday is there."""
    columns = [*_WHEN, *_REST]
    is_shifted = rows[columns[_WHEN.index("Day of Week") + _SHIFT]].isin(WEEKDAYS)
    return pd.DataFrame(
        {
            name: rows[name].mask(is_shifted, rows[columns[at + _SHIFT]])
            for at, name in enumerate(_WHEN)
        }
    )


def _hours_of_row(rows: pd.DataFrame) -> pd.Series:
    """Format "2nd & 4th Tuesday 9:00 AM - 12:00 PM (Produce Only)"; the rest in brackets."""
    frequency = rows["Frequency"]
    is_ordinal = frequency.str.fullmatch(_ORDINALS).fillna(False).astype(bool)
    remarks = [frequency.mask(is_ordinal), rows["Comments"], rows["Date"]]
    times = join_texts(
        _span(rows["Morning Opening Hour"], rows["Morning Closing Hour"]),
        _span(rows["Afternoon Opening Hour"], rows["Afternoon Closing Hour"]),
        separator=", ",
    )
    # Nine in the morning until one in the afternoon: the middle columns are empty.
    is_one_span = rows["Morning Closing Hour"].isna() & rows["Afternoon Opening Hour"].isna()
    whole = _span(rows["Morning Opening Hour"], rows["Afternoon Closing Hour"])
    text = join_texts(
        frequency.where(is_ordinal),
        rows["Day of Week"],
        times.mask(is_one_span, whole),
        *[("(" + remark + ")").astype("str") for remark in remarks],
    )
    return without_emails(text)


def _span(opens: pd.Series, closes: pd.Series) -> pd.Series:
    """Format "9:00 AM - 12:00 PM"; one end alone is "from ..." or "until ..."."""
    start, end = (
        column.str.replace(r":00(?= [AP]M)", "", regex=True) for column in (opens, closes)
    )
    both = start + " - " + end
    return both.fillna("from " + start).fillna("until " + end)
