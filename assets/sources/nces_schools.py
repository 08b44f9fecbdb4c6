"""Public schools that serve meals to their students: NCES Common Core of Data, school search
download.

The button "Download Excel File" gives a web page named .xls; the CSV files hold the same columns.
Column names end in an asterisk where the figures are of the year before.
"""

import re
from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.readers import read_table
from assets.sources.reading import as_number, rename, with_rejects, without_sentinels
from assets.sources.reading_html import read_long_html_table
from schemas.sources.registry import Source
from schemas.vocab.states import CODE_BY_FIPS

_COLUMNS: dict[str, str] = {
    "NCES School ID": "source_key",
    "School Name": "name",
    "District": "organization",
    "Street Address": "address",
    "City": "city",
    "State": "state",
    "ZIP": "zip",
    "County Name*": "county_name",
    "Phone": "phone",
    "Status": "status",
}
_REQUIRED = ("NCES School ID", "School Name", "Street Address", "City", "State", "ZIP", "Status")
_OPTIONAL = (*_COLUMNS, "Latitude", "Longitude")
# Not applicable, missing, below the publisher's standards.
_SENTINELS = ("†", "–", "‡")
_OPEN = {"open", "new", "added", "reopened", "changed agency", "changed boundary/agency"}
_OPEN |= {"currently operational", "operational", "changed agency/boundary"}
_NOT_OPEN = {"closed", "future", "inactive"}
# Codes of the school universe (SY_STATUS, STATUS) in the documentation of every year since 1986.
_STATUS_CODES = {
    "1": "open",
    "2": "closed",
    "3": "new",
    "4": "added",
    "5": "changed agency",
    "6": "inactive",
    "7": "future",
    "8": "reopened",
}
_RECORD_COUNT = re.compile(r"contains\s*\(\s*([0-9,]+)\s*\)\s*records")
_PO_BOX = r"\bP\.?\s*O\.?\s*BOX\b|\bPOST OFFICE BOX\b"
# The meals are the school's own; whether they are free depends on the household or on a program
# that this file does not tell.
ELIGIBILITY = "Students of this school"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's schools in one frame.

    Raises UnreadableFileError when columns are missing or a page holds another number of schools
    than it says.
    """
    is_page = file.first_bytes(1000).lstrip()[:1] == b"<"
    rows = _html_rows(file) if is_page else read_table(file, required=_REQUIRED, optional=_OPTIONAL)
    # The table generator's notes below the rows: one cell, the first, is filled.
    cell_counts = rows.drop(columns="source_row").notna().sum(axis=1)
    is_note = (cell_counts <= 1) & rows["NCES School ID"].isna() & rows["State"].isna()
    yield _as_places(without_sentinels(rows[~is_note].reset_index(drop=True), _SENTINELS))


def _html_rows(file: RawFile) -> pd.DataFrame:
    above, rows = read_long_html_table(file, required=_REQUIRED, optional=_OPTIONAL)
    total = _RECORD_COUNT.search(above)
    if total is None:
        raise UnreadableFileError(f"{file.name}: the page does not say how many records it has")
    if int(total[1].replace(",", "")) != len(rows):
        raise UnreadableFileError(
            f"{file.name}: the page says {total[1]} records and has {len(rows)}"
        )
    return rows


def _as_places(rows: pd.DataFrame) -> pd.DataFrame:
    places = rename(rows, _COLUMNS)
    # Twelve digits, with the zero that spreadsheets take.
    ids = places["source_key"]
    whole = ids.str.zfill(12)
    is_lost = ids.str.fullmatch(r"[1-9][0-9]{10}").fillna(False).astype(bool)
    is_lost &= whole.str[:2].map(CODE_BY_FIPS) == places["state"]
    places["source_key"] = ids.mask(is_lost, whole)
    places["eligibility_text"] = ELIGIBILITY
    if {"Latitude", "Longitude"} <= set(rows.columns):
        places["lat"] = as_number(rows["Latitude"])
        places["lng"] = as_number(rows["Longitude"])
        # The point of a post-office box locates a post office or a town, not the school.
        is_box = places["address"].str.contains(_PO_BOX, case=False, regex=True, na=False)
        vague = is_box & places["lat"].notna()
        places["location_precision"] = pd.Series("zip", index=places.index).where(vague)
    return _check(places).drop(columns="status")


def _check(places: pd.DataFrame) -> pd.DataFrame:
    """Return the first reason: no id, not open, unknown status, office elsewhere."""
    # "1-Open" and "School is open" of the table generator, "1" of the universe files.
    status = places["status"].str.casefold().str.replace(r"^\d\s*-\s*", "", regex=True)
    status = status.replace(_STATUS_CODES)
    id_state = places["source_key"].str[:2].map(CODE_BY_FIPS)
    has_id = places["source_key"].str.fullmatch(r"[0-9]{12}").fillna(False).astype(bool)
    checks = (
        ("malformed_key", ~has_id, places["source_key"]),
        ("not_open", status.isin(_NOT_OPEN), places["status"]),
        ("unknown_status", ~status.isin(_OPEN), places["status"].fillna("no status")),
        # Prefixes of no state (Bureau of Indian Education, Defense schools) say nothing about the
        # place.
        (
            "mailing_address_outside_state",
            id_state.notna() & places["state"].notna() & (id_state != places["state"]),
            places["state"] + ", the school is of " + id_state,
        ),
    )
    return with_rejects(places, checks)
