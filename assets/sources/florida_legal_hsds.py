"""Legal aid in Florida, an example of Open Referral's: no food assistance, read to prove that it
gives none.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import type_by_name, website_without_email
from assets.sources.reading import with_rejects
from assets.sources.reading_table import read_table
from assets.sources.whole_addresses import address_parts
from schemas.sources.registry import Source

_REQUIRED = [
    "organization_name",
    "location_name",
    "location_uuid",
    "location_address",
    "location_url",
    "phones",
]
_STATE_ONLY = r"^State: ([A-Z]{2})$"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the locations in one frame; the tables of organizations and services give no rows.

    A service belongs to an organization and to no location, so it can name no place. Raises
    UnreadableFileError when columns are missing.
    """
    if file.layout != "locations":
        return
    rows = read_table(file, required=_REQUIRED)
    state = rows["location_address"].str.extract(_STATE_ONLY)[0]
    parts = address_parts(rows["location_address"].where(state.isna()))
    places = parts.assign(
        source_row=rows["source_row"],
        source_key=rows["location_uuid"],
        name=rows["location_name"],
        organization=rows["organization_name"],
        resource_type=type_by_name(rows["location_name"]),
        state=parts["state"].fillna(state),
        phone=rows["phones"],
        website=website_without_email(rows["location_url"]),
    )
    is_other = places["resource_type"].isna()
    who = rows["organization_name"].fillna("")
    yield with_rejects(places, (("not_food_assistance", is_other, who),))
