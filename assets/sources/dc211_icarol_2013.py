"""Read food programs of the District of Columbia's 211, 2012: a trimmed iCarol export."""

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.food_services import is_shelter, only_delivers, type_by_terms, without_contacts
from assets.sources.free_text import (
    as_dates,
    contains,
    says_when,
    website_without_email,
    without_emails,
)
from assets.sources.languages import language_tags
from assets.sources.reading import as_number, join_texts, with_rejects
from assets.sources.reading_table import read_columns
from schemas.sources.registry import Source

# The District's service centers take applications; its fraud, card and appeals offices do not.
_SNAP_OFFICES = r"^dcg - dhs - .*(?:service center|income maintenance)"
# Brought to people's homes, whatever other terms are there; and a food-buying club that sells at
# low cost.
_HOME_DELIVERED = r"\bhome deliver(?:ed|y)\b"
_SELLS = r"\bshare dc-metro\b"
_NO_ENQUIRY = r"\bfraud\b|\bebt card\b"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the records in one frame. Raises UnreadableFileError for missing columns."""
    rows = read_columns(file, source)
    terms, categories = _list(rows["terms"]), _list(rows["categories"])
    # Commodity boxes (CSFP) are recognised by the name only.
    types = type_by_terms(
        join_texts(rows["name"], terms, separator="; "), rows["name"], _SNAP_OFFICES
    )
    types = types.fillna(type_by_terms(categories, rows["name"], _SNAP_OFFICES))
    types = types.mask(contains(rows["name"], _SELLS))
    services = join_texts(terms, categories, separator="; ")
    delivered = contains(rows["name"], _HOME_DELIVERED) | (types.isna() & only_delivers(services))
    places = _places(rows).assign(resource_type=types, services_text=terms)
    places["is_confidential"] = is_shelter(join_texts(rows["name"], terms))
    is_gone = rows["status"] != "Active"
    none = services.fillna("no terms")
    yield with_rejects(
        places,
        (
            ("closed_by_source", is_gone, "AgencyStatus: " + rows["status"].fillna("none")),
            ("home_delivery_only", delivered, none),
            ("not_food_assistance", types.isna(), none),
        ),
    )


def _places(rows: pd.DataFrame) -> pd.DataFrame:
    hours = rows["hours"].where(says_when(rows["hours"]) & contains(rows["hours"], r"\d"))
    checked = as_dates(rows["verified"].str.partition(" ")[0], "%m/%d/%y")
    updated = as_dates(rows["updated"].str.partition(" ")[0], "%m/%d/%y")
    about = rows["about"].str.replace(r"\s*(?:<br ?/?>\s*)+", "\n", regex=True)
    requirements = join_texts(rows["application"], rows["documents"], separator="\n")
    return pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": rows["number"],
            "name": rows["name"],
            "organization": rows["organization"],
            "address": join_texts(rows["address1"], rows["address2"], separator=", "),
            "city": rows["city"],
            "state": rows["state"],
            "zip": rows["zip"],
            # "Washington,-1,DC": no county.
            "county_name": rows["county"].mask(rows["county"] == "-1"),
            "lat": as_number(rows["lat"]),
            "lng": as_number(rows["lng"]),
            "phone": rows["phone"].mask(contains(rows["phone_name"], _NO_ENQUIRY)),
            "website": website_without_email(rows["website"]),
            "hours_text": rows["hours_of_operation"].fillna(hours),
            "eligibility_text": rows["eligibility"],
            "requirements_text": without_contacts(without_emails(requirements)),
            "languages": language_tags(rows["languages"]),
            "notes": join_texts(
                without_contacts(without_emails(about)),
                "Fees: " + rows["fees"],
                separator="\n",
            ),
            "source_updated_date": checked.where(checked.notna(), updated),
            "updated_date": updated,
            "confirmed_date": checked,
        }
    )


def _list(column: pd.Series) -> pd.Series:
    """Clean "Food Pantries; WIC;" to "Food Pantries; WIC"."""
    text = column.str.replace(r"\s*;\s*", "; ", regex=True).str.strip("; ")
    return text.mask(text == "")
