"""Summer meal sites: a state's list of 2017, a state's map layer of 2021, an extract of USDA's list
of 2019.

A site serves for some weeks of one summer. The dates are in the hours, or in the notes where a list
has no hours; a season that ended before the list was made is over.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import as_dates, digests, website_without_email, without_emails
from assets.sources.readers import read_columns
from assets.sources.reading import as_number, join_texts, with_known, with_rejects
from assets.sources.usda_summer_meals import read_layer, spell_days
from schemas.sources.registry import Source, sources

# The list's S is supper or snack; it does not say which.
_MEALS = {"B": "Breakfast", "L": "Lunch", "S": "Supper or snack"}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's sites in one frame. Raises UnreadableFileError when columns are missing."""
    yield _READERS[file.layout](file, source)


def _oklahoma(file: RawFile, source: Source) -> pd.DataFrame:
    rows = read_columns(file, source, separator="\t")
    begins, ends = as_dates(rows["begins"], "%m/%d/%Y"), as_dates(rows["ends"], "%m/%d/%Y")
    places = rows[["source_row", "address", "city", "zip"]].assign(
        source_key=digests(rows["name"], rows["address"], rows["city"]),
        # The sponsor's number in brackets behind the name is the state's, not the public's.
        name=rows["name"].str.replace(r"\s*\(N?\d+\)$", "", regex=True),
        # One row says "55".
        state=rows["state"].where(rows["state"].str.fullmatch("[A-Z]{2}").fillna(False)),
        phone=rows["phone"].mask(rows["phone"] == "000-000-0000"),
        services_text=rows["meals"].map(_meals, na_action="ignore").astype("str"),
        notes="Season: " + _season(begins, ends),
    )
    is_for_few = rows["status"] != "Open"
    return with_rejects(
        with_known(places, file, source),
        (
            ("not_public", is_for_few, rows["status"].fillna("no status")),
            _season_over(file, ends),
        ),
    )


def _meals(letters: str) -> str:
    return ", ".join(_MEALS.get(letter, letter) for letter in letters.split())


def _map_layer(file: RawFile, source: Source) -> pd.DataFrame:
    rows = read_columns(file, source)
    begins, ends = as_dates(rows["begins"], "%B %d, %Y"), as_dates(rows["ends"], "%B %d, %Y")
    season = _season(begins, ends)
    hours = without_emails(rows["hours"].str.removesuffix("."))
    places = rows[["source_row", "source_key", "name", "organization"]].assign(
        address=join_texts(rows["address"], rows["address2"], separator=", "),
        city=rows["city"],
        state=rows["state"],
        zip=rows["zip"],
        county_name=rows["county_name"],
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        website=website_without_email(rows["website"]),
        hours_text=join_texts(hours, season.where(hours.notna()), separator=", "),
        services_text=rows["services_text"],
        notes=join_texts(
            ("Season: " + season).where(hours.isna()),
            without_emails(rows["instructions"]),
            without_emails(rows["comments"]),
            separator="\n",
        ),
    )
    detail = "Site_Closed_Checkbox: " + rows["closed"].fillna("")
    closed = ("closed_by_source", rows["closed"] == "1", detail)
    return with_rejects(places, (closed, _season_over(file, ends)))


def _derive(file: RawFile, source: Source) -> pd.DataFrame:
    rows = read_columns(file, source)
    begins, ends = as_dates(rows["begins"], "%Y-%m-%d"), as_dates(rows["ends"], "%Y-%m-%d")
    places = rows[["source_row", "name", "address", "city", "state"]].assign(
        source_key="fns:" + rows["original_id"],
        # The extract states no license: it serves matching only.
        is_public=False,
        zip=rows["zip"],
        county_name=rows["county_name"],
        # Numbers that went through a spreadsheet: "4125218131.0".
        phone=rows["phone"].str.removesuffix(".0"),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        eligibility_text=rows["eligibility_text"],
        notes="Season: " + _season(begins, ends),
    )
    return with_rejects(places, (_season_over(file, ends),))


def _season(begins: pd.Series, ends: pd.Series) -> pd.Series:
    """Format "June 5, 2017 - June 29, 2017"; missing unless both ends are known."""
    return spell_days(begins) + " - " + spell_days(ends)


def _season_over(file: RawFile, ends: pd.Series) -> tuple[str, pd.Series, pd.Series]:
    """Return the reject of summer sites whose last day had passed when the file came."""
    retrieval_day = pd.Timestamp(file.retrieved_at.date())
    return (
        "season_over",
        pd.to_datetime(ends) < retrieval_day,
        "ended " + spell_days(ends).fillna(""),
    )


_READERS: dict[str, Callable[[RawFile, Source], pd.DataFrame]] = {
    "oklahoma_tsv": _oklahoma,
    "map_layer": _map_layer,
    "derived_csv": _derive,
    # The USDA's own names of columns in other years.
    "finder_layer": lambda file, source: read_layer(
        replace(file, other_names=sources()["usda_summer_meals"].other_names)
    ),
}
