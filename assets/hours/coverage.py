"""Counts places with hours in words and those read as schedules: by source, with reasons."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from assets.hours.parse import parse_hours

COLUMNS = ("source_id", "rows", "with_text", "read", "not_read", "share_read")


def hours_coverage(places: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each source with hours in words, the fullest first, and a row `total` at
    the end.

    `places` has `source_id`, `hours_text` and `schedules_json`. `share_read` is a share of
    `with_text`, from 0 to 1. Places without a text are in `rows` only.
    """
    is_read = places["hours_text"].notna() & places["schedules_json"].notna()
    counts = pd.DataFrame(
        {
            "source_id": places["source_id"],
            "rows": 1,
            "with_text": places["hours_text"].notna().astype("int64"),
            "read": is_read.astype("int64"),
        }
    )
    by_source = counts.groupby("source_id", as_index=False).sum()
    by_source = by_source[by_source["with_text"] > 0]
    by_source = by_source.sort_values(["with_text", "source_id"], ascending=[False, True])
    total = by_source[["rows", "with_text", "read"]].sum().to_frame().T
    table = pd.concat([by_source, total.assign(source_id="total")], ignore_index=True)
    table["not_read"] = table["with_text"] - table["read"]
    table["share_read"] = (table["read"] / table["with_text"]).astype("float64").round(3)
    return table[list(COLUMNS)]


def reasons_not_read(texts: pd.Series, count: int = 12) -> list[tuple[str, int]]:
    """Return the commonest reasons for which distinct texts of a column give no schedule."""
    readings = (parse_hours(text) for text in texts.dropna().unique())
    return Counter(r.reason for r in readings if r.reason is not None).most_common(count)
