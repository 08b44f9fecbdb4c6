"""Read seven food banks' locators that were scraped into one flat object per place."""

from __future__ import annotations

import re

import pandas as pd

from assets.sources.free_text import says_when
from assets.sources.haarrrvest.common import (
    columns_of,
    finish,
    hours_or_notes,
    labels_of,
    lines,
    points_of,
)
from assets.sources.reading import join_texts
from assets.sources.reading_json import Record, texts

_COMMON = ("name", "address", "city", "state", "zip", "phone", "website", "notes")
# Towns of Mercer County: the locator writes street and town without a comma between.
_MERCER_TOWNS = (
    r"East Windsor|Ewing(?: Township)?|Hamilton(?: Township)?|Hightstown|Hopewell|Lawrence(?: Township)?"
    r"|Lawrenceville|Pennington|Princeton|Robbinsville|Trenton|West Windsor"
)
_MERCER_ADDRESS = (
    rf"^(?P<address>.*?)(?: (?P<city>{_MERCER_TOWNS}))?, (?P<state>NJ)(?: (?P<zip>\d{{5}}))?$"
)
_HAWAII_ADDRESS = (
    r"^(?P<address>[^,]+), (?P<city>[^,]+), (?P<state>HI) (?P<zip>\d{5})(?: \((?P<where>[^)]*)\))?$"
)


def read_labelled(records: list[Record]) -> pd.DataFrame:
    """Read Napa Valley and Northwest North Carolina: every column as its name says."""
    places = columns_of(records, *_COMMON).join(points_of(records))
    places["hours_text"] = texts(records, "hours")
    places["services_text"] = labels_of(records, "services")
    return finish(places)


def capital_area(records: list[Record]) -> pd.DataFrame:
    """Read rows in Web Mercator metres with every time slot three times."""
    places = columns_of(records, "name", "city", "state", "zip", "phone").join(points_of(records))
    unit = texts(records, "address2")
    # "VA Fairfax County"; a ward is no county, "**Outside ...**" no place.
    county = texts(records, "county").str.extract(r"^(?:DC|MD|VA) (.*)$")[0]
    places["address"] = join_texts(
        texts(records, "address"), unit.mask(unit.str.casefold() == "n/a")
    )
    places["county_name"] = county.mask(county.str.startswith("Ward"))
    places["hours_text"] = texts(records, "hours").map(_without_repeats, na_action="ignore")
    places["services_text"] = labels_of(records, "services")
    return finish(places)


def _without_repeats(hours: str) -> str:
    """Shorten "Monday: A, A, A; Tuesday: A, B, B" to "Monday: A; Tuesday: A, B"."""
    days = (day.partition(": ") for day in hours.split("; "))
    return "; ".join(
        f"{day}: {', '.join(dict.fromkeys(slots.split(', ')))}" for day, _, slots in days
    )


def silicon_valley(records: list[Record]) -> pd.DataFrame:
    """Read labelled parts of the notes: "Eligibility: All | Frequency: Weekly | ..." """
    places = columns_of(records, "name", "address", "city", "state", "zip", "phone", "website")
    places = places.join(points_of(records))
    notes = texts(records, "notes")
    rest = notes.str.replace(
        r"(?:Eligibility|Frequency): [^|]*(?:\| |$)", "", regex=True
    ).str.strip()
    services = labels_of(records, "services")
    papers = "No documents required"
    other = services.str.replace(rf"(?:, )?{papers}", "", regex=True).str.removeprefix(", ")
    return finish(
        places.assign(
            source_key=texts(records, "id"),
            county_name=texts(records, "county"),
            hours_text=notes.str.extract(r"(Frequency: [^|]*[^| ])")[0],
            eligibility_text=notes.str.extract(r"Eligibility: ([^|]*[^| ])")[0],
            services_text=other.mask(other == ""),
            requirements_text=services.str.extract(f"({papers})")[0],
            notes=rest.mask(rest.str.casefold().isin(["", "none"])),
        )
    )


def food_lifeline(records: list[Record]) -> pd.DataFrame:
    """Read a layout whose ZIP is in the full address only."""
    places = columns_of(records, "name", "address", "city", "state", "zip", "phone", "website")
    full = texts(records, "full_address").str.extract(r", WA, (\d{5})$")[0]
    places["zip"] = places["zip"].fillna(full)
    places["source_key"] = texts(records, "id")
    places["services_text"] = labels_of(records, "services")
    return finish(places.join(points_of(records)))


def food_basket(records: list[Record]) -> pd.DataFrame:
    """Read rows with the whole address in one column; city and ZIP are cut from it."""
    places = columns_of(records, "name", "phone").join(points_of(records))
    address = texts(records, "address")
    parts = address.str.extract(_HAWAII_ADDRESS)
    is_read = parts["zip"].notna()
    return finish(
        places.assign(
            address=parts["address"].where(is_read, address),
            city=parts["city"].fillna(texts(records, "city")),
            state=texts(records, "state"),
            zip=parts["zip"].fillna(texts(records, "zip")),
            hours_text=texts(records, "hours"),
            services_text=labels_of(records, "services"),
            notes=lines(parts["where"], texts(records, "notes")),
        )
    )


def mercer(records: list[Record]) -> pd.DataFrame:
    """Return one string "street town, NJ ZIP"; the description holds hours or remarks."""
    places = columns_of(records, "name", "phone").join(points_of(records))
    address = texts(records, "address")
    parts = address.str.extract(_MERCER_ADDRESS)
    about = texts(records, "description")
    return finish(
        places.assign(
            address=parts["address"].fillna(address),
            city=parts["city"],
            state=texts(records, "state"),
            zip=parts["zip"],
            county_name=texts(records, "county"),
        ).join(hours_or_notes(about, says_when(about)))
    )


def chester_county(records: list[Record]) -> pd.DataFrame:
    """Read shifted columns: the town holds the name, name and address the phone, the phone the
    hours.

    The points are invented: the middle of the county with a little noise.
    """
    town = texts(records, "name")
    shifted = texts(records, "phone").str.extract(r"^(?P<name>.+) — (?P<rest>[^—]+)$")
    parts = shifted["rest"].str.extract(r"^(?P<place>.*?), (?P<state>PA)(?: (?P<zip>\d{5}))?$")
    streets = [_before_town(place, name) for place, name in zip(parts["place"], town, strict=True)]
    places = pd.DataFrame(
        {
            "name": shifted["name"],
            "address": pd.Series(streets, dtype="str"),
            "city": town,
            "state": texts(records, "state"),
            "zip": parts["zip"],
            "phone": texts(records, "hours"),
            "services_text": labels_of(records, "services"),
        }
    )
    unread = places["name"].isna() | places["address"].isna()
    places["reject_reason"] = pd.Series("unreadable_address", index=places.index).where(unread)
    places["reject_detail"] = texts(records, "phone")
    return finish(places)


def _before_town(place: object, town: object) -> str | None:
    if not isinstance(place, str) or not isinstance(town, str) or not place.endswith(town):
        return None
    return re.sub(r"[, ]+$", "", place.removesuffix(town)) or None


def new_york_city(records: list[Record]) -> pd.DataFrame:
    """Return places whose address cell holds the phone; their points are no places."""
    address = texts(records, "address")
    phone = address.str.extract(r"^Phone: *(.+)$")[0]
    is_point_possible = phone.isna()
    points = points_of(records)
    places = columns_of(records, "name", "city", "state", "zip", "notes").assign(
        address=address.where(is_point_possible),
        phone=texts(records, "phone").fillna(phone),
        hours_text=texts(records, "hours"),
        lat=points["lat"].where(is_point_possible),
        lng=points["lng"].where(is_point_possible),
    )
    return finish(places)
