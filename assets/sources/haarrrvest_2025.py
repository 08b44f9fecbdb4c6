"""Places from food banks' own locators, scraped by HAARRRvest in August 2025: one file per locator.

Where a locator gave no usable address, the scraper put in a point of its own making; such points
are dropped. See the layouts in `assets.sources.haarrrvest`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.haarrrvest import flat
from assets.sources.haarrrvest.common import Layout, with_origin
from assets.sources.haarrrvest.freshtrak import freshtrak
from assets.sources.haarrrvest.gulf_coast import gulf_coast
from assets.sources.haarrrvest.hsds import hsds
from assets.sources.reading_json import read_json_lines
from schemas.sources.registry import Source

LAYOUTS: dict[str, Layout] = {
    "capital_area": flat.capital_area,
    "care_and_share": hsds,
    "chester_county": flat.chester_county,
    "napa_valley": flat.read_labelled,
    "gulf_coast": gulf_coast,
    "new_york_city": flat.new_york_city,
    "food_lifeline": flat.food_lifeline,
    "freshtrak": freshtrak,
    "hudson_county": hsds,
    "mercer": flat.mercer,
    "rutgers": hsds,
    "northwest_north_carolina": flat.read_labelled,
    "silicon_valley": flat.silicon_valley,
    "food_basket": flat.food_basket,
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the places in one frame. Raises UnreadableFileError for lines that are none."""
    records = read_json_lines(file)
    if not records:
        return
    if not any(record.get("name") for record in records):
        raise UnreadableFileError(f"{file.name}: no record has a name")
    yield with_origin(LAYOUTS[file.layout](records), file)
