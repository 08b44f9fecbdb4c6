"""Summer meal sites of the whole country: the layer of the USDA's Summer Meals Site Finder.

A new layer comes every year; its columns drift, so each fact has the names of all known years.
"""

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import as_dates, contains, digests, five_digits, without_emails
from assets.sources.readers import read_table
from assets.sources.reading import as_number, join_texts, with_columns, with_rejects
from assets.sources.whole_addresses import address_parts
from schemas.sources.registry import Source

_REQUIRED = ("Site_Name", "Site_City", "Site_State")
_FACTS = {
    "name": ("Site_Name",),
    "organization": ("Sponsoring_Organization",),
    "address": ("Site_Address1",),
    "address2": ("Site_Address2",),
    "city": ("Site_City",),
    "state": ("Site_State",),
    "zip": ("Site_Zip",),
    "phone": ("Site_Phone",),
    "days": ("Days_of_operation",),
    "comments": ("Comments",),
    "model": ("Service_Model",),
    "kind": ("Site_Type",),
    "id": ("FNSID",),
}
_MEALS = {
    "Breakfast": ("Breakfast_Time", "Breakfast_Time2"),
    "Morning snack": ("Snack_Time_AM", "Snack_Time_AM2"),
    "Lunch": ("Lunch_Time", "Lunch_Time2"),
    "Afternoon snack": ("Snack_Time_PM", "Snack_Time_PM2"),
    "Supper": ("Dinner_Supper_Time", "Dinner_Supper_Time2"),
}
_BEGINS, _ENDS = ("Start_date", "StartDateText"), ("End_date", "EndDateText")
_POINT = ("X", "Y")
_COLUMNS = tuple(
    name for names in (*_FACTS.values(), *_MEALS.values(), _BEGINS, _ENDS) for name in names
)


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the layer's sites in one frame. Raises UnreadableFileError when columns are missing."""
    yield read_layer(file)


def read_layer(file: RawFile) -> pd.DataFrame:
    """Return the sites of a layer of any year. Raises UnreadableFileError."""
    wanted = (*_COLUMNS, *_POINT)
    rows = with_columns(read_table(file, required=_REQUIRED, optional=wanted), _POINT)
    fact = {name: _first(rows, columns) for name, columns in _FACTS.items()}
    # Days are text or milliseconds since 1970.
    begins, ends = (
        pd.to_datetime(as_dates(_first(rows, columns), "%B %d, %Y")) for columns in (_BEGINS, _ENDS)
    )
    season = spell_days(begins) + " - " + spell_days(ends)
    # Some years also write city, state and ZIP code after the street.
    parts = address_parts(fact["address"])
    is_whole = parts["zip"].notna() & (parts["zip"] == five_digits(fact["zip"]))
    street = fact["address"].mask(is_whole, parts["address"])
    hours = (
        fact["days"]
        + " "
        + join_texts(*(_first(rows, columns) for columns in _MEALS.values()), separator=", ")
    )
    digest = digests(fact["name"], fact["address"], fact["city"], fact["state"])
    places = pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "lat": as_number(rows["Y"]),
            "lng": as_number(rows["X"]),
            **{
                name: fact[name]
                for name in ("name", "organization", "city", "state", "zip", "phone")
            },
            "source_key": ("fns:" + fact["id"]).fillna(digest).astype("str"),
            "address": join_texts(street, fact["address2"].mask(is_whole), separator=", "),
            "hours_text": join_texts(hours, season.where(hours.notna()), separator=", "),
            "services_text": join_texts(
                _meals(rows), fact["model"].str.capitalize(), separator="; "
            ),
            "notes": join_texts(
                ("Season: " + season).where(hours.isna()),
                without_emails(fact["comments"]),
                separator="\n",
            ),
        }
    )
    is_for_few = contains(fact["kind"], r"\bclosed\b|\bcamps?\b")
    is_over = pd.to_datetime(ends) < pd.Timestamp(file.vintage or file.retrieved_at.date())
    return with_rejects(
        places,
        (
            ("not_public", is_for_few, "Site_Type: " + fact["kind"].fillna("")),
            ("season_over", is_over, "ended " + spell_days(ends).fillna("")),
        ),
    )


def _first(rows: pd.DataFrame, columns: tuple[str, ...]) -> pd.Series:
    """Return the first filled of several columns, of which a year's layer may lack some or all."""
    values = pd.Series(None, index=rows.index, dtype="str")
    for column in columns:
        if column in rows:
            values = values.fillna(
                rows[column].mask(rows[column].str.casefold().isin(["n/a", "na"]))
            )
    return values


def _meals(rows: pd.DataFrame) -> pd.Series:
    """Format "Breakfast; Lunch": the meals that have a time."""
    meals = [
        pd.Series(meal, index=rows.index, dtype="str").where(_first(rows, columns).notna())
        for meal, columns in _MEALS.items()
    ]
    return join_texts(*meals, separator="; ")


def spell_days(days: pd.Series) -> pd.Series:
    """Format "June 5, 2017"; missing stays missing."""
    texts = [f"{day:%B} {day.day}, {day.year}" if pd.notna(day) else None for day in days]
    return pd.Series(texts, index=days.index, dtype="str")
