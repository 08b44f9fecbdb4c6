"""The cleaning steps in order. To add one, write a module and list it here."""

from collections.abc import Callable

import pandas as pd

from assets.cleaning.addresses import clean_addresses
from assets.cleaning.bounds import bound_cells
from assets.cleaning.names import clean_names
from assets.cleaning.personal_data import remove_personal_data
from assets.cleaning.phones import clean_phones
from assets.cleaning.points import clean_points
from assets.cleaning.program_dates import date_programs
from assets.cleaning.states import clean_states
from assets.cleaning.text import clean_text
from assets.cleaning.types import check_types
from assets.cleaning.websites import clean_websites
from assets.cleaning.withheld import mark_withheld
from assets.cleaning.zips import clean_zips
from schemas.sources.registry import Source

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
