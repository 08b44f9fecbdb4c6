"""Food sites of Northern Virginia and its neighbours (Got Food): opening and closing time per
weekday.

Where "Varied Hours?" is Yes or a comment limits them, the weekly columns hold for some weeks only;
which ones, the comments say. The hours then carry a remark, so that nobody takes them for every
week.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import (
    by_rules,
    contains,
    digests,
    five_digits,
    type_by_name,
    without_emails,
)
from assets.sources.hours_by_weekday import WEEKDAYS, weekly_text
from assets.sources.reading import as_number, joined, with_rejects
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_REQUIRED = [
    "URL",
    "Pantry Name",
    "Address",
    "City",
    "Zip",
    "Latitude",
    "Longitude",
    "Phone",
    "Eligibility",
    "Supported Diets",
    "Comments",
    "Varied Hours?",
    "State",
    *(f"{end} {day}" for day in WEEKDAYS for end in ("Open", "Close")),
]
_TYPE_RULES: tuple[tuple[str, str], ...] = (
    (r"\bWIC\b", "wic_office"),
    (r"\bcommunity dinner\b|\bbag lunch\b", "soup_kitchen"),
    (r"\bmobile market\b", "mobile_pantry"),
)
# Comments that limit the weekly hours, also where "Varied Hours?" does not say so.
_LIMITS = r"\bclosed\b|\bvirtual\b|\bonly applies\b|\bexcept\b|\b(?:of|every) (?:each |the |every )?month\b"
_ZIPS = r"^[\d,\s-]+$"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's places in one frame. Raises UnreadableFileError when columns are missing."""
    rows = read_table(file, required=_REQUIRED)
    diets = rows["Supported Diets"].mask(rows["Supported Diets"].isin(["ANY", "NONE"]))
    places = pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": digests(rows["Pantry Name"], rows["Address"], five_digits(rows["Zip"])),
            "name": rows["Pantry Name"],
            "resource_type": by_rules(rows["Pantry Name"], _TYPE_RULES).fillna(
                type_by_name(rows["Pantry Name"])
            ),
            "address": rows["Address"],
            "city": rows["City"],
            "state": rows["State"],
            "zip": rows["Zip"],
            "lat": as_number(rows["Latitude"]),
            "lng": as_number(rows["Longitude"]),
            "phone": rows["Phone"],
            "website": rows["URL"],
            "hours_text": _hours(rows),
            "services_text": ("Supported diets: " + diets).astype("str"),
            "eligibility_text": _eligibility(rows["Eligibility"]),
            "notes": without_emails(rows["Comments"]),
        }
    )
    delivers = contains(rows["Pantry Name"], r"\bdelivery\b")
    yield with_rejects(places, [("home_delivery_only", delivers, rows["Pantry Name"])])


def _hours(rows: pd.DataFrame) -> pd.Series:
    week = weekly_text(
        pd.DataFrame({day: _day(rows[f"Open {day}"], rows[f"Close {day}"]) for day in WEEKDAYS})
    )
    varies = contains(rows["Varied Hours?"], r"^yes$") | contains(rows["Comments"], _LIMITS)
    remark = pd.Series("(with exceptions: see the notes)", index=rows.index).where(varies)
    return joined(week, remark).where(week.notna())


def _day(opens: pd.Series, closes: pd.Series) -> pd.Series:
    """Format "9:00 AM - 1:00 PM", "closed", "from 5:30 PM"; "at 6:00 PM" where both are the
    same."""
    start, end = (
        column.str.replace(r":00(?= [AP]M)", "", regex=True) for column in (opens, closes)
    )
    start, end = start.mask(start == "CLOSED"), end.mask(end == "CLOSED")
    text = (start + " - " + end).mask(start == end, "at " + start).fillna("from " + start)
    return text.mask((opens == "CLOSED") & closes.fillna("CLOSED").eq("CLOSED"), "closed")


def _eligibility(column: pd.Series) -> pd.Series:
    """Return a list of ZIP codes in words; ANY is no limit."""
    is_zips = column.str.fullmatch(_ZIPS).fillna(False).astype(bool)
    zips = "Residents of ZIP codes " + column.str.replace(r"\s*,\s*", ", ", regex=True)
    return column.mask(is_zips, zips).mask(column == "ANY")
