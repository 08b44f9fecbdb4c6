"""Community health centers: HRSA's site list, and a national extract of it that somebody made in
2020.

Some sites are shelters whose place HRSA withholds: they have no street, the state XX, or the
setting "Domestic Violence". Their points (the middle of the city) are not given on.
"""

from collections.abc import Callable, Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import as_dates, contains, digests, five_digits, website_without_email
from assets.sources.reading import as_number, contract_columns, join_texts, with_rejects
from assets.sources.reading_table import read_columns, read_table
from schemas.sources.registry import Source
from schemas.vocab.states import STATE_CODES

_DERIVED_COLUMNS = ["org", "address", "phone", "website", "lon", "lat", "zipcode", "capacity_hours"]
_ONE_LINE = r"^(?P<street>.*?),? *, (?P<city>[^,]*), (?P<state>[A-Z]{2})(?: (?P<zip>[0-9]{5})(?:-[0-9]{0,4})?)?$"
_ADMINISTRATIVE_NAME = r"\badmin(?:istration|istrative)?\b|\bcorporate offices?\b"
_MOVES = r"\bgeneral delivery\b|\bmobile (?:unit|van|clinic|medical|health|dental)\b|\bmultiple locations\b"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's sites in one frame. Raises UnreadableFileError when columns are missing."""
    yield _READERS[file.layout](file, source)


def _read_derived(file: RawFile, source: Source) -> pd.DataFrame:
    rows = read_table(file, required=_DERIVED_COLUMNS)
    parts = rows["address"].str.extract(_ONE_LINE)
    parts = parts.mask(parts == "")
    postal_code = rows["zipcode"].fillna(parts["zip"])
    is_readable = parts["state"].notna()
    places = rows[["source_row", "phone"]].assign(
        # ID numbers the rows of one run; the extract has no key of HRSA's.
        source_key=digests(rows["org"], rows["address"], five_digits(rows["zipcode"])),
        name=rows["org"],
        address=parts["street"],
        city=parts["city"],
        state=parts["state"],
        zip=postal_code,
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lon"]),
        website=website_without_email(rows["website"]),
        notes=_weekly_hours(rows["capacity_hours"]),
        location_precision=_vague(
            parts["street"].isna(),
            contains(parts["street"], _MOVES),
            contains(rows["org"], _MOVES),
            parts["state"] == "AS",
        ),
        is_confidential=is_readable & parts["street"].isna() & postal_code.isna(),
    )
    is_office = rows["capacity_hours"].isin(["NA"]) & contains(rows["org"], _ADMINISTRATIVE_NAME)
    return with_rejects(
        _withholding(places),
        (
            ("unreadable_address", ~is_readable, rows["address"].fillna("")),
            ("outside_area", ~places["state"].isin(STATE_CODES), places["state"].fillna("")),
            ("administrative_site", is_office, rows["org"]),
        ),
    )


def _read_site_list(file: RawFile, source: Source) -> pd.DataFrame:
    rows = read_columns(file, source)
    is_withheld = (rows["state"] == "XX").fillna(False).astype(bool)
    is_nowhere = rows["address"].isna() & rows["zip"].isna()
    is_mobile = rows["location_type"].str.casefold() == "mobile van"
    # When the whole list was made: the same day in every row.
    edition = as_dates(rows["created"], "%m/%d/%Y")
    places = rows.assign(
        source_key=rows["center"] + ":" + rows["site"],
        state=rows["state"].mask(is_withheld),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        website=website_without_email(rows["website"]),
        source_updated_date=edition,
        listed_date=edition,
        updated_date=None,
        notes=join_texts(
            pd.Series("Mobile van", index=rows.index).where(is_mobile),
            _weekly_hours(rows["hours"]),
            separator=". ",
        ),
        location_precision=_vague(is_mobile, contains(rows["address"], _MOVES)),
        is_confidential=is_withheld | is_nowhere | contains(rows["setting"], "domestic violence"),
    )
    is_prison = contains(rows["setting"], "correctional facility")
    return with_rejects(
        _withholding(contract_columns(places)),
        (
            (
                "not_open",
                rows["status"].str.casefold() != "active",
                rows["status"].fillna("no status"),
            ),
            (
                "administrative_site",
                ~contains(rows["site_type"], "service delivery"),
                _or_none(rows["site_type"]),
            ),
            ("not_open", is_prison, _or_none(rows["setting"])),
            ("location_withheld", is_withheld, _or_none(rows["setting"])),
            ("outside_area", ~places["state"].isin(STATE_CODES), _or_none(places["state"])),
        ),
    )


def _or_none(column: pd.Series) -> pd.Series:
    return column.fillna("none given")


def _weekly_hours(column: pd.Series) -> pd.Series:
    """Return hours per week as a remark; 0 and NA mean nothing."""
    hours = as_number(column)
    return ("Operating hours per week: " + column).where((hours > 0) & (hours <= 168))


def _vague(*holds: pd.Series) -> pd.Series:
    """Return precision `city` where the point is only the middle of a town, else missing."""
    is_vague = pd.concat(holds, axis=1).fillna(False).any(axis=1)
    return pd.Series("city", index=is_vague.index, dtype="str").where(is_vague)


def _withholding(places: pd.DataFrame) -> pd.DataFrame:
    """Return the places without street, ZIP and point where the site is confidential."""
    for name in ("address", "zip", "lat", "lng"):
        places[name] = places[name].mask(places["is_confidential"])
    return places


_READERS: dict[str, Callable[[RawFile, Source], pd.DataFrame]] = {
    "derived_csv": _read_derived,
    "site_csv": _read_site_list,
}
