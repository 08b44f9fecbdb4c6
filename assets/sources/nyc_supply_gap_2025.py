"""New York City's Emergency Food Supply Gap: need and supply by neighbourhood and year. No row is a
place.

The rows are read and accounted for; `neighborhoods` gives them as a table.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.reading import as_number, with_rejects
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

# The bracket of the second is not closed in the file.
_TEXTS = {
    "Year": "year",
    "Neighborhood Tabulation Area NTA)": "nta_code",
    "Neighborhood Tabulation Area (NTA) Name": "nta_name",
}
_NUMBERS = {
    "Supply Gap (lbs.)": "supply_gap_lbs",
    "Food Insecure Percentage": "food_insecure_percent",
    "Unemployment Rate": "unemployment_rate_percent",
    "Vulnerable Population Score": "vulnerable_population_score",
    "Weighted Score": "weighted_score",
    "Rank": "rank",
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield every neighbourhood and year as a row without a place."""
    rows = neighborhoods(file)
    places = pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": rows["nta_code"] + ":" + rows["year"],
            "name": rows["nta_name"],
            "state": "NY",
        }
    )
    everywhere = pd.Series(True, index=rows.index)
    yield with_rejects(places, [("not_a_place", everywhere, "supply gap " + rows["year"])])


def neighborhoods(file: RawFile) -> pd.DataFrame:
    """Return one row per neighbourhood and year: `year`, `nta_code`, `nta_name`, figures as
    numbers, `source_row`.

    Percentages are as published: an unemployment rate of 1053.82 lacks its decimal point in the
    file.
    """
    rows = read_table(file, required=[*_TEXTS, *_NUMBERS])
    plain = {
        name: as_number(rows[column].str.replace(r"[,%]", "", regex=True))
        for column, name in _NUMBERS.items()
    }
    texts = {name: rows[column] for column, name in _TEXTS.items()}
    return pd.DataFrame({**texts, **plain, "source_row": rows["source_row"]})
