"""Food pantries of the South Carolina Midlands, collected by hand: whole addresses, often on two
lines.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import by_rules, digests, type_by_name, without_emails
from assets.sources.free_text import website_without_email as plain_website
from assets.sources.reading_table import read_table
from assets.sources.whole_addresses import address_parts
from schemas.sources.registry import Source

_REQUIRED = ["County", "Name", "Address", "Phone", "Hours", "Website"]
_MEALS: tuple[tuple[str, str], ...] = (
    (r"\bcommunity dinner\b|\bmidday meal\b|\bsoup cellar\b", "soup_kitchen"),
)


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's places in one frame. Raises UnreadableFileError when columns are missing."""
    rows = read_table(file, required=_REQUIRED)
    # "Lexington (Chapin)": the town is in the address as well.
    county = rows["County"].str.replace(r"\s*\(.*\)$", "", regex=True)
    yield address_parts(rows["Address"], "SC").assign(
        source_row=rows["source_row"],
        source_key=digests(rows["Name"], rows["Address"]),
        name=rows["Name"],
        resource_type=type_by_name(rows["Name"]).fillna(by_rules(rows["Name"], _MEALS)),
        county_name=county + " County",
        phone=rows["Phone"],
        website=_website(rows["Website"]),
        hours_text=without_emails(rows["Hours"]),
    )


def _website(column: pd.Series) -> pd.Series:
    """Return Web addresses; "Emailed" says how the compiler learned of the place."""
    return plain_website(column).mask(column.str.casefold() == "emailed")
