"""How many independent lists agree on a value of a place: more lists outweigh a newer one.

A list that copies another, or that the same publisher made, says nothing new.
"""

import pandas as pd

from assets.cleaning.frames import map_unique
from assets.matching.profiles import website_host
from assets.matching.streets import read_street
from schemas.sources.registry import Source

# Groups of `FIELD_GROUPS` of which lists give the same value in other spellings, and the columns
# that are compared.
_COMPARED = {"lat": ("address", "zip"), "phone": ("phone_e164",), "website": ("website",)}


def families(sources: dict[str, Source]) -> dict[str, str]:
    """Return the family of each source: the first id of those that copy each other."""
    family = {source_id: source_id for source_id in sources}
    for source in sources.values():
        for other in source.copy_of:
            names = {family[source.id], family.get(other, other)}
            family = {s: min(names) if f in names else f for s, f in family.items()}
    return family


def count_agreeing(rows: pd.DataFrame, group: str, family: dict[str, str]) -> pd.Series:
    """Return, for each record, how many families of lists give its values of a group for its
    place, over the compared columns; 0 where none is compared."""
    total = pd.Series(0, rows.index)
    for column in _COMPARED.get(group, ()):
        key = _key(rows[column], column)
        by = [rows["resource_id"], key]
        lists = rows["source_id"].map(family).groupby(by, dropna=True).transform("nunique")
        # One list says no more than none: dates and publishers decide.
        total += lists.where(lists > 1, 0).fillna(0).astype("int64")
    return total


def _key(values: pd.Series, column: str) -> pd.Series:
    if column == "address":
        return map_unique(values, street_key)
    return map_unique(values, website_host) if column == "website" else values


def street_key(address: str) -> str | None:
    """Return house number and street; None without a house number."""
    street = read_street(address)
    return f"{street.number} {street.core}" if street.number else None
