"""Stores (and restaurants) that take EBT: USDA FNS retailer locator, state files of 2015 to the
live service.

Five shapes of the same table: one CSV per state (header with a nameless last column, rows with a
blank after the last quote), the same saved as a workbook, the hub's CSV, and the feature service as
CSV or JSON pages. The column names differ in every one; `_FIELDS` knows them all, misspellings
included.
"""

import re
from collections.abc import Iterator

import pandas as pd

from assets.cleaning.frames import contains, map_where
from assets.sources.contract import RawFile, UnreadableFileError, digest_key
from assets.sources.free_text import five_digits
from assets.sources.headings import plain_heading
from assets.sources.reading import as_number, join_texts, with_known
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

# The publisher's column, letters and digits only. Left aside: X and Y (repeat the coordinates),
# ObjectId (changes between exports), Zip4 (the contract has five digits), Grantee_Name.
_FIELDS: dict[str, str] = {
    "recordid": "record_id",
    "storename": "name",
    "address": "street",
    "storestreetaddress": "street",
    "streetaddress": "street",
    "storeaddress": "street",
    "street": "street",
    "addressline1": "street",
    "addressline2": "street_rest",
    "address2": "street_rest",
    "additonaladdress": "street_rest",
    "additionaladdress": "street_rest",
    "city": "city",
    "state": "state",
    "zip5": "zip",
    "zipcode": "zip",
    "county": "county_name",
    "storetype": "store_type",
    "incentiveprogram": "incentive_program",
    "latitude": "lat",
    "longitude": "lng",
}
# In every layout, and in no title above one.
_HEADER = ("Store_Name", "City", "Latitude", "Longitude")
_REQUIRED = ("name", "street", "city", "state", "zip", "lat", "lng")
# Answers to a query for selected fields only.
_MAY_LACK: dict[str, set[str]] = {"service_json_selected": {"zip"}}

_SAYS_NOTHING = ("Other", "Unknown")
_SLASHED = re.compile(r"\s+n/a$", re.IGNORECASE)
_LETTERS = re.compile(r"^(.*[a-z].*?)\s+(?:NA|na)$")


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's stores in one frame.

    Raises UnreadableFileError when a column that the layout promises is missing.
    """
    rows = with_known(_with_field_names(read_table(file, required=_HEADER)), file, source)
    missing = [
        name
        for name in _REQUIRED
        if name not in rows and name not in _MAY_LACK.get(file.layout, ())
    ]
    if missing:
        raise UnreadableFileError(f"{file.name}: no column for {', '.join(missing)}")
    yield _as_places(rows.reindex(columns=["source_row", *dict.fromkeys(_FIELDS.values())]))


def _with_field_names(rows: pd.DataFrame) -> pd.DataFrame:
    names = {name: _FIELDS.get(plain_heading(name)) for name in rows.columns}
    # Of two columns for one field the first counts.
    columns = {field: name for name, field in reversed(names.items()) if field}
    return rows[["source_row", *columns.values()]].rename(
        columns={n: f for f, n in columns.items()}
    )


def _as_places(rows: pd.DataFrame) -> pd.DataFrame:
    texts = rows.astype({n: "str" for n in rows.columns if n != "source_row"})
    store_type = texts["store_type"]
    is_restaurant = store_type.str.casefold() == "restaurant meals program"
    return pd.DataFrame(
        {
            "source_row": texts["source_row"],
            "source_key": _keys(texts),
            "name": _without_missing_number(texts["name"]),
            "resource_type": pd.Series("rmp_restaurant", index=texts.index).where(is_restaurant),
            # One field split in two by its length: "402 Rindge" + "Avenue", or street + unit.
            "address": join_texts(texts["street"], texts["street_rest"]),
            "city": texts["city"],
            "state": texts["state"],
            "zip": texts["zip"],
            "county_name": texts["county_name"],
            "lat": as_number(texts["lat"]),
            "lng": as_number(texts["lng"]),
            "services_text": store_type.mask(store_type.isin(_SAYS_NOTHING)),
            "notes": "Incentive program: " + texts["incentive_program"],
        }
    )


def _keys(texts: pd.DataFrame) -> pd.Series:
    """Return Record_ID, else a digest of name, street, ZIP and state as the publisher writes them.

    ObjectId and coordinates move between editions of an unchanged store. City stands in for a ZIP
    that the file does not have.
    """
    keys = texts["record_id"].copy()
    rows = texts[keys.isna()]
    street = join_texts(rows["street"], rows["street_rest"])
    parts = [rows["name"], street, five_digits(rows["zip"]).fillna(rows["city"]), rows["state"]]
    plain = [part.astype("object").where(part.notna(), None) for part in parts]
    keys[keys.isna()] = [digest_key(*values) for values in zip(*plain, strict=True)]
    return keys


def _without_missing_number(names: pd.Series) -> pd.Series:
    """Return names without the "N/A" or "NA" that stands in for a store number ("Walmart  1984").

    "N/A" always goes. "NA" or "na" goes behind a name in mixed case, where the register would write
    a real last word as "Na"; in a name in capitals it may be part of it and stays.
    """
    return map_where(names, contains(names, r"(?i)n/?a\n?$"), _without_ending)


def _without_ending(name: str) -> str:
    return _LETTERS.sub(r"\1", _SLASHED.sub("", name))
