"""Normalizes web addresses; any other text becomes missing."""

import pandas as pd

from assets.cleaning.frames import map_unique
from schemas.sources.registry import Source
from schemas.values.website import parse_website


def clean_websites(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Clean `website`: http or https, a possible host and no tracking parameters, or missing."""
    return places.assign(website=map_unique(places["website"], parse_website))
