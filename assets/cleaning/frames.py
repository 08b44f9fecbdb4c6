"""Helpers of the cleaning steps: work on unique values, and rejects with a reason."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

Repair = Callable[[str], str | None]

# Multi-line free text; its line breaks are significant.
MULTI_LINE_FIELDS = (
    "hours_text",
    "services_text",
    "requirements_text",
    "eligibility_text",
    "notes",
)
TEXT_FIELDS = (
    "name",
    "organization",
    "address",
    "city",
    "state",
    "zip",
    "county_name",
    "phone",
    "website",
    *MULTI_LINE_FIELDS,
)


def map_unique(column: pd.Series, repair: Repair) -> pd.Series:
    """Return a text column mapped by `repair`, called once per distinct value; missing stays
    missing."""
    codes, uniques = pd.factorize(column)
    # A missing value has code -1, which selects the last entry.
    values = pd.array([*map(repair, np.asarray(uniques, dtype=object)), None], dtype="str")
    return pd.Series(values.take(codes), index=column.index, name=column.name)


def map_where(column: pd.Series, where: pd.Series, repair: Repair) -> pd.Series:
    """Return a text column with only the marked values mapped by `repair`."""
    if not where.any():
        return column
    result = column.copy()
    result[where] = map_unique(column[where], repair)
    return result


def contains(column: pd.Series, pattern: str) -> pd.Series:
    """Return whether each text contains the pattern (RE2 syntax, run by Arrow; missing is False).

    pandas runs patterns with flags, escapes or non-ASCII letters in Python, ten times slower.
    """
    matches = pc.match_substring_regex(pa.array(column, pa.large_string()), pattern)
    return pd.Series(matches.fill_null(False).to_numpy(zero_copy_only=False), index=column.index)


def is_one_case(column: pd.Series) -> pd.Series:
    """Return whether the letters of each text are all upper or all lower case.

    A text without plain Latin letters has no case to repair: a change could turn transport damage
    into a plausible sign ("â€" would become "Â€", which reads as a broken euro sign).
    """
    return (column.str.isupper() | column.str.islower()) & contains(column, "[A-Za-z]")


def reject(
    places: pd.DataFrame, where: pd.Series, reason: str, detail: pd.Series | str
) -> pd.DataFrame:
    """Return the frame with `reason` on marked rows; a row's first reason stays."""
    target = where & places["reject_reason"].isna()
    if not target.any():
        return places
    marked = places.copy(deep=False)
    marked["reject_reason"] = places["reject_reason"].mask(target, reason)
    marked["reject_detail"] = places["reject_detail"].mask(target, detail)
    return marked
