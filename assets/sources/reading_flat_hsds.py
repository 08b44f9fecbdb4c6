"""Reader for lists with one place a row whose columns have the names of HSDS 3.0 (Open Referral).

It is the form in which offices and volunteers can hand in a list that nobody publishes as a file:
`address_1`, `state_province`, `postal_code`, `eligibility_description` and so on, in one table.
"""

from __future__ import annotations

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import as_dates, digests, website_without_email, without_emails
from assets.sources.reading import as_number, join_texts, rename
from assets.sources.reading_table import read_table

_COLUMNS = {
    "id": "id",
    "name": "name",
    "organization": "organization",
    "address_1": "address",
    "address_2": "address2",
    "city": "city",
    "state_province": "state",
    "postal_code": "zip",
    "latitude": "lat",
    "longitude": "lng",
    "phone": "phone",
    "url": "website",
    "schedule": "hours_text",
    "description": "notes",
    "eligibility_description": "eligibility_text",
    "required_document": "requirements_text",
    "assured_date": "assured",
    "status": "status",
}
_REQUIRED = ("name", "address_1", "city", "state_province", "postal_code")


def read_flat_hsds(file: RawFile) -> pd.DataFrame:
    """Return the file's rows as places, with `status` (active, inactive, ... or missing) besides.

    The key is the list's `id`, or a digest of name, street, city and state where it has none. Other
    columns (names, e-mail addresses of people) are not read. Raises UnreadableFileError when
    columns are missing.
    """
    rows = rename(read_table(file, required=_REQUIRED), _COLUMNS)
    digest = digests(rows["name"], rows["address"], rows["city"], rows["state"])
    assured = as_dates(rows["assured"], "%Y-%m-%d")
    return rows.drop(columns=["id", "address2", "assured"]).assign(
        source_key=("id:" + rows["id"]).fillna(digest).astype("str"),
        address=join_texts(rows["address"], rows["address2"], separator=", "),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        website=website_without_email(rows["website"]),
        notes=without_emails(rows["notes"]),
        source_updated_date=assured,
        updated_date=None,
        confirmed_date=assured,
    )


def inactive(rows: pd.DataFrame) -> tuple[str, pd.Series, pd.Series]:
    """Return the reject of rows that the list itself calls inactive, defunct or temporarily
    closed."""
    gone = rows["status"].isin(["inactive", "defunct", "temporarily closed"])
    return "closed_by_source", gone, "status: " + rows["status"].fillna("")
