"""Read food programs of the District of Columbia's 211, 2012: a trimmed iCarol export."""

from __future__ import annotations

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
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_REQUIRED = [
    "ResourceAgencyNum",
    "PublicName",
    "ParentAgency",
    "PhysicalAddress1",
    "PhysicalAddress2",
    "PhysicalCity",
    "PhysicalCounty",
    "PhysicalStateProvince",
    "PhysicalPostalCode",
    "Latitude",
    "Longitude",
    "HoursOfOperation",
    "Hours",
    "Phone1Number",
    "Phone1Name",
    "WebsiteAddress",
    "AgencyStatus",
    "AgencyDescription",
    "Eligibility",
    "FeeStructureSource",
    "ApplicationProcess",
    "DocumentsRequired",
    "LanguagesOffered",
    "UpdatedOn",
    "LastVerifiedOn",
    "Categories",
    "TaxonomyTerm",
]
# The District's service centers take applications; its fraud, card and appeals offices do not.
_SNAP_OFFICES = r"^dcg - dhs - .*(?:service center|income maintenance)"
# Brought to people's homes, whatever other terms are there; and a food-buying club that sells at
# low cost.
_HOME_DELIVERED = r"\bhome deliver(?:ed|y)\b"
_SELLS = r"\bshare dc-metro\b"
_NO_ENQUIRY = r"\bfraud\b|\bebt card\b"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the records in one frame. Raises UnreadableFileError for missing columns."""
    rows = read_table(file, required=_REQUIRED)
    terms, categories = _list(rows["TaxonomyTerm"]), _list(rows["Categories"])
    # Commodity boxes (CSFP) are recognised by the name only.
    types = type_by_terms(
        join_texts(rows["PublicName"], terms, separator="; "), rows["PublicName"], _SNAP_OFFICES
    )
    types = types.fillna(type_by_terms(categories, rows["PublicName"], _SNAP_OFFICES))
    types = types.mask(contains(rows["PublicName"], _SELLS))
    services = join_texts(terms, categories, separator="; ")
    delivered = contains(rows["PublicName"], _HOME_DELIVERED) | (
        types.isna() & only_delivers(services)
    )
    places = _places(rows).assign(resource_type=types, services_text=terms)
    places["is_confidential"] = is_shelter(join_texts(rows["PublicName"], terms))
    is_gone = rows["AgencyStatus"] != "Active"
    none = services.fillna("no terms")
    yield with_rejects(
        places,
        (
            ("closed_by_source", is_gone, "AgencyStatus: " + rows["AgencyStatus"].fillna("none")),
            ("home_delivery_only", delivered, none),
            ("not_food_assistance", types.isna(), none),
        ),
    )


def _places(rows: pd.DataFrame) -> pd.DataFrame:
    hours = rows["Hours"].where(says_when(rows["Hours"]) & contains(rows["Hours"], r"\d"))
    checked = as_dates(rows["LastVerifiedOn"].str.partition(" ")[0], "%m/%d/%y")
    updated = as_dates(rows["UpdatedOn"].str.partition(" ")[0], "%m/%d/%y")
    about = rows["AgencyDescription"].str.replace(r"\s*(?:<br ?/?>\s*)+", "\n", regex=True)
    requirements = join_texts(rows["ApplicationProcess"], rows["DocumentsRequired"], separator="\n")
    return pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": rows["ResourceAgencyNum"],
            "name": rows["PublicName"],
            "organization": rows["ParentAgency"],
            "address": join_texts(
                rows["PhysicalAddress1"], rows["PhysicalAddress2"], separator=", "
            ),
            "city": rows["PhysicalCity"],
            "state": rows["PhysicalStateProvince"],
            "zip": rows["PhysicalPostalCode"],
            # "Washington,-1,DC": no county.
            "county_name": rows["PhysicalCounty"].mask(rows["PhysicalCounty"] == "-1"),
            "lat": as_number(rows["Latitude"]),
            "lng": as_number(rows["Longitude"]),
            "phone": rows["Phone1Number"].mask(contains(rows["Phone1Name"], _NO_ENQUIRY)),
            "website": website_without_email(rows["WebsiteAddress"]),
            "hours_text": rows["HoursOfOperation"].fillna(hours),
            "eligibility_text": rows["Eligibility"],
            "requirements_text": without_contacts(without_emails(requirements)),
            "languages": language_tags(rows["LanguagesOffered"]),
            "notes": join_texts(
                without_contacts(without_emails(about)),
                "Fees: " + rows["FeeStructureSource"],
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
