"""Retires rows omitted by a newer edition of a list; copies points that only older ones have.

An edition covers an area (`FileLayout.covers`) and a date (its vintage). Rows it omits there are no
longer listed; elsewhere, and in files without a declared area, nothing ends.
"""

import re
from collections.abc import Iterable

import pandas as pd

from assets.geography.counties import county_base
from assets.sources.contract import RawFile
from schemas.sources.registry import NAMED_STATE, Source
from schemas.values.names import fold_name
from schemas.vocab.states import CODE_BY_NAME, STATES

_CODE_IN_NAME = re.compile(r"(?<![A-Za-z])([A-Z]{2})(?![A-Za-z])")
# "West Virginia" before "Virginia".
_NAMES = sorted(CODE_BY_NAME, key=len, reverse=True)
_NAME_IN_NAME = re.compile(rf"\b({'|'.join(map(re.escape, _NAMES))})\b")


def find_omitted_rows(rows: pd.DataFrame, source: Source, files: Iterable[RawFile]) -> pd.Series:
    """Return the name of the newer edition that omits a row; missing for all other rows.

    `rows` has `file_name`, `source_key`, `state` and `county_name`. A row without a state, or
    without a county if the edition covers counties, is never omitted.
    """
    omitted_by = pd.Series(None, index=rows.index, dtype="str")
    editions = sorted((f for f in files if f.vintage), key=lambda f: (f.vintage, f.name))
    vintage = rows["file_name"].map({f.name: f.vintage for f in editions})
    for edition in editions:
        in_edition = rows["file_name"] == edition.name
        area = _area(rows, source, edition, int(in_edition.sum()))
        if not area.any():
            continue
        is_older = vintage.lt(edition.vintage).fillna(False).astype(bool)
        is_listed = rows["source_key"].isin(rows.loc[in_edition, "source_key"].dropna())
        omitted_by = omitted_by.mask(is_older & area & ~is_listed, edition.name)
    return omitted_by


def _area(rows: pd.DataFrame, source: Source, edition: RawFile, row_count: int) -> pd.Series:
    """Return which rows are in the area that an edition covers."""
    within = pd.Series(False, index=rows.index)
    layout = source.layout_of(edition.name)
    for area in layout.covers if layout else ():
        state, _, county = _resolve_area(area, edition.name).partition("/")
        if state == "US":
            # A national file with too few rows is an extract.
            within |= row_count >= source.expected_rows.minimum
        elif county:
            is_county = (
                rows["county_name"].map(_plain_county, na_action="ignore").eq(fold_name(county))
            )
            within |= rows["state"].eq(state) & is_county.fillna(False).astype(bool)
        else:
            within |= rows["state"].eq(state).fillna(False).astype(bool)
    return within


def _resolve_area(area: str, file_name: str) -> str:
    """Return an area as declared; for `NAMED_STATE` the one state in the file's name, else ""."""
    if area != NAMED_STATE:
        return area
    words = re.sub(r"[^a-z]+", " ", file_name.casefold())
    codes = {CODE_BY_NAME[name] for name in _NAME_IN_NAME.findall(words)}
    codes = codes or {code for code in _CODE_IN_NAME.findall(file_name) if code in STATES}
    return codes.pop() if len(codes) == 1 else ""


def _plain_county(name: str) -> str:
    return county_base(fold_name(name))


def with_older_points(rows: pd.DataFrame) -> pd.DataFrame:
    """Fill missing points from the newest older row of the same key that has one.

    Only if street, city and ZIP code are equal: a place that has moved has no point yet.
    """
    if not {"lat", "lng"} <= set(rows.columns):
        return rows
    has_point = rows["lat"].notna() & rows["lng"].notna() & rows["address"].notna()
    has_no_place = rows["lat"].isna() & rows["lng"].isna() & rows["address"].notna()
    has_no_place &= rows["source_key"].isin(rows.loc[has_point, "source_key"])
    if not has_no_place.any():
        return rows
    some = rows[
        has_point & rows["source_key"].isin(rows.loc[has_no_place, "source_key"]) | has_no_place
    ]
    where = some[["address", "city", "zip"]].fillna("").map(fold_name).agg("|".join, axis=1)
    key = some["source_key"] + "|" + where
    updated = pd.to_datetime(some["source_updated_date"])
    with_points = some.assign(key=key, updated=updated).loc[has_point.reindex(some.index)]
    with_points = with_points.sort_values(
        "updated", ascending=False, kind="stable", na_position="last"
    )
    points = with_points.drop_duplicates("key").set_index("key")
    by_column = {
        name: key[has_no_place.reindex(some.index)].map(points[name]) for name in ("lat", "lng")
    }
    return rows.assign(**{name: rows[name].fillna(values) for name, values in by_column.items()})
