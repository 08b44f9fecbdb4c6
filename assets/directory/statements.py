"""Statements of every source about every place: a row for each value, with its date, file and row.

The published value of a field is the statement marked `is_published`. It comes from the record
ranked first by `assets.directory.places.rank_values` among those on whose values most independent
lists agree (`FIELD_GROUPS`, `assets.directory.statements`); an approved edit beats all of them. A
long table of statements is the model of OpenSanctions: https://www.opensanctions.org/docs/statements/
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa

from assets.cleaning.text import map_unique
from assets.matching.profiles import website_host
from assets.matching.streets import read_street
from schemas.sources.registry import Source
from schemas.tables.core import STATEMENTS
from warehouse.parquet import as_arrow

# Column of a record and its published field.
STATED = {
    name: "services_offered" if name == "services_text" else name
    for name in (
        "name",
        "organization",
        "resource_type",
        "address",
        "city",
        "state",
        "zip",
        "lat",
        "lng",
        "phone",
        "website",
        "hours_text",
        "services_text",
        "requirements_text",
        "eligibility_text",
        "languages",
        "notes",
    )
}
# Fields that could reveal the location of a confidential place.
_WHEREABOUTS = frozenset({"address", "city", "zip", "lat", "lng"})
_DATES = ["confirmed_date", "updated_date", "listed_date", "source_updated_date"]
_KEYS = ["source_id", "source_key"]
_OF_RECORD = ["resource_id", *_KEYS, "stated_date", "file_name", "source_row"]
_RECORD_COLUMNS = ["resource_id", *_KEYS, "supplied_fields", *_DATES]
_LOCATED_COLUMNS = [
    *_KEYS,
    "file_name",
    "source_row",
    *STATED,
    "phone_e164",
    "schedules_json",
    "timezone",
]
_RESOURCE_COLUMNS = ["resource_id", "is_confidential", *STATED.values()]


def statements(records: pd.DataFrame, located: pd.DataFrame, resources: pd.DataFrame) -> pa.Table:
    """Return a row for each value that a source record of a resource states.

    `records`, `located` and `resources` are rows of the tables of the directory. A confidential
    place has only its published values, without any address. A record that is not a row of a file
    is an edit: it states its published values.
    """
    rows = records[_RECORD_COLUMNS].merge(located[_LOCATED_COLUMNS], on=_KEYS, how="left")
    confidential = resources.loc[resources["is_confidential"].astype(bool), "resource_id"]
    is_hidden = rows["resource_id"].isin(confidential).to_numpy()
    is_edit = rows["file_name"].isna().to_numpy()
    edited = rows.loc[is_edit, ["resource_id"]].merge(
        resources[_RESOURCE_COLUMNS], on="resource_id", how="left"
    )
    contradicted = _find_contradictions(rows)
    rows["stated_date"] = rows[_DATES].astype(object).bfill(axis=1).iloc[:, 0]
    pattern, patterns = pd.factorize(rows["supplied_fields"].map(tuple))
    parts = []
    for column, field in STATED.items():
        is_published = np.array([field in names for names in patterns], dtype=bool)[pattern]
        values = _as_texts(rows[column])
        values[is_edit] = _as_texts(edited[field]).to_numpy()
        is_shown = ~is_hidden | (is_published & (field not in _WHEREABOUTS))
        is_stated = values.notna().to_numpy() & (~is_edit | is_published) & is_shown
        field_rows = rows.loc[is_stated, _OF_RECORD].assign(
            field_name=field,
            value=values[is_stated],
            is_published=is_published[is_stated],
            is_contradicted=contradicted.get(field, np.zeros(len(rows), bool))[is_stated],
        )
        parts.append(as_arrow(field_rows, STATEMENTS))
    return pa.concat_tables(parts)


def _as_texts(values: pd.Series) -> pd.Series:
    """Return a column as texts: numbers in Python's format, lists with commas."""
    if isinstance(values.dtype, pd.StringDtype):
        return values.copy()

    def text_of(value: object) -> str:
        if isinstance(value, list | tuple | np.ndarray):
            return ", ".join(map(str, value))
        return str(value)

    form = float.__repr__ if pd.api.types.is_float_dtype(values.dtype) else text_of
    return values.map(form, na_action="ignore").astype("str")


def _find_contradictions(rows: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return by field the records whose value contradicts another record of the place.

    Spellings do not contradict: streets are compared as in matching, telephones in E.164, websites
    by host, hours as rules. Names and descriptions are not compared.
    """
    several = rows["resource_id"].duplicated(keep=False).to_numpy()
    some = rows[several]
    comparable = {
        "address": map_unique(some["address"], street_key),
        "zip": some["zip"],
        "phone": some["phone_e164"],
        "website": map_unique(some["website"], website_host),
        "hours_text": some["schedules_json"],
        "resource_type": some["resource_type"],
    }
    by_field = {}
    for field, values in comparable.items():
        flags = np.zeros(len(rows), dtype=bool)
        flags[several] = values.groupby(some["resource_id"]).transform("nunique").to_numpy() > 1
        flags[several] &= values.notna().to_numpy()
        by_field[field] = flags
    return by_field


def street_key(address: str) -> str | None:
    """Return house number and street; None without a house number."""
    street = read_street(address)
    return f"{street.number} {street.core}" if street.number else None


# Groups of `FIELD_GROUPS` in which lists agree, with the columns that are compared and their keys.
_COMPARED: dict[str, dict[str, Callable[[str], str | None] | None]] = {
    "lat": {"address": street_key, "zip": None},
    "phone": {"phone_e164": None},
    "website": {"website": website_host},
}


def families(sources: dict[str, Source]) -> dict[str, str]:
    """Return the family of each source: the first id of those that copy each other."""
    family = {source_id: source_id for source_id in sources}
    for source in sources.values():
        for other in source.copy_of:
            names = {family[source.id], family.get(other, other)}
            family = {s: min(names) if f in names else f for s, f in family.items()}
    return family


def count_agreeing(rows: pd.DataFrame, group: str, family: dict[str, str]) -> pd.Series:
    """Return how many families of lists agree with each record's values of a group for its place,
    summed over the compared columns; 0 if the group has none."""
    total = pd.Series(0, rows.index)
    for column, key_of in _COMPARED.get(group, {}).items():
        key = map_unique(rows[column], key_of) if key_of else rows[column]
        by = [rows["resource_id"], key]
        lists = rows["source_id"].map(family).groupby(by, dropna=True).transform("nunique")
        # A single list proves no more than none: dates and publishers decide.
        total += lists.where(lists > 1, 0).fillna(0).astype("int64")
    return total
