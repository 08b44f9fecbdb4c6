"""Limits the length of every text cell before regular expressions run."""

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from assets.cleaning.frames import MULTI_LINE_FIELDS, TEXT_FIELDS
from schemas.sources.registry import Source

# The longest cells of real publishers: 31,322 characters of dated hours, 600 of any one-line field.
MAX_TEXT_CHARACTERS = 60_000
MAX_LINE_CHARACTERS = 2000


def bound_cells(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Return texts up to a number of characters: longer ones are no name, number or timetable."""
    bounded = places.copy(deep=False)
    for name in TEXT_FIELDS:
        most = MAX_TEXT_CHARACTERS if name in MULTI_LINE_FIELDS else MAX_LINE_CHARACTERS
        lengths = pc.utf8_length(pa.array(places[name], pa.large_string()))
        if (pc.max(lengths).as_py() or 0) > most:
            bounded[name] = places[name].str.slice(0, most)
    return bounded
