"""The cleaning steps in order, for places and for approved edits. A step is added to a list."""

from collections.abc import Callable

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from assets.cleaning.addresses import (
    clean_addresses,
    clean_phones,
    clean_points,
    clean_states,
    clean_websites,
    clean_zips,
)
from assets.cleaning.names import clean_names
from assets.cleaning.people import remove_personal_data
from assets.cleaning.program_dates import date_programs
from assets.cleaning.text import MULTI_LINE_FIELDS, TEXT_FIELDS, clean_text
from assets.cleaning.types import check_types
from assets.cleaning.withheld import mark_withheld
from schemas.sources.registry import Source

# The longest cells of real publishers: 31,322 characters of dated hours, 600 of any one-line field.
MAX_TEXT_CHARACTERS = 60_000
MAX_LINE_CHARACTERS = 2000


def bound_cells(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Return texts cut to a number of characters: no name, number or timetable is longer."""
    bounded = places.copy(deep=False)
    for name in TEXT_FIELDS:
        most = MAX_TEXT_CHARACTERS if name in MULTI_LINE_FIELDS else MAX_LINE_CHARACTERS
        lengths = pc.utf8_length(pa.array(places[name], pa.large_string()))
        if (pc.max(lengths).as_py() or 0) > most:
            bounded[name] = places[name].str.slice(0, most)
    return bounded


# Each is a pure function from places to places that preserves every row and the order.
STEPS: tuple[Callable[[pd.DataFrame, Source], pd.DataFrame], ...] = (
    # Before any regular expression runs.
    bound_cells,
    # Before text: "- - -" means a withheld address here and a missing value everywhere else.
    mark_withheld,
    clean_text,
    remove_personal_data,
    clean_names,
    check_types,
    date_programs,
    # Before states: a point may determine the state of a row without one.
    clean_points,
    # State before ZIP: the state proves lost zeros. Both before addresses, which may repeat them.
    clean_states,
    clean_zips,
    clean_addresses,
    clean_phones,
    clean_websites,
)


def clean(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Return repaired rows of one source; unusable ones have `reject_reason` and `reject_detail`.

    Columns are those of PLACES plus the two of rejects. All rows are returned in the same order;
    the input frame is not changed. The function is idempotent.
    """
    if places.empty:
        return places
    for step in STEPS:
        places = step(places, source)
    return places


_EDIT_STEPS = (clean_text, remove_personal_data, clean_phones, clean_websites)


def clean_edits(edits: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Return repaired rows of edits; all rows, in the same order."""
    if edits.empty:
        return edits
    missing = [name for name in TEXT_FIELDS if name not in edits]
    work = edits.assign(**{n: pd.Series(None, edits.index, dtype="str") for n in missing})
    for step in _EDIT_STEPS:
        work = step(work, source)
    return work.drop(columns=missing)
